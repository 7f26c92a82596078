/** Requests as an attacker's tool makes them: any route, any field, with values of earlier answers. From one seed. */

export interface RandomRequest {
  method: string
  /** Path and query, as they go on the wire. */
  target: string
  headers: Record<string, string>
  body: string | null
}

/** Values from earlier answers. */
export interface Harvest {
  /** Tokens, codes, one-time tokens and ids, the newest last. */
  values: string[]
  /** Cookies by name. */
  cookies: Map<string, string>
}

export type Random = () => number

/** mulberry32: the same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Each route with its methods; those that lead furthest come often. */
const ROUTES: readonly (readonly [path: string, methods: readonly string[], weight: number])[] = [
  ['/.well-known/openid-configuration', ['GET', 'HEAD'], 1],
  ['/.well-known/oauth-authorization-server', ['GET'], 1],
  ['/.well-known/oauth-protected-resource', ['GET'], 1],
  ['/.well-known/oauth-protected-resource/api/notes', ['GET'], 1],
  ['/.well-known/jwks.json', ['GET'], 1],
  ['/oauth/authorize', ['GET', 'POST'], 8],
  ['/oauth/authorize/resume', ['GET'], 3],
  ['/oauth/authorize/consent', ['POST', 'DELETE'], 4],
  ['/oauth/par', ['POST'], 4],
  ['/oauth/token', ['POST'], 8],
  ['/oauth/register', ['POST'], 3],
  ['/oauth/userinfo', ['GET', 'POST', 'HEAD'], 3],
  ['/oauth/logout', ['GET', 'POST'], 2],
  ['/oauth/introspect', ['POST'], 2],
  ['/oauth/revoke', ['POST'], 2],
  ['/login', ['GET', 'POST'], 5],
  ['/login/style.css', ['GET'], 1],
  ['/account', ['GET', 'POST'], 4],
  ['/healthz', ['GET'], 1],
  ['/readyz', ['GET'], 1],
  ['/metrics', ['GET'], 1],
  ['/demo', ['GET'], 1],
  ['/', ['GET'], 1],
]
const WEIGHTED = ROUTES.flatMap((route) => Array<typeof route>(route[2]).fill(route))
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

/** Each parameter with values that pass the first checks. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  client_id: ['notes', 'notes-1', 'backend', 'nobody', 'constructor', '__proto__'],
  client_secret: ['a-client-secret-that-is-long-enough-for-anyone', 'wrong'],
  redirect_uri: ['http://localhost:8080/callback', 'http://localhost:1/callback', 'https://evil.example/'],
  response_type: ['code', 'token', 'code id_token'],
  response_mode: ['query', 'fragment', 'form_post'],
  scope: ['openid', 'openid profile email offline_access', 'notes.read', '*', 'openid openid'],
  state: ['a state', ''],
  nonce: ['a nonce'],
  code_challenge: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', 'short'],
  code_challenge_method: ['S256', 'plain'],
  code_verifier: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  prompt: ['none', 'login', 'consent', 'select_account', 'login consent', 'none login'],
  max_age: ['0', '10', '-1', '99999999999999999999'],
  acr_values: ['1 2'],
  resource: ['http://localhost/api/notes', 'urn:x', '//', 'HTTP://LOCALHOST'],
  id_token_hint: [],
  request: ['x'],
  request_uri: ['https://evil.example/', `urn:ietf:params:oauth:request_uri:${'A'.repeat(43)}`],
  grant_type: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'password',
    'constructor',
  ],
  code: [],
  refresh_token: [],
  subject_token: [],
  subject_token_type: ['urn:ietf:params:oauth:token-type:access_token'],
  audience: ['http://localhost/api/notes'],
  token: [],
  token_type_hint: ['access_token', 'refresh_token', 'x'],
  return_to: ['/account', '//evil.example'],
  csrf_token: [],
  auth_token: [],
  confirmation_token: [],
  _method: ['DELETE', 'PUT'],
  username: ['ann', 'ANN', 'nobody', ''],
  password: ['correct horse battery staple', 'wrong'],
  post_logout_redirect_uri: ['http://localhost:8080/callback', 'https://evil.example/'],
  action: ['change_password', 'end_session', 'end_others', 'withdraw', 'constructor'],
  sid: [],
  current_password: ['correct horse battery staple'],
  new_password: ['correct horse battery staple!', 'x'],
  id: [],
}
const NAMES = Object.keys(FIELDS)
/** Parameters that belong together, so that many requests pass the first checks. */
const SETS: readonly (readonly string[])[] = [
  ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method', 'scope', 'state'],
  ['client_id', 'request_uri'],
  ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'],
  ['grant_type', 'client_id', 'refresh_token'],
  ['grant_type', 'client_id', 'client_secret'],
  ['return_to', 'csrf_token', 'username', 'password'],
  ['auth_token'],
  ['csrf_token', 'action', 'current_password'],
  ['token', 'client_id', 'client_secret'],
]

const JUNK: readonly ((random: Random) => string)[] = [
  () => '',
  (random) => 'A'.repeat(Math.floor(random() ** 3 * 9000)),
  (random) => '/'.repeat(Math.floor(random() * 4000)),
  () => '\0',
  () => 'x\u0000y',
  () => '\u202Egnp.exe',
  () => '\uFFFD\uD83D\uDE00\u0301',
  () => "' or 1=1; drop table oidc_users; --",
  () => '<script>alert(1)</script>"\'`',
  () => '{{7*7}}#{7*7}%s%n%x',
  () => '../../../../etc/passwd',
  () => '\r\nset-cookie: a=b',
  () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.',
  () => '[]',
  () => '{"a":1}',
  () => 'null',
  () => '1e309',
  (random) => String.fromCodePoint(Math.floor(random() * 0xd7ff)),
  (random) => Array.from({ length: 40 }, () => String.fromCharCode(32 + Math.floor(random() * 95))).join(''),
]

function textFor(random: Random, name: string, harvest: Harvest): string {
  const known = FIELDS[name] ?? []
  const dice = random()
  if (dice < 0.45 && known.length > 0) return pick(random, known)
  if (dice < 0.8 && harvest.values.length > 0) return pick(random, harvest.values.slice(-60))
  return pick(random, JUNK)(random)
}

function pairsOf(random: Random, harvest: Harvest): [string, string][] {
  const names = random() < 0.7 ? [...pick(random, SETS)] : []
  const more = Math.floor(random() ** 2 * 8)
  for (let added = 0; added < more; added += 1) names.push(pick(random, NAMES))
  if (random() < 0.05) names.push(pick(random, JUNK)(random))
  if (random() < 0.01) for (let n = 0; n < 3000; n += 1) names.push(`p${n}`)
  return names.map((name) => {
    const first = FIELDS[name]?.[0]
    return [name, first !== undefined && random() < 0.6 ? first : textFor(random, name, harvest)]
  })
}

/** Percent-encoded, mostly; sometimes broken. */
function encoded(random: Random, pairs: readonly (readonly [string, string])[]): string {
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()
  const dice = random()
  if (dice < 0.03) return text.replaceAll('%', '%%')
  if (dice < 0.05) return `${text}&%ZZ=%C0%AF&=&&`
  return text
}

function metadataOf(random: Random): string {
  const values: unknown[] = [
    'text',
    7,
    null,
    true,
    [],
    {},
    ['http://localhost:8080/callback'],
    ['https://app.example/cb?code=1', 7],
    '\uD800',
    'x\u202Ey',
    'A'.repeat(300),
    [[['deep']]],
    { toString: 'x', __proto__: 1 },
    'none',
    'client_secret_basic',
    ['authorization_code'],
    ['code'],
    'https://app.example/bc',
  ]
  const fields = [
    'redirect_uris',
    'client_name',
    'token_endpoint_auth_method',
    'grant_types',
    'response_types',
    'post_logout_redirect_uris',
    'backchannel_logout_uri',
    'backchannel_logout_session_required',
    'scope',
    '__proto__',
    'constructor',
  ]
  const body: Record<string, unknown> = random() < 0.8 ? { redirect_uris: ['https://app.example/cb'] } : {}
  for (let added = 0; added < Math.floor(random() * 4); added += 1)
    Object.defineProperty(body, pick(random, fields), {
      value: pick(random, values),
      enumerable: true,
      configurable: true,
    })
  const text = JSON.stringify(body)
  const dice = random()
  if (dice < 0.05) return text.slice(0, Math.floor(random() * text.length))
  return dice < 0.1 ? JSON.stringify(pick(random, values)) : text
}

function pathFrom(random: Random, path: string, harvest: Harvest): string {
  const dice = random()
  if (dice < 0.85) return path
  if (dice < 0.88) return `/realms/${encodeURIComponent(textFor(random, '', harvest)).slice(0, 500)}${path}`
  if (dice < 0.91) return `${path}/${'/'.repeat(Math.floor(random() * 3000))}x`
  if (dice < 0.94) return `/nope/%2e%2e${path}`
  if (dice < 0.96) return path.replace('/', '\\')
  return `${path}/${encodeURIComponent(textFor(random, '', harvest)).slice(0, 2000)}`
}

const TYPES = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-8',
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  '',
]
/** The characters that a header may contain. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 3000)

function headersOf(random: Random, harvest: Harvest): Record<string, string> {
  const headers: Record<string, string> = {}
  const value = () => inHeader(textFor(random, '', harvest))
  if (harvest.cookies.size > 0 && random() < 0.6) {
    const pairs = [...harvest.cookies].map(([name, text]) => `${name}=${text}`)
    if (random() < 0.05) pairs.push(...pairs)
    headers.cookie = pairs.join('; ')
  } else if (random() < 0.1) headers.cookie = inHeader(`ostiary_session=${value()}; ${value()}`)
  if (random() < 0.25) {
    const basic = Buffer.from(`${pick(random, FIELDS.client_id ?? [])}:${value()}`).toString('base64')
    headers.authorization = pick(random, [
      `Basic ${basic}`,
      `Bearer ${value()}`,
      `bearer  ${value()}`,
      value(),
    ])
  }
  if (random() < 0.4) headers.accept = pick(random, ['text/html', '*/*', 'application/json', value()])
  if (random() < 0.2) headers['sec-fetch-mode'] = pick(random, ['navigate', 'cors', value()])
  if (random() < 0.1) headers['x-forwarded-for'] = pick(random, ['203.0.113.7', 'unknown', value()])
  if (random() < 0.1) headers['if-none-match'] = pick(random, ['*', '"x"', value()])
  if (random() < 0.05) headers.origin = value()
  return headers
}

export function randomRequest(random: Random, harvest: Harvest): RandomRequest {
  const route = pick(random, WEIGHTED)
  const method = pick(random, random() < 0.85 ? route[1] : METHODS)
  const headers = headersOf(random, harvest)
  const path = pathFrom(random, route[0], harvest)
  const query =
    method === 'GET' || method === 'HEAD' || random() < 0.1 ? encoded(random, pairsOf(random, harvest)) : ''
  // A head of more than 16 KiB is refused before it is parsed.
  const target = `${path}${query === '' ? '' : `?${query}`}`.slice(0, 12_000)
  if (method === 'GET' || method === 'HEAD') return { method, target, headers, body: null }
  const isJson = path.includes('register') ? random() < 0.9 : random() < 0.05
  headers['content-type'] = random() < 0.9 ? (TYPES[isJson ? 2 : 0] as string) : pick(random, TYPES)
  const body = isJson ? metadataOf(random) : encoded(random, pairsOf(random, harvest))
  return { method, target, headers, body }
}
