/** Delivers back-channel logout tokens: OpenID Connect Back-Channel Logout §2.5, §2.7. */

import type { RealmContext } from '../context.js'
import { currentKey } from '../steps/signing-keys.js'
import type { LogoutDelivery } from '../storage.js'
import { signJwt } from '../tokens/jwt.js'
import { logoutTokenClaims } from '../tokens/logout-token.js'

const BATCH = 20
/** Milliseconds that one receiver may take in all. */
const TIMEOUT = 10_000
/** Seconds that a claimed delivery is nobody else's: longer than a try can take. */
const LEASE = 30
const HOUR = 3600
/** Seconds after the session's end: three quick tries, then hourly for a day. */
const SCHEDULE = [0, 10, 60, ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR)]

/** Returns how many receivers have confirmed. */
export async function deliverLogouts(c: RealmContext): Promise<number> {
  const due = await c.storage.logouts.claim(c.now(), LEASE, BATCH)
  const delivered = await Promise.all(due.map((delivery) => attempt(c, delivery)))
  return delivered.filter(Boolean).length
}

async function attempt(c: RealmContext, delivery: LogoutDelivery): Promise<boolean> {
  const { delivery_id, client_id, sid, attempts } = delivery
  // The delivery stands, so the session's end is stored in full; finished again later, it would be told again.
  await c.storage.sessions.forget(sid)
  const client = await c.storage.clients.find(client_id)
  const failure = client?.revoked_at === null ? await send(c, delivery) : 'dead_client'
  const next = failure === null || failure === 'dead_client' ? null : nextAttempt(delivery, c.now())
  await c.storage.logouts.settle(delivery_id, next)
  if (failure === null) c.emit({ type: 'logout.delivered', client_id, sid, attempts })
  else c.emit({ type: 'logout.failed', client_id, sid, attempts, reason: failure, next_attempt_at: next })
  return failure === null
}

/** Null when the receiver has confirmed with any 2xx; otherwise why not. A redirect is not followed. */
async function send(c: RealmContext, { uri, client_id, sub, sid }: LogoutDelivery): Promise<string | null> {
  const now = c.now()
  const expires_at = now + c.realm.settings.tokens.logout_token
  const claims = logoutTokenClaims({ issuer: c.realm.issuer, client_id, sub, sid, now, expires_at }, c.random)
  const logout_token = await signJwt(await currentKey(c), 'logout+jwt', claims)
  try {
    const response = await c.fetch(uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token }).toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    await response.body?.cancel()
    return response.ok ? null : `status_${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : 'unreachable'
  }
}

/** When to try again, or null to give up. After an outage the tries do not come all at once. */
function nextAttempt({ created_at, attempts }: LogoutDelivery, now: number): number | null {
  const offset = SCHEDULE[attempts]
  return offset === undefined ? null : Math.max(created_at + offset, now + 10)
}
