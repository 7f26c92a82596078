/** Access tokens: RFC 9068 §2.2. */

import type { Account, Claims } from '../realm/ports.js'
import type { Client, Grant } from '../storage/storage.js'
import { newId, type Random } from '../util/secret.js'

export interface AccessTokenInput {
  client: Pick<Client, 'client_id'>
  sub: string
  /** The user that `sub` names; null for a token of the client itself. */
  user: Account | null
  audience: string
  scopes: readonly string[]
  /** Epoch seconds. */
  expires_at: number
  /** Null for a token without a user, which has no grant. An exchanged token has that of its first subject token. */
  grant_id: string | null
  /** The actors of an exchanged token (RFC 8693 §4.1); absent for any other. */
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
  const { scopes, act, authentication } = input
  const claims: Claims = {
    iss: issuer,
    sub: input.sub,
    aud: input.audience,
    exp: input.expires_at,
    iat: now,
    nbf: now,
    jti: jtiOf(input, newId(random)),
    client_id: input.client.client_id,
  }
  if (scopes.length > 0) claims.scope = scopes.join(' ')
  if (act) claims.act = act
  if (jkt !== null) claims.cnf = { jkt }
  return authentication ? { ...claims, ...authenticationClaims(authentication) } : claims
}

const EXCHANGED = 'x'

function jtiOf({ grant_id, act }: AccessTokenInput, id: string): string {
  if (grant_id === null) return id
  return act === undefined ? `${grant_id}.${id}` : `${grant_id}.${EXCHANGED}.${id}`
}

/** Where an access token comes from. */
export interface TokenOrigin {
  /** Null for a token without a user. */
  grant_id: string | null
  exchanged: boolean
}

/**
 * What the `jti` of an access token says: `<random>` without a grant, `<grant_id>.<random>`, or `<grant_id>.x.<random>` for an
 * exchanged one. Null for any other text.
 */
export function tokenOrigin(jti: string): TokenOrigin | null {
  const [first = '', second, third, ...more] = jti.split('.')
  if (second === undefined) return { grant_id: null, exchanged: false }
  if (first === '' || more.length > 0) return null
  if (third === undefined) return { grant_id: first, exchanged: false }
  return second === EXCHANGED ? { grant_id: first, exchanged: true } : null
}

/** The time and the kind of a user's authentication; null: not known. */
export type Authentication = Pick<Grant, 'auth_time' | 'acr'>

/** Of a user's access token, and of its introspection (RFC 9068 §2.2.1, RFC 9470 §6): without what is not known. */
export const authenticationClaims = ({ auth_time, acr }: Authentication): Partial<Authentication> => ({
  ...(auth_time !== null && { auth_time }),
  ...(acr !== null && { acr }),
})

/** What the claims of a token of this issuer say about the authentication. */
export const authenticationOf = ({ auth_time, acr }: Record<string, unknown>): Authentication => ({
  auth_time: typeof auth_time === 'number' ? auth_time : null,
  acr: typeof acr === 'string' ? acr : null,
})
