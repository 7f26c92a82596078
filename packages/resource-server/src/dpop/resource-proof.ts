/** DPoP at a guard: the proof that a request with the scheme `DPoP` needs (RFC 9449 §7 to §9). */

import { sha256 } from '@noble/hashes/sha2.js'
import { base64url } from 'jose'
import { BearerError, hasSeveralTokens, type TokenCredentials, tokenCredentials } from '../bearer.js'
import { utf8 } from '../utf8.js'
import { type DpopProof, DpopProofError, type DpopProofRules, verifyDpopProof } from './proof.js'

/** Remembers what was used once. */
export interface ReplayPort {
  /**
   * True for one caller only, until `expires_at` has passed; it has to be atomic on all servers of the API.
   * @param key_hash 43 characters.
   * @param expires_at Epoch seconds, as `now`.
   */
  claim(key_hash: string, expires_at: number, now: number): Promise<boolean>
}

/** How a guard accepts tokens that are bound to a DPoP key. Durations are in seconds. */
export interface GuardDpop extends Pick<DpopProofRules, 'max_age' | 'max_future'> {
  /** The accepted signature algorithms of proofs, a subset of `DPOP_ALGORITHMS`. Challenges name them. */
  algorithms: readonly string[]
  /** Refuses every token of the scheme Bearer. */
  required?: boolean
  /** The URL of the request as clients see it, absolute; its query is ignored. It must not depend on `Host`. */
  url(request: Request): string
  /** From `dpopNonces`: then each proof needs a nonce. */
  nonces?: {
    current(now: number): Promise<string> | string
    accepts(nonce: string, now: number): Promise<boolean> | boolean
  }
  /** Refuses a proof that is used again. Without it, a proof may be used again while it is not too old. */
  replays?: ReplayPort
}

/**
 * The token of a request; null when there is none. With DPoP, two tokens are refused, because either could be the one that counts.
 * @param dpop Null when DPoP is off: then only the scheme Bearer is read.
 * @throws BearerError
 */
export function requestCredentials(request: Request, dpop: GuardDpop | null): TokenCredentials | null {
  const credentials = tokenCredentials(request, dpop ? ['Bearer', 'DPoP'] : ['Bearer'])
  if (!dpop || !credentials) return credentials
  if (hasSeveralTokens(request, credentials)) throw new BearerError('invalid_request', 'several_tokens')
  if (dpop.required && credentials.scheme === 'Bearer')
    throw new BearerError('invalid_token', 'dpop_required')
  return credentials
}

/** A request with the scheme `DPoP`. */
interface DpopRequest {
  request: Request
  access_token: string
  /** Epoch seconds. */
  now: number
}

/** The proof of the request, with everything checked but its key, and not claimed. @throws BearerError */
export async function resourceProof(dpop: GuardDpop, asked: DpopRequest): Promise<DpopProof> {
  const { request, access_token, now } = asked
  const { algorithms, max_age, max_future } = dpop
  const proof = await verifyDpopProof(request.headers, {
    method: request.method,
    url: dpop.url(request),
    access_token,
    algorithms,
    ...(max_age !== undefined && { max_age }),
    ...(max_future !== undefined && { max_future }),
    now,
  }).catch((cause: unknown) => {
    throw cause instanceof DpopProofError ? new BearerError('invalid_dpop_proof', cause.reason, cause) : cause
  })
  if (proof === null) throw new BearerError('invalid_dpop_proof', 'missing_proof')
  await checkNonce(dpop, proof, now)
  return proof
}

async function checkNonce({ nonces }: GuardDpop, { nonce }: DpopProof, now: number): Promise<void> {
  if (!nonces) return
  if (nonce === null) throw new BearerError('use_dpop_nonce', 'missing_nonce')
  if (!(await nonces.accepts(nonce, now))) throw new BearerError('use_dpop_nonce', 'unknown_nonce')
}

/** The nonce that the client should use next; null when it has used it already, or needs none. */
export async function freshNonce(
  { nonces }: GuardDpop,
  used: string | null,
  now: number,
): Promise<string | null> {
  const current = (await nonces?.current(now)) ?? null
  return current === used ? null : current
}

/** Where the proof of a request was used up: a request may pass several guards, or one of them twice. */
const claimed = new WeakMap<Request, { replays: ReplayPort; use: string }>()

/** Uses the proof up. The caller has checked everything else, so that a stranger's proofs store nothing. @throws BearerError */
export async function claimResourceProof(
  { replays }: GuardDpop,
  proof: DpopProof,
  { request, now }: Pick<DpopRequest, 'request' | 'now'>,
): Promise<void> {
  if (!replays) return
  const use = proofUse(proof)
  const before = claimed.get(request)
  if (before?.replays === replays && before.use === use) return
  if (!(await replays.claim(use, proof.expires_at, now)))
    throw new BearerError('invalid_dpop_proof', 'proof_replayed')
  claimed.set(request, { replays, use })
}

/** The use of a proof, as a hash that no other key and no other `jti` has: the `key_hash` of a `ReplayPort`. */
export const proofUse = ({ jkt, jti }: Pick<DpopProof, 'jkt' | 'jti'>): string =>
  base64url.encode(sha256(utf8(JSON.stringify(['dpop_proof', jkt, jti]))))
