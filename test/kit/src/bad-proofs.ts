/**
 * DPoP proofs that must be refused: one table for every place that checks proofs. Each row starts from a proof that is good, so
 * that only its fault can be the reason.
 */

import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  base64url,
  type DpopKey,
  dpopKey,
  dpopProof,
  type Json,
  type ProvenRequest,
  proofClaims,
  proofHeader,
  signedProof,
  tokenHash,
} from './dpop.js'

/** What a row is made of: the client's key, another one, and the request that the proof comes with. */
export interface ProofForge extends ProvenRequest {
  key: DpopKey
}

export interface BadProof {
  name: string
  /** The value of the header `DPoP`. */
  make(forge: ProofForge): string
}

const other = dpopKey()
const p384 = dpopKey('ES384')
const rsa = dpopKey('RS256')
const short_rsa = dpopKey('RS256', () => generateKeyPairSync('rsa', { modulusLength: 1024 }))
const long_rsa_jwk = { ...rsa.jwk, n: base64url(Buffer.concat([Buffer.from([0x80]), randomBytes(1023)])) }

const row = (name: string, make: BadProof['make']): BadProof => ({ name, make })
const claims = (name: string, change: (f: ProofForge) => Json): BadProof =>
  row(name, (f) => dpopProof(f.key, f, { claims: change(f) }))
const header = (name: string, change: (f: ProofForge) => Json): BadProof =>
  row(name, (f) => dpopProof(f.key, f, { header: change(f) }))
/** Signed with this key, which the header names. */
const ofKey = (f: ProofForge, key: DpopKey, head: Json = {}): string => dpopProof(key, f, { header: head })

/** A good proof, with another text as one of its parts. */
function spliced(f: ProofForge, change: (parts: string[]) => (string | undefined)[]): string {
  return change(dpopProof(f.key, f).split('.')).join('.')
}
const unsigned = (f: ProofForge, alg: string): string =>
  `${base64url(JSON.stringify({ ...proofHeader(f.key), alg }))}.${base64url(JSON.stringify(proofClaims(f)))}.`
const hmac = (f: ProofForge, head: Json, secret: string | Buffer): string => {
  const input = [{ ...proofHeader(f.key), alg: 'HS256', ...head }, proofClaims(f)]
    .map((value) => base64url(JSON.stringify(value)))
    .join('.')
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}
/** Decoders that are not strict ignore the bits of the last letter that are in no byte. */
function spareBits(text: string): string {
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + LETTERS[LETTERS.indexOf(text.at(-1) ?? '') + 1]
}
/** A proof whose part has spare bits: one space more or less in its JSON changes its length. */
function withSpareBits(f: ProofForge, index: 0 | 1): string {
  const json = JSON.stringify(index === 0 ? proofHeader(f.key) : proofClaims(f))
  const padded = json + ' '.repeat((4 - (Buffer.byteLength(json) % 3)) % 3)
  const text = spareBits(base64url(padded))
  const input =
    index === 0
      ? `${text}.${base64url(JSON.stringify(proofClaims(f)))}`
      : `${base64url(JSON.stringify(proofHeader(f.key)))}.${text}`
  return `${input}.${ecSignature(f, input)}`
}
/** The rows about base64url are signed over the text as it stands, which a key of type EC or RSA does. */
const ecSignature = (f: ProofForge, input: string): string =>
  base64url(sign('sha256', Buffer.from(input), { key: f.key.private_key, dsaEncoding: 'ieee-p1363' }))

/** A part of the URL, replaced. */
const changedUrl = (f: ProofForge, change: (url: URL) => Partial<URL>): string => {
  const url = new URL(f.url)
  return Object.assign(url, change(url)).href
}

/** The client's key must be one of ES256. */
export const BAD_PROOFS: readonly BadProof[] = [
  // The type
  header('no typ', () => ({ typ: undefined })),
  header('typ JWT', () => ({ typ: 'JWT' })),
  header('typ at+jwt', () => ({ typ: 'at+jwt' })),
  header('typ in a list', () => ({ typ: ['dpop+jwt'] })),
  // The algorithm
  row('alg none', (f) => unsigned(f, 'none')),
  row('alg none with a signature', (f) => `${unsigned(f, 'none')}${spliced(f, (parts) => [parts[2]])}`),
  row('alg NONE', (f) => unsigned(f, 'NONE')),
  header('no alg', () => ({ alg: undefined })),
  header('an alg that is not a string', () => ({ alg: ['ES256'] })),
  row('HS256 with the public key as JWK', (f) => hmac(f, {}, JSON.stringify(f.key.jwk))),
  row('HS256 with the public key as PEM', (f) =>
    hmac(f, {}, createPublicKey(f.key.private_key).export({ format: 'pem', type: 'spki' })),
  ),
  row('HS256 with a symmetric jwk', (f) =>
    hmac(f, { jwk: { kty: 'oct', k: base64url('a secret of the client') } }, 'a secret of the client'),
  ),
  row('ES384 with a key of P-384', (f) => ofKey(f, p384)),
  row('RS512', (f) => ofKey(f, rsa, { alg: 'RS512' })),
  row('RS256 in the header, a key of type EC', (f) => ofKey(f, rsa, { jwk: f.key.jwk })),
  header('EdDSA in the header, a key of type EC', () => ({ alg: 'EdDSA' })),
  row('ES256 in the header, a key of type RSA', (f) => ofKey(f, rsa, { alg: 'ES256' })),
  row('PS256 in the header, a signature of RS256', (f) =>
    swapped(ofKey(f, rsa), proofHeader({ ...rsa, alg: 'PS256' })),
  ),
  // The key
  header('no jwk', () => ({ jwk: undefined })),
  header('a jwk that is null', () => ({ jwk: null })),
  header('a jwk that is a list', (f) => ({ jwk: [f.key.jwk] })),
  header('a jwk that is a text', (f) => ({ jwk: JSON.stringify(f.key.jwk) })),
  header('a kid in place of the jwk', () => ({ jwk: undefined, kid: 'k1' })),
  header('a jku in place of the jwk', () => ({ jwk: undefined, jku: 'https://evil.example.org/jwks' })),
  header('the private key as jwk', (f) => ({ jwk: { ...f.key.private_key.export({ format: 'jwk' }) } })),
  row('the private RSA key as jwk', (f) =>
    ofKey(f, rsa, { jwk: { ...rsa.private_key.export({ format: 'jwk' }) } }),
  ),
  row('RS256 in the header, a jwk that says PS256', (f) =>
    ofKey(f, rsa, { jwk: { ...rsa.jwk, alg: 'PS256' } }),
  ),
  header('a jwk that says another algorithm', (f) => ({ jwk: { ...f.key.jwk, alg: 'ES384' } })),
  header('a jwk for encryption', (f) => ({ jwk: { ...f.key.jwk, use: 'enc' } })),
  header('a jwk that may only sign', (f) => ({ jwk: { ...f.key.jwk, key_ops: ['sign'] } })),
  header('a jwk whose operations are a text', (f) => ({ jwk: { ...f.key.jwk, key_ops: 'verify' } })),
  row('one prime of the RSA key in the jwk', (f) => ofKey(f, rsa, { jwk: { ...rsa.jwk, p: 'AQAB' } })),
  header('a jwk with a symmetric member', (f) => ({ jwk: { ...f.key.jwk, k: 'AAAA' } })),
  header('a jwk with a private member that is null', (f) => ({ jwk: { ...f.key.jwk, d: null } })),
  header('a symmetric jwk', () => ({ jwk: { kty: 'oct', k: 'AAAA' } })),
  header('a jwk without kty', (f) => ({ jwk: { ...f.key.jwk, kty: undefined } })),
  header('a jwk without a coordinate', (f) => ({ jwk: { ...f.key.jwk, y: undefined } })),
  header('a point that is not on the curve', (f) => ({ jwk: { ...f.key.jwk, y: f.key.jwk.x } })),
  row('a key of P-384 for ES256', (f) => ofKey(f, p384, { alg: 'ES256' })),
  header('the name of another curve', (f) => ({ jwk: { ...f.key.jwk, crv: 'P-384' } })),
  row('an RSA key of 1024 bits', (f) => ofKey(f, short_rsa)),
  row('an RSA key of 1024 bits behind zeros', (f) =>
    ofKey(f, short_rsa, {
      jwk: {
        ...short_rsa.jwk,
        n: base64url(Buffer.concat([Buffer.alloc(128), Buffer.from(String(short_rsa.jwk.n), 'base64url')])),
      },
    }),
  ),
  row('an RSA key of 8192 bits', (f) => ofKey(f, rsa, { jwk: long_rsa_jwk })),
  row('an RSA key with an exponent of 256 bits', (f) =>
    ofKey(f, rsa, { jwk: { ...rsa.jwk, e: base64url(Buffer.alloc(32, 0xff)) } }),
  ),
  // The signature
  header('the jwk of another key', () => ({ jwk: other.jwk })),
  row('a changed payload', (f) =>
    spliced(f, ([head, , end]) => [head, base64url(JSON.stringify(proofClaims(f))), end]),
  ),
  row('a changed header', (f) => swapped(dpopProof(f.key, f), { ...proofHeader(f.key), kid: 'k1' })),
  row('no signature', (f) => spliced(f, ([head, body]) => [head, body, ''])),
  row('half a signature', (f) => spliced(f, ([head, body, end]) => [head, body, end?.slice(0, 43)])),
  row('a signature in DER', (f) =>
    spliced(f, ([head, body]) => [
      head,
      body,
      base64url(sign('sha256', Buffer.from(`${head}.${body}`), f.key.private_key)),
    ]),
  ),
  row('a signature of zeros', (f) => spliced(f, ([head, body]) => [head, body, base64url(Buffer.alloc(64))])),
  // Critical headers
  header('an unknown critical header', () => ({ crit: ['surprise'], surprise: 1 })),
  header('b64 false', () => ({ crit: ['b64'], b64: false })),
  header('crit that is empty', () => ({ crit: [] })),
  // The identifier
  claims('no jti', () => ({ jti: undefined })),
  claims('an empty jti', () => ({ jti: '' })),
  claims('a jti that is a number', () => ({ jti: 7 })),
  claims('a jti of 256 characters', () => ({ jti: 'j'.repeat(256) })),
  // The method
  claims('no htm', () => ({ htm: undefined })),
  claims('another htm', (f) => ({ htm: f.method === 'PUT' ? 'PATCH' : 'PUT' })),
  claims('htm in lower case', (f) => ({ htm: f.method.toLowerCase() })),
  claims('htm in a list', (f) => ({ htm: [f.method] })),
  // The URL
  claims('no htu', () => ({ htu: undefined })),
  claims('htu in a list', (f) => ({ htu: [f.url] })),
  claims('an empty htu', () => ({ htu: '' })),
  claims('only the path as htu', (f) => ({ htu: new URL(f.url).pathname })),
  claims('htu of another host', (f) => ({
    htu: changedUrl(f, () => ({ hostname: 'evil.example.org' })),
  })),
  claims('htu of another port', (f) => ({ htu: changedUrl(f, () => ({ port: '9' })) })),
  claims('htu of another scheme', (f) => ({
    htu: f.url.startsWith('https:') ? f.url.replace('https:', 'http:') : f.url.replace('http:', 'https:'),
  })),
  claims('htu of another path', (f) => ({
    htu: changedUrl(f, ({ pathname }) => ({ pathname: `${pathname}/other` })),
  })),
  claims('htu with a slash more', (f) => ({
    htu: changedUrl(f, ({ pathname }) => ({ pathname: `${pathname}/` })),
  })),
  claims('htu that only starts alike', (f) => ({
    htu: changedUrl(f, ({ pathname }) => ({ pathname: `${pathname}2` })),
  })),
  claims('htu with the path in another case', (f) => ({
    htu: changedUrl(f, ({ pathname }) => ({ pathname: pathname.toUpperCase() })),
  })),
  claims('htu with credentials', (f) => ({ htu: f.url.replace('://', '://user:secret@') })),
  claims('htu with a host behind credentials', (f) => ({
    htu: f.url.replace(/:\/\/([^/]+)/, '://$1@evil.example.org'),
  })),
  claims('htu with a backslash', (f) => ({
    htu: f.url.replace(/(:\/\/[^/]+)\//, (_, start: string) => `${start}\\`),
  })),
  claims('htu with a line break', (f) => ({ htu: `${f.url}\n` })),
  claims('htu without slashes', (f) => ({ htu: f.url.replace('//', '') })),
  // The time
  claims('no iat', () => ({ iat: undefined })),
  claims('iat that is a text', (f) => ({ iat: String(f.now) })),
  claims('iat that is null', () => ({ iat: null })),
  claims('iat 301 seconds ago', (f) => ({ iat: f.now - 301 })),
  claims('iat in 61 seconds', (f) => ({ iat: f.now + 61 })),
  claims('iat in milliseconds', (f) => ({ iat: f.now * 1000 })),
  // The nonce
  claims('a nonce that is a number', () => ({ nonce: 7 })),
  // The form
  row('an empty header', () => ''),
  row('not a JWT', () => 'rubbish'),
  row('three parts of nothing', () => 'a.b.c'),
  row('two parts', (f) => spliced(f, (parts) => parts.slice(0, 2))),
  row('four parts', (f) => spliced(f, (parts) => [...parts, 'more'])),
  row('a header that is not JSON', (f) => spliced(f, ([, body, end]) => [base64url('no'), body, end])),
  row('a header that is null', (f) => spliced(f, ([, body, end]) => [base64url('null'), body, end])),
  row('a payload that is not JSON', (f) => signedProof(proofHeader(f.key), 'no', f.key.private_key)),
  row('a payload that is null', (f) => signedProof(proofHeader(f.key), null, f.key.private_key)),
  row('a payload that is a list', (f) =>
    signedProof(proofHeader(f.key), [proofClaims(f)], f.key.private_key),
  ),
  row('a payload that is a text', (f) =>
    signedProof(proofHeader(f.key), JSON.stringify(JSON.stringify(proofClaims(f))), f.key.private_key),
  ),
  row('two proofs', (f) => `${dpopProof(f.key, f)}, ${dpopProof(f.key, f)}`),
  row('the same proof twice', (f) => ((proof) => `${proof}, ${proof}`)(dpopProof(f.key, f))),
  row('a proof and an empty value', (f) => `${dpopProof(f.key, f)},`),
  row('a scheme before the proof', (f) => `DPoP ${dpopProof(f.key, f)}`),
  row('padding', (f) => `${dpopProof(f.key, f)}==`),
  row('bits in the last letter of the signature that are in no byte', (f) =>
    spliced(f, ([head, body, end]) => [head, body, spareBits(end ?? '')]),
  ),
  row('bits in the last letter of the header that are in no byte', (f) => withSpareBits(f, 0)),
  row('bits in the last letter of the payload that are in no byte', (f) => withSpareBits(f, 1)),
  row('a payload with the letters of another base64', (f) => {
    const input = [
      base64url(JSON.stringify(proofHeader(f.key))),
      Buffer.from(JSON.stringify({ ...proofClaims(f), more: '\u00ff\u00fe\u00ff???>>>' })).toString('base64'),
    ].join('.')
    return `${input}.${ecSignature(f, input)}`
  }),
  claims('a good signature, but more than 8 KiB', () => ({ filler: 'x'.repeat(8192) })),
]

/** Those of requests that present an access token. */
export const BAD_TOKEN_PROOFS: readonly BadProof[] = [
  claims('no ath', () => ({ ath: undefined })),
  claims('ath of another token', () => ({ ath: tokenHash('another') })),
  claims('an empty ath', () => ({ ath: '' })),
  claims('ath that is the token', (f) => ({ ath: f.access_token })),
  claims('ath in hexadecimal', (f) => ({
    ath: Buffer.from(tokenHash(f.access_token ?? ''), 'base64url').toString('hex'),
  })),
  claims('ath with padding', (f) => ({ ath: `${tokenHash(f.access_token ?? '')}=` })),
  claims('ath in a list', (f) => ({ ath: [tokenHash(f.access_token ?? '')] })),
]

/** The proof with another header; its signature stays. */
function swapped(proof: string, head: Json): string {
  return [base64url(JSON.stringify(head)), ...proof.split('.').slice(1)].join('.')
}
