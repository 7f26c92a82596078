/** Access tokens: RFC 9068 §2.2. */

import type { Account, Claims } from '../ports.js'
import { type Authentication, authenticationClaims } from '../protocol/acr.js'
import { newId, type Random } from '../protocol/secret.js'
import type { Client } from '../storage.js'

export interface AccessTokenInput {
  client: Pick<Client, 'client_id'>
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
  /** How the user has authenticated; absent or null when the token does not say so. */
  authentication?: Authentication | null
}

/** What the provider adds to the input. */
export interface AccessTokenIssuer {
  issuer: string
  /** The thumbprint of the key that the token is bound to (RFC 9449 §6.1); null for a bearer token. */
  jkt: string | null
  random: Random
  /** Epoch seconds. */
  now: number
}

/** Claims that may be absent are set one by one: with spreads, the JSON takes twice as long. */
export function accessTokenClaims(
  input: AccessTokenInput,
  { issuer, jkt, random, now }: AccessTokenIssuer,
): Claims {
  const { grant_id, scopes, act, authentication } = input
  const claims: Claims = {
    iss: issuer,
    sub: input.sub,
    aud: input.audience,
    exp: input.expires_at,
    iat: now,
    nbf: now,
    jti: grant_id === null ? newId(random) : `${grant_id}.${newId(random)}`,
    client_id: input.client.client_id,
  }
  if (scopes.length > 0) claims.scope = scopes.join(' ')
  if (act) claims.act = act
  if (jkt !== null) claims.cnf = { jkt }
  return authentication ? { ...claims, ...authenticationClaims(authentication) } : claims
}

/** The grant of an access token, whose `jti` is `<grant_id>.<random>`; null for a token without a grant. */
export function grantIdOf(jti: string): string | null {
  const dot = jti.indexOf('.')
  return dot < 0 ? null : jti.slice(0, dot)
}
