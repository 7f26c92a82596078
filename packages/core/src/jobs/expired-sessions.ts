/**
 * Ends sessions that have reached their absolute lifetime: their grants are revoked and their clients notified. Also
 * ends sessions completely that another process has ended only in part.
 */

import { endSession } from '../authorize/end-session.js'
import type { RealmContext } from '../realm/context.js'

/** Sessions of one run. */
const MAX_SESSIONS = 100

/** Returns how many were ended. */
export async function expireSessions(c: RealmContext): Promise<number> {
  const sessions = await c.storage.sessions.expired(c.now(), MAX_SESSIONS)
  const ended = await Promise.all(sessions.map(({ sid }) => endSession(c, sid, 'expired')))
  return ended.filter(Boolean).length
}
