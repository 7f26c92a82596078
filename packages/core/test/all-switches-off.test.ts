/**
 * With the default configuration, and with the keys that the contract itself has, every document, status, header and body
 * stays as it is in fixtures/contract.json, byte for byte.
 *
 * The stored copy changes only together with the contract: never because a new capability, which is off here, changes an
 * answer. Each answer is stored under the name of its request. Random bytes follow from that name, so a new request may be
 * added anywhere; only a JWT, whose signature depends on the realm's key, is replaced by a word.
 */

import { readFile } from 'node:fs/promises'
import type { Guard, OidcConfig } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { sha256Bytes } from '../src/util/secret.js'
import {
  authorizeUrl,
  bearer,
  CLIENT_SECRET,
  client,
  type FormFields,
  redeem,
  tokens,
  type World,
  world,
} from './support.js'

interface StoredAnswer {
  status: number
  /** Every header that the provider sets, in alphabetical order. */
  headers: Record<string, string>
  body: string
}
/** The requests of one world: each name is unique in it. */
type Requests = Record<string, (w: World) => Promise<Response>>

const url = new URL('fixtures/contract.json', import.meta.url)
const stored: Record<string, Record<string, StoredAnswer>> = JSON.parse(await readFile(url, 'utf8'))

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const SERVICE = { client_id: 'service', client_secret: CLIENT_SECRET }
const ASSERTION = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: 'e30.e30.e30',
}
const REGISTRATION = { redirect_uris: ['https://app.example.org/callback'] }

const get =
  (path: string, init: RequestInit = {}) =>
  (w: World) =>
    w.provider.fetch(new Request(w.issuer + path, init))
const post =
  (path: string, form: FormFields, headers = {}) =>
  (w: World) =>
    w.post(path, form, headers)
const token = (form: FormFields, headers = {}) => post('/oauth/token', form, headers)
const authorize =
  (changes: Record<string, string | null>, append = '') =>
  (w: World) =>
    w.provider.fetch(new Request(authorizeUrl(w.issuer, changes) + append))
const register = (body: unknown) =>
  get('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
/** A document that other realms' documents stand beside: its URL is not below the issuer. */
const document =
  (name: 'oidc.authorization-server' | 'oidc.protected-resource', path?: string) => (w: World) =>
    w.provider.fetch(new Request(w.provider.url(name, { realm: w.realm, ...(path && { path }) })))

const userToken = async (w: World, changes: Record<string, string> = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code)).body
const machineToken = async (w: World, form: Record<string, string> = {}) =>
  (await tokens(w, { grant_type: 'client_credentials', ...SERVICE, ...form })).body.access_token

/** What a guard answers to a request with this token, with a check after it. */
const guarded =
  (given: (w: World) => Promise<string | null>, { scopes, resource, check }: GuardCall = {}) =>
  async (w: World) => {
    const guard = w.provider.guard({ realm: w.realm, ...(resource && { resource }) })
    const value = await given(w)
    const request = new Request('https://api.example.com/', value === null ? {} : { headers: bearer(value) })
    const answer = await guard.authenticate(request, scopes)
    if (answer instanceof Response) return answer
    const checked = check?.(guard)(request)
    if (!checked) throw new Error('The guard accepted the request')
    return checked
  }
interface GuardCall {
  scopes?: string[]
  resource?: string
  check?: (guard: Guard) => (request: Request) => Response | null
}
const none = async () => null
const rubbish = async () => 'rubbish'
const userinfo = (given: (w: World) => Promise<string>) => async (w: World) =>
  get('/oauth/userinfo', { headers: bearer(await given(w)) })(w)

const DOCUMENTS: Requests = {
  'discovery document': get('/.well-known/openid-configuration'),
  'authorization server metadata': document('oidc.authorization-server'),
}

const CHALLENGES: Requests = {
  'guard: no token': guarded(none),
  'guard: invalid token': guarded(rubbish),
  'guard: insufficient scope': guarded(async (w) => (await userToken(w)).access_token, {
    scopes: ['openid', 'admin'],
  }),
  'guard: a check of scopes after it': guarded(machineToken, {
    check: (guard) => guard.checkScopes('admin', 'openid'),
  }),
  'guard: a check of audiences after it': guarded(machineToken, {
    check: (guard) => guard.checkAudience('https://elsewhere.example.org'),
  }),
  'UserInfo: no token': get('/oauth/userinfo'),
  'UserInfo: invalid token': userinfo(rubbish),
  'UserInfo: without the scope openid': userinfo(
    async (w) => (await userToken(w, { scope: 'profile' })).access_token,
  ),
  'UserInfo: a token without a user': userinfo(machineToken),
  ...Object.fromEntries(
    ['/oauth/token', '/oauth/introspect', '/oauth/revoke'].flatMap((path) => {
      const form = { grant_type: 'client_credentials', token: 'any' }
      const refused: [string, Requests[string]][] = [
        ['no client', post(path, form)],
        ['an unknown client', post(path, { ...form, client_id: 'unknown' })],
        ['a wrong secret in the body', post(path, { ...form, ...SERVICE, client_secret: 'wrong' })],
        ['a wrong secret in the header', post(path, form, basic('basic', 'wrong'))],
        ['another method than the registered one', post(path, form, basic('service', CLIENT_SECRET))],
        ['another scheme', post(path, form, bearer('abc'))],
        ['two secrets', post(path, { ...form, ...SERVICE }, basic('service', CLIENT_SECRET))],
      ]
      return refused.map(([name, request]) => [`client authentication: ${path}: ${name}`, request])
    }),
  ),
  'client authentication: an assertion alone': token({
    grant_type: 'client_credentials',
    client_id: 'service',
    ...ASSERTION,
  }),
  'client authentication: an assertion beside a secret': post('/oauth/introspect', {
    ...SERVICE,
    ...ASSERTION,
    token: 'unknown',
  }),
  'client authentication: a public client at introspection': post('/oauth/introspect', {
    client_id: 'app',
    token: 'any',
  }),
}

const ERRORS: Requests = {
  'registration is off': register(REGISTRATION),
  'no such path': get('/nothing'),
  'no such protected resource': document('oidc.protected-resource', 'nothing'),
  'method not allowed': get('/oauth/token', { method: 'PUT' }),
  preflight: get('/oauth/token', { method: 'OPTIONS' }),
  'token: no grant_type': token(SERVICE),
  'token: an unknown grant_type': token({ ...SERVICE, grant_type: 'password' }),
  'token: not a form': get('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }),
  'token: an unknown code': token({
    grant_type: 'authorization_code',
    client_id: 'app',
    code: 'unknown',
    redirect_uri: 'https://client.example.com/callback',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  }),
  'token: no code': token({ grant_type: 'authorization_code', client_id: 'app' }),
  'token: an unknown refresh token': token({
    grant_type: 'refresh_token',
    client_id: 'app',
    refresh_token: 'unknown',
  }),
  'token: a grant type of other clients': token({ grant_type: 'client_credentials', client_id: 'app' }),
  'token: an unknown scope': token({ grant_type: 'client_credentials', ...SERVICE, scope: 'unheard' }),
  'token: an unknown resource': token({
    grant_type: 'client_credentials',
    ...SERVICE,
    resource: 'https://unknown.example',
  }),
  'token: token exchange is off': token({ grant_type: TOKEN_EXCHANGE, ...SERVICE }),
  'introspection: no token': post('/oauth/introspect', SERVICE),
  'introspection: an unknown token': post('/oauth/introspect', { ...SERVICE, token: 'unknown' }),
  'revocation: no token': post('/oauth/revoke', SERVICE),
  'revocation: an unknown token': post('/oauth/revoke', { ...SERVICE, token: 'unknown' }),
  'authorize: an unknown client': authorize({ client_id: 'unknown' }),
  'authorize: a URL as client_id': authorize({ client_id: 'https://client.example.com/metadata.json' }),
  'authorize: another redirect URI': authorize({ redirect_uri: 'https://evil.example/callback' }),
  'authorize: two redirect URIs': authorize({}, '&redirect_uri=https%3A%2F%2Fevil.example'),
  'authorize: an unknown scope': authorize({ scope: 'unheard' }),
  'authorize: no PKCE': authorize({ code_challenge: null }),
  'authorize: a request object': authorize({ request: 'e30.e30.' }),
  'authorize: a request URI': authorize({ request_uri: 'urn:ietf:params:oauth:request_uri:1' }),
  'authorize: another response type': authorize({ response_type: 'token' }),
  'authorize: no session, and prompt=none': authorize({ prompt: 'none' }),
  'token: the answer to a code': async (w) =>
    token({
      grant_type: 'authorization_code',
      client_id: 'app',
      code: String((await w.browser().code({ scope: 'openid offline_access' })).code),
      redirect_uri: 'https://client.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    })(w),
  'token: the answer to client credentials': token({ grant_type: 'client_credentials', ...SERVICE }),
  'introspection: an active token': async (w) =>
    post('/oauth/introspect', { ...SERVICE, token: await machineToken(w) })(w),
}

/** With the keys of the contract that are off by default. */
const CONTRACT_KEYS: OidcConfig = {
  resources: { '': { scopes: [] }, 'mcp/v1': { scopes: ['tools', 'files'] } },
  clients: { registration: { enabled: true }, token_exchange: true },
}
const REGISTRATIONS: Requests = {
  'protected resource metadata: the issuer': document('oidc.protected-resource'),
  'protected resource metadata: a resource': document('oidc.protected-resource', 'mcp/v1'),
  'guard of a resource: no token': guarded(none, { resource: 'mcp/v1' }),
  'guard of a resource: invalid token': guarded(rubbish, { resource: 'mcp/v1' }),
  'guard of a resource: insufficient scope': guarded(machineToken, { resource: 'mcp/v1', scopes: ['tools'] }),
  'registration: public': register(REGISTRATION),
  'registration: client_secret_basic': register({
    ...REGISTRATION,
    token_endpoint_auth_method: 'client_secret_basic',
  }),
  'registration: client_secret_post, with everything': register({
    ...REGISTRATION,
    client_name: ' The App ',
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    post_logout_redirect_uris: ['https://app.example.org/bye'],
    backchannel_logout_uri: 'https://app.example.org/backchannel',
    backchannel_logout_session_required: true,
    scope: 'tools',
    software_id: 'ignored',
    jwks_uri: 'https://app.example.org/keys',
  }),
  'registration: back-channel logout': register({
    ...REGISTRATION,
    backchannel_logout_uri: 'https://app.example.org/backchannel',
  }),
  'registration: not JSON': register('{'),
  'registration: no redirect URI': register({}),
  'registration: a redirect URI with a fragment': register({ redirect_uris: ['https://app.example.org/#a'] }),
  'registration: a redirect URI of another scheme': register({ redirect_uris: ['cursor://app/callback'] }),
  'registration: private_key_jwt': register({
    ...REGISTRATION,
    token_endpoint_auth_method: 'private_key_jwt',
  }),
  'registration: another grant type': register({ ...REGISTRATION, grant_types: ['implicit'] }),
  'registration: another response type': register({ ...REGISTRATION, response_types: ['token'] }),
  'token exchange: no subject token': token({ grant_type: TOKEN_EXCHANGE, ...SERVICE }),
}
const NO_HANDLERS: OidcConfig = {
  handlers: { userinfo: false, logout: false, introspect: false, revoke: false },
}

async function answers(routing: 'single' | 'path', oidc: OidcConfig, requests: Requests) {
  const machine = { ...SERVICE, grant_types: ['client_credentials', TOKEN_EXCHANGE] }
  let name = ''
  const w = await world({
    routing,
    oidc,
    random: (bytes) => sha256Bytes(name).slice(0, bytes),
    clients: [
      await client(),
      await client(machine),
      await client({ ...machine, client_id: 'basic', token_endpoint_auth_method: 'client_secret_basic' }),
    ],
  })
  const seen: Record<string, StoredAnswer> = {}
  for (const [key, request] of Object.entries(requests)) {
    name = key
    const { status, headers, ...response } = await request(w).then(read)
    seen[key] = { status, headers, body: response.body.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a JWT') }
  }
  return seen
}

const read = async (response: Response): Promise<StoredAnswer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
})

describe.each(['single', 'path'] as const)('all switches off is the contract (realms by %s)', (routing) => {
  it.each<[string, OidcConfig, Requests]>([
    ['the default configuration', {}, { ...DOCUMENTS, ...CHALLENGES, ...ERRORS }],
    ['registration, token exchange and resources', CONTRACT_KEYS, { ...DOCUMENTS, ...REGISTRATIONS }],
    ['no optional handlers', NO_HANDLERS, DOCUMENTS],
  ])('%s', async (name, oidc, requests) => {
    const seen = await answers(routing, oidc, requests)
    expect(seen).toEqual(stored[`realms by ${routing}, ${name}`])
  })
})
