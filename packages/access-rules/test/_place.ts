/** A provider on memory storage with the built-in sign-in, two users and clients with rules; and browsers. */

import { type Client, createProvider, type OidcEvent } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { createIdentity, type IdentityEvent, memoryUsers, upsertUser } from '@ostiary/identity'
import { browser, formRequest } from '@ostiary/test-kit/browser'
import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createApplications, refusedPage } from '../src/index.js'

export const ORIGIN = 'https://id.example'
export const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const PASSWORD = 'correct horse battery staple'
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  clients: readonly Partial<Client>[]
  help?: string
  /** The realms with the list. */
  realms?: readonly string[]
}

/** `ann` is in staff, `ben` is not. */
export async function place({ clients, help, realms = [] }: PlaceOptions) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const storage = memoryStorage()
  const users = memoryUsers()
  const events: (OidcEvent | IdentityEvent)[] = []
  const on_event = (event: OidcEvent | IdentityEvent) => void events.push(event)
  const counted = { lists: 0 }
  const identity = createIdentity({
    users,
    secret: SECRET,
    now,
    on_event,
    passwords: HASH,
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    theme: { name: 'Corp' },
    refused: (view) => refusedPage(view, help),
    ...(realms.length > 0 && {
      extensions: [
        createApplications({
          realms,
          clients: (realm) => ({
            list(page) {
              counted.lists += 1
              return storage(realm).clients.list(page)
            },
          }),
        }),
      ],
    }),
  })
  const { accounts, interactions } = identity
  const provider = createProvider({
    oidc: { issuer: ORIGIN },
    secret: SECRET,
    storage,
    accounts,
    interactions,
    now,
    on_event,
    client_cache: 0,
  })
  for (const client of clients)
    await storage('default').clients.create(
      clientRecord({
        client_name: 'Quarterly Reports',
        redirect_uris: [REDIRECT_URI],
        trusted: true,
        ...client,
      }),
    )
  for (const [username, groups] of [
    ['ann', ['staff']],
    ['ben', ['sales']],
  ] as const)
    await upsertUser(
      users('default'),
      { username, password: PASSWORD, groups: [...groups] },
      { now, passwords: HASH },
    )
  const fetch = async (request: Request, request_id = 'a request') => {
    const info = { address: '192.0.2.1', request_id }
    return (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
  }
  return { clock, counted, events, fetch, provider, storage, users }
}

export type Place = Awaited<ReturnType<typeof place>>

export const browserOf = (w: Place) => browser((request) => w.fetch(request))
export type Browser = ReturnType<typeof browserOf>

export function authorizeUrl(changes: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: 'app',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    state: 'the state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  })
  return `${ORIGIN}/oauth/authorize?${query}`
}

/** The hidden fields of the form that has this text. */
export function fieldsOf(html: string, part: string): Record<string, string> {
  const form = html.split('<form').find((text) => text.includes(part)) ?? ''
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
}

const SAME_ORIGIN = { ...NAVIGATION_HEADERS, 'sec-fetch-site': 'same-origin' }

export const send = (b: Browser, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  b.send(formRequest(`${ORIGIN}/login`, fields, { headers: { ...SAME_ORIGIN, ...headers } }))

export const open = (b: Browser, url: string) => b.send(new Request(url, { headers: NAVIGATION_HEADERS }))

/** Follows redirects of this origin. */
export async function follow(b: Browser, response: Response): Promise<Response> {
  const location = response.headers.get('location')
  return location?.startsWith(ORIGIN) ? follow(b, await open(b, location)) : response
}

/** Signs in at the page of a sign-in. */
export async function signIn(b: Browser, page: Response, username: string): Promise<Response> {
  const fields = fieldsOf(await page.text(), 'name="password"')
  return follow(b, await send(b, { ...fields, username, password: PASSWORD }))
}

/** Asks for the application, and signs in. */
export async function ask(b: Browser, username: string, changes?: Record<string, string>): Promise<Response> {
  return signIn(b, await follow(b, await open(b, authorizeUrl(changes))), username)
}

export const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
