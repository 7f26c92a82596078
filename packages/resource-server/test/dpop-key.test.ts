/** The keys of recent proofs: what is kept, and that a kept key skips no check. */

import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import { proofKey } from '../src/dpop/proof-key.js'
import { verifyDpopProof } from '../src/index.js'

const now = 1_800_000_000
const request = { method: 'POST', url: 'https://api.example.com/notes', now }
const outcome = (proof: string): Promise<string> =>
  verifyDpopProof(new Headers({ dpop: proof }), request).then(
    (checked) => checked?.jkt ?? 'none',
    (error: { reason?: string }) => error.reason ?? 'error',
  )

describe('the key of a proof', () => {
  it('is imported once, and is the same for the next proof', async () => {
    const { jwk, jkt } = dpopKey()
    const first = await proofKey(jwk, 'ES256')
    expect(first?.jkt).toBe(jkt)
    expect(await proofKey({ ...jwk, kid: 'another name' }, 'ES256')).toBe(first)
  })

  it('is kept for one algorithm', async () => {
    const { jwk } = dpopKey('RS256')
    const first = await proofKey(jwk, 'RS256')
    const second = await proofKey(jwk, 'PS256')
    expect([first?.key.algorithm.name, second?.key.algorithm.name]).toEqual(['RSASSA-PKCS1-v1_5', 'RSA-PSS'])
  })

  it.each(['kty', 'crv', 'x', 'y'])('is another one with another %s', async (member) => {
    const { jwk } = dpopKey()
    expect(await proofKey(jwk, 'ES256')).not.toBeNull()
    expect(await proofKey({ ...jwk, [member]: dpopKey().jwk.x }, 'ES256')).toBeNull()
  })

  it('is not kept when it does not fit', async () => {
    const { jwk } = dpopKey('ES384')
    expect(await proofKey(jwk, 'ES256')).toBeNull()
    expect(await proofKey(jwk, 'ES256')).toBeNull()
  })

  it('is forgotten when a thousand others have come', async () => {
    const { jwk } = dpopKey('EdDSA')
    const first = await proofKey(jwk, 'EdDSA')
    for (let i = 0; i < 999; i += 1) await proofKey(dpopKey('EdDSA').jwk, 'EdDSA')
    expect(await proofKey(jwk, 'EdDSA')).toBe(first)
    await proofKey(dpopKey('EdDSA').jwk, 'EdDSA')
    const again = await proofKey(jwk, 'EdDSA')
    expect(again).not.toBe(first)
    expect(again?.jkt).toBe(first?.jkt)
  })

  it('verifies each proof: another key in its name is refused, before and after', async () => {
    const key = dpopKey()
    const thief = { ...dpopKey(), jwk: key.jwk }
    expect(await outcome(dpopProof(thief, request))).toBe('proof_signature')
    expect(await outcome(dpopProof(key, request))).toBe(key.jkt)
    expect(await outcome(dpopProof(thief, request))).toBe('proof_signature')
  })
})
