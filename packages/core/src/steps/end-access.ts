/** Ends the access that a user has given: sessions, grants and all their tokens. */

import type { RealmContext } from '../context.js'
import type { SessionEndReason } from '../events.js'
import type { GrantsOfUser } from '../storage.js'
import { endSession } from './end-session.js'

/** Returns how many grants were revoked. Codes, refresh tokens and access tokens of each are refused from now on. */
export async function revokeGrants(c: RealmContext, selection: GrantsOfUser): Promise<number> {
  const revoked = await c.storage.grants.revoke(selection, c.now())
  const { sub, client_id = null } = selection
  if (revoked > 0) c.emit({ type: 'grant.revoked', sub, client_id, grants: revoked })
  return revoked
}

export interface EndAccessOptions {
  /** For the events of the sessions. */
  reason: SessionEndReason
  /** A session that is not ended. */
  keep_sid?: string
}

/** Sessions that are ended at the same time. */
const MAX_PARALLEL_ENDS = 10

/**
 * Ends all sessions of a user and revokes all grants, offline ones too. The sessions end first: without a session, a
 * request that is under way cannot store a new grant.
 */
export async function endAccess(
  c: RealmContext,
  sub: string,
  { reason, keep_sid }: EndAccessOptions,
): Promise<{ sessions: number; grants: number }> {
  const all = await c.storage.sessions.list(sub)
  const others = all.filter(({ sid }) => sid !== keep_sid)
  let sessions = 0
  for (let at = 0; at < others.length; at += MAX_PARALLEL_ENDS) {
    const batch = others.slice(at, at + MAX_PARALLEL_ENDS)
    const ended = await Promise.all(batch.map(({ sid }) => endSession(c, sid, reason)))
    sessions += ended.filter(Boolean).length
  }
  return { sessions, grants: await revokeGrants(c, { sub }) }
}
