/** ID tokens: OpenID Connect Core §2, §3.1.3.6. */

import type { Claims } from '../realm/ports.js'
import type { SigningAlgorithm } from '../storage/storage.js'
import { base64url, first16Bytes } from '../util/base64url.js'
import { type Hashes, sha512Bytes } from '../util/secret.js'

export interface IdTokenInput {
  issuer: string
  /** That of the ID token's signature. */
  alg: SigningAlgorithm
  client_id: string
  sub: string
  /** Empty: of a grant without a session. */
  sid: string
  /** Epoch seconds. */
  now: number
  expires_at: number
  auth_time: number | null
  amr: readonly string[]
  acr: string | null
  nonce: string | null
  access_token: string
  hashes: Hashes
  /** About the user, without those that the provider sets itself. */
  claims: Claims
}

/** Claims that may be absent are set one by one: with spreads, the JSON takes twice as long. */
export function idTokenClaims(input: IdTokenInput): Claims {
  const claims: Claims = {
    iss: input.issuer,
    sub: input.sub,
    aud: input.client_id,
    exp: input.expires_at,
    iat: input.now,
  }
  if (input.auth_time !== null) claims.auth_time = input.auth_time
  if (input.sid !== '') claims.sid = input.sid
  claims.azp = input.client_id
  claims.at_hash = atHash(input)
  if (input.nonce !== null) claims.nonce = input.nonce
  if (input.amr.length > 0) claims.amr = input.amr
  if (input.acr !== null) claims.acr = input.acr
  return { ...claims, ...input.claims }
}

/** The left half of the access token's hash, with the hash function of the signature (Core §3.1.3.6): Ed25519 has SHA-512. */
const atHash = ({ access_token, alg, hashes }: IdTokenInput): string =>
  alg === 'EdDSA'
    ? base64url(sha512Bytes(access_token).subarray(0, 32))
    : first16Bytes(hashes.sha256(access_token))
