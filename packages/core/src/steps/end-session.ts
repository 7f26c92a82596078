/** The end of a session: its grants end with it, and its clients are told (OpenID Connect Back-Channel Logout). */

import type { RealmContext } from '../context.js'
import type { SessionEnd } from '../events.js'
import { newId } from '../protocol/secret.js'
import type { Client, LogoutDelivery, Session } from '../storage.js'

/** False when somebody else has ended it already. */
export async function endSession(c: RealmContext, sid: string, reason: SessionEnd): Promise<boolean> {
  const session = await c.storage.sessions.end(sid)
  if (session === null) return false
  await Promise.all([c.storage.grants.revoke({ sid }, c.now()), notifyClients(c, session)])
  c.emit({ type: 'session.ended', sub: session.sub, sid, reason })
  return true
}

/** Deliveries are rows: nobody waits for them here, and a restart loses none. */
async function notifyClients(c: RealmContext, session: Session): Promise<void> {
  const clients = await Promise.all(session.client_ids.map((id) => c.storage.clients.find(id)))
  const deliveries = clients.flatMap((client) => (client ? logoutDelivery(c, client, session) : []))
  if (deliveries.length > 0) await c.storage.logouts.add(deliveries)
}

function logoutDelivery(c: RealmContext, client: Client, { sub, sid }: Session): LogoutDelivery[] {
  const { client_id, backchannel_logout_uri: uri, backchannel_logout_session_required, revoked_at } = client
  if (uri === null || revoked_at !== null) return []
  const session_required = backchannel_logout_session_required
  const delivery = { delivery_id: newId(c.random), client_id, sub, sid, uri, session_required }
  return [{ ...delivery, created_at: c.now(), attempts: 0, next_attempt_at: c.now() }]
}
