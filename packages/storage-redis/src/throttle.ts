/** `throttle:<key, length and number of the window>` counts the hits in one window, and expires soon after it. */

import type { Throttle, ThrottleWindow } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { defineScript, type RedisConnection } from './script.js'

const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return hits`

const RELEASE = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end`

/** The clocks of servers may differ by this much: a late hit must still find the count of its window. */
const CLOCK_MARGIN_SECONDS = 60
const MAX_LISTED = 1000

export function throttles(redis: RedisConnection): (root: Root) => Throttle {
  const hit = defineScript<number>(redis, 'ostiaryHit', { keys: 1, lua: HIT })
  const release = defineScript<null>(redis, 'ostiaryRelease', { keys: 1, lua: RELEASE })
  return (root) => {
    const stem = `${root}throttle:`
    const keyIn = (key: string, window_seconds: number, now: number) =>
      `${stem}${nameOf(key, window_seconds, Math.floor(now / window_seconds))}`
    const windowsWith = (prefix: string) => windowsOf(redis, stem, prefix)
    return {
      async hit(key, window_seconds, now) {
        const rest = Math.ceil((Math.floor(now / window_seconds) + 1) * window_seconds - now)
        return hit(keyIn(key, window_seconds, now), rest + CLOCK_MARGIN_SECONDS)
      },
      async release(key, window_seconds, now) {
        await release(keyIn(key, window_seconds, now))
      },
      async list(prefix, now) {
        const windows = (await windowsWith(prefix))
          .filter(({ ends_at }) => ends_at > now)
          .slice(0, MAX_LISTED)
        const counts = await Promise.all(windows.map(({ name }) => redis.get(name)))
        return windows.flatMap(({ key, ends_at }, at): ThrottleWindow[] => {
          const hits = counts[at]
          return hits ? [{ key, hits: Number(hits), ends_at }] : []
        })
      },
      async reset(prefix) {
        const removed = await Promise.all((await windowsWith(prefix)).map(({ name }) => redis.del(name)))
        return removed.reduce((sum, count) => sum + count, 0)
      },
    }
  }
}

interface NamedWindow {
  /** The key in Redis. */
  name: string
  key: string
  ends_at: number
}

/** Scans all keys of the database in small steps, so that other commands do not wait. */
async function windowsOf(redis: RedisConnection, stem: string, prefix: string): Promise<NamedWindow[]> {
  const { keyPrefix = '' } = redis.options
  const pattern = `${escapeGlob(`${keyPrefix}${stem}`)}*`
  const windows = new Map<string, NamedWindow>()
  for (const node of 'nodes' in redis ? redis.nodes('master') : [redis]) {
    let cursor = '0'
    do {
      const page = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
      cursor = page[0]
      for (const full of page[1]) {
        const window = windowOf(full.slice(keyPrefix.length), stem)
        if (window.key.startsWith(prefix)) windows.set(window.name, window)
      }
    } while (cursor !== '0')
  }
  return [...windows.values()]
}

function windowOf(name: string, stem: string): NamedWindow {
  const parts: [key: string, window_seconds: number, index: number] = JSON.parse(name.slice(stem.length))
  return { name, key: parts[0], ends_at: (parts[2] + 1) * parts[1] }
}

const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&')
