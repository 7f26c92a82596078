/** Access tokens of this issuer: RFC 9068 §4, and the revocations that only the provider knows. */

import {
  type AccessToken,
  BearerError,
  clientPrincipal,
  type Principal,
  type ScopeCheck,
  userPrincipal,
  verifyAccessToken,
} from '@ostiary/resource-server'
import type { RealmContext } from '../context.js'
import type { Account } from '../ports.js'
import { permittedAlgorithms } from '../protocol/profile-rules.js'
import { SIGNING_ALGORITHMS } from '../protocol/signing-algorithms.js'
import type { Client, Grant } from '../storage.js'
import { grantIdOf } from '../tokens/access-token.js'
import { isPublished, publishedKey } from './signing-keys.js'

/** The subject of an active access token: a user of the application, or a client that acts for itself. */
export type OidcPrincipal = Principal<Account, Client>

/**
 * Checks signature, `typ`, issuer and times; the token may be revoked. Where DPoP is on, it may be bound to a key (`cnf`), which
 * the caller compares with a proof.
 * @throws BearerError
 */
export async function verifyOwnToken(c: RealmContext, token: string): Promise<AccessToken> {
  const known = c.verified.get(token, c.now())
  // The cache is shared by all realms, and the token's key may have been withdrawn since it was verified.
  if (known && known.claims.iss === c.realm.issuer && (await isPublished(c, known.kid))) return known
  let used = ''
  const verified = await verifyAccessToken(token, {
    issuer: c.realm.issuer,
    now: c.now(),
    clock_tolerance: 0,
    dpop: c.realm.settings.dpop.enabled,
    algorithms: permittedAlgorithms(c.realm.settings, SIGNING_ALGORITHMS),
    key: async ({ kid }) => {
      const key = await publishedKey(c, kid)
      if (key === null) throw new BearerError('invalid_token', 'unknown_key')
      used = key.kid
      return key.public_key
    },
  })
  const own = { ...verified, kid: used }
  c.verified.set(token, own, own.claims.exp)
  return own
}

/**
 * The principal of a verified token that is not revoked and whose user or client still exists. A token without a grant
 * is checked more strictly, since only its signature says where it comes from: its client must not be revoked, and a
 * token for a user must have the `act` of an exchange.
 * @param covers What the principal's `tokenCan` asks; by default only the token's own scopes count.
 * @throws BearerError
 */
export async function activePrincipal(
  c: RealmContext,
  token: AccessToken,
  covers?: ScopeCheck,
): Promise<OidcPrincipal> {
  const { jti, sub, client_id } = token.claims
  const grant_id = grantIdOf(jti)
  if (grant_id !== null) {
    const reading = c.storage.grants.find(grant_id)
    const [grant, user] = await Promise.all([reading, c.accounts.find(sub, c.realm, reading)])
    if (!isActive(c, grant)) throw new BearerError('invalid_token', 'revoked_token')
    return principalOf(user, token, covers)
  }
  const [revoked, client] = await Promise.all([
    c.storage.revoked_tokens.has(jti),
    c.storage.clients.find(client_id),
  ])
  if (revoked) throw new BearerError('invalid_token', 'revoked_token')
  if (client === null || client.revoked_at !== null) throw new BearerError('invalid_token', 'revoked_client')
  if (sub === client_id) return clientPrincipal(client, token, covers)
  if (token.claims.act === undefined) throw new BearerError('invalid_token', 'user_token_without_grant')
  return principalOf(await c.accounts.find(sub, c.realm), token, covers)
}

function principalOf(user: Account | null, token: AccessToken, covers?: ScopeCheck): OidcPrincipal {
  if (user === null) throw new BearerError('invalid_token', 'unknown_user')
  return userPrincipal(user, token, covers)
}

/** A grant that storage no longer has counts as revoked. */
const isActive = (c: RealmContext, grant: Grant | null): boolean =>
  grant !== null && grant.revoked_at === null && grant.expires_at > c.now()
