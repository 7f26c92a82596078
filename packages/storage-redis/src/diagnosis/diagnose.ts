/** Checks a Redis without a change. */

import { Cluster } from 'ioredis'
import { type RedisAddress, redisAddress } from '../connection/address.js'
import { redisClient } from '../connection/client.js'
import { infoOf, misnamedServer } from '../connection/info.js'
import type { RedisConnection } from '../script.js'
import { clusterFindings } from './cluster.js'
import { codeOf, fault, messageOf, type RedisFinding } from './finding.js'
import { infoFindings, infoRefused } from './info.js'
import { checkSentinels } from './sentinels.js'
import { persistenceFindings, writeFindings } from './writes.js'

/** What `diagnose` takes beside the address. */
export interface DiagnoseOptions {
  /** Whether sessions are stored there. Then what may lose records is a fault. */
  holds_sessions: boolean
  /** What the findings call the address: it should show no password. */
  shown_as: string
}

/**
 * Connects once and checks the Redis, its sentinels or its cluster, without a change: whether it answers and accepts writes,
 * keeps its records, is new enough, and survives the loss of a server.
 * @param url An address that `connect` accepts. The findings call it REDIS_URL, and say where the sessions are by
 * OSTIARY_SESSIONS: the settings of a server of Ostiary.
 * @returns What was found, the state of Redis first. A Redis that does not answer is a finding too.
 * @throws Error when the address is refused.
 *
 * @example
 * ```ts
 * import { diagnose } from '@ostiary/storage-redis'
 *
 * const url = process.env.REDIS_URL ?? ''
 * for (const { status, message, advice } of await diagnose(url, { holds_sessions: true, shown_as: 'REDIS_URL' }))
 *   console.log(status, message, advice)
 * ```
 */
export async function diagnose(
  url: string,
  { holds_sessions, shown_as }: DiagnoseOptions,
): Promise<RedisFinding[]> {
  const address = redisAddress(url)
  const sentinels = address.kind === 'sentinel' ? await checkSentinels(address, shown_as) : []
  // Without a master there is nothing more to check.
  if (sentinels.some(({ status }) => status === 'fault')) return sentinels
  const redis = redisClient(address, { once: true })
  const failures: unknown[] = []
  redis.on('error', (error) => failures.push(error.lastNodeError ?? error))
  redis.on('node error', (error) => failures.push(error))
  try {
    // It connects; unlike ioredis' own `connect`, it is limited in time.
    await redis.ping()
    return [...(await findingsOf(redis, address, holds_sessions)), ...sentinels]
  } catch (error) {
    const { kind } = address
    return [failureFinding(failures[0] ?? error, { kind, shown_as }), ...sentinels]
  } finally {
    redis.disconnect()
  }
}

async function findingsOf(
  redis: RedisConnection,
  address: RedisAddress,
  holds_sessions: boolean,
): Promise<RedisFinding[]> {
  const infos = await infoOf(redis).catch((error: unknown) =>
    /NOPERM/.test(messageOf(error)) ? null : Promise.reject(error),
  )
  const misnamed = infos?.[0] === undefined ? null : misnamedServer(infos[0], address)
  if (misnamed !== null)
    return [fault(`is ${misnamed.is}: the server does not start`, `In REDIS_URL, ${misnamed.give}.`)]
  const nodes = redis instanceof Cluster ? await clusterFindings(redis) : []
  const writes = await writeFindings(redis, infos)
  if (infos === null) return [infoRefused(holds_sessions), ...nodes, ...writes]
  const persistence = await persistenceFindings(redis, infos, holds_sessions)
  return [...infoFindings(infos, { redis, address, holds_sessions }), ...nodes, ...writes, ...persistence]
}

interface FailedAddress {
  kind: RedisAddress['kind']
  shown_as: string
}

function failureFinding(error: unknown, { kind, shown_as }: FailedAddress): RedisFinding {
  const message = messageOf(error)
  if (/NOAUTH|WRONGPASS|invalid password|AUTH/i.test(message))
    return fault(`refuses the password: ${message}`, 'Correct the user and the password in REDIS_URL.')
  if (kind === 'cluster' && /cluster support disabled/.test(message))
    return fault(
      `${shown_as} is a server without a cluster`,
      'For one server, give REDIS_URL as redis://host:6379.',
    )
  return fault(
    `${shown_as} does not answer (${codeOf(error) || message})`,
    'Start Redis, or correct REDIS_URL. A server starts without Redis, but sign-in fails.',
  )
}
