/** Access tokens: RFC 9068 §2.2. */

import type { Account } from '../ports.js'
import { type Authentication, authenticationClaims } from '../protocol/acr.js'
import { newId, type Random } from '../protocol/secret.js'

export interface AccessTokenInput {
  client_id: string
  sub: string
  /** The user that `sub` names; null for a token of the client itself. */
  user: Account | null
  audience: string
  scopes: readonly string[]
  /** Epoch seconds. */
  expires_at: number
  /** Null for a token without a grant. */
  grant_id: string | null
  act?: Record<string, unknown>
  /** The thumbprint of the key that the token is bound to (RFC 9449 §6.1); null for a bearer token. */
  jkt: string | null
  /** How the user has authenticated; absent or null when the token does not say so. */
  authentication?: Authentication | null
}

export interface AccessTokenIssuer {
  issuer: string
  random: Random
  /** Epoch seconds. */
  now: number
}

export function accessTokenClaims(input: AccessTokenInput, { issuer, random, now }: AccessTokenIssuer) {
  const { grant_id, scopes, act, jkt, authentication } = input
  return {
    iss: issuer,
    sub: input.sub,
    aud: input.audience,
    exp: input.expires_at,
    iat: now,
    nbf: now,
    jti: grant_id === null ? newId(random) : `${grant_id}.${newId(random)}`,
    client_id: input.client_id,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(act && { act }),
    ...(jkt !== null && { cnf: { jkt } }),
    ...(authentication && authenticationClaims(authentication)),
  }
}

/** The grant of an access token, whose `jti` is `<grant_id>.<random>`; null for a token without a grant. */
export function grantIdOf(jti: string): string | null {
  const dot = jti.indexOf('.')
  return dot < 0 ? null : jti.slice(0, dot)
}
