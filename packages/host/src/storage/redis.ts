/** The connection to Redis, and what the log says of it. */

import { Redis } from 'ioredis'
import { errorFields, type Log } from '../log/log.js'

export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    // A request fails soon while Redis is away; the connection comes back by itself.
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    // A connection that leads nowhere is given up, or the next commands would wait on it too, for minutes.
    connectTimeout: 3000,
    socketTimeout: 3000,
    retryStrategy: (times) => Math.min(times * 100, 1000),
    // Sent again after a reconnect, what was just taken would look as if somebody else had it.
    autoResendUnfulfilledCommands: false,
  })
  let away = false
  // Each attempt to connect fails anew: one line for all of them.
  redis.on('error', (error) => {
    if (!away) log.warn('redis is away', errorFields(error))
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('redis is back')
    away = false
  })
  return redis
}

/** The maxmemory-policy with which a full Redis drops records; null when it keeps them, is away, or does not tell. */
export const evictionPolicy = async (redis: Redis): Promise<string | null> =>
  redis.info('memory').then(evictionIn, () => null)

/** @param info What INFO says of the memory. */
export function evictionIn(info: string): string | null {
  const value = (name: string) => infoValue(info, name)
  const policy = value('maxmemory_policy')
  return value('maxmemory') === '0' || policy === '' || policy === 'noeviction' ? null : policy
}

/** A line of what INFO answers; empty when it is not there. */
export function infoValue(info: string, name: string): string {
  const line = info.split(/\r?\n/).find((candidate) => candidate.startsWith(`${name}:`))
  return line?.slice(name.length + 1) ?? ''
}
