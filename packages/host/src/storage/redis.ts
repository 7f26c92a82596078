/** Opens the Redis of the configuration, and writes into the log what its connection reports. */

import { type ConnectedRedis, connect, type RedisEvent } from '@ostiary/storage-redis'
import type { RedisChoice } from '../config/storage-choice.js'
import { errorFields, type Log } from '../log/log.js'
import type { PartlyNeeded } from './host-storage.js'
import { StorageError } from './storage-error.js'

interface OpenRedis extends Pick<ConnectedRedis, 'redis' | 'close'> {
  /** For /readyz. */
  part: PartlyNeeded
}

/**
 * Also while Redis does not answer. Where the sessions are in Redis, the server is not ready before Redis has shown once that
 * it keeps them: afterwards it is, without Redis too, since tokens are in PostgreSQL.
 * @throws StorageError when Redis must not be used.
 */
export async function openRedis({ redis_url, sessions }: RedisChoice, log: Log): Promise<OpenRedis> {
  const report = (event: RedisEvent) => logEvent(event, log)
  const connected = await connect(redis_url, { holds_sessions: sessions === 'redis', report })
  const { redis, check, close } = connected
  const refusal = connected.refusal()
  if (refusal !== null) {
    close()
    throw new StorageError(refusal, { cause: null })
  }
  const readyWithout = () => sessions === 'database' || connected.hasAnswered()
  return { redis, part: { check, readyWithout }, close }
}

function logEvent(event: RedisEvent, log: Log): void {
  switch (event.type) {
    case 'unavailable':
      log.warn('redis is unavailable', errorFields(event.error))
      break
    case 'available':
      log.info('redis is available again')
      break
    case 'node unavailable':
      log.warn('a redis node is unavailable', { node: event.node, ...errorFields(event.error) })
      break
    case 'node available':
      log.info('a redis node is available again', { node: event.node })
      break
    case 'refused':
      log.error('redis is not used', { node: event.node, reason: event.reason })
      break
    case 'accepted':
      log.info('redis is used again', { node: event.node })
      break
  }
}
