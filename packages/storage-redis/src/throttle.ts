/** `throttle:<key, length and number of the window>` counts the hits in one window, and expires soon after it. */

import type { Throttle, ThrottleWindow } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { keysWith } from './scan.js'
import { type RedisConnection, scriptsOf } from './script.js'

const HIT = `
local hits = call('INCR', KEYS[1])
if hits == 1 then call('EXPIRE', KEYS[1], ARGV[1]) end
return hits`

const HIT_BOTH = `
local function hit(key)
  local hits = call('INCR', key)
  if hits == 1 then call('EXPIRE', key, ARGV[1]) end
  return hits
end
local first = hit(KEYS[1])
if first > tonumber(ARGV[2]) then return { first, 0 } end
return { first, hit(KEYS[2]) }`

const RELEASE = `
if tonumber(call('GET', KEYS[1]) or 0) > 0 then call('DECR', KEYS[1]) end`

/** The tolerated difference between the clocks of servers: a late hit must still find the count of its window. */
const CLOCK_MARGIN_SECONDS = 60
const MAX_LISTED_WINDOWS = 1000

/** Seconds. */
const lifetimeOf = (window_seconds: number, now: number): number =>
  Math.ceil((Math.floor(now / window_seconds) + 1) * window_seconds - now) + CLOCK_MARGIN_SECONDS

export function throttles(redis: RedisConnection): (root: Root) => Throttle {
  const script = scriptsOf(redis)
  const hit = script<number>('ostiaryHit', 1, HIT)
  const hitBoth = script<[number, number]>('ostiaryHitBoth', 2, HIT_BOTH)
  const release = script<null>('ostiaryRelease', 1, RELEASE)
  return (root) => {
    const stem = `${root}throttle:`
    const keyIn = (key: string, window_seconds: number, now: number) =>
      `${stem}${nameOf(key, window_seconds, Math.floor(now / window_seconds))}`
    const windowsWith = (prefix: string) => windowsOf(redis, stem, prefix)
    return {
      hit: async (key, window_seconds, now) =>
        hit(keyIn(key, window_seconds, now), lifetimeOf(window_seconds, now)),
      async hitBoth(pair, window_seconds, now) {
        const keys = [pair.first, pair.second].map((key) => keyIn(key, window_seconds, now))
        const [first, second] = await hitBoth(...keys, lifetimeOf(window_seconds, now), pair.max)
        return { first, second }
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
