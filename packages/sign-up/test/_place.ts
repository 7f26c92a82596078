/** A provider on memory storage with the built-in sign-in, mail and sign-up; browsers; and what was mailed. */

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
import { createSignUp, type SignUpSettings } from '../src/index.js'

export const PASSWORD = 'correct horse battery staple'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

export interface PlaceOptions {
  sign_up?: SignUpSettings
  /** The realms that sign up; all when absent. */
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
  sign_up = { signup: 'open' },
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
    sign_up: createSignUp({
      realms: Object.fromEntries((more.offering ?? ids).map((id) => [id, sign_up])),
    }),
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
  const signUpUrl = (return_to = '') =>
    `${base}/login/signup${return_to && `?${new URLSearchParams({ return_to })}`}`
  /** Enters the address. The answer to the form. */
  async function ask(address: string, { url = signUpUrl(), headers = {} } = {}): Promise<Response> {
    const html = await (await send(url)).text()
    return post(url, { csrf_token: hiddenField(html, 'csrf_token'), address }, headers)
  }
  /** Presses the button of the link's page. */
  async function press(link: string): Promise<Response> {
    const html = await (await send(link)).text()
    return post(signUpUrl(), { csrf_token: hiddenField(html, 'csrf_token'), t: hiddenField(html, 't') })
  }
  /** A form of the pages on which the user chooses a way in. */
  async function choose(action: string, fields: Record<string, string> = {}): Promise<Response> {
    const html = await (await send(`${base}/login/ticket`)).text()
    return post(`${base}/login/ticket`, { csrf_token: hiddenField(html, 'csrf_token'), action, ...fields })
  }
  /** With a password, to the end. */
  async function chooseNewPassword(password = PASSWORD): Promise<Response> {
    await choose('password', { new_password: password, new_password_again: password })
    return choose('finish')
  }
  async function signIn(username: string, password = PASSWORD): Promise<Response> {
    const url = await authorize()
    const html = await (await send(url)).text()
    return post(`${base}/login`, {
      return_to: hiddenField(html, 'return_to'),
      csrf_token: hiddenField(html, 'csrf_token'),
      username,
      password,
    })
  }
  return {
    base,
    cookies,
    send,
    post,
    authorize,
    signUpUrl,
    ask,
    press,
    choose,
    chooseNewPassword,
    signIn,
  }
}

/** The link of the last mail. */
export function lastLink({ sent }: Pick<Place, 'sent'>): string {
  const [link] = /https:\/\/\S+\/login\/signup\?t=\S+/.exec(sent.at(-1)?.text ?? '') ?? []
  if (link === undefined) throw new Error(`No link in ${sent.at(-1)?.text}`)
  return link
}

/** The mailed link for this address, which another browser has asked for. */
export async function linkFor(p: Place, address: string, from: From = {}): Promise<string> {
  await browserAt(p, from).ask(address)
  await p.deliver()
  return lastLink(p)
}

/** Without what differs from page to page. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:csrf_token|t|return_to)" value=")[^"]*/g, '$1').replace(/return_to=[^"&]+/g, '')

export const types = ({ events }: Place): string[] => events.map(({ type }) => type)

/** On the way back to the client, with a session. */
export const isSignedIn = (response: Response): boolean =>
  response.status === 303 && response.headers.getSetCookie().some((cookie) => cookie.includes('session'))
