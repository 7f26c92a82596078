/** Delivers back-channel logout tokens: OpenID Connect Back-Channel Logout §2.5, §2.7. */

import { signJwt } from '../crypto/keys.js'
import type { RealmContext } from '../realm/context.js'
import { LOGOUT_TOKEN_LIFETIME } from '../realm/realm.js'
import type { Client, LogoutDelivery } from '../storage/storage.js'
import { logoutTokenClaims } from '../tokens/logout-token.js'
import { currentKey } from '../tokens/signing-keys.js'
import { idTokenAlgorithm } from '../util/signing-algorithms.js'
import { unlessAborted } from '../util/unless-aborted.js'

/** The time limit of one attempt, including the look-up of the host name. */
const TIMEOUT_MS = 10_000
/** Seconds that a claimed delivery is kept from other servers: longer than an attempt can take. */
export const LEASE_SECONDS = 30
const HOUR_SECONDS = 3600
/** Seconds after the session's end: three quick attempts, then hourly for a day. */
const ATTEMPT_OFFSETS = [0, 10, 60, ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR_SECONDS)]

/**
 * Makes one attempt. Afterwards the delivery is deleted or due again.
 * @param stopped Aborts the attempt.
 * @returns The reason of a failure, or null.
 */
export async function attemptDelivery(
  c: RealmContext,
  delivery: LogoutDelivery,
  stopped: AbortSignal,
): Promise<string | null> {
  const { delivery_id, client_id, sid, attempts } = delivery
  // The delivery is stored, so the session has ended completely; no server has to finish its end again.
  await c.storage.sessions.forget(sid)
  const receiver = receiverOf(await c.storage.clients.find(client_id))
  const failure =
    typeof receiver === 'string' ? receiver : await send(c, { ...delivery, ...receiver }, stopped)
  const again = failure !== null && typeof receiver !== 'string'
  const next_attempt_at = again ? nextAttempt(delivery, c.now()) : null
  await c.storage.logouts.settle(delivery_id, next_attempt_at)
  if (failure === null) c.emit({ type: 'logout.delivered', client_id, sid, attempts })
  else c.emit({ type: 'logout.failed', client_id, sid, attempts, reason: failure, next_attempt_at })
  return failure
}

/** The client, and the address that it has now: the operator may have changed it since the session ended. */
interface Receiver {
  client: Client
  address: string
}

/** The reason why there is no receiver, as text. Then the delivery ends. */
function receiverOf(client: Client | null): Receiver | 'revoked_client' | 'no_logout_uri' {
  if (client === null || client.revoked_at !== null) return 'revoked_client'
  const { backchannel_logout_uri: address } = client
  return address === null ? 'no_logout_uri' : { client, address }
}

/** Null when the receiver has answered with any 2xx; otherwise the reason. A redirect is not followed. */
async function send(
  c: RealmContext,
  delivery: LogoutDelivery & Receiver,
  stopped: AbortSignal,
): Promise<string | null> {
  const { address, client, client_id, sub, sid } = delivery
  const now = c.now()
  const expires_at = now + LOGOUT_TOKEN_LIFETIME
  const claims = logoutTokenClaims({ issuer: c.realm.issuer, client_id, sub, sid, now, expires_at }, c.random)
  const key = await currentKey(c, idTokenAlgorithm(c.realm.settings.keys, client))
  const logout_token = await signJwt(key, 'logout+jwt', claims)
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const request = fetchFor(c, client)(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token }).toString(),
      redirect: 'manual',
      signal,
    })
    // An implementation of fetch may ignore the signal, for example while it resolves a name.
    const response = await unlessAborted(signal, request)
    response.body?.cancel().catch(() => {})
    return response.ok ? null : `status_${response.status}`
  } catch (error) {
    if (stopped.aborted) return 'stopped'
    return signal.aborted ? 'timeout' : reasonOf(error)
  }
}

const fetchFor = (c: RealmContext, { origin }: Client): typeof fetch =>
  origin === 'operator' ? c.fetch_of_operator : c.fetch

/** An error code of the runtime or of the host's fetch. Any other text could repeat what the receiver or its DNS sent. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown }
  const found = [code, message].find((text) => typeof text === 'string' && /^[A-Za-z_]{1,40}$/.test(text))
  if (typeof found === 'string') return found
  return cause instanceof Error ? reasonOf(cause) : 'unreachable'
}

/** When to try again, or null to give up. After an outage, overdue attempts are at least 10 seconds apart. */
function nextAttempt({ created_at, attempts }: LogoutDelivery, now: number): number | null {
  const offset = ATTEMPT_OFFSETS[attempts]
  return offset === undefined ? null : Math.max(created_at + offset, now + 10)
}
