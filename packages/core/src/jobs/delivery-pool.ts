/**
 * Delivers back-channel logout tokens beside everything else: a receiver that hangs keeps no request, no other job and no
 * other receiver waiting. Places are shared out by host and by person.
 */

import type { RealmContext } from '../context.js'
import type { LogoutDelivery } from '../storage.js'
import { attemptDelivery, LEASE } from './logout-delivery.js'

/** Deliveries of one process at a time. */
const PLACES = 50
/** Of these, for one host and for one person. */
const SHARE = 5
/** Claims in a row of one realm: as long as each finds something. */
const CLAIMS = 10

export interface DeliveryPool {
  /** Starts due deliveries of a realm as far as there is room, and goes on when places come free. */
  start(c: RealmContext): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
  /** Starts no more and ends those under way, which are due again later. Resolves when all have ended. */
  stop(): Promise<void>
}

export function deliveryPool(): DeliveryPool {
  const running = new Set<Promise<void>>()
  const hosts = counter()
  const subs = counter()
  /** Claims that are under way: they take no place. */
  const claims = new Set<Promise<void>>()
  const claiming = new Map<string, { again: boolean }>()
  const stopping = new AbortController()

  function run(c: RealmContext, delivery: LogoutDelivery): void {
    const host = delivery.host
    const sub = nameOf(c.realm.id, delivery.sub)
    hosts.add(host)
    subs.add(sub)
    const attempt = attemptDelivery(c, delivery, stopping.signal)
      .catch((cause: unknown) => c.emit({ type: 'server.error', route: null, cause }))
      .then(() => {
        hosts.remove(host)
        subs.remove(sub)
        running.delete(attempt)
        start(c)
      })
    running.add(attempt)
  }

  async function claim(c: RealmContext): Promise<number> {
    const room = PLACES - running.size
    if (room <= 0 || stopping.signal.aborted) return 0
    const deliveries = await c.storage.logouts.claim({
      now: c.now(),
      lease: LEASE,
      limit: room,
      share: SHARE,
      except: { hosts: hosts.full(SHARE), subs: subs.full(SHARE).flatMap((name) => subOf(c.realm.id, name)) },
    })
    for (const delivery of deliveries) run(c, delivery)
    return deliveries.length
  }

  async function claimAll(c: RealmContext): Promise<void> {
    for (let claimed = 0; claimed < CLAIMS; claimed += 1) if ((await claim(c)) === 0) return
  }

  /** One claim of a realm at a time: those that come meanwhile are one more. */
  function start(c: RealmContext): void {
    const { id } = c.realm
    const known = claiming.get(id)
    if (known) {
      known.again = true
      return
    }
    const state = { again: false }
    claiming.set(id, state)
    const work = claimAll(c)
      .catch((cause: unknown) => c.emit({ type: 'server.error', route: null, cause }))
      .then(() => {
        claiming.delete(id)
        claims.delete(work)
        if (state.again) start(c)
      })
    claims.add(work)
  }

  async function settled(): Promise<void> {
    while (running.size + claims.size > 0) await Promise.all([...running, ...claims])
  }
  return {
    start,
    settled,
    async stop() {
      stopping.abort()
      await settled()
    },
  }
}

const nameOf = (realm: string, sub: string): string => JSON.stringify([realm, sub])

/** The sub of a name, when it is one of this realm. */
function subOf(realm: string, name: string): string[] {
  const parts: [string, string] = JSON.parse(name)
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
    full: (share: number) => [...counts].flatMap(([name, count]) => (count >= share ? name : [])),
  }
}
