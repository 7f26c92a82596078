/**
 * Delivers back-channel logout tokens in the background, so that a receiver that does not answer delays neither requests
 * nor other jobs, and other receivers as little as possible: delivery-places.ts limits the deliveries that run in parallel.
 */

import type { RealmContext } from '../realm/context.js'
import { deliveryPlaces, type LeavePlace, MAX_PER_RECEIVER } from './delivery-places.js'
import { attemptDelivery, LEASE_SECONDS } from './logout-delivery.js'

/** Claims of one process at a time. */
const MAX_CLAIMS = 4

export interface DeliveryPool {
  /** Starts the due deliveries of a realm within the limits, and more of them when a delivery ends. */
  start(c: RealmContext): void
  /** Resolves when no delivery is under way. */
  settled(): Promise<void>
  /** Starts no more and ends those under way, which are due again later. Resolves when all have ended. */
  stop(): Promise<void>
}

export function deliveryPool(): DeliveryPool {
  const places = deliveryPlaces(claimInTurn)
  /** Claims and attempts under way. */
  const running = new Set<Promise<void>>()
  /** Realms that may have due deliveries. One that was served goes to the end, so that none waits for all of another's. */
  const waiting = new Map<string, RealmContext>()
  /** Realms for which a claim is under way. */
  const claiming = new Set<string>()
  const stopping = new AbortController()

  /** Adds the work to `running`. A failure becomes an event: no caller waits for the work. */
  function run(c: RealmContext, promise: Promise<void>): void {
    const work = promise
      .catch((cause: unknown) => c.emit({ type: 'server.error', route: null, cause }))
      .then(() => {
        running.delete(work)
        claimInTurn()
      })
    running.add(work)
  }

  function claimInTurn(): void {
    for (const [id, c] of waiting) {
      if (stopping.signal.aborted || claiming.size >= MAX_CLAIMS) return
      const room = claiming.has(id) ? 0 : places.reserve(id)
      if (room > 0) {
        waiting.delete(id)
        run(c, claim(c, room))
      }
    }
  }

  async function claim(c: RealmContext, room: number): Promise<void> {
    const { id } = c.realm
    claiming.add(id)
    try {
      const deliveries = await c.storage.logouts.claim({
        now: c.now(),
        lease: LEASE_SECONDS,
        limit: room,
        share: MAX_PER_RECEIVER,
        except: places.full(id),
      })
      for (const delivery of deliveries) {
        const leave = places.take({ realm: id, host: delivery.host, sub: delivery.sub })
        const attempt = attemptDelivery(c, delivery, stopping.signal).finally(() => waiting.set(id, c))
        run(c, endOf(attempt, leave))
      }
      // One claim considers only the first due deliveries: without those that now run, another may find more.
      if (deliveries.length > 0) waiting.set(id, c)
    } finally {
      claiming.delete(id)
      places.release(id, room)
    }
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }

  return {
    start(c) {
      waiting.set(c.realm.id, c)
      claimInTurn()
    },
    settled,
    async stop() {
      stopping.abort()
      await settled()
    },
  }
}

async function endOf(attempt: Promise<string | null>, leave: LeavePlace): Promise<void> {
  let timed_out = false
  try {
    timed_out = (await attempt) === 'timeout'
  } finally {
    leave({ timed_out })
  }
}
