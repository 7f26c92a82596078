/**
 * `deliveries` is a hash: `delivery:<id>` and `attempts:<id>` for each. `deliveries-due` lists the ids by
 * `next_attempt_at`. Both live a week longer than the last delivery is due, so that it survives an outage.
 */

import type { LogoutDelivery, LogoutStore } from '@ostiary/core'
import { keepFor, type Root, WEEK } from './keys.js'
import { type Connection, defineScript } from './script.js'

// ARGV: seconds to keep, then id, next_attempt_at, attempts and record of each
const ADD = `
for i = 2, #ARGV, 4 do
  if redis.call('HSETNX', KEYS[1], 'delivery:' .. ARGV[i], ARGV[i + 3]) == 1 then
    redis.call('HSET', KEYS[1], 'attempts:' .. ARGV[i], ARGV[i + 2])
    redis.call('ZADD', KEYS[2], ARGV[i + 1], ARGV[i])
  end
end
raise(KEYS[1], ARGV[1])
raise(KEYS[2], ARGV[1])`

// ARGV: seconds to keep, now, end of the lease, limit
const CLAIM = `
local claimed = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, ARGV[4])) do
  local delivery = redis.call('HGET', KEYS[1], 'delivery:' .. id)
  if delivery then
    claimed[#claimed + 1] = delivery
    claimed[#claimed + 1] = redis.call('HINCRBY', KEYS[1], 'attempts:' .. id, 1)
    redis.call('ZADD', KEYS[2], ARGV[3], id)
  else
    redis.call('ZREM', KEYS[2], id)
  end
end
raise(KEYS[1], ARGV[1])
raise(KEYS[2], ARGV[1])
return claimed`

// ARGV: seconds to keep, id, and when it is due again, if it is
const SETTLE = `
if ARGV[3] then
  redis.call('ZADD', KEYS[2], 'XX', ARGV[3], ARGV[2])
  raise(KEYS[1], ARGV[1])
  raise(KEYS[2], ARGV[1])
else
  redis.call('HDEL', KEYS[1], 'delivery:' .. ARGV[2], 'attempts:' .. ARGV[2])
  redis.call('ZREM', KEYS[2], ARGV[2])
end`

export function logoutStores(redis: Connection): (root: Root) => LogoutStore {
  const add = defineScript<null>(redis, 'ostiaryAddDeliveries', { keys: 2, lua: ADD })
  const claim = defineScript<(string | number)[]>(redis, 'ostiaryClaimDeliveries', { keys: 2, lua: CLAIM })
  const settle = defineScript<null>(redis, 'ostiarySettleDelivery', { keys: 2, lua: SETTLE })
  return (root) => {
    const keys = [`${root}deliveries`, `${root}deliveries-due`]
    return {
      async add(deliveries) {
        if (deliveries.length === 0) return
        const last = Math.max(...deliveries.map(({ next_attempt_at }) => next_attempt_at))
        const entries = deliveries.flatMap((delivery) => [
          ...[delivery.delivery_id, delivery.next_attempt_at, delivery.attempts],
          JSON.stringify(delivery),
        ])
        await add(...keys, keepFor(last, WEEK), ...entries)
      },
      async claim(now, lease, limit) {
        const next_attempt_at = now + lease
        const claimed = await claim(...keys, keepFor(next_attempt_at, WEEK), now, next_attempt_at, limit)
        const deliveries: LogoutDelivery[] = []
        for (let i = 0; i < claimed.length; i += 2) {
          const record = JSON.parse(String(claimed[i]))
          deliveries.push({ ...record, attempts: Number(claimed[i + 1]), next_attempt_at })
        }
        return deliveries
      },
      async settle(delivery_id, next_attempt_at) {
        const again = next_attempt_at === null ? [] : [next_attempt_at]
        await settle(...keys, keepFor(next_attempt_at ?? 0, WEEK), delivery_id, ...again)
      },
    }
  }
}
