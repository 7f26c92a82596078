/** Lua scripts, each one atomic step. A record's JSON passes through Lua untouched: cjson would turn `[]` into `{}`. */

import type { Cluster, Redis } from 'ioredis'

/** A `Redis` or a `Cluster` of ioredis. It stays yours: close it when the provider is done. */
export type Connection = Redis | Cluster

/** The keys first, then the arguments. */
export type Script<Reply> = (...keysAndArguments: (string | number)[]) => Promise<Reply>

/**
 * What the scripts share. `raise` lets a key live at least so long; it never shortens. `enlist` puts a member into an
 * index and drops up to two whose records Redis has forgotten: each insertion brings one, so none can pile up.
 * `union` adds lines to lines; a line is a JSON string and its line feed.
 */
const SHARED = String.raw`
local function raise(key, ttl)
  if redis.call('TTL', key) < tonumber(ttl) then redis.call('EXPIRE', key, ttl) end
end
local function enlist(index, entry)
  redis.call('ZADD', index, entry.score, entry.member)
  raise(index, entry.ttl)
  for _, member in ipairs(redis.call('ZRANGE', index, 0, 1)) do
    if redis.call('EXISTS', entry.stem .. member) == 0 then redis.call('ZREM', index, member) end
  end
end
local function union(lines, more)
  for line in more:gmatch('[^\n]*\n') do
    if not ('\n' .. lines):find('\n' .. line, 1, true) then lines = lines .. line end
  end
  return lines
end
`

/** @param keys How many of the arguments are keys. All of them are in one slot. */
export function defineScript<Reply>(
  redis: Connection,
  name: `ostiary${string}`,
  { keys, lua }: { keys: number; lua: string },
): Script<Reply> {
  redis.defineCommand(name, { numberOfKeys: keys, lua: SHARED + lua })
  return (...args) => Reflect.apply(Reflect.get(redis, name), redis, args)
}

/** A list of texts that a script can add to; see `union`. */
export function toLines(texts: readonly string[]): string {
  return texts.map((text) => `${JSON.stringify(text)}\n`).join('')
}

export function fromLines(lines: string): string[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The fields of a hash; null is a field that is not there. */
export function toFields(fields: Record<string, string | number | null>): (string | number)[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [name, value]))
}

export function toTime(field: string | null | undefined): number | null {
  return field === null || field === undefined ? null : Number(field)
}
