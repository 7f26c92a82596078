/** A provider on memory storage with the built-in sign-in and upstreams, and browsers. */

import { createProvider, type OidcEvent } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  type IdentityEvent,
  type IdentitySettings,
  memoryUserStores,
  upsertUser,
} from '@ostiary/identity'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createUpstreams, type UpstreamSettings } from '../src/index.js'
import { CLIENT_ID, CLIENT_SECRET, github, upstream } from './_upstream.js'

export const PASSWORD = 'correct horse battery'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const CORP = 'https://login.corp.example'
const EVIL = 'https://login.evil.example'
export const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  corp?: Partial<UpstreamSettings>
  evil?: Partial<UpstreamSettings>
  hub?: Partial<UpstreamSettings>
  settings?: IdentitySettings
  realms?: readonly string[]
}

export async function place({ settings, realms, ...more }: PlaceOptions = {}) {
  const corp = upstream(more.corp?.issuer ?? CORP)
  const evil = upstream(EVIL)
  const hub = github({ id: 583231, login: 'ada' }, [])
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  const own: Record<'corp' | 'evil' | 'github', UpstreamSettings> = {
    corp: { type: 'oidc', issuer: corp.issuer, name: 'Corp', ...credentials, ...more.corp },
    evil: { type: 'oidc', issuer: EVIL, name: '<b>Evil</b>', ...credentials, ...more.evil },
    github: { type: 'github', name: 'GitHub', ...credentials, ...more.hub },
  }
  const clock = { now: Math.floor(Date.now() / 1000) }
  const now = () => clock.now
  const { users, factors, links, tickets } = memoryUserStores()
  const upstreams = createUpstreams({
    links,
    realms: { default: own, one: own },
    now,
    fetch(url, init) {
      if (url.startsWith(corp.issuer)) return corp.fetch(url, init)
      return url.startsWith(EVIL) ? evil.fetch(url, init) : hub.fetch(url, init)
    },
  })
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const provider_events: OidcEvent[] = []
  const shared = { secret: SECRET, now }
  const identity = createIdentity({
    ...shared,
    users,
    tickets,
    extensions: [upstreams],
    passwords: HASH,
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    ...(settings && { factors, settings: () => settings }),
    on_event: (event) => void events.push(event),
  })
  const provider = createProvider({
    ...shared,
    oidc: {
      issuer: 'https://id.example',
      ...(realms && { routes: { realms: 'path' }, realms: Object.fromEntries(realms.map((id) => [id, {}])) }),
    },
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
    on_event: (event) => void provider_events.push(event),
  })
  for (const realm of realms ?? ['default']) {
    await storage(realm).clients.create(
      clientRecord({
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        consent_required: false,
      }),
    )
    await upsertUser(users(realm), { username: 'ada@corp.example', password: PASSWORD }, { passwords: HASH })
  }
  const send = async (request: Request, address?: string) => {
    const info = address === undefined ? {} : { address }
    return (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
  }
  return {
    corp,
    evil,
    hub,
    own,
    clock,
    users,
    links,
    tickets,
    storage,
    factors,
    events,
    provider_events,
    identity,
    provider,
    send,
  }
}

export type Place = Awaited<ReturnType<typeof place>>

export function browserAt(p: Place, { realm = '', address }: { realm?: string; address?: string } = {}) {
  const base = `https://id.example${realm && `/realms/${realm}`}`
  const { cookies, send: sendRequest } = browser((request) => p.send(request, address))
  const send = (url: string, init: RequestInit = {}) => sendRequest(new Request(new URL(url, base), init))
  const post = (url: string, fields: Record<string, string>) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields) })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: 'state of the client',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  /** The sign-in page of a request of the client. */
  async function openLogin(more: Record<string, string> = {}) {
    for (const [name, value] of Object.entries(more)) query.set(name, value)
    const sent = await send(`${base}/oauth/authorize?${query}`)
    const html = await (await send(sent.headers.get('location') ?? '')).text()
    return {
      html,
      fields: { return_to: hiddenField(html, 'return_to'), csrf_token: hiddenField(html, 'csrf_token') },
    }
  }
  /** Presses a button: the answer of the server, and where the browser goes. */
  async function start(id: string) {
    const { fields } = await openLogin()
    const response = await post(`${base}/login/upstream/${id}`, fields)
    return { response, location: response.headers.get('location') ?? '' }
  }
  const callback = (id: string, params: URLSearchParams) => send(`${base}/login/callback/${id}?${params}`)
  return { base, cookies, send, post, openLogin, start, callback }
}

export type TestBrowser = ReturnType<typeof browserAt>

/** A whole sign-in with the provider `corp`. */
export async function signInWithCorp(p: Place, b: TestBrowser): Promise<Response> {
  const { location } = await b.start('corp')
  return b.callback('corp', p.corp.signIn(location))
}

/** Signs in with the password, for the account page. */
export async function signInWithPassword(b: TestBrowser, username = 'ada@corp.example'): Promise<void> {
  const sent = await b.send(`${b.base}/account`)
  const html = await (await b.send(sent.headers.get('location') ?? '')).text()
  const fields = { return_to: hiddenField(html, 'return_to'), csrf_token: hiddenField(html, 'csrf_token') }
  await b.post(`${b.base}/login`, { ...fields, username, password: PASSWORD })
}

/** Opens the account page, and posts one of its forms. */
export async function atAccount(b: TestBrowser, action: string, fields: Record<string, string> = {}) {
  const html = await (await b.send(`${b.base}/account`)).text()
  return b.post(`${b.base}/account`, { csrf_token: hiddenField(html, 'csrf_token'), action, ...fields })
}

/** Links the account at `corp` to the user that is signed in. */
export async function linkCorp(p: Place, b: TestBrowser): Promise<Response> {
  const sent = await atAccount(b, 'link', { upstream: 'corp' })
  return b.callback('corp', p.corp.signIn(sent.headers.get('location') ?? ''))
}

/** On the way back to the client, with a session. */
export const isSignedIn = (response: Response): boolean =>
  response.status === 303 &&
  (response.headers.get('location') ?? '').includes('/oauth/authorize/resume?id=') &&
  response.headers.getSetCookie().some((cookie) => cookie.includes('session'))

export const refusals = (p: Place): string[] =>
  p.events.flatMap((event) => ('reason' in event ? [event.reason] : []))
