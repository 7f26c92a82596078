/** `throttle:<key, length and number of the window>` counts the hits in one window, and expires soon after it. */

import type { Throttle, ThrottleWindow } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { keysWith } from './scan.js'
import { defineScript, type RedisConnection } from './script.js'

const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return hits`

const RELEASE = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end`

/** The tolerated difference between the clocks of servers: a late hit must still find the count of its window. */
const CLOCK_MARGIN_SECONDS = 60
const MAX_LISTED_WINDOWS = 1000

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
        const remaining = Math.ceil((Math.floor(now / window_seconds) + 1) * window_seconds - now)
        return hit(keyIn(key, window_seconds, now), remaining + CLOCK_MARGIN_SECONDS)
      },
      async release(key, window_seconds, now) {
        await release(keyIn(key, window_seconds, now))
      },
      async list(prefix, now) {
        const windows = (await windowsWith(prefix))
          .filter(({ ends_at }) => ends_at > now)
          .slice(0, MAX_LISTED_WINDOWS)
        const counts = await Promise.all(windows.map(({ redis_key }) => redis.get(redis_key)))
        return windows.flatMap(({ key, ends_at }, index): ThrottleWindow[] => {
          const hits = counts[index]
          return hits ? [{ key, hits: Number(hits), ends_at }] : []
        })
      },
      async reset(prefix) {
        const removed = await Promise.all(
          (await windowsWith(prefix)).map(({ redis_key }) => redis.del(redis_key)),
        )
        return removed.reduce((sum, count) => sum + count, 0)
      },
    }
  }
}

interface StoredWindow {
  /** The name of the window's key in Redis. */
  redis_key: string
  /** The key that was hit. */
  key: string
  ends_at: number
}

/** The windows of keys with this prefix. */
async function windowsOf(redis: RedisConnection, stem: string, prefix: string): Promise<StoredWindow[]> {
  const windows = new Map<string, StoredWindow>()
  for await (const redis_key of keysWith(redis, stem)) {
    const window = windowOf(redis_key, stem)
    if (window.key.startsWith(prefix)) windows.set(window.redis_key, window)
  }
  return [...windows.values()]
}

function windowOf(redis_key: string, stem: string): StoredWindow {
  const parts: [key: string, window_seconds: number, index: number] = JSON.parse(redis_key.slice(stem.length))
  return { redis_key, key: parts[0], ends_at: (parts[2] + 1) * parts[1] }
}
