/** Ends the access that a user has given: sessions, grants and all their tokens. */

import type { RealmContext } from '../realm/context.js'
import type { SessionEndReason } from '../realm/events.js'
import type { GrantsOfUser } from '../storage/storage.js'
import { inParallel } from '../util/in-parallel.js'
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

/** Ends all sessions of a user. Returns the `sid` of each that was not ended before, and the number of their grants. */
export async function endSessions(
  c: RealmContext,
  sub: string,
  { reason, keep_sid }: EndAccessOptions,
): Promise<{ sids: string[]; grants: number }> {
  const sids = (await c.storage.sessions.list(sub)).map(({ sid }) => sid)
  const others = sids.filter((sid) => sid !== keep_sid)
  const ended = await inParallel(others, MAX_PARALLEL_ENDS, (sid) => endSession(c, sid, reason))
  const grants = ended.reduce((sum, end) => sum + (end?.grants ?? 0), 0)
  return { sids: others.filter((_, index) => ended[index] !== null), grants }
}

/**
 * Ends all sessions of a user and revokes all grants, offline ones too; returns the numbers of both. The sessions end first:
 * without a session, a request that is under way cannot store a new grant.
 */
export async function endAccess(
  c: RealmContext,
  sub: string,
  options: EndAccessOptions,
): Promise<{ sessions: number; grants: number }> {
  const { sids, grants } = await endSessions(c, sub, options)
  return { sessions: sids.length, grants: grants + (await revokeGrants(c, { sub })) }
}
