/**
 * Sessions that reach their absolute lifetime end like any other: their grants with them, their clients told. An end
 * that another process began and did not finish is finished here.
 */

import type { RealmContext } from '../context.js'
import { endSession } from '../steps/end-session.js'

const MAX_SESSIONS = 100

/** Returns how many were ended. */
export async function expireSessions(c: RealmContext): Promise<number> {
  const sessions = await c.storage.sessions.expired(c.now(), MAX_SESSIONS)
  const ended = await Promise.all(sessions.map(({ sid }) => endSession(c, sid, 'expired')))
  return ended.filter(Boolean).length
}
