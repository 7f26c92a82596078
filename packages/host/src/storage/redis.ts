/** The connection to Redis, its lines in the log, and the proof that it accepts writes. */

import { Cluster, Command } from 'ioredis'
import { redisAddress } from '../config/redis-address.js'
import type { StorageChoice } from '../config/storage-choice.js'
import { errorFields, type Log } from '../log/log.js'
import type { PartlyNeeded } from './host-storage.js'
import { type RedisClient, redisClient } from './redis-client.js'
import { type RedisSafety, type RedisUse, watchSafety } from './redis-safety.js'
import { followFailover } from './redis-sentinels.js'

type RedisChoice = Extract<StorageChoice, { redis_url: string }>

export interface SafeRedis {
  redis: RedisClient
  safety: RedisSafety
}

export function connectRedis(use: RedisUse, log: Log): SafeRedis {
  const { address } = use
  const redis = redisClient(address)
  const safety = watchSafety(redis, use, log)
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
  return { redis, safety }
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

export interface OpenRedis {
  redis: RedisClient
  /** For /readyz. */
  part: PartlyNeeded
  /** Why the server must not start: a sentence. Null when it may, also while Redis does not answer. */
  refusal: string | null
}

/**
 * Connects, and resolves when Redis has answered or has failed to. Where the sessions are in Redis, the server is not ready
 * before Redis has shown once that it keeps them: afterwards it is, without Redis too, since tokens are in PostgreSQL.
 */
export async function openRedis({ redis_url, sessions }: RedisChoice, log: Log): Promise<OpenRedis> {
  const { redis, safety } = connectRedis({ address: redisAddress(redis_url), sessions }, log)
  let has_answered = false
  const answers = async () => {
    await requireAnswers(redis)
    has_answered = true
  }
  // A Redis that does not answer keeps no server from starting.
  await Promise.allSettled([answers()])
  const check = async () => {
    if (!has_answered) await answers()
    await requireWritable(redis)
  }
  const readyWithout = () => sessions === 'database' || has_answered
  return { redis, part: { check, readyWithout }, refusal: safety.refusal() }
}

const PROBE_SECONDS = 10
/** In the words of a node of the cluster. */
const SLOTS_WITHOUT_MASTER = 'CLUSTERDOWN Hash slots without a master'

/**
 * Rejects while Redis refuses writes: it is full, a replica, cannot save, has too few replicas, or is a cluster in which a
 * master is away or a slot has none.
 */
const requireWritable = (redis: RedisClient): Promise<void> =>
  everywhere(redis, 'ostiary:ready', (key) => redis.set(key, '', 'EX', PROBE_SECONDS))

/** Rejects while the server, or a master of the cluster, answers no command: each answers only on a connection that may be used. */
const requireAnswers = (redis: RedisClient): Promise<void> =>
  everywhere(redis, 'ostiary:never-stored', (key) => redis.exists(key))

/** Like `requireWritable`, but changes nothing: Redis refuses a write before it sees that the key does not exist. */
export const requireWritableUnchanged = (redis: RedisClient): Promise<void> =>
  everywhere(redis, 'ostiary:never-stored', (key) => redis.set(key, '', 'EX', PROBE_SECONDS, 'XX'))

/** Runs a command on one key, or on one of each master of a cluster. */
async function everywhere(
  redis: RedisClient,
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
