/** The back-channel logout deliveries of one realm, in memory. */

import type { LogoutDelivery, LogoutStore } from '../storage.js'
import { copied, nameOf } from './maps.js'

export function logoutStore(): LogoutStore & { hasDue(now: number): boolean } {
  const deliveries = new Map<string, LogoutDelivery>()
  return {
    hasDue: (now) => [...deliveries.values()].some(({ next_attempt_at }) => next_attempt_at <= now),
    async add(added) {
      const new_deliveries = added.filter(({ delivery_id }) => !deliveries.has(delivery_id))
      for (const delivery of new_deliveries) deliveries.set(delivery.delivery_id, copied(delivery))
    },
    async claim({ now, lease, limit, share, except }) {
      const due = [...deliveries.values()].filter(
        ({ next_attempt_at, host, sub }) =>
          next_attempt_at <= now && !except.hosts.includes(host) && !except.subs.includes(sub),
      )
      const firstAttemptsFirst = due.sort((a, b) => Math.min(a.attempts, 1) - Math.min(b.attempts, 1))
      const claimed = fairly(firstAttemptsFirst, share).slice(0, limit)
      for (const delivery of claimed) {
        delivery.next_attempt_at = now + lease
        delivery.attempts += 1
      }
      return copied(claimed)
    },
    async settle(delivery_id, next_attempt_at) {
      const delivery = deliveries.get(delivery_id)
      if (next_attempt_at === null) deliveries.delete(delivery_id)
      else if (delivery) delivery.next_attempt_at = next_attempt_at
    },
  }
}

/** At most `share` deliveries for one host, and for one user. */
function fairly(deliveries: LogoutDelivery[], share: number): LogoutDelivery[] {
  const taken = new Map<string, number>()
  return deliveries.filter(({ host, sub }) => {
    const names = [nameOf('host', host), nameOf('sub', sub)]
    if (names.some((name) => (taken.get(name) ?? 0) >= share)) return false
    for (const name of names) taken.set(name, (taken.get(name) ?? 0) + 1)
    return true
  })
}
