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
  /** What the claims resolver has returned. */
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
    ...withoutProtocolClaims(input.claims),
  }
}

/** The left half of the access token's SHA-256 (Core §3.1.3.6). */
const atHash = (access_token: string): string => base64url(sha256Bytes(access_token).subarray(0, 16))

/** Claims that the provider sets itself: a claims resolver cannot override them. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set([
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  'auth_time',
  'azp',
  'acr',
  'amr',
  'sid',
])

/** A resolver's claims without those that the provider sets itself, and without those that are undefined. */
export function withoutProtocolClaims(claims: Claims): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => !PROTOCOL_CLAIMS.has(name) && value !== undefined),
  )
}
