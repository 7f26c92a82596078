/** What a realm accepts of DPoP: RFC 9449. */

import { OAuthError } from '../http/errors.js'
import type { Params } from '../http/params.js'
import type { RealmPolicy } from '../realm/policy.js'
import type { AuthorizationRequest } from '../storage/records.js'

/** A SHA-256 thumbprint, base64url (RFC 7638 §3). */
const JKT = /^[\w-]{43}$/

/**
 * `dpop_jkt`, the thumbprint of the key that must redeem the code (RFC 9449 §10); null for a request without it, and where
 * DPoP is off.
 * @throws OAuthError `invalid_request`
 */
export function parseDpopJkt(params: Params, { proofs }: RealmPolicy): string | null {
  const dpop_jkt = params.get('dpop_jkt')
  if (dpop_jkt === null || proofs === null) return null
  if (!JKT.test(dpop_jkt))
    throw new OAuthError(
      'invalid_request',
      'The parameter dpop_jkt must be the base64url SHA-256 thumbprint of a public key: 43 characters',
      { reason: 'invalid_dpop_jkt' },
    )
  return dpop_jkt
}

/**
 * The request with the key of a proof that came with it: a pushed request's proof has the effect of `dpop_jkt` (RFC 9449 §10.1).
 * @param jkt The thumbprint of the proof's key; null for a request without a proof.
 * @throws OAuthError `invalid_request` when `dpop_jkt` names another key.
 */
export function boundToKey<R extends Pick<AuthorizationRequest, 'dpop_jkt'>>(
  request: R,
  jkt: string | null,
): R {
  if (jkt === null) return request
  if (request.dpop_jkt !== undefined && request.dpop_jkt !== jkt)
    throw new OAuthError('invalid_request', 'The parameter dpop_jkt names another key than the DPoP proof', {
      reason: 'dpop_jkt_mismatch',
    })
  return { ...request, dpop_jkt: jkt }
}
