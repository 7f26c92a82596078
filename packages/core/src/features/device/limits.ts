/** Limits of device authorization requests, of polls, and of user codes that are entered (RFC 8628 §5.1, §5.2). */

import { kindCounter } from '../../authorize/pending-request.js'
import type { OAuthError } from '../../http/errors.js'
import type { Context } from '../../realm/context.js'
import type { CatalogReason } from '../../refusals/hints.js'
import { countUnderCeiling, shareCounter, shareOf, throttledError } from '../../request/ceiling.js'
import { addressKeys, counterOf, networksOf } from '../../request/counter-keys.js'
import type { Client } from '../../storage/storage.js'
import { DEVICE_CODE_LIFETIME } from './requests.js'

/** In which requests and guesses are counted: the lifetime of a code. */
const WINDOW_SECONDS = DEVICE_CODE_LIFETIME
/** Requests that are stored: of a client from an address, and of the realm. */
const MAX_REQUESTS_OF_ADDRESS = 20
const MAX_REQUESTS = 10_000

/**
 * Counts one request that will be stored. The clients of the operator are counted apart from those with documents.
 * @throws OAuthError `temporarily_unavailable` 429 with `Retry-After`
 */
export async function countDeviceRequest(c: Context, client: Client): Promise<void> {
  const release = await countUnderCeiling(c, {
    counter: kindCounter('device', client),
    of: 'realm',
    max: MAX_REQUESTS,
    window_seconds: WINDOW_SECONDS,
    what: 'device authorization requests',
    status: 429,
  })
  const own = counted(c)
  for (const { key, factor } of networksOf(c)) {
    const hits = await own.hit(counterOf(`device-client:${client.client_id}`, key))
    if (hits <= MAX_REQUESTS_OF_ADDRESS * factor) continue
    await Promise.all([release(), own.release()])
    throw tooMany(c, 'Too many devices of this client wait for an answer', 'too_many_device_requests')
  }
}

/** Hits of one request, which can be taken back together. */
function counted(c: Context): { hit(key: string): Promise<number>; release(): Promise<void> } {
  const now = c.now()
  const keys: string[] = []
  const { throttle } = c.storage
  return {
    hit(key) {
      keys.push(key)
      return throttle.hit(key, WINDOW_SECONDS, now)
    },
    async release() {
      await Promise.all(keys.map((key) => throttle.release(key, WINDOW_SECONDS, now)))
    },
  }
}

/** Seconds between two polls (RFC 8628 §3.2). */
export const POLL_INTERVAL = 5

/**
 * Counts one poll of a request that waits. One that comes too early takes the next interval too, so that the device has to
 * wait 5 seconds longer (RFC 8628 §3.5).
 * @returns Whether it came too early.
 */
export async function isEarlyPoll(c: Context, device_hash: string): Promise<boolean> {
  const key = `device-poll:${device_hash}`
  const hits = await c.storage.throttle.hit(key, POLL_INTERVAL, c.now())
  if (hits === 1) return false
  await c.storage.throttle.hit(key, POLL_INTERVAL, c.now() + POLL_INTERVAL)
  return true
}

/** Entered codes that are not right. */
const MAX_GUESSES_OF_USER = 10
/** Of an IPv4 address or a /64. */
const MAX_GUESSES_OF_ADDRESS = 30
/** Of which one IPv4 address, or one /48, has its share. */
const MAX_GUESSES = 1000

/**
 * Counts one user code that somebody has entered, before it is looked up.
 * @returns What takes it back: the code was right.
 * @throws OAuthError `temporarily_unavailable` 429 with `Retry-After`
 */
export async function countGuess(c: Context, sub: string): Promise<() => Promise<void>> {
  const { hit, release } = counted(c)
  const refuse = async () => {
    await release()
    throw tooMany(c, 'Too many codes were entered that are not right', 'too_many_user_codes')
  }
  if ((await hit(`device-user:${sub};`)) > MAX_GUESSES_OF_USER) await refuse()
  const used = await hit('device-guesses')
  if (used > MAX_GUESSES) await refuse()
  const address = addressKeys(c.address)
  for (const { key, share, factor } of networksOf(c)) {
    // The share of an IPv6 site belongs to its /48 as a whole.
    const has_share = share < 1 && !(address.site !== null && key === address.address)
    const own = has_share ? await hit(shareCounter('device-guesses', key)) : 0
    if (has_share && own > shareOf(MAX_GUESSES, used, share)) await refuse()
    if ((await hit(counterOf('device-guess', key))) > MAX_GUESSES_OF_ADDRESS * factor) await refuse()
  }
  return release
}

function tooMany(c: Context, description: string, reason: CatalogReason): OAuthError {
  const retry_after = WINDOW_SECONDS - (c.now() % WINDOW_SECONDS)
  return throttledError(`${description}. Try again later.`, { reason, retry_after })
}
