/** The connection to Redis, its lines in the log, and the proof that it accepts writes. */

import { Cluster, Command } from 'ioredis'
import type { RedisAddress } from '../config/redis-address.js'
import { errorFields, type Log } from '../log/log.js'
import { type RedisClient, redisClient } from './redis-client.js'
import { followFailover } from './redis-sentinels.js'

export function connectRedis(address: RedisAddress, log: Log): RedisClient {
  const redis = redisClient(address)
  let unavailable = false
  // Each attempt to connect is an error: one line for all of them.
  redis.on('error', (error) => {
    if (!unavailable) log.warn('redis is unavailable', errorFields(error.lastNodeError ?? error))
    unavailable = true
  })
  redis.on('ready', () => {
    if (unavailable) log.info('redis is available again')
    unavailable = false
  })
  if (redis instanceof Cluster) logNodes(redis, log)
  else if (address.kind === 'sentinel') followFailover(redis, address)
  return redis
}

/** Nodes of a cluster, whose other nodes still serve their own realms. */
function logNodes(cluster: Cluster, log: Log): void {
  const unavailable = new Set<string>()
  cluster.on('node error', (error: Error, node: string) => {
    if (!unavailable.has(node)) log.warn('a redis node is unavailable', { node, ...errorFields(error) })
    unavailable.add(node)
  })
  cluster.on('+node', (redis) =>
    redis.on('ready', () => {
      const { host, port } = redis.options
      const node = `${host}:${port}`
      if (unavailable.delete(node)) log.info('a redis node is available again', { node })
    }),
  )
}

const PROBE_SECONDS = 10
/** In the words of a node of the cluster. */
const SLOTS_WITHOUT_MASTER = 'CLUSTERDOWN Hash slots without a master'

/**
 * Rejects while Redis refuses writes: it is full, a replica, cannot save, has too few replicas, or is a cluster in which a
 * master is away or a slot has none.
 */
export const requireWritable = (redis: RedisClient): Promise<void> =>
  writeEverywhere(redis, 'ostiary:ready', (key) => redis.set(key, '', 'EX', PROBE_SECONDS))

/** Like `requireWritable`, but changes nothing: Redis refuses a write before it sees that the key does not exist. */
export const requireWritableUnchanged = (redis: RedisClient): Promise<void> =>
  writeEverywhere(redis, 'ostiary:never-stored', (key) => redis.set(key, '', 'EX', PROBE_SECONDS, 'XX'))

/** Writes one key, or one to each master of a cluster. */
async function writeEverywhere(
  redis: RedisClient,
  key: string,
  write: (key: string) => Promise<unknown>,
): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await write(key)
    return
  }
  const state = await redis.cluster('INFO')
  if (!/^cluster_slots_ok:16384\r?$/m.test(`${state}`)) throw new Error(SLOTS_WITHOUT_MASTER)
  await Promise.all(keysOfMasters(redis, key).map(write))
}

/** A key for each master of a cluster. */
function keysOfMasters({ slots }: Cluster, beginning: string): string[] {
  const missing = new Set(slots.map(([master]) => master))
  const keys: string[] = []
  for (let n = 0; missing.size > 0 && n < slots.length; n += 1) {
    const key = `${beginning}:${n}`
    if (missing.delete(slots[new Command('set', [key]).getSlot()]?.[0])) keys.push(key)
  }
  return keys
}
