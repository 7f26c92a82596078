/** A provider with two realms or one, accounts, clients, and a browser that keeps cookies. Everything goes through `fetch`. */

import {
  type Account,
  type Client,
  type ClientStore,
  type ConsentPrompt,
  createProvider,
  type Interactions,
  type LoginPrompt,
  type OidcConfig,
  type OidcEvent,
  type Provider,
  type ProviderOptions,
  type SigningKey,
  type Storage,
  sha256,
} from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  type FormFields,
  formRequest,
  type Browser as PlainBrowser,
  browser as plainBrowser,
} from './browser.ts'
import { clientRecord } from './client-record.ts'

export { type FormFields, formRequest } from './browser.ts'
export { jwtClaims as payload, jwtHeader as header } from './jwt.ts'

export const ISSUER = 'https://id.example.com'
export const REDIRECT_URI = 'https://client.example.com/callback'
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const CLIENT_SECRET = 'a-secret-that-is-long-enough-for-anyone'

export const ALICE: Account = {
  sub: 'alice',
  claims: {
    name: 'Alice Adams',
    given_name: 'Alice',
    email: 'alice@example.com',
    email_verified: true,
    phone_number: '+1 555 0100',
    address: { locality: 'Paris' },
    nickname: null,
  },
}
export const BOB: Account = { sub: 'bob', claims: { name: 'Bob Brown', email: 'bob@example.com' } }

/** A client record; public unless a `client_secret` is named. */
export async function client(fields: Partial<Client> & { client_secret?: string } = {}): Promise<Client> {
  const { client_secret, ...rest } = fields
  if (client_secret === undefined) return clientRecord(rest)
  return clientRecord({
    client_secret_hash: sha256(client_secret),
    token_endpoint_auth_method: 'client_secret_post',
    ...rest,
  })
}

export interface World {
  provider: Provider
  storage: Storage
  /** The issuer, and the base of its endpoints. */
  issuer: string
  realm: string
  events: OidcEvent[]
  /** The provider's clock: it stands still until a test moves it. */
  clock: { now: number }
  accounts: Map<string, Account>
  /** The prompts of the pages, newest last. */
  logins: LoginPrompt[]
  consents: ConsentPrompt[]
  browser(): Browser
  /** POST of a form to a path below the issuer. */
  post(path: string, form: FormFields, headers?: Record<string, string>): Promise<Response>
}

export interface WorldOptions extends Partial<Omit<ProviderOptions, 'oidc'>> {
  oidc?: Partial<OidcConfig>
  clients?: Client[]
  /** `path` puts the world into the realm `acme`, beside another called `other`. */
  routing?: 'single' | 'path'
  /** The realm makes its own signing key; by default all worlds of a test file share one, which is faster. */
  own_key?: boolean
  /** What the sign-in of the application can reach, and whether users sign up. */
  reachable?: Pick<Interactions, 'reachableAcr' | 'reachableAcrOf' | 'signsUp'>
  /** Leave the application's consent view out. */
  without_consent_view?: boolean
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const { oidc = {}, clients, routing = 'single', own_key = false, ...others } = options
  const { without_consent_view, reachable, ...rest } = others
  const clock = { now: 1_800_000_000 }
  const events: OidcEvent[] = []
  const accounts = new Map([ALICE, BOB].map((account) => [account.sub, account]))
  const logins: LoginPrompt[] = []
  const consents: ConsentPrompt[] = []
  const storage = rest.storage ?? memoryStorage()
  const interactions: Interactions = {
    async login(prompt) {
      logins.push(prompt)
      const location = `${prompt.realm.issuer}/login?${new URLSearchParams({ return_to: prompt.return_to })}`
      return new Response(null, { status: 302, headers: { location } })
    },
    async consent(prompt) {
      consents.push(prompt)
      return new Response('the consent view', { headers: { 'content-type': 'text/plain' } })
    },
    ...reachable,
  }
  if (without_consent_view) delete interactions.consent
  const byPath =
    routing === 'path' ? { routes: { realms: 'path' as const }, realms: { acme: {}, other: {} } } : {}
  const provider = createProvider({
    secret: SECRET,
    storage,
    accounts: { find: async (sub) => accounts.get(sub) ?? null },
    interactions,
    now: () => clock.now,
    on_event: (event) => void events.push(event),
    ...rest,
    oidc: { issuer: ISSUER, ...byPath, ...oidc },
  })
  const realm = routing === 'path' ? 'acme' : 'default'
  const { issuer: origin = ISSUER } = oidc
  const issuer = routing === 'path' ? `${origin}/realms/acme` : origin
  if (!own_key && !rest.secret) await storage(realm).keys.ensure(await sharedKey(realm))
  for (const record of clients ?? [await client()]) await storage(realm).clients.create(record)
  const post: World['post'] = (path, form, headers = {}) =>
    provider.fetch(formRequest(issuer + path, form, { headers }))
  const made: World = {
    provider,
    storage,
    issuer,
    realm,
    events,
    clock,
    accounts,
    logins,
    consents,
    post,
    browser: () => browser(made),
  }
  return made
}

/** Another server changes the clients, and the cache of this one expires. */
export async function elsewhere(w: World, change: (clients: ClientStore) => Promise<unknown>): Promise<void> {
  await change(w.storage(w.realm).clients)
  w.clock.now += 5
}

/** Of the provider. */
export const SECRET = 'only-for-tests-only-for-tests-only-for-tests'
const sharedKeys = new Map<string, Promise<SigningKey>>()

/** Made by a provider with the tests' secret; a key takes longer to make than most tests to run. */
function sharedKey(realm: string): Promise<SigningKey> {
  const known = sharedKeys.get(realm) ?? makeKey(realm)
  sharedKeys.set(realm, known)
  return known
}

async function makeKey(realm: string): Promise<SigningKey> {
  const storage = memoryStorage()
  const { provider } = await world({
    storage,
    own_key: true,
    clients: [],
    now: () => 0,
    routing: realm === 'default' ? 'single' : 'path',
  })
  await provider.handle('oidc.jwks', new Request(ISSUER), { realm })
  const [key] = await storage(realm).keys.list()
  if (!key) throw new Error(`The realm ${realm} made no key`)
  return key
}

/** The browser of a user, at the provider of the world. */
export interface Browser extends PlainBrowser {
  /** GET /oauth/authorize with the standard request; null leaves a parameter out. */
  authorize(changes?: Record<string, string | null>): Promise<Response>
  /** Signs in at the application's login page and follows to the next answer. */
  signIn(sub?: string, amr?: string[]): Promise<Response>
  /** Approves the newest consent view. */
  approve(): Promise<Response>
  deny(): Promise<Response>
  /** Authorize, sign in and approve as far as it is needed; the code's redirect. */
  code(changes?: Record<string, string | null>, sub?: string): Promise<Answer>
}

function browser(w: World): Browser {
  const plain = plainBrowser((request) => w.provider.fetch(request))
  const last = <T>(list: T[]): T => {
    const item = list.at(-1)
    if (item === undefined) throw new Error('No prompt was shown')
    return item
  }
  const self: Browser = {
    ...plain,
    authorize: (changes) => self.get(authorizeUrl(w.issuer, changes)),
    async signIn(sub = 'alice', amr = ['pwd']) {
      const { return_to } = last(w.logins)
      const headers = { cookie: plain.jar.header() }
      const request = new Request(`${w.issuer}/login`, { method: 'POST', headers })
      const response = await w.provider.login(request, { sub, amr, return_to })
      plain.jar.keep(response)
      const location = response.headers.get('location')
      return location === null ? response : self.get(location)
    },
    approve: () => {
      const { action, auth_token } = last(w.consents)
      return self.post(action, { auth_token })
    },
    deny: () => {
      const { action, auth_token } = last(w.consents)
      return self.send(formRequest(action, { auth_token }, { method: 'DELETE' }))
    },
    async code(changes, sub) {
      let response = await self.authorize(changes)
      if (response.headers.get('location')?.startsWith(`${w.issuer}/login?`))
        response = await self.signIn(sub)
      if (response.status === 200) response = await self.approve()
      return answer(response)
    },
  }
  return self
}

export function authorizeUrl(issuer: string, changes: Record<string, string | null> = {}): string {
  const standard = {
    client_id: 'app',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: 'S256',
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...standard, ...changes }))
    if (value !== null) query.set(name, value)
  return `${issuer}/oauth/authorize?${query}`
}

/** The parameters of a redirect to the client. */
export interface Answer {
  status: number
  /** The redirect URI, without the query. */
  to: string
  [parameter: string]: string | number | null
}

/** The parameters of a redirect to the client. */
export function answer(response: Response): Answer {
  const location = response.headers.get('location')
  if (location === null) throw new Error(`No redirect, but ${response.status}`)
  const parameters = Object.fromEntries(new URL(location).searchParams)
  return { status: response.status, to: location.split('?')[0] ?? '', ...parameters }
}

export interface TokenAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown> & {
    access_token: string
    refresh_token: string
    id_token: string
    scope: string
    error: string
    expires_in: number
  }
}

export async function tokens(
  w: World,
  form: FormFields,
  headers?: Record<string, string>,
): Promise<TokenAnswer> {
  const response = await w.post('/oauth/token', form, headers)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Redeems a code as the standard client would. */
export const redeem = (w: World, code: unknown, changes: Record<string, string> = {}): Promise<TokenAnswer> =>
  tokens(w, {
    grant_type: 'authorization_code',
    client_id: 'app',
    code: String(code),
    redirect_uri: REDIRECT_URI,
    code_verifier: CODE_VERIFIER,
    ...changes,
  })

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
