/** The guard of the same application: RFC 9068 §4, and what only the provider knows, its own revocations. */

import {
  type AccessToken,
  BearerError,
  clientPrincipal,
  createGuard,
  type Guard,
  type Principal,
  userPrincipal,
  verifyAccessToken,
} from '@ostiary/resource-server'
import type { RealmContext } from '../context.js'
import type { Account } from '../ports.js'
import type { Client, Grant } from '../storage.js'
import { grantIdOf } from '../tokens/access-token.js'
import { isPublished, publishedKey } from './signing-keys.js'

/** Who is behind a verified bearer token: a user of the application, or a client for itself. */
export type OidcPrincipal = Principal<Account, Client>

/** What a guard's challenges say: they point at one resource's document, or at the realm's root one. */
export interface GuardChallenge {
  realm: string
  resource_metadata: string
}

export interface OidcGuardOptions {
  challenge: GuardChallenge
  context(): Promise<RealmContext>
  emit: RealmContext['emit']
  /** Also accepts tokens for external resources: for UserInfo (OpenID Connect Core §5.3). */
  external?: boolean
}

export function oidcGuard({
  challenge,
  context,
  emit,
  external = false,
}: OidcGuardOptions): Guard<OidcPrincipal> {
  return createGuard<OidcPrincipal>({
    challenge,
    validate: async (token) => validateBearer(await context(), token, external),
    on_refused: ({ code, reason }) => emit({ type: 'bearer.refused', error: code, reason }),
  })
}

async function validateBearer(c: RealmContext, token: string, external: boolean): Promise<OidcPrincipal> {
  const verified = await verifyOwnToken(c, token)
  const resources = c.realm.resources.filter((resource) => external || !resource.external)
  const accepted = [c.realm.issuer, ...resources.map(({ uri }) => uri)]
  if (!verified.audience.some((audience) => accepted.includes(audience)))
    throw new BearerError('invalid_token', 'wrong_audience')
  return liveToken(c, verified)
}

/** Signature, `typ`, issuer and times. @throws BearerError */
export async function verifyOwnToken(c: RealmContext, token: string): Promise<AccessToken> {
  const known = c.verified.get(token, c.now())
  // Another realm's token is not ours, and one whose key is no longer published is nobody's.
  if (known && known.claims.iss === c.realm.issuer && (await isPublished(c, known.kid))) return known
  let used = ''
  const verified = await verifyAccessToken(token, {
    issuer: c.realm.issuer,
    now: c.now(),
    clock_tolerance: 0,
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
 * Not revoked, and its client or user is still there. A token without a grant is believed less, as only a signature says
 * where it comes from: its client must be live, and a user token must have the `act` of an exchange.
 * @throws BearerError
 */
export async function liveToken(c: RealmContext, token: AccessToken): Promise<OidcPrincipal> {
  const { jti, sub, client_id } = token.claims
  const grant_id = grantIdOf(jti)
  if (grant_id !== null) {
    const [grant, user] = await Promise.all([c.storage.grants.find(grant_id), c.accounts.find(sub, c.realm)])
    if (!isLive(c, grant)) throw new BearerError('invalid_token', 'revoked_token')
    return principalOf(user, token)
  }
  const [revoked, client] = await Promise.all([
    c.storage.revoked_tokens.has(jti),
    c.storage.clients.find(client_id),
  ])
  if (revoked) throw new BearerError('invalid_token', 'revoked_token')
  if (client === null || client.revoked_at !== null) throw new BearerError('invalid_token', 'revoked_client')
  if (sub === client_id) return clientPrincipal(client, token)
  if (token.claims.act === undefined) throw new BearerError('invalid_token', 'user_token_without_grant')
  return principalOf(await c.accounts.find(sub, c.realm), token)
}

function principalOf(user: Account | null, token: AccessToken): OidcPrincipal {
  if (user === null) throw new BearerError('invalid_token', 'unknown_user')
  return userPrincipal(user, token)
}

/** A grant that is gone counts as revoked. */
const isLive = (c: RealmContext, grant: Grant | null): boolean =>
  grant !== null && grant.revoked_at === null && grant.expires_at > c.now()
