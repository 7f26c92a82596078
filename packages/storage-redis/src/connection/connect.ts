/** The connection to Redis of a server: what it reports, and the conditions on which it is used. */

import { Cluster } from 'ioredis'
import type { RedisConnection } from '../script.js'
import { redisAddress } from './address.js'
import { redisClient } from './client.js'
import type { RedisEvent } from './events.js'
import { watchSafety } from './safety.js'
import { followFailover } from './sentinels.js'
import { requireAnswers, requireWritable } from './writes.js'

/** What `connect` takes beside the address. */
export interface ConnectOptions {
  /** Whether sessions are stored there. Then a Redis that may drop records is not used. */
  holds_sessions: boolean
  /** Called with each event, from before the first connection is open. */
  report?: (event: RedisEvent) => void
  /** Milliseconds between two looks at the settings of a Redis on an open connection; a minute when absent. */
  ask_every_ms?: number
}

/** An open connection, for `redisStorage`. */
export interface ConnectedRedis {
  redis: RedisConnection
  /** Why a Redis is not used: a sentence. Null when none is refused, also while none answers. */
  refusal(): string | null
  /** Whether Redis has answered a command once: only then it is known to keep its records. */
  hasAnswered(): boolean
  /**
   * Writes a key that expires after ten seconds, on each master of a cluster.
   * @throws Error while Redis does not answer, or refuses writes.
   */
  check(): Promise<void>
  /** Ends every connection at once. */
  close(): void
}

/**
 * Connects to a server, to the master that sentinels know, or to a cluster, and resolves when Redis has answered or has
 * failed to: it reconnects by itself. While it is unavailable, each command fails within 2 seconds.
 *
 * Each connection is looked at before its first command: one that is a single node of a cluster, or a sentinel, is closed, and
 * where sessions are stored also one that drops records when it is full. Commands then fail as in an outage.
 * @param url As `redis://host:6379`, `redis+sentinel://host1,host2,host3/master-name` or
 * `redis+cluster://host1,host2,host3`; `rediss` uses TLS.
 * @throws Error when the address is refused, with a sentence that shows the right form; see `redisAddressFault`.
 *
 * @example
 * ```ts
 * import { connect, redisStorage } from '@ostiary/storage-redis'
 *
 * const connection = await connect(process.env.REDIS_URL ?? '', { holds_sessions: true, report: console.log })
 * const refusal = connection.refusal()
 * if (refusal !== null) throw new Error(refusal)
 * export const storage = redisStorage(connection.redis)
 * // When the server stops:
 * connection.close()
 * ```
 */
export async function connect(url: string, options: ConnectOptions): Promise<ConnectedRedis> {
  const { holds_sessions, report = () => {}, ask_every_ms } = options
  const address = redisAddress(url)
  const redis = redisClient(address)
  const safety = watchSafety(redis, { address, holds_sessions, ask_every_ms, report })
  reportOutages(redis, report)
  if (address.kind === 'sentinel' && !(redis instanceof Cluster)) followFailover(redis, address)
  let has_answered = false
  const answers = async () => {
    await requireAnswers(redis)
    has_answered = true
  }
  // A Redis that does not answer keeps no server from starting.
  await Promise.allSettled([answers()])
  return {
    redis,
    refusal: safety.refusal,
    hasAnswered: () => has_answered,
    async check() {
      if (!has_answered) await answers()
      await requireWritable(redis)
    },
    close: () => redis.disconnect(),
  }
}

function reportOutages(redis: RedisConnection, report: (event: RedisEvent) => void): void {
  let unavailable = false
  // Each attempt to connect is an error: one event for all of them.
  redis.on('error', (error) => {
    if (!unavailable) report({ type: 'unavailable', error: error.lastNodeError ?? error })
    unavailable = true
  })
  redis.on('ready', () => {
    if (unavailable) report({ type: 'available' })
    unavailable = false
  })
  if (redis instanceof Cluster) reportNodes(redis, report)
}

/** Nodes of a cluster, whose other nodes still serve their own realms and people. */
function reportNodes(cluster: Cluster, report: (event: RedisEvent) => void): void {
  const unavailable = new Set<string>()
  cluster.on('node error', (error: Error, node: string) => {
    if (!unavailable.has(node)) report({ type: 'node unavailable', node, error })
    unavailable.add(node)
  })
  cluster.on('+node', (redis) =>
    redis.on('ready', () => {
      const { host, port } = redis.options
      const node = `${host}:${port}`
      if (unavailable.delete(node)) report({ type: 'node available', node })
    }),
  )
}
