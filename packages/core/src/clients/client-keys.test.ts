import { describe, expect, it } from 'vitest'
import { ASSERTION_ALGORITHMS } from '../util/assertion-algorithms.ts'
import { base64url } from '../util/base64url.ts'
import {
  clientKeyFieldsFault,
  clientKeysFault,
  jwksUriFault,
  keyAlgorithms,
  publishedClientKeys,
  storedClientKeys,
} from './client-keys.ts'

type Jwk = Record<string, unknown>

const modulus = (bits: number) => base64url(new Uint8Array(bits / 8).fill(0xff))
const coordinate = base64url(new Uint8Array(32).fill(7))
const RSA: Jwk = { kty: 'RSA', n: modulus(2048), e: 'AQAB' }
const EC: Jwk = { kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate }
const ED: Jwk = { kty: 'OKP', crv: 'Ed25519', x: coordinate }
const of = (...keys: unknown[]) => ({ keys })

describe('keys that are accepted', () => {
  it.each<[string, Jwk]>([
    ['RSA of 2048 bits', RSA],
    ['RSA of 4096 bits', { ...RSA, n: modulus(4096) }],
    [
      'RSA of 2048 bits whose exponent has four bytes',
      { ...RSA, e: base64url(new Uint8Array([255, 255, 255, 255])) },
    ],
    ['P-256', EC],
    ['Ed25519', ED],
    ['a use', { ...EC, use: 'sig' }],
    ['key_ops', { ...EC, key_ops: ['verify'] }],
    ['a kid', { ...EC, kid: 'k'.repeat(255) }],
    ['RS256', { ...RSA, alg: 'RS256' }],
    ['PS256', { ...RSA, alg: 'PS256' }],
    ['ES256', { ...EC, alg: 'ES256' }],
    ['EdDSA', { ...ED, alg: 'EdDSA' }],
    ['Ed25519 as alg', { ...ED, alg: 'Ed25519' }],
    ['a certificate', { ...RSA, x5c: ['MII'], x5t: 'a' }],
  ])('%s', (_, key) => expect(clientKeysFault(of(key))).toBeNull())

  it('are at most ten', () => {
    expect(clientKeysFault(of(...Array(10).fill(EC)))).toBeNull()
    expect(clientKeysFault(of(...Array(11).fill(EC)))).toBe('has more than 10 keys')
  })
})

describe('key sets that are refused', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'keys'],
    ['a list', [EC]],
    ['an object without keys', {}],
    ['keys that are no list', { keys: EC }],
  ])('%s', (_, jwks) => expect(clientKeysFault(jwks)).toBe('is not a JWK Set, an object with the list keys'))

  it('one without a key', () => expect(clientKeysFault(of())).toBe('has no key'))

  const PRIVATE = /keys\[1\] has a private part/
  const SECRET = /keys\[1\] is a shared secret/
  const RSA_FAULT = /keys\[1\] is not an RSA key of 2048 to 4096 bits/
  const EXPONENT = /keys\[1\] has an exponent/
  const POINT = /keys\[1\] is not a point of P-256/
  const EDWARDS = /keys\[1\] is not a key of Ed25519/
  const TYPE = /keys\[1\] is not an RSA, P-256 or Ed25519 key/
  it.each<[string, unknown, RegExp]>([
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((member): [string, unknown, RegExp] => [
      `a private member ${member}`,
      { ...RSA, [member]: 'AQ' },
      PRIVATE,
    ]),
    ['a private P-256 key', { ...EC, d: coordinate }, PRIVATE],
    ['a private Ed25519 key', { ...ED, d: coordinate }, PRIVATE],
    ['a private member that is null', { ...ED, d: null }, PRIVATE],
    ['a shared secret', { kty: 'oct', k: coordinate }, SECRET],
    ['a shared secret without a value', { kty: 'oct' }, SECRET],
    ['a key that is null', null, /keys\[1\] is not a JWK/],
    ['a key that is a list', [EC], /keys\[1\] is not a JWK/],
    ['RSA of 2040 bits', { ...RSA, n: modulus(2040) }, RSA_FAULT],
    [
      'RSA of 2047 bits',
      { ...RSA, n: base64url(new Uint8Array(256).fill(0xff).fill(0x7f, 0, 1)) },
      RSA_FAULT,
    ],
    ['RSA of 4104 bits', { ...RSA, n: modulus(4104) }, RSA_FAULT],
    ['RSA of a million bytes', { ...RSA, n: 'A'.repeat(1_000_000) }, RSA_FAULT],
    [
      'a modulus that begins with zeros',
      { ...RSA, n: base64url(new Uint8Array(257).fill(1).fill(0, 0, 1)) },
      RSA_FAULT,
    ],
    ['a modulus in base64', { ...RSA, n: `${'/'.repeat(341)}w==` }, RSA_FAULT],
    ['a modulus that is a number', { ...RSA, n: 7 }, RSA_FAULT],
    ['RSA without a modulus', { kty: 'RSA', e: 'AQAB' }, RSA_FAULT],
    ['the exponent 1', { ...RSA, e: 'AQ' }, EXPONENT],
    ['the exponent 3', { ...RSA, e: 'Aw' }, EXPONENT],
    ['an even exponent', { ...RSA, e: 'AQAC' }, EXPONENT],
    ['an exponent of five bytes', { ...RSA, e: base64url(new Uint8Array([1, 0, 0, 0, 1])) }, EXPONENT],
    ['an exponent of a million bytes', { ...RSA, e: 'B'.repeat(1_000_000) }, EXPONENT],
    ['no exponent', { kty: 'RSA', n: RSA.n }, EXPONENT],
    ['P-256 without y', { kty: 'EC', crv: 'P-256', x: coordinate }, POINT],
    ['P-256 with a short coordinate', { ...EC, y: base64url(new Uint8Array(31)) }, POINT],
    ['P-256 with a long coordinate', { ...EC, x: base64url(new Uint8Array(33)) }, POINT],
    ['a coordinate with a second spelling', { ...EC, x: `${coordinate.slice(0, -1)}d` }, POINT],
    ['P-384', { ...EC, crv: 'P-384' }, TYPE],
    ['secp256k1', { ...EC, crv: 'secp256k1' }, TYPE],
    ['Ed25519 with a short key', { ...ED, x: base64url(new Uint8Array(31)) }, EDWARDS],
    ['Ed448', { ...ED, crv: 'Ed448' }, TYPE],
    ['X25519', { ...ED, crv: 'X25519' }, TYPE],
    ['EC with the curve Ed25519', { ...EC, crv: 'Ed25519' }, TYPE],
    ['a kty that is a list', { ...EC, kty: ['EC'] }, TYPE],
    ['key_ops in a list of lists', { ...EC, key_ops: [['verify']] }, /key_ops other than/],
    ['no kty', { n: RSA.n, e: 'AQAB' }, TYPE],
    ['use enc', { ...RSA, use: 'enc' }, /use other than sig/],
    ['use null', { ...RSA, use: null }, /use other than sig/],
    ['key_ops sign', { ...RSA, key_ops: ['sign'] }, /key_ops other than/],
    ['key_ops sign and verify', { ...RSA, key_ops: ['verify', 'sign'] }, /key_ops other than/],
    ['no key_ops in the list', { ...RSA, key_ops: [] }, /key_ops other than/],
    ['key_ops as a text', { ...RSA, key_ops: 'verify' }, /key_ops other than/],
    ['ES256 for RSA', { ...RSA, alg: 'ES256' }, /alg that is not one of RS256, PS256/],
    ['RS256 for P-256', { ...EC, alg: 'RS256' }, /alg that is not one of ES256/],
    ['HS256', { ...RSA, alg: 'HS256' }, /alg that is not one of RS256, PS256/],
    ['RS512', { ...RSA, alg: 'RS512' }, /alg that is not one of RS256, PS256/],
    ['an empty kid', { ...EC, kid: '' }, /kid that is not a text/],
    ['a kid with NUL', { ...EC, kid: 'a\0b' }, /kid that is not a text/],
    ['a kid with half of a surrogate pair', { ...EC, kid: 'a\uD800' }, /kid that is not a text/],
    ['a long kid', { ...EC, kid: 'k'.repeat(256) }, /kid that is not a text/],
    ['a kid that is a number', { ...EC, kid: 1 }, /kid that is not a text/],
  ])('one with %s', (_, key, fault) => expect(clientKeysFault(of(ED, key))).toMatch(fault))
})

it('a key has the algorithms of its type, or the one that it names', () => {
  expect(keyAlgorithms(RSA)).toEqual(['RS256', 'PS256'])
  expect(keyAlgorithms({ ...RSA, alg: 'PS256' })).toEqual(['PS256'])
  expect(keyAlgorithms(EC)).toEqual(['ES256'])
  expect(keyAlgorithms(ED)).toEqual(['EdDSA', 'Ed25519'])
  expect(keyAlgorithms({ ...EC, alg: 'HS256' })).toEqual([])
})

it('only the members of a public key are stored', () => {
  const stored = { ...EC, kid: 'a', alg: 'ES256', use: 'sig', key_ops: ['verify'] }
  expect(storedClientKeys({ keys: [{ ...stored, x5c: ['MII'], x5u: 'https://a.example', exp: 1 }] })).toEqual(
    of(stored),
  )
})

describe('published keys', () => {
  it('are the usable ones of the set', () => {
    const set = of({ ...RSA, use: 'enc' }, EC, { kty: 'EC', crv: 'P-384' }, 7, { ...ED, x5c: ['MII'] })
    expect(publishedClientKeys(set)).toEqual(of(EC, ED))
  })

  it.each<[string, unknown]>([
    ['a set with a private key', of(EC, { ...ED, d: coordinate })],
    ['a set with a shared secret', of(EC, { kty: 'oct', k: 'a' })],
    ['more than ten usable keys', of(...Array(11).fill(EC))],
    ['no set', { keys: 'none' }],
  ])('%s has none', (_, set) => expect(publishedClientKeys(set)).toBeNull())
})

describe('jwks_uri', () => {
  it.each(['https://keys.example.com/jwks.json', 'https://keys.example.com:8443/a?b=c'])(
    '%s is read',
    (uri) => expect(jwksUriFault(uri, false)).toBeNull(),
  )

  it.each([
    ['http://keys.example.com/jwks.json', 'is not https'],
    ['ftp://keys.example.com/jwks.json', 'is not https'],
    ['https://keys.example.com/a#b', 'has a fragment'],
    ['https://user@keys.example.com/a', 'has user-info'],
    ['https://keys.example.com/\\a', 'holds a character that a URI may not hold'],
    [`https://keys.example.com/${'a'.repeat(2048)}`, 'is longer than 2048 characters'],
    ['data:application/json,{}', 'uses the scheme data, which is never allowed'],
    ['file:///etc/passwd', 'uses the scheme file, which is never allowed'],
    ['/jwks.json', 'is not an absolute URI'],
    ['https://203.0.113.7/jwks', 'names an IP address instead of a host'],
    ['https://0x7f.1/jwks', 'names an IP address instead of a host'],
    ['https://[2001:db8::1]/jwks', 'names an IP address instead of a host'],
    ['https://keys/jwks', 'has a host without a domain'],
    ['https://keys.example.com./jwks', 'has a host without a domain'],
  ])('%s is refused, also where this computer is allowed', (uri, fault) => {
    const expected = uri.includes('0x7f') ? 'names this computer' : fault
    expect(jwksUriFault(uri, false)).toBe(expected)
    if (expected === fault) expect(jwksUriFault(uri, true)).toBe(fault)
  })

  it.each([
    'https://localhost:8443/jwks',
    'https://keys.localhost/jwks',
    'https://127.0.0.1/jwks',
    'https://[::1]/jwks',
  ])('%s needs allow_loopback', (uri) => {
    expect(jwksUriFault(uri, false)).toBe('names this computer')
    expect(jwksUriFault(uri, true)).toBeNull()
  })

  it.each(['http://localhost/jwks', 'http://127.0.0.1/jwks'])('%s is refused, since it is not https', (uri) =>
    expect(jwksUriFault(uri, true)).toBe('is not https'),
  )
})

describe('the fields of a client with private_key_jwt', () => {
  const rules = { algorithms: ASSERTION_ALGORITHMS, allow_loopback: false }
  const jwks = of(EC)
  const jwks_uri = 'https://keys.example.com/jwks.json'
  it.each<[string, object]>([
    ['jwks', { jwks }],
    ['jwks_uri', { jwks_uri, jwks: null }],
    ['an algorithm of a key', { jwks: of(RSA, EC), token_endpoint_auth_signing_alg: 'ES256' }],
    ['an algorithm and jwks_uri', { jwks_uri, token_endpoint_auth_signing_alg: 'PS256' }],
  ])('%s', (_, fields) => expect(clientKeyFieldsFault(fields, rules)).toBeNull())

  it.each<[object, string, string]>([
    [{}, 'jwks', 'is missing: private_key_jwt needs jwks or jwks_uri'],
    [{ jwks, jwks_uri }, 'jwks_uri', 'is given beside jwks; give one of them'],
    [{ jwks: of() }, 'jwks', 'has no key'],
    [{ jwks_uri: 7 }, 'jwks_uri', 'is not a text'],
    [{ jwks_uri: 'http://keys.example.com/' }, 'jwks_uri', 'is not https'],
    [
      { jwks, token_endpoint_auth_signing_alg: 'RS256' },
      'jwks',
      'has no key for RS256, the token_endpoint_auth_signing_alg',
    ],
    [
      { jwks, token_endpoint_auth_signing_alg: 'HS256' },
      'token_endpoint_auth_signing_alg',
      'is not one of RS256, PS256, ES256, EdDSA, Ed25519',
    ],
  ])('%j: %s %s', (fields, field, fault) =>
    expect(clientKeyFieldsFault(fields, rules)).toEqual({ field, fault }),
  )

  it.each<[object, string | null]>([
    [{ jwks: of(RSA) }, null],
    [{ jwks: of({ ...RSA, alg: 'RS256' }, EC) }, null],
    [{ jwks: of({ ...RSA, alg: 'RS256' }) }, 'has no key for PS256, ES256'],
    [{ jwks: of(ED) }, 'has no key for PS256, ES256'],
    [{ jwks_uri, token_endpoint_auth_signing_alg: 'RS256' }, 'is not one of PS256, ES256'],
  ])('a realm that accepts PS256 and ES256 alone: %j %s', (fields, fault) => {
    const found = clientKeyFieldsFault(fields, { algorithms: ['PS256', 'ES256'], allow_loopback: false })
    expect(found?.fault ?? null).toBe(fault)
  })
})
