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
}

export function oidcGuard({ challenge, context, emit }: OidcGuardOptions): Guard<OidcPrincipal> {
  return createGuard<OidcPrincipal>({
    challenge,
    validate: async (token) => validateBearer(await context(), token),
    on_refused: ({ code, reason }) => emit({ type: 'bearer.refused', error: code, reason }),
  })
}

async function validateBearer(c: RealmContext, token: string): Promise<OidcPrincipal> {
  const verified = await verifyOwnToken(c, token)
  const accepted = [
    c.realm.issuer,
    ...c.realm.resources.filter(({ external }) => !external).map(({ uri }) => uri),
  ]
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

/** Not revoked, and somebody is behind it. @throws BearerError */
export async function liveToken(c: RealmContext, token: AccessToken): Promise<OidcPrincipal> {
  const { jti, sub, client_id } = token.claims
  const grant_id = grantIdOf(jti)
  if (grant_id === null && sub === client_id) {
    const [revoked, client] = await Promise.all([
      c.storage.revoked_tokens.has(jti),
      c.storage.clients.find(client_id),
    ])
    if (revoked) throw new BearerError('invalid_token', 'revoked_token')
    if (client === null || client.revoked_at !== null) throw new BearerError('invalid_token', 'dead_client')
    return clientPrincipal(client, token)
  }
  const [revoked, user] = await Promise.all([
    grant_id === null ? c.storage.revoked_tokens.has(jti) : c.storage.grants.find(grant_id).then(isDead),
    c.accounts.find(sub, c.realm),
  ])
  if (revoked) throw new BearerError('invalid_token', 'revoked_token')
  if (user === null) throw new BearerError('invalid_token', 'unknown_user')
  return userPrincipal(user, token)
}

/** A grant that is gone counts as revoked. */
const isDead = (grant: Grant | null): boolean => grant === null || grant.revoked_at !== null
