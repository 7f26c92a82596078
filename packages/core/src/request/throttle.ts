/** Limits for the requests of one address, and of one session. */

import { tooManyRequests } from '../http/errors.js'
import type { Context } from '../realm/context.js'
import type { Session } from '../storage/storage.js'
import { counterOf, networksOf } from './counter-keys.js'

const MINUTE_SECONDS = 60

/**
 * Counts one request of the client's address. The wider network is counted first, and a refusal there stores no counter for
 * the address: this bounds the number of records that one site can cause.
 * @throws OAuthError `temporarily_unavailable` 429 with `Retry-After`
 */
export async function throttle(c: Context, name: string, per_minute: number): Promise<void> {
  for (const { key, factor } of networksOf(c)) await count(c, counterOf(name, key), per_minute * factor)
}

/** Questions (for consent, or whether to sign out) that one session may cause in a minute. */
const MAX_PER_SESSION = 60

/** @throws OAuthError `temporarily_unavailable` 429 with `Retry-After` */
export async function throttleSession(c: Context, { sid }: Session, name: string): Promise<void> {
  await count(c, `${name}:${sid}`, MAX_PER_SESSION)
}

async function count(c: Context, key: string, per_minute: number): Promise<void> {
  const hits = await c.storage.throttle.hit(key, MINUTE_SECONDS, c.now())
  if (hits > per_minute) throw tooManyRequests(MINUTE_SECONDS - (c.now() % MINUTE_SECONDS))
}
