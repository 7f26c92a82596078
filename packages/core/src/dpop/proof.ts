/** DPoP proofs of requests to the authorization server: RFC 9449 §4.3, §5, §8 and §11.1. */

import { type DpopProof, DpopProofError, proofUse, verifyDpopProof } from '@ostiary/resource-server'
import { OAuthError } from '../http/errors.js'
import type { Context, RealmContext } from '../realm/context.js'
import type { ProofPolicy } from '../realm/policy.js'
import type { CatalogReason } from '../refusals/hints.js'
import { realmNonces } from './nonces.js'

/**
 * The proof of a request to an endpoint, checked but not yet used: `claimProof` follows when the rest of the request is valid.
 * Null for a request without one, or if DPoP is off.
 * @param endpoint_url As discovery publishes it. The proof's `htu` must name it, whatever address the request came to.
 * @throws OAuthError `invalid_dpop_proof`; `use_dpop_nonce` with the header `DPoP-Nonce`
 */
export const requestProof = (c: Context, endpoint_url: string): Promise<DpopProof | null> | null =>
  c.realm.policy.proofs && c.request.headers.has('dpop')
    ? verifiedProof(c, endpoint_url, c.realm.policy.proofs)
    : null

async function verifiedProof(
  c: Context,
  endpoint_url: string,
  { algorithms, nonce }: ProofPolicy,
): Promise<DpopProof | null> {
  const rules = { method: c.request.method, url: endpoint_url, algorithms, now: c.now() }
  const proof = await verifyDpopProof(c.request.headers, rules).catch(refusedProof)
  if (proof === null) return null
  if (nonce) requireNonce(c, proof)
  return proof
}

function refusedProof(error: unknown): never {
  if (error instanceof DpopProofError) throw invalidProof(DESCRIPTION, error.reason)
  throw error
}

const DESCRIPTION =
  'The DPoP proof is not valid for this request. Make a new one for each request (RFC 9449 4.2)'

const invalidProof = (description: string, reason: CatalogReason): OAuthError =>
  new OAuthError('invalid_dpop_proof', description, { reason })

function requireNonce(c: Context, { nonce }: DpopProof): void {
  const nonces = realmNonces(c, 'server')
  if (nonce !== null && nonces.accepts(nonce, c.now())) return
  throw new OAuthError(
    'use_dpop_nonce',
    'The DPoP proof needs a nonce: make another one with the value of the header DPoP-Nonce',
    {
      reason: nonce === null ? 'missing_nonce' : 'unknown_nonce',
      headers: { 'dpop-nonce': nonces.current(c.now()) },
    },
  )
}

/** The header with the nonce for the next request, when it is another one than the proof's (RFC 9449 §8.2). */
export function nextNonce(c: Context, proof: DpopProof): Record<string, string> {
  if (c.realm.policy.proofs?.nonce !== true) return {}
  const current = realmNonces(c, 'server').current(c.now())
  return proof.nonce === current ? {} : { 'dpop-nonce': current }
}

/**
 * Uses up a proof: it succeeds once. It is called when everything else about the request is valid, just before tokens are
 * issued or access is given, so that a request that is refused stores nothing.
 * @throws OAuthError `invalid_dpop_proof` for a proof that was used before.
 */
export const claimProof = (c: RealmContext, proof: DpopProof | null): Promise<void> | null =>
  proof === null ? null : claimed(c, proof)

async function claimed(c: RealmContext, proof: DpopProof): Promise<void> {
  if (!(await c.storage.replays.claim(proofUse(proof), proof.expires_at, c.now())))
    throw invalidProof(
      'This DPoP proof was used before. Make a new one, with a jti of its own, for each request',
      'proof_replayed',
    )
}

/** For the event of a token that is bound to the proof's key. */
export const boundTo = (proof: DpopProof | null): { jkt?: string } =>
  proof === null ? {} : { jkt: proof.jkt }
