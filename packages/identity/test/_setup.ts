/** A provider on memory storage with the built-in sign-in, and a browser that keeps cookies. */

import { type Client, createProvider, type OidcConfig, type OidcEvent } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { cookieJar, hiddenField as hidden } from '@ostiary/test-kit/browser'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import {
  argon2Passwords,
  createIdentity,
  type IdentityEvent,
  type IdentityOptions,
  type IdentitySettings,
  memoryUserStores,
  type PasswordCaller,
  type PasswordHasher,
  upsertUser,
} from '../src/index.js'

export const SECRET = 'a secret of this test, 32 characters'
export const PASSWORD = 'correct horse'
export const REDIRECT_URI = 'https://app.example/cb'

const CLIENT = clientRecord({
  client_name: 'Quarterly Reports',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code'],
})

export interface SetupOptions {
  identity?: Partial<IdentityOptions>
  oidc?: OidcConfig
  client?: Partial<Client>
  /** The metadata that clients publish. */
  documents?: readonly ({ client_id: string } & Record<string, unknown>)[]
  /** What the realms offer beside passwords; without it, the sign-in has no factors. */
  settings?: IdentitySettings
  /** How the password of the user Ada is hashed; argon2id when absent. */
  stored?: PasswordHasher
}

export async function setup(options: SetupOptions = {}) {
  const { identity: more = {}, oidc, client = {}, documents = [], stored, settings } = options
  const config: OidcConfig = { issuer: 'https://id.example', ...oidc }
  const storage = memoryStorage()
  const { users, factors, tickets, remembered_devices } = memoryUserStores()
  const events: IdentityEvent[] = []
  const provider_events: OidcEvent[] = []
  const clock = { now: 1_800_000_000 }
  const now = () => clock.now
  const { passwords, counts } = counted(more.passwords)
  const identity = createIdentity({
    users,
    throttle: (realm) => storage(realm).throttle,
    secret: SECRET,
    now,
    on_event: (event) => {
      events.push(event)
    },
    tickets,
    replays: (realm) => storage(realm).replays,
    ...(settings && { factors, remembered_devices, settings: () => settings }),
    ...more,
    passwords,
  })
  const { accounts, interactions } = identity
  const published = publishedDocuments()
  for (const document of documents) published.put(document)
  const provider = createProvider({
    oidc: config,
    secret: SECRET,
    storage,
    accounts,
    interactions,
    now,
    on_event: (event) => void provider_events.push(event),
    fetch_document: published.fetch_document,
  })
  const realms = config.routes?.realms === 'path' ? Object.keys(config.realms ?? {}) : ['default']
  for (const realm of realms) {
    await storage(realm).clients.create({ ...CLIENT, ...client })
    const ada = { username: 'Ada', password: PASSWORD, name: 'Ada Lovelace' }
    await upsertUser(users(realm), ada, { passwords: stored ?? storedOnce })
  }
  const handle = async (request: Request, info: { address?: string } = {}) =>
    (await identity.fetch(provider, request, info)) ?? provider.fetch(request, info)
  const base = (realm: string) =>
    (config.issuer ?? '') + (config.routes?.realms === 'path' ? `/realms/${realm}` : '')
  return {
    storage,
    users,
    factors,
    remembered_devices,
    tickets,
    events,
    provider_events,
    clock,
    counts,
    identity,
    provider,
    handle,
    base,
  }
}

export type Setup = Awaited<ReturnType<typeof setup>>

const argon2 = argon2Passwords()
let ofAda: Promise<string> | undefined
/** Makes the hash of Ada's password once: most tests look at the verification alone. */
const storedOnce: PasswordHasher = {
  ...argon2,
  hash(password) {
    ofAda ??= argon2.hash(password)
    return ofAda
  },
}

/** Without hashing: for tests that count attempts. */
export const plainPasswords: PasswordHasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (hash, password) => hash === `plain ${password}`,
  stale: () => false,
}

/** Counters whose storage fails. */
export const failingThrottle = (cause: unknown) => (realm: string) => ({
  ...memoryStorage()(realm).throttle,
  hit: async () => Promise.reject(cause),
})

function counted(inner: PasswordHasher = argon2Passwords()) {
  const counts = {
    verify: 0,
    hash: 0,
    hashes: [] as (string | null)[],
    turns: [] as (PasswordCaller | undefined)[],
  }
  const passwords: PasswordHasher = {
    stale: (hash) => inner.stale(hash),
    hash(password, turn) {
      counts.hash++
      return inner.hash(password, turn)
    },
    verify(hash, password, turn) {
      counts.verify++
      counts.hashes.push(hash)
      counts.turns.push(turn)
      return inner.verify(hash, password, turn)
    },
  }
  return { passwords, counts }
}

export interface Browser {
  cookies: Map<string, string>
  get(url: string, init?: RequestInit): Promise<Response>
  /** Posts a form; `more.address` is the client's address. */
  post(url: string, fields: Record<string, string>, more?: PostOptions): Promise<Response>
}

interface PostOptions {
  headers?: Record<string, string>
  address?: string
}

export function browser(s: Setup): Browser {
  const jar = cookieJar()
  async function send(url: string, init: RequestInit = {}, info: { address?: string } = {}) {
    const headers = new Headers(init.headers)
    if (jar.cookies.size > 0) headers.set('cookie', jar.header())
    const response = await s.handle(new Request(url, { ...init, headers }), info)
    jar.keep(response)
    return response
  }
  return {
    cookies: jar.cookies,
    get: send,
    post: (url, fields, { headers = {}, address } = {}) =>
      send(
        url,
        { method: 'POST', headers, body: new URLSearchParams(fields) },
        address === undefined ? {} : { address },
      ),
  }
}

export function authorizeUrl(
  s: Setup,
  { realm = 'default', ...params }: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile',
    state: 'state',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    ...params,
  })
  return `${s.base(realm)}/oauth/authorize?${query}`
}

export interface LoginForm {
  url: string
  fields: { return_to: string; csrf_token: string }
  page: Response
  html: string
}

/** Opens the sign-in form for an authorization request. */
export async function openLogin(
  s: Setup,
  b: Browser,
  params: Record<string, string> = {},
): Promise<LoginForm> {
  const sent = await b.get(authorizeUrl(s, params))
  const page = await b.get(sent.headers.get('location') ?? '')
  const html = await page.text()
  const url = new URL(attribute(html, /<form method="post" action="([^"]*)"/), s.base('default')).href
  return {
    url,
    page,
    html,
    fields: { return_to: hidden(html, 'return_to'), csrf_token: hidden(html, 'csrf_token') },
  }
}

/** Posts one login with a new browser. */
export async function tryLogin(s: Setup, login: { username: string; password: string; address?: string }) {
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  const { address, ...credentials } = login
  return b.post(url, { ...fields, ...credentials }, address === undefined ? {} : { address })
}

export { hidden }

const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? ''

/** A page without the values that differ between visits. */
export const withoutTokens = (html: string): string =>
  html.replace(/(name="(?:return_to|csrf_token)" value=")[^"]*/g, '$1')
