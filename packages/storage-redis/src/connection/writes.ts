/** The proof that Redis answers and accepts writes: on the server, or on each master of a cluster. */

import { Cluster, Command } from 'ioredis'
import type { RedisConnection } from '../script.js'

const PROBE_SECONDS = 10
/** In the words of a node of the cluster. */
const SLOTS_WITHOUT_MASTER = 'CLUSTERDOWN Hash slots without a master'

/**
 * Rejects while Redis refuses writes: it is full, a replica, cannot save, has too few replicas, or is a cluster in which a
 * master is away or a slot has none.
 */
export const requireWritable = (redis: RedisConnection): Promise<void> =>
  everywhere(redis, 'ostiary:ready', (key) => redis.set(key, '', 'EX', PROBE_SECONDS))

/** Rejects while the server, or a master of the cluster, answers no command: each answers only on a connection that may be used. */
export const requireAnswers = (redis: RedisConnection): Promise<void> =>
  everywhere(redis, 'ostiary:never-stored', (key) => redis.exists(key))

/** Like `requireWritable`, but changes nothing: Redis refuses a write before it sees that the key does not exist. */
export const requireWritableUnchanged = (redis: RedisConnection): Promise<void> =>
  everywhere(redis, 'ostiary:never-stored', (key) => redis.set(key, '', 'EX', PROBE_SECONDS, 'XX'))

/** Runs a command on one key, or on one of each master of a cluster. */
async function everywhere(
  redis: RedisConnection,
  key: string,
  run: (key: string) => Promise<unknown>,
): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await run(key)
    return
  }
  const state = await redis.cluster('INFO')
  if (!/^cluster_slots_ok:16384\r?$/m.test(`${state}`)) throw new Error(SLOTS_WITHOUT_MASTER)
  await Promise.all(keysOfMasters(redis, key).map(run))
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
