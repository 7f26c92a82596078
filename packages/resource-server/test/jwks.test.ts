/** Validation with the issuer's published keys: the requests for them, and the keys that are used. */

import { describe, expect, it } from 'vitest'
import type { IssuerUnavailableError } from '../src/index.js'
import {
  AWAY,
  api,
  KEY,
  keyPair,
  METADATA,
  RESOURCE,
  refused,
  request,
  seen,
  type TestIssuer,
  testIssuer,
} from './support.js'

const DISCOVERY = '/.well-known/openid-configuration'
const ask = async (server: ReturnType<typeof api>, token: string) =>
  seen(await server.authenticate(request(token)))
const count = (issuer: TestIssuer, path: string) => issuer.asked.filter((asked) => asked === path).length

describe('Requests to the issuer', () => {
  it('are sent for the first token only, also for many concurrent tokens', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    expect(issuer.asked).toEqual([])
    const token = await issuer.token()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, token)))
    expect(new Set(answers)).toEqual(new Set(['accepted']))
    issuer.clock.now += 800
    expect(await ask(server, await issuer.token({ jti: 'j2' }))).toBe('accepted')
    expect(issuer.asked).toEqual([DISCOVERY, '/jwks'])
  })

  it('an unknown kid: one refetch per interval, also under parallel requests', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    await ask(server, await issuer.token())
    const flood = async () =>
      Promise.all(
        Array.from({ length: 20 }, async (_, i) =>
          ask(server, await issuer.token({}, { kid: `k${i + 100}` })),
        ),
      )
    // The keys have just been fetched.
    expect(new Set((await flood()).map(String))).toEqual(new Set([String(refused())]))
    expect(count(issuer, '/jwks')).toBe(1)
    issuer.clock.now += 30
    await flood()
    await flood()
    expect(count(issuer, '/jwks')).toBe(2)
    issuer.clock.now += 30
    await flood()
    expect(count(issuer, '/jwks')).toBe(3)
    expect(count(issuer, DISCOVERY)).toBe(1)
  })

  it('a new key of the issuer is found by its kid, and a withdrawn key is refused after the next fetch', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    const old = await issuer.token({ exp: issuer.clock.now + 9000 })
    await ask(server, old)
    const next = await keyPair('k2')
    issuer.keys = [next.jwk]
    issuer.clock.now += 30
    expect(await ask(server, await issuer.token({}, {}, next))).toBe('accepted')
    expect(await ask(server, old)).toEqual(refused())
  })

  it('keys older than max_age are fetched again', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { jwks: { max_age: 60 } })
    await ask(server, await issuer.token())
    issuer.clock.now += 59
    await ask(server, await issuer.token())
    expect(count(issuer, '/jwks')).toBe(1)
    issuer.clock.now += 1
    await ask(server, await issuer.token())
    expect(count(issuer, '/jwks')).toBe(2)
    // The keys do not stay fresh when the clock is set back.
    issuer.clock.now -= 1000
    await ask(server, await issuer.token())
    expect(count(issuer, '/jwks')).toBe(3)
  })
})

describe('An unavailable issuer', () => {
  const down = async () => new Response(null, { status: 502 })

  it('at the start: 503 with Retry-After, and a new request after 5 seconds', async () => {
    const issuer = testIssuer()
    issuer.broken = down
    const told: IssuerUnavailableError[] = []
    const server = api(issuer, { on_unavailable: (error) => void told.push(error) })
    const token = await issuer.token()
    const answer = await server.authenticate(request(token))
    expect((answer as Response).headers.get('retry-after')).toBe('5')
    expect(await seen(answer)).toEqual(AWAY)
    expect(told[0]?.reason).toBe(`${issuer.issuer}${DISCOVERY} answered 502`)
    expect(await ask(server, token)).toEqual(AWAY)
    expect(issuer.asked.length).toBe(1)
    issuer.broken = null
    issuer.clock.now += 5
    expect(await ask(server, token)).toBe('accepted')
  })

  it('later: its keys are used for stale_if_error more, and no longer', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { jwks: { max_age: 60, stale_if_error: 100 } })
    await ask(server, await issuer.token())
    issuer.broken = down
    issuer.clock.now += 60
    expect(await ask(server, await issuer.token())).toBe('accepted')
    const asked = issuer.asked.length
    expect(await ask(server, await issuer.token())).toBe('accepted')
    expect(issuer.asked.length).toBe(asked)
    issuer.clock.now += 99
    expect(await ask(server, await issuer.token())).toBe('accepted')
    issuer.clock.now += 1
    expect(await ask(server, await issuer.token())).toEqual(AWAY)
  })

  it('a token with an unknown kid gets 503, as the key may be new, and causes no further request', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    await ask(server, await issuer.token())
    issuer.broken = down
    issuer.clock.now += 30
    const unknown = await issuer.token({}, { kid: 'new' })
    expect(await ask(server, unknown)).toEqual(AWAY)
    expect(await ask(server, unknown)).toEqual(AWAY)
    expect(count(issuer, '/jwks')).toBe(2)
    expect(await ask(server, await issuer.token())).toBe('accepted')
  })
})

describe('Keys', () => {
  it.each(['ES256', 'PS256', 'EdDSA'] as const)(
    '%s is accepted beside RS256 by default, and alone when it is the only one',
    async (alg) => {
      const issuer = testIssuer()
      const key = await keyPair('other', alg)
      issuer.keys = [KEY.jwk, key.jwk]
      const token = await issuer.token({}, { alg }, key)
      for (const options of [{}, { algorithms: ['RS256', alg] as const }]) {
        expect(await ask(api(issuer, options), token)).toBe('accepted')
        expect(await ask(api(issuer, options), await issuer.token())).toBe('accepted')
      }
      expect(await ask(api(issuer, { algorithms: [alg] }), token)).toBe('accepted')
      expect(await ask(api(issuer, { algorithms: [alg] }), await issuer.token())).toEqual(refused())
      expect(await ask(api(issuer, { algorithms: ['RS256'] }), token)).toEqual(refused())
    },
  )

  it.each([
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
    ['Ed25519', 'Ed25519'],
    [undefined, 'Ed25519'],
  ])('an Ed25519 key with alg %s verifies a token with alg %s', async (key_alg, alg) => {
    const issuer = testIssuer()
    const key = await keyPair('k2', 'EdDSA')
    issuer.keys = [{ ...key.jwk, alg: key_alg }]
    expect(await ask(api(issuer), await issuer.token({}, { alg }, key))).toBe('accepted')
    const token = await issuer.token({}, { alg }, key)
    expect(await ask(api(issuer, { algorithms: ['RS256'] }), token)).toEqual(refused())
  })

  describe('RFC 8725 §3.1: a key without alg serves one algorithm', () => {
    it.each<[verifies: 'RS256' | 'PS256', not: string, algorithms: ('RS256' | 'PS256')[] | undefined]>([
      ['RS256', 'PS256', undefined],
      ['RS256', 'PS256', ['PS256', 'RS256']],
      ['PS256', 'RS256', ['PS256']],
    ])('an RSA key verifies %s, and not %s (algorithms: %j)', async (verifies, not, algorithms) => {
      const issuer = testIssuer()
      const pkcs8 = await crypto.subtle.exportKey('pkcs8', KEY.private_key)
      const pss = { name: 'RSA-PSS', hash: 'SHA-256' }
      const pss_key = await crypto.subtle.importKey('pkcs8', pkcs8, pss, false, ['sign'])
      const signed = (alg: string) =>
        issuer.token({}, { alg }, { ...KEY, private_key: alg === 'PS256' ? pss_key : KEY.private_key })
      issuer.keys = [{ ...KEY.jwk, alg: undefined }]
      const server = api(issuer, algorithms && { algorithms })
      expect(await ask(server, await signed(verifies))).toBe('accepted')
      expect(await ask(server, await signed(not))).toEqual(refused())
    })

    it('one RSA key that is published twice, with each alg, verifies both', async () => {
      const issuer = testIssuer()
      issuer.keys = [KEY.jwk, { ...KEY.jwk, alg: 'PS256' }]
      const pkcs8 = await crypto.subtle.exportKey('pkcs8', KEY.private_key)
      const pss = { name: 'RSA-PSS', hash: 'SHA-256' }
      const private_key = await crypto.subtle.importKey('pkcs8', pkcs8, pss, false, ['sign'])
      expect(await ask(api(issuer), await issuer.token())).toBe('accepted')
      const token = await issuer.token({}, { alg: 'PS256' }, { ...KEY, private_key })
      expect(await ask(api(issuer), token)).toBe('accepted')
    })
  })

  const { n, e } = KEY.jwk
  it.each<[string, object[]]>([
    ['for encryption', [{ ...KEY.jwk, use: 'enc' }]],
    ['for another algorithm', [{ ...KEY.jwk, alg: 'RS512' }]],
    ['that is not for verification', [{ ...KEY.jwk, use: undefined, key_ops: ['sign'] }]],
    ['without a kid', [{ ...KEY.jwk, kid: undefined }]],
    ['that is symmetric', [{ kty: 'oct', k: n, kid: 'k1' }]],
    ['of another type', [{ kty: 'EC', crv: 'P-256', x: n, y: e, kid: 'k1' }]],
    [
      'that is not a key',
      [null, 7, 'k1', [], { kid: 'k1' }, { kty: 'RSA', kid: 'k1', n: '!', e: 'AQAB' }] as object[],
    ],
  ])('a key %s is not used', async (_, keys) => {
    const issuer = testIssuer()
    issuer.keys = [...keys, (await keyPair('good')).jwk]
    expect(await ask(api(issuer), await issuer.token())).toEqual(refused())
  })

  it('an RSA key of 1024 bits is not used', async () => {
    const { publicKey } = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
      true,
      ['sign', 'verify'],
    )
    const issuer = testIssuer()
    issuer.keys = [
      { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k1', key_ops: ['verify'] },
      (await keyPair('good')).jwk,
    ]
    expect(await ask(api(issuer), await issuer.token())).toEqual(refused())
  })

  it('only the public members of a private key are used', async () => {
    const issuer = testIssuer()
    issuer.keys = [
      { ...(await crypto.subtle.exportKey('jwk', KEY.private_key)), ...KEY.jwk, key_ops: ['verify'] },
    ]
    expect(await ask(api(issuer), await issuer.token())).toBe('accepted')
  })

  it('only the first 100 are used', async () => {
    const issuer = testIssuer()
    const others = (length: number) => Array.from({ length }, (_, i) => ({ ...KEY.jwk, kid: `x${i}` }))
    issuer.keys = [...others(99), KEY.jwk]
    expect(await ask(api(issuer), await issuer.token())).toBe('accepted')
    issuer.keys = [...others(100), KEY.jwk]
    expect(await ask(api(issuer), await issuer.token())).toEqual(refused())
  })
})

describe('A principal', () => {
  it('is a user, or a client if the subject is the client, with tokenCan, clientId and the token', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    const user = await server.authenticate(request(await issuer.token()))
    const client = await server.authenticate(request(await issuer.token({ sub: 'app' })))
    if (user instanceof Response || client instanceof Response) throw new Error('refused')
    expect(user).toMatchObject({ kind: 'user', user: { sub: 'alice' } })
    expect(client).toMatchObject({ kind: 'client', client: { client_id: 'app' } })
    expect([user.clientId(), user.tokenCan('read'), user.tokenCan('write')]).toEqual(['app', true, false])
    expect(user.currentAccessToken()).toMatchObject({ audience: [RESOURCE], claims: { jti: 'j1' } })
  })

  it('has the user of the user option; null refuses the token', async () => {
    const issuer = testIssuer()
    const user = async ({ claims }: { claims: { sub: string } }) =>
      claims.sub === 'alice' ? { name: 'Alice' } : null
    const server = api(issuer, { user, client: () => null })
    const principal = await server.authenticate(request(await issuer.token()))
    expect(principal).toMatchObject({ user: { name: 'Alice' } })
    expect(await ask(server, await issuer.token({ sub: 'bob' }))).toEqual(refused())
    expect(await ask(server, await issuer.token({ sub: 'app' }))).toEqual(refused())
  })

  it('authenticate with scopes: 403 and no principal when one is missing', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    const asked = request(await issuer.token())
    expect(await seen(await server.authenticate(asked, ['read']))).toBe('accepted')
    const lacking = request(await issuer.token())
    expect(await seen(await server.authenticate(lacking, ['read', 'admin']))).toEqual(
      refused('insufficient_scope', 'read admin'),
    )
    expect(server.principal(lacking)).toBeNull()
    expect(await seen(server.checkScopes('read')(lacking))).toEqual(refused())
  })
})

it('a malformed token is refused without a request', async () => {
  const issuer = testIssuer()
  const server = api(issuer)
  for (const token of ['x'.repeat(16_385), 'a b', 'é', 'a,b', '"a"', '='])
    expect(await ask(server, token)).toEqual(refused())
  expect(issuer.asked).toEqual([])
})

it('metadata() returns a copy of the document', () => {
  const server = api(testIssuer(), { scopes_supported: ['read'] })
  server.metadata().scopes_supported.push('admin')
  expect(server.metadata().scopes_supported).toEqual(['read'])
  expect(server.handle(new Request(METADATA))?.status).toBe(200)
})
