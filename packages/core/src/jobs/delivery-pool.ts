/**
 * Delivers back-channel logout tokens in the background, so that a receiver that does not answer delays neither requests
 * nor other jobs. The number of parallel deliveries is limited: in all, for each host, and for each user.
 */

import type { RealmContext } from '../context.js'
import type { LogoutDelivery } from '../storage.js'
import { attemptDelivery, LEASE_SECONDS } from './logout-delivery.js'

/** Deliveries of one process at a time. */
const MAX_DELIVERIES = 50
/** Deliveries of one process at a time to one host, and for one user. */
const MAX_PER_RECEIVER = 5
/** Consecutive claims for one realm; they stop early when a claim finds nothing. */
const MAX_CLAIMS = 10

export interface DeliveryPool {
  /** Starts the due deliveries of a realm within the limits, and more of them when a delivery ends. */
  start(c: RealmContext): void
  /** Resolves when no delivery is under way. */
  settled(): Promise<void>
  /** Starts no more and ends those under way, which are due again later. Resolves when all have ended. */
  stop(): Promise<void>
}

export function deliveryPool(): DeliveryPool {
  const attempts = runningAttempts()
  /** Claims that are under way; they do not count toward the limits. */
  const claims = new Set<Promise<void>>()
  const claiming = new Map<string, { again: boolean }>()
  const stopping = new AbortController()

  async function claim(c: RealmContext): Promise<number> {
    const room = MAX_DELIVERIES - attempts.running.size
    if (room <= 0 || stopping.signal.aborted) return 0
    const deliveries = await c.storage.logouts.claim({
      now: c.now(),
      lease: LEASE_SECONDS,
      limit: room,
      share: MAX_PER_RECEIVER,
      except: attempts.full(c.realm.id),
    })
    for (const delivery of deliveries) {
      const attempt = guarded(c, attemptDelivery(c, delivery, stopping.signal))
      attempts.add({ realm: c.realm.id, delivery, attempt, ended: () => start(c) })
    }
    return deliveries.length
  }

  async function claimAll(c: RealmContext): Promise<void> {
    for (let claimed = 0; claimed < MAX_CLAIMS; claimed += 1) if ((await claim(c)) === 0) return
  }

  /** One series of claims runs for a realm at a time; all calls during it cause one more series. */
  function start(c: RealmContext): void {
    const { id } = c.realm
    const known = claiming.get(id)
    if (known) {
      known.again = true
      return
    }
    const state = { again: false }
    claiming.set(id, state)
    const work = guarded(c, claimAll(c)).then(() => {
      claiming.delete(id)
      claims.delete(work)
      if (state.again) start(c)
    })
    claims.add(work)
  }

  async function settled(): Promise<void> {
    while (attempts.running.size + claims.size > 0) await Promise.all([...attempts.running, ...claims])
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await settled()
  }

  return { start, settled, stop }
}

/** A failure becomes an event: no caller waits for the work. */
const guarded = (c: RealmContext, work: Promise<void>): Promise<void> =>
  work.catch((cause: unknown) => c.emit({ type: 'server.error', route: null, cause }))

interface RunningAttempt {
  realm: string
  delivery: LogoutDelivery
  /** Does not reject. */
  attempt: Promise<void>
  /** Called when the attempt no longer counts toward the limits. */
  ended(): void
}

/** The attempts that are under way, counted by host and by user. */
function runningAttempts() {
  const running = new Set<Promise<void>>()
  const hosts = counter()
  const subs = counter()
  return {
    running,
    add({ realm, delivery: { host, sub }, attempt, ended }: RunningAttempt): void {
      const name = userKey(realm, sub)
      hosts.add(host)
      subs.add(name)
      const work = attempt.then(() => {
        hosts.remove(host)
        subs.remove(name)
        running.delete(work)
        ended()
      })
      running.add(work)
    },
    /** The hosts that have reached their limit, and the users of this realm that have. */
    full: (realm: string) => ({
      hosts: hosts.full(MAX_PER_RECEIVER),
      subs: subs.full(MAX_PER_RECEIVER).flatMap((name) => subsOfRealm(realm, name)),
    }),
  }
}

const userKey = (realm: string, sub: string): string => JSON.stringify([realm, sub])

/** The `sub` of a user key, as a list: empty when the key belongs to another realm. */
function subsOfRealm(realm: string, key: string): string[] {
  const parts: [string, string] = JSON.parse(key)
  return parts[0] === realm ? [parts[1]] : []
}

function counter() {
  const counts = new Map<string, number>()
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    remove(name: string): void {
      const left = (counts.get(name) ?? 0) - 1
      if (left > 0) counts.set(name, left)
      else counts.delete(name)
    },
    full: (limit: number) => [...counts].flatMap(([name, count]) => (count >= limit ? name : [])),
  }
}
