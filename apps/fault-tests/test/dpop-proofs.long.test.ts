/** Two servers on one database, and one DPoP proof that is sent to both many times at once (RFC 9449 §11.1). */

import { type DpopKey, dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { jwtClaims } from '@ostiary/test-kit/jwt'
import { describe, expect, it } from 'vitest'
import { type Answer, backend, codeForm, newCode, send, signIn, textOf } from './client.ts'
import { report } from './report.ts'
import { type ServerPair, STORAGES, serverPair } from './server-pair.ts'

const ROUNDS = 5
const PARALLEL_USES = 50

const seconds = () => Math.floor(Date.now() / 1000)

/** The form is sent to the server at `origin`, whose token endpoint has the issuer's address. */
function token(origin: string, form: Record<string, string>, dpop: string): Promise<Answer> {
  return send(`${origin}/oauth/token`, { method: 'POST', headers: { dpop }, body: new URLSearchParams(form) })
}
const proofForToken = (key: DpopKey, issuer: string) =>
  dpopProof(key, { method: 'POST', url: `${issuer}/oauth/token`, now: seconds() })

/** How many answers of each kind there are, when both servers get half of the requests at once. */
async function outcomes({ origins }: ServerPair, request: (origin: string) => Promise<Answer>) {
  const all = Array.from({ length: PARALLEL_USES }, (_, i) => request(origins[i % 2] ?? ''))
  const counted: Record<string, number> = {}
  for (const { status, body } of await Promise.all(all)) {
    const outcome = `${status} ${body.error ?? ''}`.trim()
    counted[outcome] = (counted[outcome] ?? 0) + 1
  }
  return counted
}

describe.each(STORAGES)('on %s:', (name, storage) => {
  it('one proof, used 50 times at once at the token endpoints of two servers: one token', async () => {
    const servers = await serverPair(await storage(), { dpop: 'on' })
    const key = dpopKey()
    const form = { ...backend, grant_type: 'client_credentials' }
    for (let round = 1; round <= ROUNDS; round += 1) {
      const proof = proofForToken(key, servers.issuer)
      const counted = await outcomes(servers, (origin) => token(origin, form, proof))
      report(`one DPoP proof at two token endpoints, ${name}, round ${round}`, counted)
      expect(counted).toEqual({ '200': 1, '400 invalid_dpop_proof': PARALLEL_USES - 1 })
    }
  })

  it('one proof, used 50 times at once at UserInfo of two servers: the claims once', async () => {
    const servers = await serverPair(await storage(), { dpop: 'on' })
    const { issuer } = servers
    const key = dpopKey()
    const code = await newCode(await signIn(issuer), issuer, { client_id: 'backend' })
    const redeemed = await token(issuer, codeForm(code, backend), proofForToken(key, issuer))
    const access_token = textOf(redeemed, 'access_token')
    expect(jwtClaims(access_token)).toMatchObject({ cnf: { jkt: key.jkt } })
    for (let round = 1; round <= ROUNDS; round += 1) {
      const dpop = dpopProof(key, {
        method: 'GET',
        url: `${issuer}/oauth/userinfo`,
        now: seconds(),
        access_token,
      })
      const headers = { authorization: `DPoP ${access_token}`, dpop }
      const counted = await outcomes(servers, (origin) => send(`${origin}/oauth/userinfo`, { headers }))
      report(`one DPoP proof at UserInfo of two servers, ${name}, round ${round}`, counted)
      expect(counted).toEqual({ '200': 1, '401 invalid_dpop_proof': PARALLEL_USES - 1 })
    }
  })
})
