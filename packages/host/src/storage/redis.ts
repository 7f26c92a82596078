/** The connection to Redis, and its lines in the log. */

import { Redis } from 'ioredis'
import { errorFields, type Log } from '../log/log.js'

export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    // While Redis is unavailable, a request fails soon; the client reconnects by itself.
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    // A connection without answers is closed; the next commands would wait on it for minutes.
    connectTimeout: 3000,
    socketTimeout: 3000,
    retryStrategy: (times) => Math.min(times * 100, 1000),
    // A command that takes a record, sent again after a reconnect, would not find it: it was already taken.
    autoResendUnfulfilledCommands: false,
  })
  let unavailable = false
  // Each attempt to connect is an error: one line for all of them.
  redis.on('error', (error) => {
    if (!unavailable) log.warn('redis is unavailable', errorFields(error))
    unavailable = true
  })
  redis.on('ready', () => {
    if (unavailable) log.info('redis is available again')
    unavailable = false
  })
  return redis
}

/** The maxmemory-policy by which a full Redis drops records; null when it keeps them, or when it is not known. */
export const evictionPolicy = async (redis: Redis): Promise<string | null> =>
  redis.info('memory').then(evictionIn, () => null)

/** @param info The answer to INFO memory. */
export function evictionIn(info: string): string | null {
  const value = (name: string) => infoValue(info, name)
  const policy = value('maxmemory_policy')
  return value('maxmemory') === '0' || policy === '' || policy === 'noeviction' ? null : policy
}

/** The value of a line in the answer to INFO; empty when it is missing. */
export function infoValue(info: string, name: string): string {
  const line = info.split(/\r?\n/).find((candidate) => candidate.startsWith(`${name}:`))
  return line?.slice(name.length + 1) ?? ''
}
