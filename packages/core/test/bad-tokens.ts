/**
 * Tokens that must be refused: one table for the guard of the same application and for every way in which a resource
 * server elsewhere validates. Each row starts from a token that is good, so that only its fault can be the reason.
 */

import { constants, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { header, payload } from './support.js'

/** What a row is made of. */
export interface Forge {
  issuer: string
  /** The API's. */
  resource: string
  now: number
  /** The issuer's own key, its private half. */
  key: KeyObject
  /** Keys of an attacker, RSA and P-256. */
  stranger: KeyObject
  stranger_ec: KeyObject
  /** Tokens of the issuer: `access_token` is a good one for the API. */
  own: { access_token: string; id_token: string; refresh_token: string; code: string; other: string }
}

export interface BadToken {
  name: string
  make(forge: Forge): string
}

type Json = Record<string, unknown>

const THUMBPRINT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const RSA = { RS256: 'sha256', RS384: 'sha384', RS512: 'sha512', PS256: 'sha256' } as const

/** Signed as the header says, with any key. */
function jwt(head: Json, claims: unknown, key: KeyObject): string {
  const input = `${part(head)}.${typeof claims === 'string' ? claims : part(claims)}`
  const { alg } = head
  if (alg === 'ES256')
    return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  const pss = alg === 'PS256' && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  const digest = RSA[alg as keyof typeof RSA] ?? 'sha256'
  return `${input}.${sign(digest, Buffer.from(input), { key, ...pss }).toString('base64url')}`
}

/** The good token, changed before the issuer signs it; undefined leaves something out. */
export const forged = (f: Forge, claims: Json = {}, head: Json = {}): string =>
  jwt({ ...header(f.own.access_token), ...head }, { ...payload(f.own.access_token), ...claims }, f.key)

/** The good token's text, with other parts. */
const spliced = (f: Forge, parts: { head?: string; claims?: string; signature?: string }): string => {
  const [head, claims, signature] = f.own.access_token.split('.')
  const all = { head, claims, signature, ...parts }
  return `${all.head}.${all.claims}.${all.signature}`
}

const hmac = (f: Forge, secret: string | Buffer, alg = 'HS256'): string => {
  const input = `${part({ ...header(f.own.access_token), alg })}.${part(payload(f.own.access_token))}`
  return `${input}.${createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url')}`
}
const unsigned = (f: Forge, alg: string, signature = ''): string =>
  `${part({ ...header(f.own.access_token), alg })}.${part(payload(f.own.access_token))}.${signature}`
/** A decoder that is not strict reads the same bytes. */
const otherBase64 = (f: Forge): string =>
  Buffer.from(f.own.access_token.split('.')[2] ?? '', 'base64url').toString('base64')
/** A decoder that is not strict reads the same signature: the last letter has four unused bits after 256 bytes. */
export const spareBits = (token: string): string => {
  const last = token.charCodeAt(token.length - 1)
  return token.slice(0, -1) + String.fromCharCode(last + 1)
}
const jwkOf = (key: KeyObject): Json => ({ ...createPublicKey(key).export({ format: 'jwk' }) })
/** Signed by the attacker, with a header that points to the attacker's key. */
const selfIntroduced = (f: Forge, head: Json): string =>
  jwt({ ...header(f.own.access_token), ...head }, payload(f.own.access_token), f.stranger)

const row = (name: string, make: BadToken['make']): BadToken => ({ name, make })
const claims = (name: string, change: (f: Forge) => Json): BadToken => row(name, (f) => forged(f, change(f)))
const head = (name: string, change: Json): BadToken => row(name, (f) => forged(f, {}, change))

export const BAD_TOKENS: readonly BadToken[] = [
  // The key
  head('a kid that is not published', { kid: 'unknown' }),
  head('no kid', { kid: undefined }),
  head('a kid that is no string', { kid: 7 }),
  head('a kid that is a path', { kid: '../../dev/null' }),
  head('a kid that every object has', { kid: '__proto__' }),
  row("a stranger's key under a kid of ours", (f) => selfIntroduced(f, {})),
  row("a stranger's key under the stranger's kid", (f) => selfIntroduced(f, { kid: 'stranger' })),
  row('an embedded jwk, the issuer’s kid', (f) => selfIntroduced(f, { jwk: jwkOf(f.stranger) })),
  row('an embedded jwk, no kid', (f) => selfIntroduced(f, { jwk: jwkOf(f.stranger), kid: undefined })),
  row('a jku', (f) => selfIntroduced(f, { jku: 'https://evil.example.org/jwks', kid: 'stranger' })),
  row('an x5u', (f) => selfIntroduced(f, { x5u: 'https://evil.example.org/x5u', kid: undefined })),
  row('an x5c', (f) => selfIntroduced(f, { x5c: ['MIIB'], kid: undefined })),
  // The algorithm
  row('alg none', (f) => unsigned(f, 'none')),
  row('alg nOnE', (f) => unsigned(f, 'nOnE')),
  row('alg none with the signature of the good token', (f) =>
    unsigned(f, 'none', f.own.access_token.split('.')[2]),
  ),
  head('no alg', { alg: undefined }),
  head('an alg that is no string', { alg: 256 }),
  row('HS256 with the public key as JWK', (f) => hmac(f, JSON.stringify(jwkOf(f.key)))),
  row('HS256 with the public key as PEM', (f) =>
    hmac(f, createPublicKey(f.key).export({ format: 'pem', type: 'spki' })),
  ),
  row('HS256 with the public key as DER', (f) =>
    hmac(f, createPublicKey(f.key).export({ format: 'der', type: 'spki' })),
  ),
  row('HS512 with the modulus', (f) => hmac(f, Buffer.from(String(jwkOf(f.key).n), 'base64url'), 'HS512')),
  row('HS256 with the empty secret', (f) => hmac(f, '')),
  head('RS512 with the issuer’s key', { alg: 'RS512' }),
  head('PS256 with the issuer’s key', { alg: 'PS256' }),
  row('ES256 of an attacker under the issuer’s kid', (f) =>
    jwt({ ...header(f.own.access_token), alg: 'ES256' }, payload(f.own.access_token), f.stranger_ec),
  ),
  // Critical headers
  head('an unknown critical header', { crit: ['surprise'], surprise: 1 }),
  head('crit that is empty', { crit: [] }),
  head('crit that names a header which is not there', { crit: ['exp'] }),
  head('b64 false', { crit: ['b64'], b64: false }),
  // The signature
  row('a changed payload', (f) =>
    spliced(f, { claims: part({ ...payload(f.own.access_token), sub: 'bob' }) }),
  ),
  row('a changed header', (f) => spliced(f, { head: part({ ...header(f.own.access_token), cty: 'x' }) })),
  row('no signature', (f) => spliced(f, { signature: '' })),
  row('half a signature', (f) => f.own.access_token.slice(0, -170)),
  row('the signature of another token', (f) => spliced(f, { signature: f.own.other.split('.')[2] ?? '' })),
  // The type
  head('typ JWT', { typ: 'JWT' }),
  head('no typ', { typ: undefined }),
  head('typ logout+jwt', { typ: 'logout+jwt' }),
  head('typ at+jwt in a list', { typ: ['at+jwt'] }),
  head('typ of another media type', { typ: 'text/at+jwt' }),
  row('an ID token', (f) => f.own.id_token),
  row('an ID token for the API', (f) => forged(f, { nonce: 'n', auth_time: 1 }, { typ: 'JWT' })),
  row('a logout token', (f) =>
    forged(
      f,
      { events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, scope: undefined },
      { typ: 'logout+jwt' },
    ),
  ),
  row('a refresh token', (f) => f.own.refresh_token),
  row('an authorization code', (f) => f.own.code),
  // The issuer
  claims('another iss', () => ({ iss: 'https://evil.example.org' })),
  claims('iss with a slash', (f) => ({ iss: `${f.issuer}/` })),
  claims('no iss', () => ({ iss: undefined })),
  claims('iss in a list', (f) => ({ iss: [f.issuer] })),
  // The audience
  claims('another API as aud', () => ({ aud: 'https://other.example.org' })),
  claims('the client as aud', () => ({ aud: 'app' })),
  claims('aud with a slash', (f) => ({ aud: `${f.resource}/` })),
  claims('aud in capitals', (f) => ({ aud: f.resource.toUpperCase() })),
  claims('aud that only starts alike', (f) => ({ aud: `${f.resource}2` })),
  claims('an empty list as aud', () => ({ aud: [] })),
  claims('no aud', () => ({ aud: undefined })),
  claims('aud with a member that is no string', (f) => ({ aud: [f.resource, 7] })),
  claims('aud that is an object', (f) => ({ aud: { [f.resource]: true } })),
  // The times
  claims('exp a minute ago', (f) => ({ exp: f.now - 60 })),
  claims('no exp', () => ({ exp: undefined })),
  claims('exp that is no number', (f) => ({ exp: String(f.now + 900) })),
  claims('nbf in a minute', (f) => ({ nbf: f.now + 60 })),
  claims('nbf that is no number', () => ({ nbf: 'now' })),
  claims('no iat', () => ({ iat: undefined })),
  claims('iat that is no number', () => ({ iat: 'now' })),
  // The other claims of RFC 9068 §2.2
  claims('no sub', () => ({ sub: undefined })),
  claims('sub that is no string', () => ({ sub: { id: 'alice' } })),
  claims('no client_id', () => ({ client_id: undefined })),
  claims('client_id that is no string', () => ({ client_id: ['app'] })),
  claims('no jti', () => ({ jti: undefined })),
  claims('scope that is a list', () => ({ scope: ['openid'] })),
  // A token that only the holder of a key may use (RFC 7800)
  claims('cnf with the thumbprint of a key', () => ({ cnf: { jkt: THUMBPRINT } })),
  claims('cnf with the thumbprint of a certificate', () => ({ cnf: { 'x5t#S256': THUMBPRINT } })),
  claims('cnf with an unknown member', () => ({ cnf: { unheard: 1 } })),
  claims('cnf that is empty', () => ({ cnf: {} })),
  claims('cnf that is null', () => ({ cnf: null })),
  // The form
  row('no JWT', () => 'rubbish'),
  row('three parts of nothing', () => 'a.b.c'),
  row('dots alone', () => '..'),
  row('two parts', (f) => f.own.access_token.split('.').slice(0, 2).join('.')),
  row('four parts', (f) => `${f.own.access_token}.more`),
  row('five parts, as of a JWE', () => 'e30.e30.e30.e30.e30'),
  row('a header that is no JSON', (f) => spliced(f, { head: 'bm8' })),
  row('a header that is null', (f) => spliced(f, { head: part(null) })),
  row('a payload that is no JSON', (f) => jwt(header(f.own.access_token), 'bm8', f.key)),
  row('a payload that is a list', (f) =>
    jwt(header(f.own.access_token), [payload(f.own.access_token)], f.key),
  ),
  row('a payload that is null', (f) => jwt(header(f.own.access_token), null, f.key)),
  row('padding at the end', (f) => `${f.own.access_token}==`),
  row('bits in its last letter that no byte of the signature uses', (f) => spareBits(f.own.access_token)),
  row('the letters of another base64', (f) => spliced(f, { signature: otherBase64(f) })),
  row('a space and more behind it', (f) => `${f.own.access_token} more`),
  row('two tokens in one header', (f) => `${f.own.access_token}, Bearer ${f.own.access_token}`),
  row('a quoted token', (f) => `"${f.own.access_token}"`),
  row('a letter that no token has', (f) => `${f.own.access_token}\u00e9`),
  row('a good signature, but 20,000 characters', (f) => forged(f, { filler: 'x'.repeat(15_000) })),
]
