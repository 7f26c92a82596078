/** Tokens that only the holder of a key may use: the claim `cnf` (RFC 7800 §3.1). */

import { BearerError } from '../bearer.js'

/** RFC 7638 with SHA-256, in base64url. */
const THUMBPRINT = /^[\w-]{43}$/

/**
 * The thumbprint of the DPoP key that a token is bound to (RFC 9449 §6.1), or null for a token without `cnf`. RFC 7800 §3.1 lets
 * each use of `cnf` say which of its members must be understood: here, all of them. One whose proof is checked has to be let
 * through here, and only here.
 * @param cnf The claim, from a JWT or from an introspection response. It is only absent when it is undefined.
 * @throws BearerError for any other confirmation, for example that of a certificate (RFC 8705 §3).
 */
function confirmedKey(cnf: unknown): string | null {
  if (cnf === undefined) return null
  const { jkt, ...others } = { ...(cnf as { jkt?: unknown } | null) }
  const is_known = typeof jkt === 'string' && THUMBPRINT.test(jkt) && Object.keys(others).length === 0
  if (!is_known) throw new BearerError('invalid_token', 'unknown_confirmation')
  return jkt
}

/**
 * Refuses a token that is bound to a key. If it were accepted as a bearer token, a thief could use it without the key
 * (RFC 9449 §7.2, RFC 8705 §3).
 * @param dpop Whether the caller compares `cnf.jkt` with the key of a proof: then such a token is let through.
 * @throws BearerError
 */
export function refuseConfirmation(cnf: unknown, dpop = false): void {
  const jkt = dpop ? confirmedKey(cnf) : null
  if (cnf !== undefined && jkt === null) throw new BearerError('invalid_token', 'unknown_confirmation')
}

/**
 * Compares the key that a token is bound to with the key of the request's proof.
 * @param proof Null for a request without a proof, or whose scheme is Bearer.
 * @throws BearerError for a bound token without a proof, for a token that is not bound, and for another key.
 */
export function checkConfirmation(cnf: unknown, proof: { jkt: string } | null): void {
  const jkt = confirmedKey(cnf)
  if (proof === null && jkt !== null) throw new BearerError('invalid_token', 'bound_token_as_bearer')
  if (proof !== null && jkt === null) throw new BearerError('invalid_token', 'token_not_bound')
  // Thumbprints of public keys: the time of the comparison tells nothing.
  if (proof !== null && jkt !== proof.jkt) throw new BearerError('invalid_token', 'proof_of_another_key')
}
