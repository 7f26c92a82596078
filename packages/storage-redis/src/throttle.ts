/** `throttle:<key, window and its number>` counts the hits of one window, and ends soon after it. */

import type { Throttle } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { type Connection, defineScript } from './script.js'

const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return hits`

/** Seconds that servers' clocks may differ: a late hit must still find its window's count. */
const MARGIN = 60

export function throttles(redis: Connection): (root: Root) => Throttle {
  const hit = defineScript<number>(redis, 'ostiaryHit', { keys: 1, lua: HIT })
  return (root) => ({
    async hit(key, window_seconds, now) {
      const index = Math.floor(now / window_seconds)
      const rest = Math.ceil((index + 1) * window_seconds - now)
      return hit(`${root}throttle:${nameOf(key, window_seconds, index)}`, rest + MARGIN)
    },
  })
}
