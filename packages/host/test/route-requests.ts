/** For each route a request that gets far into its handler, and a configuration for them. */

import type { RouteName } from '@ostiary/core'
import { PASSWORD } from './support.ts'

/** Characters. The sign-in pages take forms of 16 KiB, in which a character may stand for three. */
const LENGTH_IN_SIGN_IN_FORMS = 4_000

export const ORIGIN = 'http://localhost:4000'
export const ACME = '/realms/acme'
export const CALLBACK = 'https://client.example.com/callback'
export const API = 'https://api.example.net/v1'

export type Fields = Record<string, string>

/** A request that gets far into its handler. Its fields are replaced by a long text, one at a time. */
export interface Base {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Fields
  form?: Fields
  json?: Record<string, string | string[]>
  /** The length of the long text; the usual one when absent. */
  length?: number
}

const AUTHORIZATION = {
  client_id: 'app',
  redirect_uri: CALLBACK,
  response_type: 'code',
  response_mode: 'query',
  scope: 'openid',
  state: 's',
  nonce: 'n',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  resource: API,
}
/** Fields that, when wrong, end the request before the others are read. */
const UNUSUAL = ['acr_values', 'id_token_hint', 'max_age', 'prompt', 'request', 'request_uri']
const LOGOUT = { client_id: 'app', post_logout_redirect_uri: 'https://client.example.com/', state: 's' }
const SERVICE = { client_id: 'service', client_secret: 'a-secret-that-is-long-enough-for-a-client' }
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const post = (path: string, form: Fields): Base => ({ method: 'POST', path, form })
const get = (path: string, query: Fields = {}): Base => ({ method: 'GET', path, query })
const token = (form: Fields) => post(`${ACME}/oauth/token`, form)

/** By route, so that a new route does not compile without an entry. */
export const PROVIDER: Record<RouteName, Base[]> = {
  'oidc.discovery': [get(`${ACME}/.well-known/openid-configuration`)],
  'oidc.authorization-server': [get(`/.well-known/oauth-authorization-server${ACME}`)],
  'oidc.protected-resource': [get(`/.well-known/oauth-protected-resource${ACME}/mcp`)],
  'oidc.jwks': [get(`${ACME}/.well-known/jwks.json`)],
  'oidc.authorize': [
    get(`${ACME}/oauth/authorize`, AUTHORIZATION),
    ...UNUSUAL.map((name) => get(`${ACME}/oauth/authorize`, { ...AUTHORIZATION, [name]: '' })),
    post(`${ACME}/oauth/authorize`, AUTHORIZATION),
  ],
  'oidc.resume': [get(`${ACME}/oauth/authorize/resume`, { id: 'x' })],
  'oidc.approve': [post(`${ACME}/oauth/authorize/consent`, { auth_token: 'x', _method: '' })],
  'oidc.deny': [{ method: 'DELETE', path: `${ACME}/oauth/authorize/consent`, form: { auth_token: 'x' } }],
  'oidc.par': [
    post(`${ACME}/oauth/par`, AUTHORIZATION),
    ...UNUSUAL.map((name) => post(`${ACME}/oauth/par`, { ...AUTHORIZATION, [name]: '' })),
  ],
  'oidc.token': [
    token({
      grant_type: 'authorization_code',
      client_id: 'app',
      code: 'x',
      code_verifier: 'x',
      redirect_uri: CALLBACK,
    }),
    token({
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: 'x',
      scope: 'openid',
      resource: API,
    }),
    token({ grant_type: 'client_credentials', ...SERVICE, scope: '', resource: API }),
    token({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      ...SERVICE,
      subject_token: 'x',
      subject_token_type: ACCESS_TOKEN,
      requested_token_type: ACCESS_TOKEN,
      audience: API,
      resource: API,
      scope: 'read',
    }),
    token({ ...SERVICE, grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', actor_token: '' }),
  ],
  'oidc.device-authorization': [
    post(`${ACME}/oauth/device_authorization`, { client_id: 'app', scope: 'openid', resource: API }),
  ],
  'oidc.device': [
    get(`${ACME}/device`, { user_code: 'x' }),
    post(`${ACME}/device`, { user_code: 'x' }),
    post(`${ACME}/device`, { confirmation_token: 'x', answer: 'allow' }),
  ],
  'oidc.register': [
    {
      method: 'POST',
      path: `${ACME}/oauth/register`,
      json: {
        redirect_uris: [CALLBACK],
        post_logout_redirect_uris: [CALLBACK],
        client_name: 'A client',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        backchannel_logout_uri: CALLBACK,
      },
    },
  ],
  'oidc.userinfo': [get(`${ACME}/oauth/userinfo`), post(`${ACME}/oauth/userinfo`, { access_token: 'x' })],
  'oidc.logout': [
    get(`${ACME}/oauth/logout`, LOGOUT),
    get(`${ACME}/oauth/logout`, { id_token_hint: 'x' }),
    post(`${ACME}/oauth/logout`, LOGOUT),
    post(`${ACME}/oauth/logout`, { confirmation_token: 'x' }),
  ],
  'oidc.introspect': [post(`${ACME}/oauth/introspect`, { ...SERVICE, token: 'x', token_type_hint: 'x' })],
  'oidc.revoke': [post(`${ACME}/oauth/revoke`, { ...SERVICE, token: 'x', token_type_hint: 'x' })],
}

/** @param csrf_token The one of each page's form. */
export const signInPages = (csrf_token: { login: string; account: string }): Base[] =>
  [
    get(`${ACME}/login`, { return_to: '/account' }),
    post(`${ACME}/login`, {
      csrf_token: csrf_token.login,
      return_to: '/account',
      username: 'ann',
      password: 'wrong',
    }),
    get(`${ACME}/account`, { done: 'password' }),
    post(`${ACME}/account`, {
      csrf_token: csrf_token.account,
      action: 'change_password',
      current_password: 'wrong',
      new_password: PASSWORD,
      new_password_again: PASSWORD,
    }),
    post(`${ACME}/account`, {
      csrf_token: csrf_token.account,
      action: 'withdraw',
      client_id: 'app',
      resource: API,
    }),
    post(`${ACME}/account`, { csrf_token: csrf_token.account, action: 'end_session', sid: 'x' }),
    get(`${ACME}/login/style.css`, { v: 'x' }),
  ].map((base) => ({ ...base, length: LENGTH_IN_SIGN_IN_FORMS }))

export const FRONT_DOOR = [get('/healthz'), get('/readyz'), get('/'), get(ACME), get(`${ACME}/nothing`)]

export const FILE = {
  app: { url: ORIGIN },
  trusted_proxies: ['127.0.0.1'],
  oidc: {
    routes: { realms: 'path' },
    realms: { acme: {} },
    resources: { mcp: { scopes: ['tools'] }, [API]: { scopes: ['read'] } },
    clients: { registration: { enabled: true }, token_exchange: true },
    par: 'allowed',
    throttle: { register: 1_000_000, authorize: 1_000_000 },
  },
  realms: {
    acme: {
      clients: [
        {
          client_id: 'app',
          redirect_uris: [CALLBACK],
          post_logout_redirect_uris: ['https://client.example.com/'],
        },
        {
          ...SERVICE,
          grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
          allowed_exchange_audiences: [API],
        },
      ],
      users: [{ username: 'ann', password: PASSWORD }],
    },
  },
}
