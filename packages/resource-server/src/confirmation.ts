/** Tokens that only the holder of a key may use: the claim `cnf` (RFC 7800 §3.1). */

import { BearerError } from './bearer.js'

/**
 * Refuses a token that is bound to a key. If it were accepted as a bearer token, a thief could use it without the key
 * (RFC 9449 §7.2, RFC 8705 §3). RFC 7800 §3.1 lets each use of `cnf` say which of its members must be understood: here, all
 * of them. No confirmation method is understood yet; one whose proof is checked has to be let through here, and only here.
 * @param cnf The claim, from a JWT or from an introspection response. It is only absent when it is undefined.
 * @throws BearerError
 */
export function refuseConfirmation(cnf: unknown): void {
  if (cnf !== undefined) throw new BearerError('invalid_token', 'unknown_confirmation')
}
