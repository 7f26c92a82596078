/** Follows a failover that the sentinels announce. */

import { Redis } from 'ioredis'
import type { RedisAddress } from './address.js'

export type SentinelAddress = Extract<RedisAddress, { kind: 'sentinel' }>

const RETRY_MS = 2000

/** How to connect to one of the sentinels. */
export const sentinelOptions = (
  { tls, sentinel_login }: SentinelAddress,
  { host, port }: SentinelAddress['nodes'][number],
) => ({ host, port, ...sentinel_login, ...(tls && { tls: {} }), connectTimeout: 3000 })

/**
 * Leaves the old master as soon as a sentinel announces another one. Sentinels make a replica of it, and disconnect its
 * clients, about ten seconds later: what it accepts until then is lost.
 */
export function followFailover(redis: Redis, address: SentinelAddress): void {
  let last = ''
  // Each sentinel announces the same failover.
  const follow = (announcement: string) => {
    if (announcement === last || announcement.split(' ')[0] !== address.name) return
    last = announcement
    // Otherwise it asks the sentinels anyway.
    if (redis.status === 'ready') redis.disconnect(true)
  }
  const sentinels = address.nodes.map(
    (node) =>
      new Redis({
        ...sentinelOptions(address, node),
        retryStrategy: () => RETRY_MS,
        maxRetriesPerRequest: null,
        enableReadyCheck: false,
      }),
  )
  for (const sentinel of sentinels) {
    // A sentinel may be away; without all of them, the connection to the master logs it.
    sentinel.on('error', () => {})
    sentinel.on('message', (_channel, announcement) => follow(announcement))
    sentinel.subscribe('+switch-master').catch(() => {})
  }
  redis.once('end', () => {
    for (const sentinel of sentinels) sentinel.disconnect()
  })
}
