import type { Redis } from 'ioredis'
import type { RedisConnection } from './script.js'

/**
 * The keys that begin with a text; a key may come twice. Scans the whole database in small steps, so that other commands
 * do not wait. In a cluster it scans each master: a key that moves from one that is still to be scanned to one that was
 * scanned is missed.
 */
export async function* keysWith(redis: RedisConnection, beginning: string): AsyncGenerator<string> {
  const { keyPrefix = '' } = redis.options
  const pattern = `${escapeGlob(`${keyPrefix}${beginning}`)}*`
  for (const node of await mastersOf(redis)) {
    let cursor = '0'
    do {
      const page = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
      cursor = page[0]
      for (const prefixed of page[1]) yield prefixed.slice(keyPrefix.length)
    } while (cursor !== '0')
  }
}

async function mastersOf(redis: RedisConnection): Promise<Redis[]> {
  if (!('nodes' in redis)) return [redis]
  // Before the cluster has answered, the masters are not known.
  if (redis.status !== 'ready') await redis.ping()
  return redis.nodes('master')
}

const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&')
