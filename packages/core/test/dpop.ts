/** Requests to the token endpoint with a DPoP proof. */

import { type DpopKey, dpopProof, type Json } from '@ostiary/test-kit/dpop'
import { CODE_VERIFIER, REDIRECT_URI, type TokenAnswer, tokens, type World } from './support.js'

/** What a proof is made of; undefined leaves a member out. */
export interface ProofParts {
  header?: Json
  claims?: Json
  nonce?: string
}

/** A proof for the token endpoint of the world, made now. */
export function tokenProof(w: World, key: DpopKey, { nonce, ...change }: ProofParts = {}): string {
  const request = { method: 'POST', url: `${w.issuer}/oauth/token`, now: w.clock.now }
  return dpopProof(key, nonce === undefined ? request : { ...request, nonce }, change)
}

export const withProof = (dpop: string | null): Record<string, string> => (dpop === null ? {} : { dpop })

/** A token request with a new proof of the key; null: without one. */
export const proven = (w: World, form: Record<string, string>, key: DpopKey | null): Promise<TokenAnswer> =>
  tokens(w, form, withProof(key && tokenProof(w, key)))

/** The form of the standard client that redeems a code. */
export const codeForm = (code: unknown, changes: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: 'app',
  code: String(code),
  redirect_uri: REDIRECT_URI,
  code_verifier: CODE_VERIFIER,
  ...changes,
})

export const refreshForm = (
  refresh_token: string,
  changes: Record<string, string> = {},
): Record<string, string> => ({ grant_type: 'refresh_token', client_id: 'app', refresh_token, ...changes })

/** The reason of the newest refused request. */
export function lastReason(w: World): string | null {
  const event = w.events.findLast(({ type }) => type === 'request.refused')
  return event && 'reason' in event ? event.reason : null
}
