/** Which algorithm signs what: `oidc.keys`, `token_signing_alg` of a resource, `id_token_signed_response_alg` of a client. */

import type { SigningAlgorithm } from '../storage/records.js'

/** In the order of the JWKS: RSA keys first, for clients that take the first key that they can use. */
export const SIGNING_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const satisfies SigningAlgorithm[]

/** `oidc.keys`. */
export interface AlgorithmSettings {
  algorithms: readonly SigningAlgorithm[]
  access_token_alg?: SigningAlgorithm | undefined
}

/** RS256, which every client and API accepts, where the realm has it; otherwise the first of the list. */
const usualAlgorithm = ({ algorithms: [first = 'RS256', ...others] }: AlgorithmSettings): SigningAlgorithm =>
  others.includes('RS256') ? 'RS256' : first

/**
 * Of a client's ID tokens and logout tokens (OpenID Connect Registration §2). The realm may have dropped an algorithm that
 * the client has registered: then the usual one signs.
 */
export function idTokenAlgorithm(
  keys: AlgorithmSettings,
  client: { id_token_signed_response_alg: SigningAlgorithm | null },
): SigningAlgorithm {
  const registered = client.id_token_signed_response_alg
  return registered !== null && keys.algorithms.includes(registered) ? registered : usualAlgorithm(keys)
}

/** Of the access tokens for a resource; null for an audience that is none. */
export const resourceTokenAlgorithm = (
  keys: AlgorithmSettings,
  resource: { token_signing_alg: SigningAlgorithm | undefined } | null,
): SigningAlgorithm => resource?.token_signing_alg ?? keys.access_token_alg ?? usualAlgorithm(keys)
