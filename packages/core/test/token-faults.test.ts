/**
 * Every fault of an access token at every place where one is used: the guard, UserInfo, introspection and token exchange. One
 * function decides (`tokens/bearer-token.ts`), so that no place accepts what another refuses.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSigningKey } from '../src/crypto/keys.js'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { markClient } from './mark-client.js'
import {
  bearer,
  CLIENT_SECRET,
  client,
  elsewhere,
  header,
  ISSUER,
  payload,
  redeem,
  SECRET,
  tokens,
  type World,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const EXTERNAL = 'https://api.example.net'
const AUTH = { client_id: 'app', client_secret: CLIENT_SECRET }

/** A place where a token is used: null when the token is good there, and otherwise the reason in the event. */
const USES = {
  guard: async (w, token) => {
    const request = new Request(w.issuer, { headers: bearer(token) })
    return (await w.provider.guard({ realm: w.realm }).authenticate(request)) instanceof Response
      ? lastReason(w)
      : null
  },
  userinfo: async (w, token) => {
    const request = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) })
    return (await w.provider.fetch(request)).status === 200 ? null : lastReason(w)
  },
  // Introspection does not tell why a token is not active.
  introspection: async (w, token) =>
    (await (await w.post('/oauth/introspect', { ...AUTH, token })).json()).active ? null : 'inactive',
  exchange: async (w, token) => {
    const { status, body } = await exchanged(w, token, EXTERNAL)
    if (status === 200) return null
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    return lastReason(w)?.replace('subject_token_', '') ?? null
  },
} satisfies Record<string, (w: World, token: string) => Promise<string | null>>
type Use = keyof typeof USES
const NAMES = Object.keys(USES) as Use[]

const exchanged = (w: World, subject_token: string, audience: string) =>
  tokens(w, {
    grant_type: EXCHANGE,
    ...AUTH,
    subject_token,
    subject_token_type: ACCESS_TOKEN,
    audience,
  })

function lastReason(w: World): string | null {
  const refusal = w.events.findLast(({ type }) => type === 'bearer.refused' || type === 'request.refused')
  return refusal && 'reason' in refusal ? refusal.reason : null
}

interface Place {
  w: World
  /** Tokens of alice and of the client itself. */
  user: string
  machine: string
  /** The token of alice with other claims, signed by the realm. */
  signed(claims: object, head?: object): Promise<string>
  /** The token of alice, exchanged for one at the issuer. */
  swapped(): Promise<string>
  /** The same provider with other settings. */
  with(oidc: object): Promise<World>
}

const OIDC = {
  resources: { files: {}, strict: {}, [EXTERNAL]: {} },
  clients: { token_exchange: true },
  dpop: 'on' as const,
}

async function place(): Promise<Place> {
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE]
  const record = { ...AUTH, grant_types, trusted: true, allowed_exchange_audiences: [EXTERNAL, ISSUER] }
  const w = await world({
    oidc: OIDC,
    clients: [await client({ ...record, optional_scopes: ['*'] }), await client({ client_id: 'other' })],
  })
  const { code } = await w.browser().code({ scope: 'openid offline_access' })
  const user = (await redeem(w, code, AUTH)).body.access_token
  const machine = (await tokens(w, { grant_type: 'client_credentials', scope: 'openid', ...AUTH })).body
  const [stored] = await w.storage(w.realm).keys.list()
  if (!stored) throw new Error('The realm has no key')
  const seals = [(await deriveSecrets(SECRET)).seal]
  const { private_key } = await openSigningKey(stored, { realm: w.realm, seals })
  const signed = (claims: object, head: object = {}) =>
    new SignJWT({ ...payload(user), ...claims })
      .setProtectedHeader({ alg: 'RS256', ...header(user), ...head })
      .sign(private_key)
  const again = (oidc: object) =>
    world({ oidc: { ...OIDC, ...oidc }, storage: w.storage, clients: [], now: () => w.clock.now })
  const swapped = async () => {
    const { body } = await exchanged(w, user, w.issuer)
    return body.access_token
  }
  return { w, swapped, user, machine: machine.access_token, signed, with: again }
}

/** What becomes of a token at each use: null is good. One value stands for all uses. */
type Expected = string | null | Record<Use, string | null>

const everywhere = (reason: string | null): Record<Use, string | null> => ({
  guard: reason,
  userinfo: reason,
  introspection: reason === null ? null : 'inactive',
  exchange: reason,
})

interface Fault {
  name: string
  expected: Expected
  /** The token, and the world that is asked; by default that of the place. */
  make(place: Place): Promise<{ token: string; w?: World }> | { token: string; w?: World }
}

/** The claims of a token for which the client `other` has exchanged the user's. */
function ofOther(w: World, user: string): object {
  const [grant_id] = String(payload(user).jti).split('.')
  const act = { sub: 'other' }
  return { jti: `${grant_id}.x.random`, act, client_id: 'other', aud: [w.issuer, 'app'] }
}

const FAULTS: readonly Fault[] = [
  { name: 'no fault', expected: null, make: ({ user }) => ({ token: user }) },
  {
    name: 'no JWT',
    expected: {
      guard: 'ERR_JWS_INVALID',
      userinfo: 'ERR_JWS_INVALID',
      introspection: 'inactive',
      exchange: 'ERR_JWS_INVALID',
    },
    make: () => ({ token: 'rubbish' }),
  },
  {
    name: 'another typ: an ID token',
    expected: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    make: async ({ signed }) => ({ token: await signed({}, { typ: 'JWT' }) }),
  },
  {
    name: 'a key that is not published',
    expected: 'unknown_key',
    make: async ({ signed }) => ({ token: await signed({}, { kid: 'unknown' }) }),
  },
  {
    name: 'another issuer',
    expected: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    make: async ({ signed }) => ({ token: await signed({ iss: 'https://evil.example.org' }) }),
  },
  {
    name: 'an exp that has passed',
    expected: 'ERR_JWT_EXPIRED',
    make: async ({ signed, w }) => ({ token: await signed({ exp: w.clock.now }) }),
  },
  {
    name: 'addressed to an external resource: the guard of this application is not its API',
    expected: { ...everywhere(null), guard: 'wrong_audience' },
    make: async ({ signed }) => ({ token: await signed({ aud: EXTERNAL }) }),
  },
  {
    name: 'addressed to a client: it is for that client to ask about it',
    expected: { ...everywhere(null), guard: 'wrong_audience', userinfo: 'wrong_audience' },
    make: async ({ signed }) => ({ token: await signed({ aud: 'other' }) }),
  },
  {
    name: 'a bearer token from before its resource required bound ones',
    expected: 'dpop_required',
    make: async (at) => ({
      token: await at.signed({ aud: `${at.w.issuer}/strict` }),
      w: await at.with({ resources: { ...OIDC.resources, strict: { dpop: 'required' } } }),
    }),
  },
  {
    name: 'the same for an exchanged one',
    expected: 'dpop_required',
    make: async (at) => ({
      token: await at.signed({
        aud: `${at.w.issuer}/strict`,
        act: { sub: 'app' },
        jti: String(payload(at.user).jti).replace('.', '.x.'),
      }),
      w: await at.with({ resources: { ...OIDC.resources, strict: { dpop: 'required' } } }),
    }),
  },
  {
    name: 'the same for a token of a client',
    expected: { ...everywhere('dpop_required') },
    make: async (at) => ({
      token: await at.signed({ ...payload(at.machine), aud: `${at.w.issuer}/strict` }),
      w: await at.with({ resources: { ...OIDC.resources, strict: { dpop: 'required' } } }),
    }),
  },
  {
    name: 'a bearer token for two resources, one of which requires bound ones',
    expected: 'dpop_required',
    make: async (at) => ({
      token: await at.signed({ aud: [`${at.w.issuer}/files`, `${at.w.issuer}/strict`] }),
      w: await at.with({ resources: { ...OIDC.resources, strict: { dpop: 'required' } } }),
    }),
  },
  {
    name: 'bound to a key, where DPoP is off',
    expected: 'unknown_confirmation',
    make: async (at) => ({
      token: await at.signed({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }),
      w: await at.with({ dpop: 'off' }),
    }),
  },
  {
    name: 'a revoked grant',
    expected: 'revoked_token',
    async make({ user, w }) {
      await w.post('/oauth/revoke', { ...AUTH, token: user })
      return { token: user }
    },
  },
  {
    name: 'a grant that is not stored',
    expected: 'revoked_token',
    make: async ({ signed }) => ({ token: await signed({ jti: 'unknown-grant.random' }) }),
  },
  {
    name: 'a grant that has ended, of a token that has not',
    expected: 'revoked_token',
    async make({ signed, w }) {
      const exp = w.clock.now + 100_000_000
      const token = await signed({ exp })
      w.clock.now += 90 * 86_400
      return { token }
    },
  },
  {
    name: 'an offline grant that is older than oidc.tokens.offline_absolute is now',
    expected: 'revoked_token',
    async make(at) {
      const shorter = await at.with({ tokens: { offline_absolute: 100 } })
      at.w.clock.now += 100
      return { token: at.user, w: shorter }
    },
  },
  {
    name: 'a grant from when its client was marked',
    expected: 'revoked_token',
    async make({ user, w }) {
      await markClient(w, 'app', w.clock.now)
      return { token: user }
    },
  },
  {
    name: 'a grant from after its client was marked: no fault',
    expected: null,
    async make({ user, w }) {
      await markClient(w, 'app', w.clock.now - 1)
      return { token: user }
    },
  },
  {
    name: 'an exchanged token of another client, and a grant from when its own was marked',
    expected: { ...everywhere('revoked_token') },
    async make({ signed, user, w }) {
      await markClient(w, 'app', w.clock.now)
      return { token: await signed(ofOther(w, user)) }
    },
  },
  {
    name: 'an exchanged token of a client that was marked, with the grant of another one: no fault',
    expected: null,
    async make({ signed, user, w }) {
      await markClient(w, 'other', w.clock.now)
      return { token: await signed(ofOther(w, user)) }
    },
  },
  {
    name: 'a user who is unknown or disabled',
    expected: 'unknown_user',
    make({ user, w }) {
      w.accounts.delete('alice')
      return { token: user }
    },
  },
  {
    name: 'a user, and neither grant nor act',
    expected: 'user_token_without_grant',
    make: async ({ signed }) => ({ token: await signed({ jti: 'random' }) }),
  },
  {
    name: 'a user, and the grant of another one',
    expected: 'foreign_grant',
    make: async ({ signed }) => ({ token: await signed({ sub: 'bob' }) }),
  },
  {
    name: 'a user, and a grant of another client',
    expected: { ...everywhere('foreign_grant') },
    make: async ({ signed, w }) => ({
      token: await signed({ client_id: 'other', aud: [w.issuer, 'app'] }),
    }),
  },
  {
    name: 'a jti of no known form',
    expected: 'malformed_jti',
    make: async ({ signed, user }) => ({ token: await signed({ jti: `${payload(user).jti}.more` }) }),
  },
  {
    name: 'an exchanged token: no fault',
    expected: null,
    make: async (at) => ({ token: await at.swapped() }),
  },
  {
    name: 'an exchanged token whose grant is revoked',
    expected: 'revoked_token',
    async make(at) {
      const token = await at.swapped()
      await at.w.post('/oauth/revoke', { ...AUTH, token: at.user })
      return { token }
    },
  },
  {
    name: 'an exchanged token that is revoked itself',
    expected: 'revoked_token',
    async make(at) {
      const token = await at.swapped()
      await at.w.post('/oauth/revoke', { ...AUTH, token })
      return { token }
    },
  },
  {
    name: 'an exchanged token of a client that is revoked',
    expected: { ...everywhere('revoked_client') },
    async make({ signed, user, w }) {
      await elsewhere(w, (clients) => clients.revoke('other', w.clock.now))
      return { token: await signed(ofOther(w, user)) }
    },
  },
  {
    name: 'an exchanged token with the grant of another user',
    expected: 'foreign_grant',
    async make({ signed, user }) {
      const [grant_id] = String(payload(user).jti).split('.')
      return { token: await signed({ jti: `${grant_id}.x.random`, act: { sub: 'app' }, sub: 'bob' }) }
    },
  },
  {
    name: 'an exchanged token of a user who is unknown or disabled',
    expected: 'unknown_user',
    async make(at) {
      const token = await at.swapped()
      at.w.accounts.delete('alice')
      return { token }
    },
  },
  {
    name: 'a token of a client: no fault, but UserInfo needs a user',
    expected: { ...everywhere(null), userinfo: 'machine_token' },
    make: ({ machine }) => ({ token: machine }),
  },
  {
    name: 'a revoked token of a client',
    expected: 'revoked_token',
    async make({ machine, w }) {
      await w.post('/oauth/revoke', { ...AUTH, token: machine })
      return { token: machine }
    },
  },
  {
    name: 'a token of another client that is revoked',
    expected: { ...everywhere('revoked_client') },
    async make({ signed, machine, w }) {
      await elsewhere(w, (clients) => clients.revoke('other', w.clock.now))
      const own = { ...payload(machine), sub: 'other', client_id: 'other', aud: [w.issuer, 'app'] }
      return { token: await signed(own) }
    },
  },
]

describe.each(FAULTS)('$name', ({ expected, make }) => {
  let at: Place
  let asked: { token: string; w?: World }
  beforeAll(async () => {
    at = await place()
    asked = await make(at)
  })
  const reasons = typeof expected === 'object' && expected !== null ? expected : everywhere(expected)

  it.each(NAMES)('%s', async (use) => {
    expect(await USES[use](asked.w ?? at.w, asked.token)).toBe(reasons[use])
  })
})

describe('the sources', () => {
  const root = new URL('../src/', import.meta.url)
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(new URL(path, root), 'utf8') }))
  const namedIn = (name: string) =>
    sources.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text)).map(({ path }) => path)

  it('verify a token in one file, and use it through the function that knows every fault', () => {
    expect(namedIn('verifyAccessToken')).toEqual(['tokens/bearer-token.ts'])
    // find-token.ts has tokens for revocation, which may be dead already, and for introspection.
    expect(namedIn('verifyOwnToken').sort()).toEqual(['tokens/bearer-token.ts', 'tokens/find-token.ts'])
    expect(namedIn('findToken').sort()).toEqual([
      'features/introspection.ts',
      'features/revocation.ts',
      'tokens/find-token.ts',
    ])
  })

  it('name no use of a token that has no column in this table', () => {
    const { text = '' } = sources.find(({ path }) => path === 'tokens/bearer-token.ts') ?? {}
    const [, union = ''] = /export type TokenUse =([^\n]*)\n/.exec(text) ?? []
    expect([...union.matchAll(/'([^']+)'/g)].map(([, use]) => use).sort()).toEqual([...NAMES].sort())
    const [, reasons = ''] = /\ntype TokenFault =([\s\S]*?)\n\n/.exec(text) ?? []
    const named = [...reasons.matchAll(/'([^']+)'/g)].map(([, reason]) => String(reason))
    const tested = FAULTS.flatMap(({ expected }) =>
      typeof expected === 'string' ? [expected] : Object.values(expected ?? {}),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((reason) => !tested.includes(reason))).toEqual([])
  })
})
