import type { RedisConnection } from './script.js'

/**
 * The keys that begin with a text; a key may come twice. Scans the whole database in small steps, so that other commands
 * do not wait.
 */
export async function* keysWith(redis: RedisConnection, beginning: string): AsyncGenerator<string> {
  const { keyPrefix = '' } = redis.options
  const pattern = `${escapeGlob(`${keyPrefix}${beginning}`)}*`
  for (const node of 'nodes' in redis ? redis.nodes('master') : [redis]) {
    let cursor = '0'
    do {
      const page = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
      cursor = page[0]
      for (const prefixed of page[1]) yield prefixed.slice(keyPrefix.length)
    } while (cursor !== '0')
  }
}

const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&')
