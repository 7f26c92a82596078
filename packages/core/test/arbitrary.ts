/** Random requests for fast-check, from valid to absurd, and a world with the tokens that they need. */

import fc from 'fast-check'
import { pushed } from './par.js'
import {
  CLIENT_SECRET,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  client,
  REDIRECT_URI,
  redeem,
  tokens,
  world,
} from './support.js'

export const BYE = 'https://client.example.com/bye'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Made when a request needs it, since most can be used once. */
const LIVE = [
  ...(['code', 'access_token', 'refresh_token', 'id_token', 'machine_token'] as const),
  ...(['auth_token', 'return_to', 'confirmation_token', 'request_uri'] as const),
] as const
type Live = (typeof LIVE)[number]
type Value = string | { live: Live }
type Form = Record<string, Value>

const live = (name: Live): Value => ({ live: name })
const service = { client_id: 'service', client_secret: CLIENT_SECRET }
const authorize = {
  client_id: 'app',
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid',
  state: 's',
  code_challenge: CODE_CHALLENGE,
  code_challenge_method: 'S256',
}
const redemption = { grant_type: 'authorization_code', client_id: 'app', code: live('code') }

/** Each endpoint with its methods and with forms that it accepts. */
const ENDPOINTS: Record<string, { methods: string[]; forms: Form[]; bearer?: Live }> = {
  '/oauth/authorize': {
    methods: ['GET', 'POST'],
    forms: [
      authorize,
      { ...authorize, resource: 'https://id.example.com/mcp', scope: 'openid tools', nonce: 'n' },
      { ...authorize, client_id: 'second', redirect_uri: 'http://localhost:4711/cb' },
      { ...authorize, prompt: 'consent', acr_values: '1 2', id_token_hint: live('id_token') },
      { ...authorize, prompt: 'login', max_age: '0' },
      { ...authorize, prompt: 'none', max_age: '60' },
      { client_id: 'app', request_uri: live('request_uri') },
    ],
  },
  '/oauth/par': { methods: ['POST'], forms: [authorize, { ...authorize, ui_locales: 'en', max_age: '60' }] },
  '/oauth/authorize/consent': {
    methods: ['POST', 'DELETE'],
    forms: [{ auth_token: live('auth_token') }, { auth_token: live('auth_token'), _method: 'DELETE' }],
  },
  '/oauth/authorize/resume': { methods: ['GET'], forms: [{ id: live('return_to') }] },
  '/oauth/token': {
    methods: ['POST'],
    forms: [
      { ...redemption, redirect_uri: REDIRECT_URI, code_verifier: CODE_VERIFIER },
      {
        grant_type: 'refresh_token',
        client_id: 'app',
        refresh_token: live('refresh_token'),
        scope: 'openid',
      },
      { grant_type: 'client_credentials', ...service, scope: 'profile' },
      {
        grant_type: EXCHANGE,
        ...service,
        subject_token: live('machine_token'),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: 'https://b.example',
      },
    ],
  },
  '/oauth/userinfo': { methods: ['GET', 'POST'], forms: [{}], bearer: 'access_token' },
  '/oauth/introspect': { methods: ['POST'], forms: [{ ...service, token: live('machine_token') }] },
  '/oauth/revoke': {
    methods: ['POST'],
    forms: [
      { client_id: 'app', token: live('refresh_token'), token_type_hint: 'refresh_token' },
      { client_id: 'app', token: live('access_token') },
      { ...service, token: live('machine_token') },
    ],
  },
  '/oauth/register': { methods: ['POST'], forms: [{}] },
  '/oauth/logout': {
    methods: ['GET', 'POST'],
    forms: [
      { id_token_hint: live('id_token'), post_logout_redirect_uri: BYE, state: 's' },
      { client_id: 'app', post_logout_redirect_uri: BYE },
      { confirmation_token: live('confirmation_token') },
      {},
    ],
  },
}
export const PATHS = Object.keys(ENDPOINTS)

const NAMES = [...new Set(Object.values(ENDPOINTS).flatMap(({ forms }) => forms.flatMap(Object.keys)))]
const ABSURD = [
  '',
  ' ',
  '\0',
  'a\0b',
  '__proto__',
  'constructor',
  '%',
  '%00',
  '%zz',
  '[]',
  '{}',
  'null',
  '-1',
  '1e99',
  '\r\nset-cookie: a=b',
  '\ud800',
  'a.b.c',
  'eyJhbGciOiJub25lIn0.e30.',
  '"',
  '\\',
  'x'.repeat(5000),
  'https://evil.example.org/',
  '//evil.example.org',
  'javascript:alert(1)',
  `${REDIRECT_URI}@evil.example.org`,
  'none login',
  '*',
  'offline_access',
  'urn:x',
  'refresh_token',
  'client_credentials',
  'service',
  'second',
]
export const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...ABSURD))
const anyValue: fc.Arbitrary<Value> = fc.oneof(anyText, anyText, fc.constantFrom(...LIVE.map(live)))

interface Change {
  how: 'set' | 'drop' | 'double'
  name: string
  value: Value
}
const changesOf = (form: Form): fc.Arbitrary<Change[]> => {
  const own = Object.keys(form)
  const name = fc.oneof(
    { weight: own.length > 0 ? 5 : 0, arbitrary: fc.constantFrom(...own, 'state') },
    { weight: 1, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 1, arbitrary: anyText },
  )
  const how = fc.constantFrom<Change['how']>('set', 'set', 'drop', 'double')
  return fc.array(fc.record({ how, name, value: anyValue }), { maxLength: 2 })
}
const changed = (form: Form, changes: Change[]): [string, Value][] =>
  changes.reduce<[string, Value][]>((pairs, { how, name, value }) => {
    const rest = how === 'double' ? pairs : pairs.filter(([other]) => other !== name)
    return how === 'drop' ? rest : [...rest, [name, value]]
  }, Object.entries(form))

const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })))
  .map((codes) => String.fromCharCode(...codes))
const base64 = fc.string({ unit: 'binary' }).map((text) => Buffer.from(text).toString('base64'))
const anyHeaders = fc.record(
  {
    authorization: fc.oneof(
      headerText,
      base64.map((text) => `Basic ${text}`),
      headerText.map((text) => `Bearer ${text}`),
    ),
    cookie: headerText,
    'content-type': fc.oneof(headerText, fc.constantFrom('application/json', 'multipart/form-data', '')),
    'content-length': fc.oneof(headerText, fc.constantFrom('-1', '0', '1e9', 'NaN')),
    origin: headerText,
    'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
  },
  { requiredKeys: [] },
)
const field = fc.oneof(
  fc.tuple(fc.constant('redirect_uris'), fc.oneof(fc.array(fc.oneof(fc.webUrl(), anyText)), fc.jsonValue())),
  fc.tuple(fc.constant('post_logout_redirect_uris'), fc.oneof(fc.array(anyText), fc.jsonValue())),
  fc.tuple(
    fc.constantFrom('client_name', 'token_endpoint_auth_method', 'grant_types', 'backchannel_logout_uri'),
    fc.oneof(anyText, fc.webUrl(), fc.jsonValue()),
  ),
)
const registration = fc
  .array(field, { maxLength: 2 })
  .map((fields) => JSON.stringify({ redirect_uris: [REDIRECT_URI], ...Object.fromEntries(fields) }))
const HUGE = [
  'x'.repeat(1 << 20),
  `grant_type=${'%00'.repeat(300_000)}`,
  `{"redirect_uris":["${'x'.repeat(1 << 20)}"]}`,
]
const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  fc.constantFrom(...HUGE),
  fc.json(),
)

export interface Sent {
  path: string
  method: string
  pairs: [string, Value][]
  bearer: Live | null
  /** The cookie of a signed-in user. */
  cookie: boolean
  headers: Record<string, string>
  /** Instead of the pairs. */
  body: string | Uint8Array<ArrayBuffer> | null
}
const rarely = <T>(none: T, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(none) }, { weight: 1, arbitrary })

/** A valid request with up to two changes, and sometimes with other headers or another body. */
export function sentTo(path: string): fc.Arbitrary<Sent> {
  const { methods, forms, bearer } = ENDPOINTS[path] ?? { methods: ['GET'], forms: [{}] }
  const form = forms.length === 1 ? fc.constant(forms[0] ?? {}) : fc.constantFrom(...forms)
  return fc.record<Sent>({
    path: fc.constant(path),
    method: fc.constantFrom(...methods),
    pairs: form.chain((sound) => changesOf(sound).map((changes) => changed(sound, changes))),
    bearer: bearer ? fc.constantFrom(bearer, ...LIVE) : fc.constant(null),
    cookie: fc.constantFrom(true, true, true, false),
    headers: rarely({}, anyHeaders),
    body: path === '/oauth/register' ? fc.oneof(registration, registration, anyBody) : rarely(null, anyBody),
  })
}

export type Busy = Awaited<ReturnType<typeof busy>>

/** A world in which alice signs in whenever a request needs her. Two of them give the same answers. */
export async function busy(routing: 'single' | 'path') {
  let count = 0
  const w = await world({
    routing,
    random: (bytes) => {
      const value = new Uint8Array(bytes)
      new DataView(value.buffer).setUint32(0, ++count)
      return value
    },
    oidc: {
      resources: { mcp: { scopes: ['tools'] } },
      clients: { registration: { enabled: true }, token_exchange: true },
      par: 'allowed',
      throttle: { register: 1_000_000, authorize: 1_000_000 },
    },
    clients: [
      await client({ post_logout_redirect_uris: [BYE] }),
      await client({ client_id: 'second', redirect_uris: ['http://localhost/cb'] }),
      await client({
        ...service,
        grant_types: ['client_credentials', EXCHANGE],
        allowed_exchange_audiences: ['https://b.example'],
      }),
    ],
  })
  const browser = w.browser()
  const code = async () => String((await browser.code()).code)
  const granted = async () => (await redeem(w, await code())).body
  const make: Record<Live, () => Promise<string>> = {
    code,
    access_token: async () => (await granted()).access_token,
    refresh_token: async () => (await granted()).refresh_token,
    id_token: async () => (await granted()).id_token,
    machine_token: async () =>
      (await tokens(w, { grant_type: 'client_credentials', ...service })).body.access_token,
    async auth_token() {
      await code()
      await browser.authorize({ prompt: 'consent' })
      return w.consents.at(-1)?.auth_token ?? ''
    },
    async return_to() {
      await w.browser().authorize()
      return w.logins.at(-1)?.return_to ?? ''
    },
    request_uri: () => pushed(w),
    async confirmation_token() {
      await code()
      const page = await (await browser.get(`${w.issuer}/oauth/logout`)).text()
      return /name="confirmation_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    },
  }

  /** Returns the request, and the secrets of this world that are not in it. */
  async function requestOf(sent: Sent, origin = 'https://id.example.com') {
    const pairs: [string, string][] = []
    for (const [name, value] of sent.pairs)
      pairs.push([name, typeof value === 'string' ? value : await make[value.live]()])
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
    if (sent.bearer) headers.authorization = `Bearer ${await make[sent.bearer]()}`
    await code()
    if (sent.cookie)
      headers.cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    Object.assign(headers, sent.headers)
    const url = origin + w.issuer.slice('https://id.example.com'.length) + sent.path
    const text = new URLSearchParams(pairs).toString()
    if (sent.method === 'GET') return new Request(`${url}?${text}`, { headers })
    return new Request(url, { method: sent.method, headers, body: sent.body ?? text })
  }
  return { w, browser, requestOf }
}
