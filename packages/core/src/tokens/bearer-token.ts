/** Whether an access token of this issuer is good: RFC 9068 §4, and what only the provider knows. */

import {
  type AccessToken,
  BearerError,
  clientPrincipal,
  type Principal,
  type ScopeCheck,
  userPrincipal,
  verifyAccessToken,
} from '@ostiary/resource-server'
import type { RealmContext } from '../realm/context.js'
import type { Account } from '../realm/ports.js'
import type { Realm } from '../realm/realm.js'
import type { RefusalReason } from '../refusals/hints.js'
import type { Client, Grant } from '../storage/storage.js'
import { tokenOrigin } from './access-token.js'
import { requireAccess, requireClientAccess } from './grant-access.js'
import { hasGrantEnded, isRevoked } from './grant-lifetime.js'
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
    dpop: c.realm.policy.proofs !== null,
    algorithms: c.realm.policy.token_algorithms,
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

/** What an access token is presented for. */
export type TokenUse = 'guard' | 'userinfo' | 'introspection' | 'exchange'

/** Why a token that the realm has signed, and that has not expired, is not good. */
type TokenFault =
  | 'wrong_audience'
  | 'dpop_required'
  | 'revoked_token'
  | 'revoked_client'
  | 'unknown_user'
  | 'user_token_without_grant'
  | 'foreign_grant'
  | 'malformed_jti'

interface PresentedToken {
  use: TokenUse
  /** The URIs of the resources whose tokens alone are accepted. */
  audience?: readonly string[] | undefined
  /** What the principal's `tokenCan` asks; by default only the token's own scopes count. */
  covers?: ScopeCheck | undefined
}

const fault = (reason: TokenFault): BearerError =>
  new BearerError('invalid_token', reason satisfies RefusalReason)

/** The principal of a token as it was presented, with its token. @throws BearerError */
export async function presentedPrincipal(
  c: RealmContext,
  token: string,
  presented: PresentedToken,
): Promise<OidcPrincipal> {
  const verified = await verifyOwnToken(c, token)
  // Awaited: a promise that an async function returns is waited for three times.
  return await activePrincipal(c, verified, presented)
}

/**
 * The principal of a verified token. Nothing else decides whether an access token is good: every use asks here, and only the
 * audience depends on the use. A token of a user is good while its grant is. A token without a grant, and an exchanged one, can
 * be revoked alone, and its client must be live.
 * @throws BearerError
 */
export async function activePrincipal(
  c: RealmContext,
  token: AccessToken,
  { use, audience, covers }: PresentedToken,
): Promise<OidcPrincipal> {
  if (!hasAudience(c.realm, token, { use, audience })) throw fault('wrong_audience')
  if (lacksBinding(c.realm, token)) throw fault('dpop_required')
  const { jti, sub, client_id } = token.claims
  const origin = tokenOrigin(jti)
  if (origin === null) throw fault('malformed_jti')
  const { grant_id, exchanged } = origin
  if (grant_id === null) {
    const client = await liveClient(c, token)
    if (sub !== client_id) throw fault('user_token_without_grant')
    return clientPrincipal(client, token, covers)
  }
  const grant = { grant_id, exchanged }
  const [other, held] = exchanged
    ? await Promise.all([liveClient(c, token), heldGrant(c, token, grant)])
    : [null, await heldGrant(c, token, grant)]
  if (use === 'exchange') await requireAccessOf(c, held, other)
  return userPrincipal(held.user, token, covers)
}

/** By the rules of the client of the grant, and of another one that has exchanged the token. @throws OAuthError `invalid_grant` */
async function requireAccessOf(c: RealmContext, held: TokenGrant, other: Client | null): Promise<void> {
  const { client, ...others } = held
  if (client !== null) await requireAccess(c, { client, ...others })
  if (other !== null) requireClientAccess(c, { client: other, ...others })
}

interface TokenGrant {
  /** Null: it is not stored. */
  client: Client | null
  user: Account
  grant: Grant
}

/** Whether it is a bearer token, and one of its resources takes bound tokens alone. */
function lacksBinding({ policy, resources }: Realm, { audience, claims }: AccessToken): boolean {
  if (policy.proofs === null || claims.cnf !== undefined) return false
  return (
    policy.proofs.every_token ||
    resources.some(({ uri, bound_tokens_only }) => bound_tokens_only && audience.includes(uri))
  )
}

/** The client of a token that may have been revoked alone. @throws BearerError */
async function liveClient(c: RealmContext, { claims }: AccessToken): Promise<Client> {
  const [revoked, client] = await Promise.all([
    c.storage.revoked_tokens.has(claims.jti),
    c.storage.clients.find(claims.client_id),
  ])
  if (revoked) throw fault('revoked_token')
  if (client === null || client.revoked_at !== null) throw fault('revoked_client')
  return client
}

/** A grant that storage no longer has counts as revoked. @throws BearerError */
async function heldGrant(
  c: RealmContext,
  { claims: { sub, client_id } }: AccessToken,
  { grant_id, exchanged }: { grant_id: string; exchanged: boolean },
): Promise<TokenGrant> {
  const reading = c.storage.grants.find(grant_id)
  const [grant, user, client] = await Promise.all([
    reading,
    c.accounts.find(sub, c.realm, reading),
    // An exchanged token has the grant of another client, whose mark ends it too.
    exchanged
      ? reading.then((found) => found && c.storage.clients.find(found.client_id))
      : c.storage.clients.find(client_id),
  ])
  if (grant === null || isRevoked(grant, client) || hasGrantEnded(c, grant)) throw fault('revoked_token')
  if (user === null) throw fault('unknown_user')
  if (grant.sub !== sub || (!exchanged && grant.client_id !== client_id)) throw fault('foreign_grant')
  return { client, user, grant }
}

/**
 * The guard is for the APIs of this application, and UserInfo for those of others too (OpenID Connect Core §5.3). Introspection
 * and exchange check instead whether the caller has a right to the token.
 */
function hasAudience({ issuer, resources }: Realm, token: AccessToken, { use, audience }: PresentedToken) {
  const isFor = (uri: string) => token.audience.includes(uri)
  if (audience) return audience.some(isFor)
  if (use === 'introspection' || use === 'exchange' || isFor(issuer)) return true
  return resources.some(({ uri, external }) => (use === 'userinfo' || !external) && isFor(uri))
}
