/** The grants of one realm, in memory, each with its code and its refresh tokens. */

import {
  type AuthorizationCode,
  type Grant,
  type GrantSelection,
  type GrantStore,
  type GrantsOfUser,
  MAX_SPENT_REFRESH_TOKENS,
  type RefreshToken,
  type RefreshTokenRotation,
} from '../storage.js'
import { copied, copyOf, firstOf, multimap, type Purgeable } from './maps.js'

interface StoredAuthorization {
  grant: Grant
  code: AuthorizationCode
  /** The newest one. */
  refresh_token: RefreshToken | null
  /** The others, in the order in which they expire. */
  spent: RefreshToken[]
}

export function grantStore(): GrantStore & Purgeable {
  const authorizations = indexedAuthorizations()
  return {
    create: async (grant, code) =>
      authorizations.add(copied({ grant, code, refresh_token: null, spent: [] })),
    find: async (grant_id) => copyOf(authorizations.byId.get(grant_id)?.grant),
    async findCode(code_hash) {
      const found = authorizations.byCode.get(code_hash)
      return found ? copied({ code: found.code, grant: found.grant }) : null
    },
    async redeemCode(code_hash, next, now) {
      const found = authorizations.byCode.get(code_hash)
      if (!found || found.code.redeemed_at !== null) return false
      found.code.redeemed_at = now
      found.grant.client_auth = next.client_auth
      found.grant.jkt = next.jkt
      authorizations.rotate(found, next)
      return true
    },
    async findRefreshToken(token_hash) {
      const found = authorizations.byToken.get(token_hash)
      return found ? copied({ refresh_token: found.refresh_token, grant: found.of.grant }) : null
    },
    async rotateRefreshToken(token_hash, next, now) {
      const found = authorizations.byToken.get(token_hash)
      if (!found || found.refresh_token.spent_at !== null) return false
      authorizations.spend(found.of, found.refresh_token, now)
      authorizations.rotate(found.of, next)
      return true
    },
    async renewRefreshToken(token_hash, { expires_at, grant_expires_at }) {
      const found = authorizations.byToken.get(token_hash)
      if (!found || found.refresh_token.spent_at !== null) return false
      found.refresh_token.expires_at = expires_at
      found.of.grant.expires_at = grant_expires_at
      return true
    },
    async revoke(selection, now) {
      const revoked = authorizations.selected(selection).filter((grant) => grant.revoked_at === null)
      for (const grant of revoked) grant.revoked_at = now
      return revoked.length
    },
    async revokeOfClient({ client_id, before }, now) {
      const grants = [...authorizations.byId.values()].map(({ grant }) => grant)
      const swept = grants.filter(
        (grant) => grant.client_id === client_id && grant.created_at < before && grant.revoked_at === null,
      )
      for (const grant of swept) grant.revoked_at = now
      return { count: swept.length, next: null }
    },
    async list(sub, now) {
      const grants = authorizations.selected({ sub })
      return copied(grants.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now))
    },
    purge(now) {
      const expired = firstOf(authorizations.byId.values(), ({ grant }) => grant.expires_at <= now)
      for (const authorization of expired) authorizations.remove(authorization)
      return expired.length
    },
  }
}

/** Authorizations with an index for each way to look them up. */
function indexedAuthorizations() {
  const byId = new Map<string, StoredAuthorization>()
  const byCode = new Map<string, StoredAuthorization>()
  const byToken = new Map<string, { refresh_token: RefreshToken; of: StoredAuthorization }>()
  const bySession = multimap<StoredAuthorization>()
  const byUser = multimap<StoredAuthorization>()

  return {
    byId,
    byCode,
    byToken,
    add(authorization: StoredAuthorization): void {
      const { grant, code } = authorization
      byId.set(grant.grant_id, authorization)
      byCode.set(code.code_hash, authorization)
      bySession.add(grant.sid, authorization)
      byUser.add(grant.sub, authorization)
    },
    remove(authorization: StoredAuthorization): void {
      const { grant, code, refresh_token, spent } = authorization
      byId.delete(grant.grant_id)
      byCode.delete(code.code_hash)
      if (refresh_token) byToken.delete(refresh_token.token_hash)
      for (const { token_hash } of spent) byToken.delete(token_hash)
      bySession.delete(grant.sid, authorization)
      byUser.delete(grant.sub, authorization)
    },
    rotate(of: StoredAuthorization, next: RefreshTokenRotation): void {
      of.grant.expires_at = next.grant_expires_at
      if (!next.refresh_token) return
      const refresh_token = copied(next.refresh_token)
      of.refresh_token = refresh_token
      byToken.set(refresh_token.token_hash, { refresh_token, of })
    },
    /** Marks the token spent. Deletes the expired ones and the oldest above the limit, which are the first ones. */
    spend({ spent }: StoredAuthorization, token: RefreshToken, now: number): void {
      const surplus = spent.length + 1 - MAX_SPENT_REFRESH_TOKENS
      const kept = spent.findIndex(({ expires_at }, index) => expires_at > now && index >= surplus)
      const forgotten = spent.splice(0, kept < 0 ? spent.length : kept)
      for (const { token_hash } of forgotten) byToken.delete(token_hash)
      token.spent_at = now
      const before = spent.findLastIndex(({ expires_at }) => expires_at <= token.expires_at)
      spent.splice(before + 1, 0, token)
    },
    selected(selection: GrantSelection): Grant[] {
      if ('sid' in selection)
        return bySession.get(selection.sid).flatMap(({ grant }) => (grant.offline ? [] : grant))
      if ('sub' in selection) {
        const grants = byUser.get(selection.sub).map(({ grant }) => grant)
        return grants.filter((grant) => isSelected(grant, selection))
      }
      const found = byId.get(selection.grant_id)
      return found ? [found.grant] : []
    },
  }
}

function isSelected(grant: Grant, { client_id, resource, offline }: GrantsOfUser): boolean {
  if (client_id !== undefined && grant.client_id !== client_id) return false
  if (resource !== undefined && grant.resource !== resource) return false
  return offline === undefined || !grant.offline
}
