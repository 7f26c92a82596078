/** What a provider asks of the stores of people, and one person who uses every grant. */

import type { Client, RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  CLIENT_SECRET,
  client,
  payload,
  redeem,
  type TokenAnswer,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** A call of a store of people. */
export interface Call {
  /** `<store>.<method>`. */
  name: string
  args: unknown[]
}

type StoreName = Exclude<keyof RealmStorage, 'purge'>

/** A storage in memory, and the calls of these stores. */
export function watchedStorage(names: readonly StoreName[]): { storage: Storage; calls: Call[] } {
  const inner = memoryStorage()
  const calls: Call[] = []
  const watched = (stores: RealmStorage, name: StoreName): object =>
    new Proxy(stores[name], {
      get(target, method) {
        const call = Reflect.get(target, method)
        if (typeof call !== 'function') return call
        return (...args: unknown[]) => {
          calls.push({ name: `${name}.${String(method)}`, args })
          return call.apply(target, args)
        }
      },
    })
  const storage = (realm: string): RealmStorage => {
    const stores = inner(realm)
    return { ...stores, ...Object.fromEntries(names.map((name) => [name, watched(stores, name)])) }
  }
  return { storage, calls }
}

/** The stores in which records of people are. */
export const watchedPeople = () => watchedStorage(['grants', 'sessions', 'consents', 'revoked_tokens'])

const IDS = ['sid', 'session_hash', 'grant_id', 'code_hash', 'token_hash']

/** Every id and hash of a person's record in a value. A grant of a device has no `sid`. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return idsIn(member)
    return IDS.includes(name) && member !== '' ? [member] : []
  })
}

/** These have a `sub` or the `jti` of a token first. */
const WITHOUT_ID = ['grants.list', 'sessions.list', 'consents.', 'revoked_tokens.']

/** The ids and hashes of people's records in the calls. */
export const idsOf = (calls: readonly Call[]): string[] =>
  calls.flatMap(({ name, args }) => {
    const [first] = args
    const has_id = typeof first === 'string' && !WITHOUT_ID.some((other) => name.startsWith(other))
    return [...(has_id ? [first] : []), ...idsIn(args)]
  })

/** The `sub` of every consent in the calls, and of every list. */
export const subsOf = (calls: readonly Call[]): string[] =>
  calls.flatMap(({ name, args: [first] }) => {
    if (typeof first === 'string') return /^(consents|grants\.list|sessions\.list)/.test(name) ? [first] : []
    const { sub } = first as { sub?: string }
    return sub === undefined ? [] : [sub]
  })

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const SECRET = { client_secret: CLIENT_SECRET }
const API = 'https://api.example.net'
const STRONG = ['pwd', 'otp']

const peopleClient = (fields: Partial<Client> = {}): Promise<Client> =>
  client({
    ...SECRET,
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT, EXCHANGE_GRANT],
    allowed_exchange_audiences: [API],
    ...fields,
  })

/** Every grant is on. */
export async function peopleWorld(options: WorldOptions = {}): Promise<World> {
  const clients = { token_exchange: true, device_authorization: 'operator' as const }
  return world({
    clients: [await peopleClient()],
    ...options,
    oidc: { acr: 'require', clients, resources: { [API]: {} }, ...options.oidc },
  })
}

export interface Granted {
  browser: ReturnType<World['browser']>
  code: string
  cookie: [name: string, value: string]
  body: TokenAnswer['body']
}

export function sessionCookie(cookies: Map<string, string>): [name: string, value: string] {
  for (const [name, value] of cookies) if (name.includes('session')) return [name, value]
  throw new Error('There is no cookie of a session')
}

/** Signs in, approves, and redeems the code. @param more Further parameters of each request. */
export async function granted(w: World, sub: string, more: Record<string, string> = {}): Promise<Granted> {
  const browser = w.browser()
  const { code } = await browser.code({ ...more, scope: 'openid offline_access' }, sub)
  const { body } = await redeem(w, code, { ...more, ...SECRET })
  return { browser, code: String(code), cookie: sessionCookie(browser.cookies), body }
}

export const refresh = (w: World, refresh_token: string, more: Record<string, string> = {}) =>
  tokens(w, { ...more, grant_type: 'refresh_token', client_id: 'app', ...SECRET, refresh_token })

export const exchange = (w: World, subject_token: string, more: Record<string, string> = {}) =>
  tokens(w, {
    ...more,
    grant_type: EXCHANGE_GRANT,
    client_id: 'app',
    ...SECRET,
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: API,
  })

const confirmationToken = (html: string): string =>
  /name="confirmation_token" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** A device asks, the user allows, and the device gets its tokens. */
async function connectDevice(
  w: World,
  { browser }: Granted,
  more: Record<string, string>,
): Promise<TokenAnswer> {
  const asked = await w.post('/oauth/device_authorization', { ...more, client_id: 'app', ...SECRET })
  const { device_code, user_code } = (await asked.json()) as Record<string, string>
  const page = await browser.post(`${w.issuer}/device`, { ...more, user_code: user_code ?? '' })
  const confirmation_token = confirmationToken(await page.text())
  await browser.post(`${w.issuer}/device`, { ...more, confirmation_token, answer: 'allow' })
  return tokens(w, {
    ...more,
    grant_type: DEVICE_GRANT,
    client_id: 'app',
    ...SECRET,
    device_code: device_code ?? '',
  })
}

/** Everything that a person and an application can do. @param more Further parameters of each request. */
export async function everyGrant(w: World, sub: string, more: Record<string, string> = {}): Promise<void> {
  const first = await granted(w, sub, more)
  const second = await refresh(w, first.body.refresh_token, more)
  await first.browser.authorize({ ...more, acr_values: '2' })
  await first.browser.signIn(sub, STRONG)
  const device = await connectDevice(w, first, more)
  const exchanged = await exchange(w, second.body.access_token, more)
  const of = [second, device, exchanged].map(({ body }) => payload(body.access_token).sub)
  if (of.some((one) => one !== sub)) throw new Error(`Tokens of ${of.join(', ')}`)
  const revoked = { ...more, client_id: 'app', ...SECRET }
  await w.post('/oauth/introspect', { ...revoked, token: second.body.refresh_token })
  await w.post('/oauth/revoke', { ...revoked, token: exchanged.body.access_token })
  await w.post('/oauth/revoke', { ...revoked, token: device.body.refresh_token })
  const query = new URLSearchParams({ ...more, id_token_hint: first.body.id_token })
  await first.browser.get(`${w.issuer}/oauth/logout?${query}`)
  await w.browser().get(`${w.issuer}/oauth/logout?${query}`)
}
