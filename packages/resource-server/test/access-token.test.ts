/** Validation of JWT access tokens: RFC 9068 §4. */

import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { describe, expect, it } from 'vitest'
import { type AccessTokenRules, BearerError, verifyAccessToken } from '../src/index.js'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

const NOW = 1_800_000_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const issuer = 'https://id.example.com'
const [rs256, stranger, es256] = await Promise.all([
  generateKeyPair('RS256'),
  generateKeyPair('RS256'),
  generateKeyPair('ES256'),
])
const jwks = {
  keys: [
    { ...(await exportJWK(rs256.publicKey)), kid: 'k1', alg: 'RS256' },
    { ...(await exportJWK(es256.publicKey)), kid: 'k2', alg: 'ES256' },
  ],
}
const rules: AccessTokenRules = { issuer, key: createLocalJWKSet(jwks), now: NOW }
const standard = {
  iss: issuer,
  sub: 'alice',
  aud: issuer,
  client_id: 'app',
  jti: 'j1',
  scope: 'openid  email',
  iat: NOW,
  nbf: NOW,
  exp: NOW + 60,
}

/** A token of the issuer; undefined leaves a claim or a header parameter out. */
const token = (
  claims: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
  key: CryptoKey = rs256.privateKey,
) =>
  new SignJWT({ ...standard, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1', ...header })
    .sign(key, { crit: { surprise: true } })

const refusal = async (jwt: string, more: Partial<AccessTokenRules> = {}) =>
  verifyAccessToken(jwt, { ...rules, ...more }).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof BearerError)) throw error
      expect(error.code).toBe('invalid_token')
      return error.reason
    },
  )

describe('A valid token', () => {
  it('returns its claims, its audience as a list, and its scopes', async () => {
    expect(await verifyAccessToken(await token(), rules)).toEqual({
      claims: standard,
      audience: [issuer],
      scopes: ['openid', 'email'],
    })
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['several audiences', { aud: ['a', 'b'] }, { audience: ['a', 'b'] }],
    ['no scope', { scope: undefined }, { scopes: [] }],
    ['an empty scope', { scope: '' }, { scopes: [] }],
    ['no nbf', { nbf: undefined }, { audience: [issuer] }],
    ['an act claim', { act: { sub: 'service' } }, { claims: { ...standard, act: { sub: 'service' } } }],
  ])('may have %s', async (_, claims, expected) => {
    expect(await verifyAccessToken(await token(claims), rules)).toMatchObject(expected)
  })

  it('may have the full media type as typ', async () => {
    expect(await refusal(await token({}, { typ: 'application/at+jwt' }))).toBe('accepted')
  })
})

describe('A token is refused with', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['another issuer', { iss: 'https://evil.example.org' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ...['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'].map(
      (name) => [`no ${name}`, { [name]: undefined }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'] as never,
    ),
    ['exp that is not a number', { exp: '1900000000' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['iat that is not a number', { iat: 'now' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['sub that is not a string', { sub: 1 }, 'malformed_claims'],
    ['client_id that is not a string', { client_id: ['app'] }, 'malformed_claims'],
    ['jti that is not a string', { jti: {} }, 'malformed_claims'],
    ['aud that is not a string', { aud: 1 }, 'malformed_claims'],
    ['aud with a member that is not a string', { aud: ['a', null] }, 'malformed_claims'],
    ['scope that is not a string', { scope: ['openid'] }, 'malformed_claims'],
    ['scope that is null', { scope: null }, 'malformed_claims'],
    ['cnf of a key (DPoP)', { cnf: { jkt: 'a thumbprint' } }, 'unknown_confirmation'],
    ['cnf of a certificate', { cnf: { 'x5t#S256': 'a thumbprint' } }, 'unknown_confirmation'],
    ['cnf that is null', { cnf: null }, 'unknown_confirmation'],
  ])('%s', async (_, claims, reason) => {
    expect(await refusal(await token(claims))).toBe(reason)
  })

  it.each<[string, Partial<JWTHeaderParameters>, string]>([
    ['typ JWT', { typ: 'JWT' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['typ logout+jwt', { typ: 'logout+jwt' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['no typ', { typ: undefined } as never, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['an unknown kid', { kid: 'k9' }, 'ERR_JWKS_NO_MATCHING_KEY'],
    ['an unknown critical header', { crit: ['surprise'], surprise: 1 }, 'ERR_JOSE_NOT_SUPPORTED'],
  ])('%s', async (_, header, reason) => {
    expect(await refusal(await token({}, header))).toBe(reason)
  })

  it('the signature of another key', async () => {
    const forged = await token({}, {}, stranger.privateKey)
    expect(await refusal(forged)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
  })

  it.each<[alg: 'RS256' | 'ES256', kid: string, key: KeyPair]>([
    ['RS256', 'k1', rs256],
    ['ES256', 'k2', es256],
  ])('a signature (%s) whose last character has bits that belong to no byte', async (alg, kid, key) => {
    const good = await token({}, { alg, kid }, key.privateKey)
    // Four bits of the last character are unused, so the next characters decode to the same bytes.
    const others = [1, 2, 15].map(
      (bits) => good.slice(0, -1) + LETTERS[LETTERS.indexOf(good.slice(-1)) + bits],
    )
    expect(await refusal(good, { algorithms: [alg] })).toBe('accepted')
    for (const other of others) expect(await refusal(other, { algorithms: [alg] })).toBe('ERR_JWS_INVALID')
  })

  it('every signature, of any length, that is not what its bytes are encoded as', async () => {
    const [head] = /^.*\./.exec(await token()) ?? []
    const ends = [0, 1, 2, 3].flatMap((length) => [...LETTERS].map((last) => 'A'.repeat(length) + last))
    const isCanonical = (end: string) =>
      end.length > 1 && Buffer.from(end, 'base64url').toString('base64url') === end
    for (const end of ends)
      expect([end, await refusal(`${head}${end}`)]).toEqual([
        end,
        isCanonical(end) ? 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' : 'ERR_JWS_INVALID',
      ])
  })

  it('an algorithm that is not listed, even if the key could verify it', async () => {
    const signed = await token({}, { alg: 'ES256', kid: 'k2' }, es256.privateKey)
    expect(await refusal(signed)).toBe('ERR_JOSE_ALG_NOT_ALLOWED')
    expect(await refusal(signed, { algorithms: ['ES256'] })).toBe('accepted')
  })

  it('an algorithm that the found key is not for, even if both are listed', async () => {
    const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
    const { privateKey } = await generateKeyPair('EdDSA')
    const signed = await token({}, { alg: 'EdDSA', kid: 'k1' }, privateKey)
    for (const key of [rs256.publicKey, es256.publicKey])
      expect(await refusal(signed, { key: async () => key, algorithms })).toBe('ERR_JOSE_ALG_NOT_ALLOWED')
    const rsa = await token()
    expect(await refusal(rsa, { key: async () => es256.publicKey, algorithms })).toBe(
      'ERR_JOSE_ALG_NOT_ALLOWED',
    )
    expect(await refusal(rsa, { key: async () => rs256.publicKey, algorithms })).toBe('accepted')
  })

  it.each(['', '.', '..', 'a.b.c', 'a.b.c.d.e', '\u{1f511}', 'null', '{}'])(
    'no JWT at all: %j',
    async (text) => {
      expect(await refusal(text)).toMatch(/^ERR_/)
    },
  )

  it('an error that is not about the token is not a refusal', async () => {
    const key = async () => {
      throw new TypeError('the network is away')
    }
    await expect(verifyAccessToken(await token(), { ...rules, key })).rejects.toThrow('the network is away')
  })
})

describe('clock_tolerance', () => {
  it.each([
    [0, 59, 'accepted'],
    [0, 60, 'ERR_JWT_EXPIRED'],
    [5, 64, 'accepted'],
    [5, 65, 'ERR_JWT_EXPIRED'],
  ])(
    '%i: %i seconds after a token of 60 seconds was issued it is %s',
    async (clock_tolerance, age, expected) => {
      expect(await refusal(await token(), { clock_tolerance, now: NOW + age })).toBe(expected)
    },
  )

  it.each([
    [0, 0, 'accepted'],
    [0, -1, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    [5, -5, 'accepted'],
    [5, -6, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
  ])('%i: %i seconds from nbf it is %s', async (clock_tolerance, distance, expected) => {
    expect(await refusal(await token(), { clock_tolerance, now: NOW + distance })).toBe(expected)
  })

  it('is 5 seconds by default', async () => {
    expect(await refusal(await token(), { now: NOW + 64 })).toBe('accepted')
    expect(await refusal(await token(), { now: NOW + 65 })).toBe('ERR_JWT_EXPIRED')
  })

  it('uses the real clock by default', async () => {
    const real = Math.floor(Date.now() / 1000)
    const { now: _, ...without_now } = rules
    const fresh = await token({ iat: real, nbf: real - 60, exp: real + 3600 })
    const old = await token({ iat: real, nbf: real - 7200, exp: real - 3600 })
    await expect(verifyAccessToken(fresh, without_now)).resolves.toBeDefined()
    await expect(verifyAccessToken(old, without_now)).rejects.toThrow('ERR_JWT_EXPIRED')
  })
})

describe('Keys that cannot be fetched', () => {
  it.each([
    new errors.JWKSTimeout(),
    new errors.JWKSInvalid('no keys'),
    new errors.JOSEError('the key set answered 500'),
  ])('are not the fault of the token: the error is thrown as it is ($code)', async (error) => {
    const key = () => Promise.reject(error)
    await expect(verifyAccessToken(await token(), { ...rules, key })).rejects.toBe(error)
  })
})
