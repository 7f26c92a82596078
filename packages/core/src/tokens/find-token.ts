/** Finds the record of a token string, for introspection and revocation. */

import { type AccessToken, BearerError } from '@ostiary/resource-server'
import type { RealmContext } from '../realm/context.js'
import type { Grant, RefreshToken } from '../storage/storage.js'
import { presentedHash } from '../storage/tag.js'
import { verifyOwnToken } from './bearer-token.js'

export type TokenMatch =
  | { kind: 'access_token'; client_id: string; token: AccessToken }
  | { kind: 'refresh_token'; client_id: string; refresh_token: RefreshToken; grant: Grant }

/** `token_type_hint` decides only which look-up comes first; an unknown hint is ignored. */
export async function findToken(
  c: RealmContext,
  token: string,
  hint: string | null,
): Promise<TokenMatch | null> {
  const lookups =
    hint === 'refresh_token' ? [findRefreshToken, findAccessToken] : [findAccessToken, findRefreshToken]
  for (const lookup of lookups) {
    const found = await lookup(c, token)
    if (found) return found
  }
  return null
}

/** A token of this issuer that has not expired; it may be revoked. */
async function findAccessToken(c: RealmContext, value: string): Promise<TokenMatch | null> {
  try {
    const token = await verifyOwnToken(c, value)
    return { kind: 'access_token', client_id: token.claims.client_id, token }
  } catch (error) {
    if (error instanceof BearerError) return null
    throw error
  }
}

async function findRefreshToken(c: RealmContext, value: string): Promise<TokenMatch | null> {
  const token_hash = presentedHash(c.hashes, value)
  const found = token_hash === null ? null : await c.storage.grants.findRefreshToken(token_hash)
  return found && { kind: 'refresh_token', client_id: found.grant.client_id, ...found }
}
