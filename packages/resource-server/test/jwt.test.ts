/** The same tokens are refused as by jose's `jwtVerify`, for the same reasons. */

import { randomInt } from 'node:crypto'
import { errors, exportJWK, generateKeyPair, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { verifyJwt } from '../src/jwt.js'

const NOW = 1_800_000_000
const ISSUER = 'https://id.example.com'
const REQUIRED = ['iss', 'exp', 'sub']
const ALGORITHMS = ['RS256', 'ES256']
const HEADER = { alg: 'RS256', typ: 'at+jwt', kid: 'k1' }
const CLAIMS = { iss: ISSUER, sub: 'alice', exp: NOW + 60, iat: NOW }

const [rsa, ec] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('ES256')])

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

async function sign(input: string): Promise<string> {
  const bytes = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', rsa.privateKey, Buffer.from(input))
  return `${input}.${Buffer.from(bytes).toString('base64url')}`
}

/** A token that the key has signed, whatever its parts are. */
const token = (header: unknown, claims: unknown) => sign(`${encoded(header)}.${encoded(claims)}`)

const findKey: JWTVerifyGetKey = ({ kid }) => {
  if (kid === 'k1') return rsa.publicKey
  throw new errors.JWKSNoMatchingKey()
}
const options = { issuer: ISSUER, typ: 'at+jwt', algorithms: ALGORITHMS, clockTolerance: 5 }

const outcome = (verifying: Promise<unknown>): Promise<unknown> =>
  verifying.catch((error: Error & { code?: string }) => error.code ?? error.name)

const ours = (text: string, key = findKey): Promise<unknown> =>
  outcome(
    verifyJwt(text, {
      issuer: ISSUER,
      typ: 'at+jwt',
      algorithms: ALGORITHMS,
      key,
      required_claims: REQUIRED,
      clock_tolerance: 5,
      now: NOW,
    }),
  )
const joses = (text: string, key = findKey): Promise<unknown> =>
  outcome(
    jwtVerify(text, key, {
      ...options,
      requiredClaims: REQUIRED,
      currentDate: new Date(NOW * 1000),
    }).then(({ payload }) => payload),
  )

/** Members of a header or of claims that replace the usual ones. */
const VALUES = [undefined, null, true, 0, 1.5, -1, '', 'x', [], ['x'], {}, 'none', 'HS256', 'Ed25519']

const HEADERS: unknown[] = [
  ...['alg', 'typ', 'kid', 'crit', 'b64'].flatMap((name) =>
    VALUES.map((value) => ({ ...HEADER, [name]: value })),
  ),
  ...['AT+JWT', 'application/at+jwt', 'Application/AT+jwt', 'text/at+jwt', 'at+jwt ', 'JWT'].map((typ) => ({
    ...HEADER,
    typ,
  })),
  ...[['b64'], ['b64', 'b64'], ['exp'], ['b64', 'exp'], ['']].flatMap((crit) =>
    [undefined, true, false, 'true'].map((b64) => ({ ...HEADER, crit, b64 })),
  ),
  ...VALUES.filter((value) => value !== undefined),
  '{"alg":"RS256"',
  '\ufeff{"alg":"RS256","typ":"at+jwt","kid":"k1"}',
  '{"alg":"none","typ":"at+jwt","kid":"k1","alg":"RS256"}',
  '{"__proto__":{"alg":"RS256"},"typ":"at+jwt","kid":"k1"}',
]

const TIMES = [NOW - 6, NOW - 5, NOW - 4.5, NOW, NOW + 5, NOW + 5.5, NOW + 6]
const PAYLOADS: unknown[] = [
  ...['iss', 'sub', 'exp', 'nbf', 'iat'].flatMap((name) =>
    VALUES.map((value) => ({ ...CLAIMS, [name]: value })),
  ),
  ...['exp', 'nbf', 'iat'].flatMap((name) => TIMES.map((value) => ({ ...CLAIMS, [name]: value }))),
  { ...CLAIMS, iss: [ISSUER] },
  { ...CLAIMS, iss: `${ISSUER}/` },
  ...VALUES.filter((value) => value !== undefined),
  '{"iss":',
  `\ufeff${JSON.stringify(CLAIMS)}`,
  `{"__proto__":${JSON.stringify(CLAIMS)}}`,
  JSON.stringify(CLAIMS).replace(`${NOW + 60}`, '1e999'),
]

describe('as jose does', () => {
  it('accepts a valid token', async () => {
    const good = await token(HEADER, CLAIMS)
    expect(await ours(good)).toEqual(CLAIMS)
    expect(await joses(good)).toEqual(CLAIMS)
  })

  it('judges every header', async () => {
    for (const header of HEADERS) {
      const text = await token(header, CLAIMS)
      expect([header, await ours(text)]).toEqual([header, await joses(text)])
    }
  })

  it('judges all claims', async () => {
    for (const claims of PAYLOADS) {
      const text = await token(HEADER, claims)
      expect([claims, await ours(text)]).toEqual([claims, await joses(text)])
    }
  })

  it('judges bytes that are no text, and characters that encode no byte', async () => {
    const header = encoded(HEADER)
    const claims = encoded(CLAIMS)
    const bytes = Buffer.from([0xff, 0xfe]).toString('base64url')
    for (const input of [
      `${bytes}.${claims}`,
      `${header}.${bytes}`,
      `${header}A.${claims}`,
      `${header}.${claims.slice(0, claims.length - (claims.length % 4))}A`,
      `${header}.A`,
      `A.${claims}`,
      `.${claims}`,
      `${header}.`,
      '.',
    ]) {
      const text = await sign(input)
      expect([input, await ours(text)]).toEqual([input, await joses(text)])
    }
  })

  it('judges a token with any character changed, removed or added', async () => {
    const good = await token(HEADER, CLAIMS)
    const alphabet = 'AQgw-_9.'
    for (let at = 0; at <= good.length; at++) {
      const character = alphabet[randomInt(alphabet.length)]
      for (const text of [
        good.slice(0, at) + character + good.slice(at + 1),
        good.slice(0, at) + good.slice(at + 1),
        good.slice(0, at) + character + good.slice(at),
      ])
        expect([text, await ours(text)]).toEqual([text, await joses(text)])
    }
  })

  it('takes a JWK as the key, and refuses one of another type', async () => {
    const good = await token(HEADER, CLAIMS)
    const jwk = await exportJWK(rsa.publicKey)
    const keys = [jwk, { ...jwk, use: 'enc' }, { ...jwk, alg: 'PS256' }, await exportJWK(ec.publicKey)]
    for (const key of keys) expect(await ours(good, () => key)).toEqual(await joses(good, () => key))
    expect(await ours(good, () => jwk)).toEqual(CLAIMS)
  })

  it('refuses a public key that is taken as a shared secret', async () => {
    const secret = Buffer.from(await crypto.subtle.exportKey('spki', rsa.publicKey))
    const input = `${encoded({ ...HEADER, alg: 'HS256' })}.${encoded(CLAIMS)}`
    const hmac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    const mac = Buffer.from(await crypto.subtle.sign('HMAC', hmac, Buffer.from(input))).toString('base64url')
    expect(await ours(`${input}.${mac}`)).toBe('ERR_JOSE_ALG_NOT_ALLOWED')
    expect(await ours(`${input}.${mac}`, () => secret)).toBe('ERR_JOSE_ALG_NOT_ALLOWED')
  })
})

it('a key for another algorithm is refused, also with a critical header parameter', async () => {
  for (const extension of [{}, { crit: ['b64'], b64: true }]) {
    const good = await token({ ...HEADER, ...extension }, CLAIMS)
    expect(await ours(good)).toEqual(CLAIMS)
    expect(await ours(good, () => ec.publicKey)).toBe('ERR_JOSE_ALG_NOT_ALLOWED')
  }
})

it.each([
  ['now', { now: Number.NaN }],
  ['clock_tolerance', { clock_tolerance: Number.NaN }],
  ['clock_tolerance', { clock_tolerance: -1 }],
])('%s has to be a time: with another value no token is accepted (%o)', async (_, more) => {
  const rules = { issuer: ISSUER, typ: 'at+jwt', algorithms: ALGORITHMS, key: findKey }
  const times = { required_claims: REQUIRED, clock_tolerance: 5, now: NOW }
  const verifying = verifyJwt(await token(HEADER, CLAIMS), { ...rules, ...times, ...more })
  await expect(verifying).rejects.toThrow(TypeError)
})
