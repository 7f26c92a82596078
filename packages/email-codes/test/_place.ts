/** A provider on memory storage with the built-in sign-in, mail and codes; browsers; and what was mailed. */

import { createProvider, type OidcConfig, type OidcEvent } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  type IdentityEvent,
  type IdentityOptions,
  type IdentitySettings,
  memoryUserStores,
  upsertUser,
} from '@ostiary/identity'
import { type MailQueue, memoryMailQueue, type OutgoingMail, type RealmMail } from '@ostiary/identity/mail'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createEmailCodes } from '../src/index.js'

export const PASSWORD = 'correct horse battery staple'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  /** The realms with codes; all when absent. */
  offering?: readonly string[]
  realms?: readonly string[]
  settings?: IdentitySettings
  mail?: Partial<RealmMail>
  queue?: MailQueue
  oidc?: OidcConfig
  identity?: Partial<IdentityOptions>
  /** In the place of the users in memory. */
  wrap?: (users: ReturnType<typeof memoryUserStores>['users']) => IdentityOptions['users']
}

export async function place({
  settings,
  realms,
  mail = {},
  queue = memoryMailQueue(),
  ...more
}: PlaceOptions = {}) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const stores = memoryUserStores()
  const { factors, tickets, links, remembered_devices } = stores
  const users = more.wrap?.(stores.users) ?? stores.users
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const provider_events: OidcEvent[] = []
  const sent: OutgoingMail[] = []
  const mailer = { send: async (outgoing: OutgoingMail) => void sent.push(outgoing) }
  const ids = realms ?? ['default']
  const identity = createIdentity({
    secret: SECRET,
    now,
    users,
    tickets,
    passwords: HASH,
    mail: { queue, of: () => ({ mailer, from: 'id@example.com', ...mail }) },
    extensions: [createEmailCodes({ realms: more.offering ?? ids })],
    throttle: (realm) => storage(realm).throttle,
    replays: (realm) => storage(realm).replays,
    ...(settings && { factors, remembered_devices, settings: () => settings }),
    on_event: (event) => void events.push(event),
    ...more.identity,
  })
  const provider = createProvider({
    secret: SECRET,
    now,
    oidc: {
      issuer: 'https://id.example',
      ...more.oidc,
      ...(realms && { routes: { realms: 'path' }, realms: Object.fromEntries(realms.map((id) => [id, {}])) }),
    },
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
    on_event: (event) => void provider_events.push(event),
  })
  for (const realm of ids) {
    await storage(realm).clients.create(
      clientRecord({
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        consent_required: false,
      }),
    )
    await upsertUser(
      users(realm),
      { username: 'ada@corp.example', password: PASSWORD, email: 'ada@corp.example', email_verified: true },
      { passwords: HASH, now },
    )
  }
  const send = async (request: Request, info: { address?: string; peer?: string } = {}) =>
    (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
  return {
    clock,
    users,
    factors,
    tickets,
    links,
    storage,
    events,
    provider_events,
    sent,
    queue,
    identity,
    provider,
    send,
    async deliver() {
      identity.mail?.start(provider)
      await identity.mail?.settled()
    },
  }
}

export type Place = Awaited<ReturnType<typeof place>>

interface From {
  realm?: string
  address?: string
  peer?: string
}

export function browserAt(p: Place, { realm = '', ...info }: From = {}) {
  const base = `https://id.example${realm && `/realms/${realm}`}`
  const { cookies, send: sendRequest } = browser((request) => p.send(request, info))
  const send = (url: string, init: RequestInit = {}) => sendRequest(new Request(new URL(url, base), init))
  const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields), headers })
  /** A request of the client. Where the browser is sent. */
  async function authorize(more: Record<string, string> = {}): Promise<string> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email',
      state: 'state of the client',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    })
    return (await send(`${base}/oauth/authorize?${query}`)).headers.get('location') ?? ''
  }
  /** The sign-in page. */
  const open = async (url?: string) => (await send(url ?? (await authorize()))).text()
  /** The button in the form of the name and the password. The answer to it. */
  async function ask(username: string, { url, headers = {} }: Asking = {}): Promise<Response> {
    const html = await open(url)
    const fields = hiddenOf(html)
    return post(`${base}/login/code`, { ...fields, username, password: '' }, headers)
  }
  /** The page on which the code is entered, after the redirect. */
  const follow = async (answer: Response) => (await send(answer.headers.get('location') ?? '')).text()
  /** Enters a code on this page. */
  const enter = (html: string, code: string) => post(`${base}/login/code`, { ...hiddenOf(html), code })
  /** Asks for a code, and gives the page for it. */
  const askAt = async (username: string, asking: Asking = {}) => follow(await ask(username, asking))
  async function signIn(username: string, password = PASSWORD): Promise<Response> {
    return post(`${base}/login`, { ...hiddenOf(await open()), username, password })
  }
  return { base, cookies, send, post, authorize, open, ask, follow, enter, askAt, signIn }
}

interface Asking {
  /** Of the sign-in page. */
  url?: string
  headers?: Record<string, string>
}

/** The hidden fields of the forms of the sign-in. */
export const hiddenOf = (html: string) => ({
  return_to: hiddenField(html, 'return_to'),
  csrf_token: hiddenField(html, 'csrf_token'),
})

/** The code of the last mail. */
export function lastCode({ sent }: Pick<Place, 'sent'>): string {
  const [code] = /^[B-Z]{4}-[B-Z]{4}$/m.exec(sent.at(-1)?.text ?? '') ?? []
  if (code === undefined) throw new Error(`No code in ${sent.at(-1)?.text}`)
  return code
}

/** Another code than that of the last mail. */
export function otherCode(p: Pick<Place, 'sent'>): string {
  const code = lastCode(p)
  return (code.startsWith('B') ? 'C' : 'B') + code.slice(1)
}

/** Without what differs from page to page. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:csrf_token|return_to)" value=")[^"]*/g, '$1').replace(/return_to=[^"&]+/g, '')

export const types = ({ events }: Place): string[] => events.map(({ type }) => type)

/** On the way back to the client, with a session. */
export const isSignedIn = (response: Response): boolean =>
  response.status === 303 && response.headers.getSetCookie().some((cookie) => cookie.includes('session'))
