/** ID tokens: OpenID Connect Core §2, §3.1.3.6. */

import type { Claims } from '../ports.js'
import { base64url } from '../protocol/base64url.js'
import { sha256Bytes } from '../protocol/secret.js'

export interface IdTokenInput {
  issuer: string
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
    at_hash: atHash(input.access_token),
    ...(input.nonce !== null && { nonce: input.nonce }),
    ...(input.amr.length > 0 && { amr: input.amr }),
    ...(input.acr !== null && { acr: input.acr }),
    ...input.claims,
  }
}

/** The left half of the access token's SHA-256 (Core §3.1.3.6). */
const atHash = (access_token: string): string => base64url(sha256Bytes(access_token).subarray(0, 16))
