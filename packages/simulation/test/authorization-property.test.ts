/** Generated requests: what the simulation says is what the authorization endpoint then does with a real session. */

import type { Client, OidcConfig, OidcEvent } from '@ostiary/core'
import {
  CODE_CHALLENGE,
  client,
  type FormFields,
  formRequest,
  REDIRECT_URI,
  redeem,
  type World,
  world,
} from '@ostiary/test-kit/world'
import { expect, it } from 'vitest'
import type { AuthorizationInput } from '../src/index.ts'
import { type PlaceOptions, place, stateOf } from './_place.ts'

const ROUNDS = process.env.OSTIARY_LONG === '1' ? 500 : 50

/** A generator of numbers from 0 to below 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SECRET_OF_CLIENT = 'a-secret-that-is-long-enough-for-anyone'
const OTHER_URI = 'https://client.example.com/other'
const LOOPBACK_URI = 'http://127.0.0.1/callback'
const API = 'https://id.example.com/api'
const SUBS = ['alice', 'bob', 'gone']

const CLIENTS: readonly (Partial<Client> & { client_secret?: string })[] = [
  { client_id: 'app' },
  { client_id: 'two', redirect_uris: [REDIRECT_URI, OTHER_URI] },
  { client_id: 'trusted', trusted: true },
  { client_id: 'unasked', consent_required: false, optional_scopes: ['openid', 'offline_access'] },
  { client_id: 'secret', client_secret: SECRET_OF_CLIENT, require_pkce: false },
  { client_id: 'few', optional_scopes: ['openid', 'api notes.read'] },
  { client_id: 'revoked', revoked_at: 5 },
  { client_id: 'pushes', require_pushed_authorization_requests: true },
  { client_id: 'machine', client_secret: SECRET_OF_CLIENT, grant_types: ['client_credentials'] },
  { client_id: 'api-app', default_resource: 'api' },
  { client_id: 'lost', default_resource: 'nowhere' },
  { client_id: 'native', redirect_uris: [LOOPBACK_URI], origin: 'registered', expires_at: 1_900_000_000 },
  { client_id: 'late', origin: 'registered', expires_at: 1_700_000_000 },
]

/** Half of the requests are theirs. */
const USUAL = ['app', 'trusted', 'secret']

const BASE: Partial<OidcConfig> = {
  resources: {
    api: { scopes: ['notes.read', 'notes.write'] },
    'closed-api': { scopes: ['x'], closed: true },
  },
  clients: { registration: { enabled: true, reuse: true } },
}

/** One realm each. */
const PLACES: Record<string, Omit<PlaceOptions, 'clients'>> = {
  'with acr': { oidc: { ...BASE, acr: 'require', par: 'allowed' } },
  'with one method': {
    oidc: { ...BASE, acr: 'require', session: { absolute_lifetime: 5000 } },
    reachable: {
      reachableAcr: () => ['1'],
      reachableAcrOf: async ({ sub }) => (sub === 'bob' ? [] : ['1']),
      signsUp: () => true,
    },
  },
  'with pushed requests alone': { oidc: { ...BASE, par: 'required' } },
  plain: { oidc: { ...BASE, acr: 'off' }, routing: 'path' },
}

interface Case {
  input: AuthorizationInput
  /** Scopes that the user has allowed, by resource. */
  allowed: readonly { resource: string; scopes: string[]; is_withdrawn: boolean }[]
  pushed: boolean
}

interface Hints {
  alice: string
  bob: string
  access_token: string
}

function generator(random: () => number, issuer: string, hints: Hints) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const rarely = <T>(usual: T, others: readonly T[], chance = 0.03): T =>
    random() < chance ? pick(others) : usual
  const scope = () =>
    rarely(
      pick(['openid', 'openid profile email', 'profile', 'openid offline_access', '', undefined]),
      ['notes.read', 'openid nowhere', 'openid notes.read notes.write', 'x', `${'a '.repeat(201)}`],
      0.1,
    )
  const parameters = (): Record<string, string | string[] | undefined> => ({
    redirect_uri: rarely<string | string[] | undefined>(REDIRECT_URI, [
      OTHER_URI,
      LOOPBACK_URI,
      'http://127.0.0.1:4711/callback',
      'https://evil.example.com/',
      'no uri',
      undefined,
      undefined,
      [REDIRECT_URI, OTHER_URI],
    ]),
    response_type: rarely<string | undefined>('code', ['token', 'code id_token', undefined, ''], 0.02),
    response_mode: rarely<string | undefined>(undefined, ['query', 'fragment', 'form_post']),
    scope: scope(),
    state: rarely<string | string[] | undefined>(
      'the state',
      [undefined, 'x'.repeat(5000), ['a', 'b']],
      0.06,
    ),
    nonce: rarely<string | undefined>(undefined, ['n', 'x'.repeat(3000)]),
    resource: rarely<string | string[] | undefined>(
      undefined,
      [API, issuer, 'https://elsewhere.example.com/', 'closed-api', [API, issuer], `${issuer}/api`],
      0.1,
    ),
    prompt: rarely<string | undefined>(
      undefined,
      [
        'none',
        'none',
        'none',
        'login',
        'consent',
        'select_account',
        'create',
        'none login',
        'always',
        'login consent',
      ],
      0.3,
    ),
    max_age: rarely<string | undefined>(undefined, ['0', '60', '1000', '999999999999', 'x'], 0.15),
    acr_values: rarely<string | undefined>(undefined, ['1', '2', '2 1', '3', 'gold 2', ''], 0.2),
    ui_locales: rarely<string | undefined>(undefined, ['de fr', '???']),
    login_hint: rarely<string | undefined>(undefined, ['alice', 'x'.repeat(400)]),
    id_token_hint: rarely<string | undefined>(
      undefined,
      [
        hints.alice,
        hints.alice,
        hints.bob,
        hints.access_token,
        'no.id.token',
        `${hints.alice.slice(0, -1)}!`,
      ],
      0.1,
    ),
    ...pkce(),
    ...rarely<Record<string, string>>(
      {},
      [
        { request: 'x.y.z' },
        { request_uri: 'https://client.example.com/request' },
        { request_uri: 'urn:ietf:params:oauth:request_uri:unknown' },
        { claims: '{}', unknown: '1' },
      ],
      0.02,
    ),
  })
  const pkce = (): Record<string, string> =>
    rarely<Record<string, string>>({ code_challenge: CODE_CHALLENGE, code_challenge_method: 'S256' }, [
      {},
      { code_challenge: CODE_CHALLENGE },
      { code_challenge: CODE_CHALLENGE, code_challenge_method: 'plain' },
      { code_challenge: 'short', code_challenge_method: 'S256' },
      { code_challenge_method: 'S256' },
    ])
  const session = () =>
    pick([
      { level: 1, age: 0 },
      { level: 1, age: 30 },
      { level: 2, age: 30 },
      { level: 2, age: 3000 },
      { level: 2, age: 10_000_000 },
    ] as const)
  return (): Case => {
    const named = Object.entries(parameters()).filter(([, value]) => value !== undefined)
    const sub = rarely('alice', ['bob', 'gone'])
    const scopes = pick([
      ['openid', 'profile', 'email', 'offline_access'],
      ['openid', 'profile', 'email'],
      ['openid', 'offline_access'],
      ['notes.read'],
    ])
    const allowed = {
      resource: pick([issuer, issuer, issuer, `${issuer}/api`]),
      scopes,
      is_withdrawn: random() < 0.1,
    }
    return {
      input: {
        client_id: rarely(
          pick([...USUAL, pick(CLIENTS).client_id ?? '']),
          ['unknown', '', 'no\0client'],
          0.02,
        ),
        parameters: Object.fromEntries(named) as Record<string, string | string[]>,
        user: random() < 0.25 ? null : { sub, ...session() },
      },
      allowed: random() < 0.7 ? [allowed] : [],
      pushed: random() < 0.4,
    }
  }
}

/** ID tokens and an access token of this issuer, where a client need not push its request. */
async function hintsOf({ storage, realm, clock }: World): Promise<Hints> {
  const routing = realm === 'default' ? 'single' : 'path'
  const w = await world({ storage, routing, clients: [], now: () => clock.now })
  const of = async (sub: string) => {
    const { code } = await w.browser().code({ client_id: 'trusted' }, sub)
    return (await redeem(w, code, { client_id: 'trusted' })).body
  }
  const [alice, bob] = [await of('alice'), await of('bob')]
  return { alice: alice.id_token, bob: bob.id_token, access_token: alice.access_token }
}

/** A session as the pages of an application begin it. */
async function cookieOf(w: World, { user }: AuthorizationInput): Promise<string> {
  if (user === null) return ''
  const { now } = w.clock
  w.clock.now = now - user.age
  const amr = user.level === 1 ? ['pwd'] : ['pwd', 'otp', 'mfa']
  const request = new Request(`${w.issuer}/login`, { method: 'POST' })
  const signed_in = await w.provider.login(request, { sub: user.sub, amr, return_to: { path: '/' } })
  w.clock.now = now
  return signed_in.headers.getSetCookie().map((cookie) => cookie.split(';')[0])[0] ?? ''
}

function urlOf(w: World, { client_id, parameters }: AuthorizationInput): string {
  const query = Object.entries({ client_id, ...parameters }).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  )
  return `${w.issuer}/oauth/authorize?${new URLSearchParams(query)}`
}

const refusalIn = (events: readonly OidcEvent[]) => {
  const refused = events.filter(({ type }) => type === 'authorization.refused' || type === 'request.refused')
  return refused.at(-1) as Extract<OidcEvent, { type: 'authorization.refused' }> | undefined
}

/** By the answer that the browser gets, and the reason by its event. */
async function really(w: World, input: AuthorizationInput) {
  const cookie = await cookieOf(w, input)
  const [events, logins] = [w.events.length, w.logins.length]
  const answer = await w.provider.fetch(new Request(urlOf(w, input), { headers: { cookie } }))
  const location = answer.headers.get('location') ?? ''
  if (location.startsWith(`${w.issuer}/login?`)) {
    expect(w.logins.length).toBe(logins + 1)
    return { result: 'login', reason: w.logins.at(-1)?.reason }
  }
  const refusal = refusalIn(w.events.slice(events))
  if (answer.status >= 400)
    return {
      result: 'refused',
      reason: refusal?.reason,
      error: (await answer.json()).error,
      redirects: false,
    }
  if (location === '') {
    expect(await answer.text()).toBe('the consent view')
    return { result: 'consent', reason: null, scopes: w.consents.at(-1)?.scopes.map(({ value }) => value) }
  }
  const sent = new URL(location).searchParams
  if (sent.get('error') !== null)
    return { result: 'refused', reason: refusal?.reason, error: sent.get('error'), redirects: true }
  expect(sent.get('code')).toEqual(expect.any(String))
  const issued = w.events.findLast((event) => event.type === 'code.issued')
  const grant = await w.storage(w.realm).grants.find(issued?.grant_id ?? '')
  return { result: 'code', reason: null, scopes: grant?.scopes }
}

/** The request_uri of the request, which its client has pushed; null when that was refused. */
async function pushed(w: World, { client_id, parameters }: AuthorizationInput): Promise<string | null> {
  const given = CLIENTS.find((each) => each.client_id === client_id)
  const form = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const secret: FormFields = given?.client_secret === undefined ? {} : { client_secret: given.client_secret }
  const request = formRequest(`${w.issuer}/oauth/par`, { ...form, client_id, ...secret })
  const answer = await w.provider.fetch(request)
  return answer.status === 201 ? (await answer.json()).request_uri : null
}

it.each(Object.entries(PLACES))('a realm %s', async (name, options) => {
  const clients = await Promise.all(CLIENTS.map(client))
  const { w, simulate } = await place({ ...options, clients })
  const hints = await hintsOf(w)
  const next = generator(numbers(name.length), w.issuer, hints)
  const outcomes = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const made = next()
    const { input, allowed } = made
    const request_uri = made.pushed ? await pushed(w, input) : null
    const sent = request_uri === null ? input : { ...input, parameters: { request_uri } }
    const { consents, throttle } = w.storage(w.realm)
    await throttle.reset('')
    for (const sub of SUBS) await consents.delete({ sub })
    for (const { resource, scopes, is_withdrawn } of input.user === null ? [] : allowed) {
      const of = { sub: input.user?.sub ?? '', client_id: input.client_id }
      await consents.merge({ ...of, approved: [{ resource, scopes }] }, w.clock.now - 10)
      if (is_withdrawn) await consents.revoke(of, w.clock.now - 5)
    }
    const before = await stateOf(w, SUBS)
    const { hint, setting, user_is_active, ...said } = await simulate((from) =>
      from.authorization(w.realm, sent),
    )
    expect(await stateOf(w, SUBS)).toEqual(before)
    expect([round, sent, said]).toEqual([round, sent, { scopes: null, ...(await really(w, sent)) }])
    expect(user_is_active).toBe(sent.user === null ? null : sent.user.sub !== 'gone')
    if (said.result === 'refused') expect(hint).toEqual(expect.any(String))
    const key = said.result === 'refused' || said.result === 'login' ? said.reason : said.result
    outcomes.set(`${key}`, (outcomes.get(`${key}`) ?? 0) + 1)
    w.clock.now += 20
  }
  if (process.env.SHOW)
    console.log(
      name,
      [...outcomes].sort((a, b) => b[1] - a[1]),
    )
  // Requests of many kinds were made, and not the same one all the time.
  expect(outcomes.size).toBeGreaterThan(6)
  for (const result of ['code', 'signed_out']) expect(outcomes.get(result) ?? 0).toBeGreaterThan(0)
})
