/**
 * Lua scripts: Redis runs each as one atomic step. A script must not encode a record as JSON, because cjson turns `[]` into
 * `{}`.
 */

import type { Cluster, Redis } from 'ioredis'
import { neverStored } from './keys.js'

/** A `Redis` or a `Cluster` of ioredis. The caller closes it. */
export type RedisConnection = Redis | Cluster

/** Runs a script. The keys come first, then the arguments. */
export type Script<Reply> = (...keysAndArguments: (string | number)[]) => Promise<Reply>

/**
 * Functions that the scripts share. `call` runs a command. `raise` extends the time to live of a key, and never shortens it. `enlist` adds a
 * member to an index, and removes up to two members whose records Redis has deleted: each call adds one, so their number
 * is bounded. `union` adds the missing lines to a list; a line is a JSON string with a line feed.
 */
const SHARED = String.raw`
local call = redis.call
local function raise(key, ttl)
  if call('TTL', key) < tonumber(ttl) then call('EXPIRE', key, ttl) end
end
local function enlist(index, entry)
  call('ZADD', index, entry.score, entry.member)
  raise(index, entry.ttl)
  for _, member in ipairs(call('ZRANGE', index, 0, 1)) do
    if call('EXISTS', entry.stem .. member) == 0 then call('ZREM', index, member) end
  end
end
local function union(lines, more)
  for line in more:gmatch('[^\n]*\n') do
    if not ('\n' .. lines):find('\n' .. line, 1, true) then lines = lines .. line end
  end
  return lines
end
`

/**
 * Registers scripts on the connection, each by its name, how many of its arguments are keys (all in one slot), and its text. A script
 * with several keys also declares one that never exists: while a cluster moves the slot to another node, some keys are on each of the
 * two, and with a missing key both refuse the script (TRYAGAIN) before it runs. Otherwise it could stop at a key of the other node after
 * its first writes.
 */
export const scriptsOf =
  (redis: RedisConnection) =>
  <Reply>(name: `ostiary${string}`, keys: number, lua: string): Script<Reply> => {
    const guarded = keys > 1
    redis.defineCommand(name, { numberOfKeys: guarded ? keys + 1 : keys, lua: SHARED + lua })
    return (...args) => {
      const guard = guarded ? [neverStored(`${args[0]}`)] : []
      const sent = [...args.slice(0, keys), ...guard, ...args.slice(keys)]
      return Reflect.apply(Reflect.get(redis, name), redis, sent)
    }
  }

/** A list of texts, to which a script can add; see `union`. */
export function toLines(texts: readonly string[]): string {
  return texts.map((text) => `${JSON.stringify(text)}\n`).join('')
}

export function fromLines(lines: string): string[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The fields of a hash; null values are left out. */
export function toFields(fields: Record<string, string | number | null>): (string | number)[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [name, value]))
}

export function toTime(field: string | null | undefined): number | null {
  return field === null || field === undefined ? null : Number(field)
}
