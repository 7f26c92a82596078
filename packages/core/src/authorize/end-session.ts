/** Ends a session: its grants are revoked, and its clients are notified (OpenID Connect Back-Channel Logout). */

import type { RealmContext } from '../realm/context.js'
import type { SessionEndReason } from '../realm/events.js'
import type { Client, LogoutDelivery, Session } from '../storage/storage.js'
import { sha256 } from '../util/secret.js'

/** Seconds that this server has to finish the end of a session; after that, another server does. */
const LEASE_SECONDS = 30

/** What has ended with a session. */
export interface SessionEnd {
  /** The number of its grants that were revoked. */
  grants: number
}

/**
 * Null when the session has already ended. The session is invalid at once. If this process dies before its grants are
 * revoked and its deliveries stored, `expireSessions` of any server finds the session and calls this again.
 */
export async function endSession(
  c: RealmContext,
  sid: string,
  reason: SessionEndReason,
): Promise<SessionEnd | null> {
  const session = await c.storage.sessions.end(sid, c.now(), LEASE_SECONDS)
  if (session === null) return null
  const grants = await c.storage.grants.revoke({ sid }, c.now())
  await notifyClients(c, session)
  await c.storage.sessions.forget(sid)
  c.emit({ type: 'session.ended', sub: session.sub, sid, reason })
  return { grants }
}

/** Deliveries are stored and sent later by jobs/delivery-pool.ts, so a restart loses none. */
async function notifyClients(c: RealmContext, session: Session): Promise<void> {
  const clients = await Promise.all(session.client_ids.map((id) => c.storage.clients.find(id)))
  const deliveries = clients.flatMap((client) => (client ? logoutDelivery(c, client, session) : []))
  if (deliveries.length > 0) await c.storage.logouts.add(deliveries)
}

/** Its id is derived from session and client: if another server finishes the end, no client is notified twice. */
function logoutDelivery(c: RealmContext, client: Client, { sub, sid }: Session): LogoutDelivery[] {
  const { client_id, backchannel_logout_uri: uri, backchannel_logout_session_required, revoked_at } = client
  if (uri === null || revoked_at !== null) return []
  return [
    {
      delivery_id: `${sid}.${sha256(client_id)}`,
      client_id,
      sub,
      sid,
      uri,
      host: new URL(uri).host,
      session_required: backchannel_logout_session_required,
      created_at: c.now(),
      attempts: 0,
      next_attempt_at: c.now(),
    },
  ]
}
