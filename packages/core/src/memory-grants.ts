/** The grants of one realm, in memory: each with its code, its refresh tokens, and an index for every question. */

import { copied, copyOf, firstOf, multimap, type Purgeable } from './memory-maps.js'
import {
  type AuthorizationCode,
  type Grant,
  type GrantSelection,
  type GrantStore,
  type GrantsOfPerson,
  type RefreshToken,
  type RefreshTokenRotation,
  SPENT_REFRESH_TOKENS,
} from './storage.js'

interface Authorization {
  grant: Grant
  code: AuthorizationCode
  refresh_tokens: RefreshToken[]
}

export function grantStore(): GrantStore & Purgeable {
  const byId = new Map<string, Authorization>()
  const byCode = new Map<string, Authorization>()
  const byToken = new Map<string, { refresh_token: RefreshToken; of: Authorization }>()
  const bySession = multimap<Authorization>()
  const byUser = multimap<Authorization>()

  const succeed = (of: Authorization, next: RefreshTokenRotation) => {
    of.grant.expires_at = next.grant_expires_at
    if (!next.refresh_token) return
    const refresh_token = copied(next.refresh_token)
    of.refresh_tokens.push(refresh_token)
    byToken.set(refresh_token.token_hash, { refresh_token, of })
  }
  /** Before another token is spent, which stays. */
  const forgetSpent = (of: Authorization, now: number) => {
    const spent = of.refresh_tokens.filter(({ spent_at }) => spent_at !== null)
    const expired = spent.filter(({ expires_at }) => expires_at <= now)
    const surplus = spent.slice(0, Math.max(0, spent.length + 1 - SPENT_REFRESH_TOKENS))
    const gone = new Set([...expired, ...surplus])
    for (const { token_hash } of gone) byToken.delete(token_hash)
    if (gone.size > 0) of.refresh_tokens = of.refresh_tokens.filter((token) => !gone.has(token))
  }
  const forget = (gone: Authorization) => {
    byId.delete(gone.grant.grant_id)
    byCode.delete(gone.code.code_hash)
    for (const { token_hash } of gone.refresh_tokens) byToken.delete(token_hash)
    bySession.delete(gone.grant.sid, gone)
    byUser.delete(gone.grant.sub, gone)
  }
  const selected = (selection: GrantSelection): Grant[] => {
    if ('sid' in selection) {
      return bySession.get(selection.sid).flatMap(({ grant }) => (grant.offline ? [] : grant))
    }
    if ('sub' in selection) {
      const grants = byUser.get(selection.sub).map(({ grant }) => grant)
      return grants.filter((grant) => isSelected(grant, selection))
    }
    const found = byId.get(selection.grant_id)
    return found ? [found.grant] : []
  }
  return {
    async create(grant, code) {
      const created: Authorization = copied({ grant, code, refresh_tokens: [] })
      byId.set(grant.grant_id, created)
      byCode.set(code.code_hash, created)
      bySession.add(grant.sid, created)
      byUser.add(grant.sub, created)
    },
    find: async (grant_id) => copyOf(byId.get(grant_id)?.grant),
    async findCode(code_hash) {
      const found = byCode.get(code_hash)
      return found ? copied({ code: found.code, grant: found.grant }) : null
    },
    async redeemCode(code_hash, next, now) {
      const found = byCode.get(code_hash)
      if (!found || found.code.redeemed_at !== null) return false
      found.code.redeemed_at = now
      succeed(found, next)
      return true
    },
    async findRefreshToken(token_hash) {
      const found = byToken.get(token_hash)
      return found ? copied({ refresh_token: found.refresh_token, grant: found.of.grant }) : null
    },
    async rotateRefreshToken(token_hash, next, now) {
      const found = byToken.get(token_hash)
      if (!found || found.refresh_token.spent_at !== null) return false
      forgetSpent(found.of, now)
      found.refresh_token.spent_at = now
      succeed(found.of, next)
      return true
    },
    async revoke(selection, now) {
      const revoked = selected(selection).filter((grant) => grant.revoked_at === null)
      for (const grant of revoked) grant.revoked_at = now
      return revoked.length
    },
    async list(sub, now) {
      const grants = byUser.get(sub).map(({ grant }) => grant)
      return copied(grants.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now))
    },
    purge(now) {
      const gone = firstOf(byId.values(), ({ grant }) => grant.expires_at <= now)
      for (const authorization of gone) forget(authorization)
      return gone.length
    },
  }
}

function isSelected(grant: Grant, { client_id, resource, offline }: GrantsOfPerson): boolean {
  if (client_id !== undefined && grant.client_id !== client_id) return false
  if (resource !== undefined && grant.resource !== resource) return false
  return offline === undefined || !grant.offline
}
