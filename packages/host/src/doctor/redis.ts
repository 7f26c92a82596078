/** Checks the Redis that REDIS_URL names, without a change. */

import { Cluster } from 'ioredis'
import { hidden } from '../config/redacted.js'
import { type RedisAddress, redisAddress } from '../config/redis-address.js'
import type { StorageChoice } from '../config/storage-choice.js'
import { type RedisClient, redisClient } from '../storage/redis-client.js'
import { infoOf, misnamedServer } from '../storage/redis-info.js'
import { codeOf, type Finding, fault, messageOf } from './finding.js'
import { clusterFindings } from './redis-cluster-findings.js'
import { infoFindings, infoRefused } from './redis-info-findings.js'
import { checkSentinels } from './redis-sentinels.js'
import { persistenceFindings, writeFindings } from './redis-writes.js'

type RedisChoice = Extract<StorageChoice, { redis_url: string }>

export async function checkRedis({ redis_url: url, sessions }: RedisChoice): Promise<Finding[]> {
  const address = redisAddress(url)
  const sentinels = address.kind === 'sentinel' ? await checkSentinels(address, url) : []
  // Without a master there is nothing more to check.
  if (sentinels.some(({ status }) => status === 'fault')) return sentinels
  const redis = redisClient(address, { once: true })
  const failures: unknown[] = []
  redis.on('error', (error) => failures.push(error.lastNodeError ?? error))
  redis.on('node error', (error) => failures.push(error))
  try {
    // It connects; unlike `connect`, it is limited in time.
    await redis.ping()
    return [...(await findingsOf(redis, address, sessions)), ...sentinels]
  } catch (error) {
    return [failureFinding(url, address, failures[0] ?? error), ...sentinels]
  } finally {
    redis.disconnect()
  }
}

async function findingsOf(
  redis: RedisClient,
  address: RedisAddress,
  sessions: RedisChoice['sessions'],
): Promise<Finding[]> {
  const infos = await infoOf(redis).catch((error: unknown) =>
    /NOPERM/.test(messageOf(error)) ? null : Promise.reject(error),
  )
  const misnamed = infos?.[0] === undefined ? null : misnamedServer(infos[0], address)
  if (misnamed !== null)
    return [fault('redis', `is ${misnamed.is}: the server does not start`, `In REDIS_URL, ${misnamed.give}.`)]
  const nodes = redis instanceof Cluster ? await clusterFindings(redis) : []
  const writes = await writeFindings(redis, infos)
  if (infos === null) return [infoRefused(sessions), ...nodes, ...writes]
  const persistence = await persistenceFindings(redis, infos, sessions)
  return [...infoFindings(infos, { redis, address, sessions }), ...nodes, ...writes, ...persistence]
}

function failureFinding(url: string, address: RedisAddress, error: unknown): Finding {
  const message = messageOf(error)
  if (/NOAUTH|WRONGPASS|invalid password|AUTH/i.test(message))
    return fault(
      'redis',
      `refuses the password: ${message}`,
      'Correct the user and the password in REDIS_URL.',
    )
  if (address.kind === 'cluster' && /cluster support disabled/.test(message))
    return fault(
      'redis',
      `${hidden(url)} is a server without a cluster`,
      'For one server, give REDIS_URL as redis://host:6379.',
    )
  return fault(
    'redis',
    `${hidden(url)} does not answer (${codeOf(error) || message})`,
    'Start Redis, or correct REDIS_URL. A server starts without Redis, but sign-in fails.',
  )
}
