/** A provider on memory storage with the built-in sign-in, mail and codes; accounts; browsers; and what was mailed. */

import { createHash } from 'node:crypto'
import { createProvider, type OidcConfig, personTag, sha256 } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createIdentity,
  type Extension,
  type Factor,
  type IdentityEvent,
  type IdentityOptions,
  type IdentitySettings,
  inviteUser,
  memoryUserStores,
  setDisabled,
  type UserInput,
  upsertUser,
} from '@ostiary/identity'
import {
  type MailQueue,
  memoryMailQueue,
  type OutgoingMail,
  type QueuedMail,
  type RealmMail,
} from '@ostiary/identity/mail'
import { browser, hiddenField } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { createEmailCodes } from '../src/index.js'

const PASSWORD = 'correct horse battery staple'
export const RECOVERY_CODE = '0000-1111-2222-3333'
const REDIRECT_URI = 'https://app.example/cb'
const SECRET = 'a secret of this test, 32 characters'
export const HASH = {
  hash: async (text: string) => `plain ${text}`,
  verify: async (hash: string | null, text: string) => hash === `plain ${text}`,
  stale: () => false,
}

interface PlaceOptions {
  /** The realms with codes; all when absent. */
  offering?: readonly string[]
  realms?: readonly string[]
  settings?: IdentitySettings
  mail?: Partial<RealmMail>
  oidc?: OidcConfig
  /** Beside the codes. */
  others?: readonly Extension[]
  identity?: Partial<IdentityOptions>
  /** In place of new ones. */
  stores?: ReturnType<typeof memoryUserStores>
}

/**
 * Accounts. ada: a password. ann: a passkey and recovery codes. bea: a password, a passkey, and the second step. cem: neither. off: as ada,
 * disabled. una: as ada, with an address that is not verified. new: invited.
 */
export async function place({ settings = { second_factor: 'optional' }, ...more }: PlaceOptions = {}) {
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const { users, factors, tickets, remembered_devices } = more.stores ?? memoryUserStores()
  const storage = memoryStorage()
  const events: IdentityEvent[] = []
  const sent: OutgoingMail[] = []
  const mailer = { send: async (outgoing: OutgoingMail) => void sent.push(outgoing) }
  const memory = memoryMailQueue()
  const queued: QueuedMail[] = []
  /** Keeps what was added: a mail is sent, and gone, at once. */
  const queue: MailQueue = {
    ...memory,
    add(mail) {
      queued.push(structuredClone(mail))
      return memory.add(mail)
    },
  }
  const ids = more.realms ?? ['default']
  const throttle = (realm: string) => storage(realm).throttle
  const shared = { secret: SECRET, now, users, tickets, factors, throttle }
  const identity = createIdentity({
    ...shared,
    remembered_devices,
    passwords: HASH,
    mail: { queue, of: () => ({ mailer, from: 'id@example.com', ...more.mail }) },
    extensions: [createEmailCodes({ realms: more.offering ?? ids }), ...(more.others ?? [])],
    replays: (realm) => storage(realm).replays,
    settings: () => settings,
    on_event: (event) => void events.push(event),
    ...more.identity,
  })
  const realms = more.realms && Object.fromEntries(more.realms.map((id) => [id, {}]))
  const provider = createProvider({
    secret: SECRET,
    now,
    oidc: {
      issuer: 'https://id.example',
      ...more.oidc,
      ...(realms && { routes: { realms: 'path' }, realms }),
    },
    storage,
    accounts: identity.accounts,
    interactions: identity.interactions,
  })
  const user = async (username: string, realm = 'default') => {
    const found = await users(realm).findByUsername(username)
    if (!found) throw new Error(`There is no ${username}`)
    return found
  }
  const add = async (username: string, input: Partial<UserInput> = {}, realm = 'default') => {
    const claims = { email: `${username}@corp.example`, email_verified: true }
    await upsertUser(users(realm), { username, ...claims, ...input }, { passwords: HASH, now })
  }
  const change = async (username: string, added: Factor[], second_step = false) => {
    const { sub, credential_version } = await user(username)
    await factors('default').change({ sub, add: added, second_step }, { credential_version, now: now() })
  }
  for (const realm of ids) {
    const client = { redirect_uris: [REDIRECT_URI], grant_types: ['authorization_code'] }
    await storage(realm).clients.create(clientRecord({ ...client, consent_required: false }))
    await add('ada', { password: PASSWORD }, realm)
  }
  if (!more.realms) {
    await add('ann')
    const { sub } = await user('ann')
    await change('ann', [passkeyOf(sub, now()), codesOf(sub, now())])
    await add('bea', { password: PASSWORD })
    await change('bea', [passkeyOf((await user('bea')).sub, now())], true)
    await add('cem')
    await add('una', { password: PASSWORD, email_verified: false })
    await add('off', { password: PASSWORD })
    await setDisabled(users('default'), { sub: (await user('off')).sub, disabled: true }, { now })
    const located = await provider.locate(new Request('https://id.example/login'))
    if (!located) throw new Error('No realm')
    await inviteUser(shared, located.realm, { username: 'new', email: 'new@corp.example' })
  }
  return {
    clock,
    users,
    factors,
    storage,
    events,
    sent,
    queue,
    queued,
    provider,
    user,
    send: async (request: Request, info: { address?: string; peer?: string } = {}) =>
      (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info),
    async deliver() {
      identity.mail?.start(provider)
      await identity.mail?.settled()
    },
  }
}

export type Place = Awaited<ReturnType<typeof place>>

/** A passkey as it is stored. */
export function passkeyOf(sub: string, now: number): Factor {
  const credential_id = `credential of ${sub}`
  return {
    factor_id: sha256(credential_id) + personTag(sub),
    sub,
    kind: 'passkey',
    label: 'Laptop',
    created_at: now,
    last_used_at: null,
    state: '0 1',
    data: {
      credential_id,
      public_key: '',
      algorithm: -7,
      backup_eligible: true,
      transports: [],
      aaguid: '',
      rp_id: 'id.example',
      user_handle: '',
    },
  }
}

/** A set with one code. */
function codesOf(sub: string, now: number): Factor {
  const factor_id = `codes${personTag(sub)}`
  const text = JSON.stringify([factor_id, RECOVERY_CODE.replaceAll('-', '')])
  const state = JSON.stringify([createHash('sha256').update(text).digest('base64url')])
  const common = { factor_id, sub, label: '', created_at: now, last_used_at: null }
  return { ...common, kind: 'recovery', state, data: {} }
}

interface From {
  realm?: string
  address?: string
  peer?: string
}

export function browserAt(p: Place, { realm = '', ...info }: From = {}) {
  const base = `https://id.example${realm && `/realms/${realm}`}`
  const { cookies, send: sendRequest } = browser((request) => p.send(request, info))
  const send = (url: string, init: RequestInit = {}) => sendRequest(new Request(new URL(url, base), init))
  const post = (url: string, fields: Record<string, string>) =>
    send(url, { method: 'POST', body: new URLSearchParams(fields) })
  /** A request of the client. Where the browser is sent. */
  async function authorize(more: Record<string, string> = {}): Promise<string> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    })
    return (await send(`${base}/oauth/authorize?${query}`)).headers.get('location') ?? ''
  }
  const read = async (url: string) => (await send(url)).text()
  /** The button in the form of the name and the password. The answer to it. @param url Of the sign-in page. */
  async function ask(username: string, url?: string): Promise<Response> {
    const fields = hiddenOf(await read(url ?? (await authorize())))
    return post(`${base}/login/code`, { ...fields, username, password: '' })
  }
  /** Asks, and gives the page for the code. */
  const askAt = async (username: string, url?: string) =>
    read((await ask(username, url)).headers.get('location') ?? '')
  /** Asks, and gives the page for the code and the mailed code. */
  async function codeFor(username: string, url?: string): Promise<[string, string]> {
    const html = await askAt(username, url)
    await p.deliver()
    return [html, lastCode(p)]
  }
  /** Enters a code on this page. */
  const enter = (html: string, code: string) => post(`${base}/login/code`, { ...hiddenOf(html), code })
  async function signIn(username: string, password = PASSWORD): Promise<Response> {
    return post(`${base}/login`, { ...hiddenOf(await read(await authorize())), username, password })
  }
  return { base, cookies, send, post, read, authorize, ask, askAt, codeFor, enter, signIn }
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

/** Another one. */
export const wrong = (code: string): string => (code.startsWith('B') ? 'C' : 'B') + code.slice(1)

/** Without what differs from page to page. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:csrf_token|return_to)" value=")[^"]*/g, '$1').replace(/return_to=[^"&]+/g, '')

/** The refusals, each with its reason. */
export const reasons = ({ events }: Place): string[] =>
  events.flatMap((event) => (event.type === 'login.refused' ? [event.reason] : []))

/** On the way back to the client, with a session. */
export const isSignedIn = (response: Response): boolean =>
  response.status === 303 && response.headers.getSetCookie().some((cookie) => cookie.includes('session'))

/** On the way to the next step of the sign-in, without a session. */
export const isAskedForMore = (response: Response): boolean =>
  response.status === 303 &&
  !isSignedIn(response) &&
  response.headers.getSetCookie().some((cookie) => cookie.includes('ostiary_pending='))
