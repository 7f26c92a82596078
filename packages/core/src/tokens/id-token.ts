/** ID tokens: OpenID Connect Core §2, §3.1.3.6. */

import type { Claims } from '../ports.js'
import { base64url } from '../protocol/base64url.js'
import { sha256Bytes, sha512Bytes } from '../protocol/secret.js'
import type { SigningAlgorithm } from '../storage.js'

export interface IdTokenInput {
  issuer: string
  /** That of the ID token's signature. */
  alg: SigningAlgorithm
  client_id: string
  sub: string
  sid: string
  /** Epoch seconds. */
  now: number
  expires_at: number
  auth_time: number | null
  amr: readonly string[]
  acr: string | null
  nonce: string | null
  access_token: string
  /** About the user, without those that the provider sets itself. */
  claims: Claims
}

export function idTokenClaims(input: IdTokenInput) {
  return {
    iss: input.issuer,
    sub: input.sub,
    aud: input.client_id,
    exp: input.expires_at,
    iat: input.now,
    ...(input.auth_time !== null && { auth_time: input.auth_time }),
    sid: input.sid,
    azp: input.client_id,
    at_hash: atHash(input.access_token, input.alg),
    ...(input.nonce !== null && { nonce: input.nonce }),
    ...(input.amr.length > 0 && { amr: input.amr }),
    ...(input.acr !== null && { acr: input.acr }),
    ...input.claims,
  }
}

/** The left half of the access token's hash, with the hash function of the signature (Core §3.1.3.6): Ed25519 has SHA-512. */
function atHash(access_token: string, alg: SigningAlgorithm): string {
  const hash = alg === 'EdDSA' ? sha512Bytes(access_token) : sha256Bytes(access_token)
  return base64url(hash.subarray(0, hash.length / 2))
}
