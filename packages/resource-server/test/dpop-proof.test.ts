/** The check of a DPoP proof: RFC 9449 §4.3. */

import { BAD_PROOFS, BAD_TOKEN_PROOFS } from '@ostiary/test-kit/bad-proofs'
import { type DpopKey, dpopKey, dpopProof, type Json, type ProvenRequest } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import {
  DPOP_ALGORITHMS,
  DpopProofError,
  type DpopProofFault,
  type DpopProofRules,
  verifyDpopProof,
} from '../src/index.js'

const now = 1_800_000_000
const request: ProvenRequest = { method: 'POST', url: 'https://api.example.com/notes', now }
const bound: ProvenRequest = { ...request, access_token: 'a.b.c' }
const key = dpopKey()

const verify = (proof: string, rules: Partial<DpopProofRules> = {}) =>
  verifyDpopProof(new Headers({ dpop: proof }), { ...request, ...rules })

/** The reason of the refusal, or the text "accepted". */
const outcome = (proof: string, rules: Partial<DpopProofRules> = {}): Promise<string> =>
  verify(proof, rules).then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof DpopProofError) return error.reason
      throw error
    },
  )
const withClaims = (claims: Json, rules: Partial<DpopProofRules> = {}): Promise<string> =>
  outcome(dpopProof(key, request, { claims }), rules)

describe('a good proof', () => {
  it('has the thumbprint of its key, its identifier, time and nonce, and the end of its time', async () => {
    const proof = dpopProof(key, { ...bound, nonce: 'n-1' }, { claims: { jti: 'j-1' } })
    expect(await verify(proof, bound)).toEqual({
      jkt: key.jkt,
      jti: 'j-1',
      iat: now,
      nonce: 'n-1',
      expires_at: now + 301,
    })
    expect(await verify(dpopProof(key, request))).toMatchObject({ nonce: null })
  })

  it('is absent without the header', async () => {
    expect(await verifyDpopProof(new Headers(), request)).toBeNull()
  })

  it.each(DPOP_ALGORITHMS)('may have the algorithm %s, if the rules accept it', async (alg) => {
    const other = dpopKey(alg)
    const proof = dpopProof(other, request)
    expect(await verify(proof)).toMatchObject({ jkt: other.jkt })
    expect(await outcome(proof, { algorithms: [alg] })).toBe('accepted')
    const rest = DPOP_ALGORITHMS.filter((name) => name !== alg)
    expect(await outcome(proof, { algorithms: rest })).toBe('proof_algorithm')
  })

  it('may have other header parameters and claims, and public members of the key that are not needed', async () => {
    const header = { jwk: { ...key.jwk, alg: 'ES256', use: 'sig', kid: 'k', key_ops: ['verify'] }, kid: 'k' }
    const proof = dpopProof(key, request, { header, claims: { more: [1], ath: 'of no token' } })
    expect(await verify(proof)).toMatchObject({ jkt: key.jkt })
  })
})

it('an algorithm that is not asymmetric cannot be accepted by an option', async () => {
  const symmetric = BAD_PROOFS.filter(
    ({ name }) => name.startsWith('HS256') || name === 'alg none with a signature',
  )
  expect(symmetric).toHaveLength(4)
  for (const { make } of symmetric)
    expect(await outcome(make({ ...request, key }), { algorithms: ['HS256', 'none'] })).toBe(
      'proof_algorithm',
    )
})

describe('the table of bad proofs', () => {
  it.each(BAD_PROOFS)('refuses $name', async ({ make }) => {
    expect(await outcome(dpopProof(key, request))).toBe('accepted')
    expect(await outcome(make({ ...request, key }))).not.toBe('accepted')
    const proof = make({ ...bound, key })
    expect(await outcome(proof, bound)).not.toBe('accepted')
  })

  it.each(BAD_TOKEN_PROOFS)('refuses $name beside an access token', async ({ make }) => {
    const proof = make({ ...bound, key })
    expect(await outcome(proof)).toBe('accepted')
    expect(await outcome(proof, bound)).toBe('proof_access_token')
  })
})

describe('the reason', () => {
  const bad = (name: string, from: DpopKey = key): string => {
    const found = BAD_PROOFS.find((one) => one.name === name)
    if (!found) throw new Error(`no bad proof has the name ${name}`)
    return found.make({ ...request, key: from })
  }
  it.each<[string, DpopProofFault]>([
    ['two proofs', 'several_proofs'],
    ['the same proof twice', 'several_proofs'],
    ['a good signature, but more than 8 KiB', 'malformed_proof'],
    ['an unknown critical header', 'malformed_proof'],
    ['b64 false', 'malformed_proof'],
    ['crit that is empty', 'malformed_proof'],
    ['a payload that is a list', 'malformed_proof'],
    ['a nonce that is a number', 'malformed_proof'],
    ['bits in the last letter of the signature that are in no byte', 'malformed_proof'],
    ['bits in the last letter of the header that are in no byte', 'malformed_proof'],
    ['bits in the last letter of the payload that are in no byte', 'malformed_proof'],
    ['a payload with the letters of another base64', 'malformed_proof'],
    ['padding', 'malformed_proof'],
    ['typ JWT', 'proof_type'],
    ['alg none', 'malformed_proof'],
    ['alg none with a signature', 'proof_algorithm'],
    ['HS256 with a symmetric jwk', 'proof_algorithm'],
    ['ES384 with a key of P-384', 'proof_algorithm'],
    ['the private key as jwk', 'proof_key'],
    ['the private RSA key as jwk', 'proof_key'],
    ['one prime of the RSA key in the jwk', 'proof_key'],
    ['a jwk with a private member that is null', 'proof_key'],
    ['a jwk with a symmetric member', 'proof_key'],
    ['a key of P-384 for ES256', 'proof_key'],
    ['an RSA key of 1024 bits', 'proof_key'],
    ['an RSA key of 1024 bits behind zeros', 'proof_key'],
    ['an RSA key of 8192 bits', 'proof_key'],
    ['an RSA key with an exponent of 256 bits', 'proof_key'],
    ['ES256 in the header, a key of type RSA', 'proof_key'],
    ['EdDSA in the header, a key of type EC', 'proof_key'],
    ['the jwk of another key', 'proof_signature'],
    ['a changed payload', 'proof_signature'],
    ['a changed header', 'proof_signature'],
    ['a signature in DER', 'proof_signature'],
    ['PS256 in the header, a signature of RS256', 'proof_signature'],
    ['an empty jti', 'proof_id'],
    ['a jti of 256 characters', 'proof_id'],
    ['another htm', 'proof_method'],
    ['htm in lower case', 'proof_method'],
    ['htu of another host', 'proof_url'],
    ['htu with the path in another case', 'proof_url'],
    ['htu with credentials', 'proof_url'],
    ['htu with a backslash', 'proof_url'],
    ['htu with a line break', 'proof_url'],
    ['iat 301 seconds ago', 'proof_expired'],
    ['no iat', 'proof_expired'],
    ['iat in 61 seconds', 'proof_not_yet_valid'],
  ])('for %s is %s', async (name, reason) => {
    expect(await outcome(bad(name))).toBe(reason)
  })

  it('is for logs, and the message contains it', async () => {
    await expect(verify('rubbish')).rejects.toThrow('invalid DPoP proof: malformed_proof')
  })
})

describe('limits', () => {
  it('a proof of 8192 characters and a jti of 255 are accepted, one more of each is not', async () => {
    expect(await withClaims({ jti: 'j'.repeat(255) })).toBe('accepted')
    const length = (filler: number) => dpopProof(key, request, { claims: { filler: 'x'.repeat(filler) } })
    const longest = Array.from({ length: 300 }, (_, i) => length(5600 + i)).filter((p) => p.length <= 8192)
    const last = longest.at(-1) ?? ''
    expect(last.length).toBeGreaterThan(8189)
    expect(await outcome(last)).toBe('accepted')
    expect(await outcome(length(5600 + longest.length))).toBe('malformed_proof')
  })

  it.each([
    [{ iat: now - 300 }, {}, 'accepted'],
    [{ iat: now - 300.5 }, {}, 'proof_expired'],
    [{ iat: now + 60 }, {}, 'accepted'],
    [{ iat: now + 60.5 }, {}, 'proof_not_yet_valid'],
    [{ iat: now - 11 }, { max_age: 10 }, 'proof_expired'],
    [{ iat: now - 10 }, { max_age: 10 }, 'accepted'],
    [{ iat: now + 6 }, { max_future: 5 }, 'proof_not_yet_valid'],
    [{ iat: now + 5 }, { max_future: 5 }, 'accepted'],
    [{ iat: now + 1 }, { max_future: 0 }, 'proof_not_yet_valid'],
  ])('%o under the rules %o: %s', async (claims, rules, expected) => {
    expect(await withClaims(claims, rules)).toBe(expected)
  })

  it.each([now - 299, now, now + 0.5, now + 60])(
    'a proof of %s is refused from expires_at on, and not before',
    async (iat) => {
      const proof = dpopProof(key, request, { claims: { iat } })
      const { expires_at } = (await verify(proof)) ?? { expires_at: 0 }
      expect(await outcome(proof, { now: expires_at - 1 })).toBe('accepted')
      expect(await outcome(proof, { now: expires_at })).toBe('proof_expired')
    },
  )
})

describe('htu (RFC 3986 §6.2.2 and §6.2.3)', () => {
  const at = 'https://api.example.com/notes/a%2Fb~c'
  it.each([
    ['the same', at, at],
    ['scheme and host in capitals', at, 'HTTPS://API.Example.COM/notes/a%2Fb~c'],
    ['the default port', at, 'https://api.example.com:443/notes/a%2Fb~c'],
    ['the default port of http', 'http://localhost/a', 'http://localhost:80/a'],
    ['an empty port', at, 'https://api.example.com:/notes/a%2Fb~c'],
    ['dot segments', at, 'https://api.example.com/./x/../notes/a%2Fb~c'],
    ['encoded dot segments', at, 'https://api.example.com/x/%2e%2E/notes/a%2Fb~c'],
    ['percent-encoding in lower case', at, 'https://api.example.com/notes/a%2fb~c'],
    ['unreserved characters encoded', at, 'https://api.example.com/%6eotes/%61%2Fb%7Ec'],
    ['a query and a fragment', at, `${at}?a=/../b#c`],
    ['an empty path', 'https://api.example.com/', 'https://api.example.com'],
    ['an empty path before a query', 'https://api.example.com', 'https://api.example.com?a'],
    ['an IPv6 address', 'https://[::1]:8443/a', 'https://[0:0::0:1]:8443/a'],
  ])('%s is equal', async (_, url, htu) => {
    expect(await withClaims({ htu }, { url })).toBe('accepted')
    expect(await outcome(dpopProof(key, { ...request, url }), { url: htu })).toBe('accepted')
  })

  it.each([
    ['a slash that is not encoded', 'https://api.example.com/notes/a/b~c'],
    ['an encoded percent sign', 'https://api.example.com/notes/a%252Fb~c'],
    ['a doubled slash', 'https://api.example.com//notes/a%2Fb~c'],
    ['the path in capitals', 'https://api.example.com/NOTES/A%2FB~C'],
    ['another port', 'https://api.example.com:8443/notes/a%2Fb~c'],
    ['another scheme', 'http://api.example.com/notes/a%2Fb~c'],
    ['http with the port of https', 'http://api.example.com:443/notes/a%2Fb~c'],
    ['a host that only ends alike', 'https://evil-api.example.com/notes/a%2Fb~c'],
    ['a dot after the host', 'https://api.example.com./notes/a%2Fb~c'],
    ['a parameter of the path', 'https://api.example.com/notes/a%2Fb~c;x'],
    ['a slash at the end', `${at}/`],
    ['a user', 'https://user@api.example.com/notes/a%2Fb~c'],
    ['a password', 'https://:secret@api.example.com/notes/a%2Fb~c'],
    ['three slashes', 'https:///api.example.com/notes/a%2Fb~c'],
    ['a tabulator', 'https://api.example.com/no\ttes/a%2Fb~c'],
    ['a space before it', ` ${at}`],
    ['a letter that is not ASCII', 'https://api.example.com/notes/a%2Fb~c\u200b'],
    ['another scheme than http', 'ftp://api.example.com/notes/a%2Fb~c'],
    ['a host that is not one', 'https://[::1/notes/a%2Fb~c'],
  ])('%s is not equal', async (_, htu) => {
    expect(await withClaims({ htu }, { url: at })).toBe('proof_url')
  })

  it('an invalid URL on our side is equal to none, not even to itself', async () => {
    expect(await withClaims({ htu: 'not a url' }, { url: 'not a url' })).toBe('proof_url')
  })

  it('ends for each part that repeats to the length of a URL', async () => {
    const parts = ['/..', '/%2e%2E', '%2f', '/a/..', '%', '//', '@', ':', '[', '?', '%25']
    for (const part of parts) {
      const htu = `${at}${part.repeat(5500 / part.length)}`
      expect(await withClaims({ htu })).toBe('proof_url')
    }
  })
})
