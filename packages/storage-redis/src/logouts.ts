/**
 * `deliveries` is a hash with `delivery:<id>` and `attempts:<id>` for each delivery. `deliveries-due` is a sorted set of
 * the ids by `next_attempt_at`. Both expire a week after the last delivery is due, so that deliveries survive an outage.
 */

import type { LogoutDelivery, LogoutStore } from '@ostiary/core'
import { type Root, ttlUntil, WEEK_SECONDS } from './keys.js'
import { type RedisConnection, scriptsOf, toLines } from './script.js'

// ARGV: time to live, then id, next_attempt_at, attempts and record of each delivery
const ADD = `
for i = 2, #ARGV, 4 do
  if call('HSETNX', KEYS[1], 'delivery:' .. ARGV[i], ARGV[i + 3]) == 1 then
    call('HSET', KEYS[1], 'attempts:' .. ARGV[i], ARGV[i + 2])
    call('ZADD', KEYS[2], ARGV[i + 1], ARGV[i])
  end
end
raise(KEYS[1], ARGV[1])
raise(KEYS[2], ARGV[1])`

// Reads the first 1,000 due deliveries. First attempts are claimed before repeated ones. Exceptions are lines of JSON
// strings.
// ARGV: time to live, now, end of the lease, limit, share, excepted hosts, excepted subs
const CLAIM = `
local claimed = {}
local taken = {}
local function setOf(lines)
  local set = {}
  for line in lines:gmatch('[^\\n]+') do set[cjson.decode('[' .. line .. ']')[1]] = true end
  return set
end
local exceptedHosts, exceptedSubs = setOf(ARGV[6]), setOf(ARGV[7])
local function hasRoom(name)
  return (taken[name] or 0) < tonumber(ARGV[5])
end
local function claim(id, delivery)
  local record = cjson.decode(delivery)
  if exceptedHosts[record.host] or exceptedSubs[record.sub] then return end
  local host, sub = 'host ' .. record.host, 'sub ' .. record.sub
  if not hasRoom(host) or not hasRoom(sub) then return end
  taken[host] = (taken[host] or 0) + 1
  taken[sub] = (taken[sub] or 0) + 1
  claimed[#claimed + 1] = delivery
  claimed[#claimed + 1] = call('HINCRBY', KEYS[1], 'attempts:' .. id, 1)
  call('ZADD', KEYS[2], ARGV[3], id)
end
local due = call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'LIMIT', 0, 1000)
for _, repeated in ipairs({ false, true }) do
  for _, id in ipairs(due) do
    if #claimed / 2 >= tonumber(ARGV[4]) then break end
    local found = call('HMGET', KEYS[1], 'delivery:' .. id, 'attempts:' .. id)
    if not found[1] then
      call('ZREM', KEYS[2], id)
    elseif (tonumber(found[2]) > 0) == repeated and tonumber(call('ZSCORE', KEYS[2], id)) <= tonumber(ARGV[2]) then
      claim(id, found[1])
    end
  end
end
raise(KEYS[1], ARGV[1])
raise(KEYS[2], ARGV[1])
return claimed`

// ARGV: time to live, id, and next_attempt_at if there is another attempt
const SETTLE = `
if ARGV[3] then
  call('ZADD', KEYS[2], 'XX', ARGV[3], ARGV[2])
  raise(KEYS[1], ARGV[1])
  raise(KEYS[2], ARGV[1])
else
  call('HDEL', KEYS[1], 'delivery:' .. ARGV[2], 'attempts:' .. ARGV[2])
  call('ZREM', KEYS[2], ARGV[2])
end`

export function logoutStores(redis: RedisConnection): (root: Root) => LogoutStore {
  const script = scriptsOf(redis)
  const add = script<null>('ostiaryAddDeliveries', 2, ADD)
  const claim = script<(string | number)[]>('ostiaryClaimDeliveries', 2, CLAIM)
  const settle = script<null>('ostiarySettleDelivery', 2, SETTLE)
  return (root) => {
    const keys = [`${root}deliveries`, `${root}deliveries-due`]
    return {
      async add(deliveries) {
        if (deliveries.length === 0) return
        const last = Math.max(...deliveries.map(({ next_attempt_at }) => next_attempt_at))
        const entries = deliveries.flatMap((delivery) => [
          delivery.delivery_id,
          delivery.next_attempt_at,
          delivery.attempts,
          JSON.stringify(delivery),
        ])
        await add(...keys, ttlUntil(last, WEEK_SECONDS), ...entries)
      },
      async claim({ now, lease, limit, share, except }) {
        const next_attempt_at = now + lease
        const times = [ttlUntil(next_attempt_at, WEEK_SECONDS), now, next_attempt_at]
        const exceptions = [toLines(except.hosts), toLines(except.subs)]
        const claimed = await claim(...keys, ...times, limit, share, ...exceptions)
        const deliveries: LogoutDelivery[] = []
        for (let i = 0; i < claimed.length; i += 2) {
          const record = JSON.parse(String(claimed[i]))
          deliveries.push({ ...record, attempts: Number(claimed[i + 1]), next_attempt_at })
        }
        return deliveries
      },
      async settle(delivery_id, next_attempt_at) {
        const next = next_attempt_at === null ? [] : [next_attempt_at]
        await settle(...keys, ttlUntil(next_attempt_at ?? 0, WEEK_SECONDS), delivery_id, ...next)
      },
    }
  }
}
