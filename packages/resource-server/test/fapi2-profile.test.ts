/** `profile: 'fapi2'`: an API of the FAPI 2.0 Security Profile, with nothing but that option and a store of used proofs. */

import { type DpopKey, dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import type { BearerError, ReplayPort } from '../src/index.js'
import { api, keyPair, NOW, RESOURCE, testIssuer } from './support.js'

function memoryReplays(): ReplayPort {
  const used = new Set<string>()
  return {
    async claim(key_hash) {
      if (used.has(key_hash)) return false
      used.add(key_hash)
      return true
    },
  }
}

async function world() {
  const reasons: string[] = []
  const issuer = testIssuer()
  const signing = await keyPair('token-key', 'ES256')
  issuer.keys.push(signing.jwk)
  const server = api(issuer, {
    profile: 'fapi2',
    dpop: { replay: memoryReplays() },
    on_refused: ({ code, reason }: BearerError) => void reasons.push(`${code}: ${reason}`),
  })
  const present = async (key: DpopKey, { token, proof }: { token?: string; proof?: string } = {}) => {
    const access_token = token ?? (await issuer.token({ cnf: { jkt: key.jkt } }, {}, signing))
    const dpop = proof ?? dpopProof(key, { method: 'GET', url: RESOURCE, now: NOW, access_token })
    const headers = { authorization: `DPoP ${access_token}`, dpop }
    const answer = await server.authenticate(new Request(RESOURCE, { headers }))
    return { status: answer instanceof Response ? answer.status : 200, access_token, dpop }
  }
  return { issuer, signing, server, present, reasons }
}

describe("profile: 'fapi2'", () => {
  it.each(['ES256', 'EdDSA', 'PS256'])('accepts a proof with %s', async (alg) => {
    const { present } = await world()
    expect((await present(dpopKey(alg))).status).toBe(200)
  })

  it('refuses a proof with RS256', async () => {
    const { present, reasons } = await world()
    expect((await present(dpopKey('RS256'))).status).toBe(401)
    expect(reasons).toEqual(['invalid_dpop_proof: proof_algorithm'])
  })

  it('refuses an access token with RS256', async () => {
    const { present, issuer, reasons } = await world()
    const key = dpopKey()
    const token = await issuer.token({ cnf: { jkt: key.jkt } })
    expect((await present(key, { token })).status).toBe(401)
    expect(reasons).toEqual([expect.stringMatching(/^invalid_token: /)])
  })

  it('refuses a proof that is used again', async () => {
    const { present, reasons } = await world()
    const key = dpopKey()
    const { access_token: token, dpop: proof } = await present(key)
    expect((await present(key, { token, proof })).status).toBe(401)
    expect(reasons).toEqual(['invalid_dpop_proof: proof_replayed'])
  })

  it('refuses a token that is bound to no key', async () => {
    const { server, issuer, signing, reasons } = await world()
    const headers = { authorization: `Bearer ${await issuer.token({}, {}, signing)}` }
    expect(await server.authenticate(new Request(RESOURCE, { headers }))).toMatchObject({ status: 401 })
    expect(reasons).toEqual(['invalid_token: dpop_required'])
  })

  it('names a weaker setting beside it, and itself', () => {
    const replay = memoryReplays()
    const weaker = {
      algorithms: ['RS256', 'ES256'],
      dpop: { replay, required: false, algorithms: ['RS256'] },
    } as const
    expect(() => api(testIssuer(), { profile: 'fapi2', ...weaker })).toThrow(
      "algorithms: profile 'fapi2' excludes RS256; leave algorithms out, or list PS256, ES256 or EdDSA\n" +
        "  dpop.algorithms: profile 'fapi2' excludes RS256; leave dpop.algorithms out, or take RS256 out of it\n" +
        "  dpop.required: profile 'fapi2' needs true; leave dpop.required out",
    )
    for (const dpop of [undefined, {}, { replay: undefined }])
      expect(() => api(testIssuer(), { profile: 'fapi2', ...(dpop && { dpop }) } as object)).toThrow(
        "dpop.replay: profile 'fapi2' needs it",
      )
    expect(() => api(testIssuer(), { profile: 'fapi1' } as object)).toThrow(
      "profile: give 'fapi2', or leave it out",
    )
    const stricter = {
      algorithms: ['ES256'],
      dpop: { replay, required: true, algorithms: ['ES256'] },
    } as const
    expect(() => api(testIssuer(), { profile: 'fapi2', ...stricter })).not.toThrow()
  })
})
