/**
 * `consents:<sub and client_id>` is a hash with all consents of one user to one client: `scopes:<resource>`,
 * `created_at:…`, `updated_at:…` and `revoked_at:…`. `consenting:<sub>` is the set of the user's clients.
 */

import type { Consent, ConsentStore } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { keysWith } from './scan.js'
import { defineScript, fromLines, type RedisConnection, toLines, toTime } from './script.js'

// ARGV: now, client_id, then resource and scopes of each row
const MERGE = `
for i = 3, #ARGV, 2 do
  local resource = ARGV[i]
  local old = ''
  if redis.call('HEXISTS', KEYS[1], 'revoked_at:' .. resource) == 0 then
    old = redis.call('HGET', KEYS[1], 'scopes:' .. resource) or ''
  end
  redis.call('HSET', KEYS[1], 'scopes:' .. resource, union(old, ARGV[i + 1]), 'updated_at:' .. resource, ARGV[1])
  redis.call('HSETNX', KEYS[1], 'created_at:' .. resource, ARGV[1])
  redis.call('HDEL', KEYS[1], 'revoked_at:' .. resource)
end
redis.call('SADD', KEYS[2], ARGV[2])`

// ARGV: now, and the resource if only one consent is revoked
const REVOKE = `
local count = 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local resource = field:match('^scopes:(.*)$')
  if resource and (not ARGV[2] or resource == ARGV[2]) then
    count = count + redis.call('HSETNX', KEYS[1], 'revoked_at:' .. resource, ARGV[1])
  end
end
return count`

// KEYS: consents of one client, clients of the user. ARGV: client_id, and a time if only older consents are deleted
const DELETE = `
local count, left = 0, 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local resource = field:match('^scopes:(.*)$')
  if resource then
    local updated = tonumber(redis.call('HGET', KEYS[1], 'updated_at:' .. resource))
    if not ARGV[2] or updated < tonumber(ARGV[2]) then
      count = count + 1
      for _, name in ipairs({ 'scopes:', 'created_at:', 'updated_at:', 'revoked_at:' }) do
        redis.call('HDEL', KEYS[1], name .. resource)
      end
    else
      left = left + 1
    end
  end
end
if left == 0 then redis.call('SREM', KEYS[2], ARGV[1]) end
return count`

const SCOPES_PREFIX = 'scopes:'

export function consentStores(redis: RedisConnection): (root: Root) => ConsentStore {
  const merge = defineScript<null>(redis, 'ostiaryMergeConsents', { keys: 2, lua: MERGE })
  const revoke = defineScript<number>(redis, 'ostiaryRevokeConsents', { keys: 1, lua: REVOKE })
  const deleteRows = defineScript<number>(redis, 'ostiaryDeleteConsents', { keys: 2, lua: DELETE })
  return (root) => {
    const stem = `${root}consents:`
    const key = (sub: string, client_id: string) => `${stem}${nameOf(sub, client_id)}`
    const clientsOf = (sub: string) => `${root}consenting:${sub}`
    return {
      async find(sub, client_id, resources) {
        const distinct = [...new Set(resources)]
        if (distinct.length === 0) return []
        const names = distinct.flatMap(fieldsOf)
        const values = await redis.hmget(key(sub, client_id), ...names)
        const hash = new Map(names.map((name, i) => [name, values[i] ?? null]))
        return distinct.flatMap((resource) => rowOf({ sub, client_id, resource }, hash))
      },
      async merge({ sub, client_id, approved }, now) {
        const changes = approved.flatMap(({ resource, scopes }) => [resource, toLines(scopes)])
        await merge(key(sub, client_id), clientsOf(sub), now, client_id, ...changes)
      },
      async revoke({ sub, client_id, resource }, now) {
        return revoke(key(sub, client_id), now, ...(resource === undefined ? [] : [resource]))
      },
      async list(sub) {
        const clients = await redis.smembers(clientsOf(sub))
        const consents = clients.map(async (client_id) => {
          const hash = new Map(Object.entries(await redis.hgetall(key(sub, client_id))))
          const names = [...hash.keys()].filter((name) => name.startsWith(SCOPES_PREFIX))
          return names.flatMap((name) =>
            rowOf({ sub, client_id, resource: name.slice(SCOPES_PREFIX.length) }, hash),
          )
        })
        return (await Promise.all(consents)).flat()
      },
      async delete({ sub, client_id }) {
        const clients = client_id === undefined ? await redis.smembers(clientsOf(sub)) : [client_id]
        const counts = await Promise.all(clients.map((id) => deleteRows(key(sub, id), clientsOf(sub), id)))
        return counts.reduce((sum, count) => sum + count, 0)
      },
      async deleteOfClient({ client_id, before }) {
        let count = 0
        for await (const name of keysWith(redis, stem)) {
          const pair: [sub: string, client_id: string] = JSON.parse(name.slice(stem.length))
          if (pair[1] === client_id) count += await deleteRows(name, clientsOf(pair[0]), client_id, before)
        }
        return { count, next: null }
      },
    }
  }
}

type RowId = Pick<Consent, 'sub' | 'client_id' | 'resource'>

const fieldsOf = (resource: string): [string, string, string, string] => [
  `${SCOPES_PREFIX}${resource}`,
  `created_at:${resource}`,
  `updated_at:${resource}`,
  `revoked_at:${resource}`,
]

/** The consent, or an empty list when there is none: for `flatMap`. */
function rowOf(id: RowId, hash: Map<string, string | null>): Consent | [] {
  const [scopes, created_at, updated_at, revoked_at] = fieldsOf(id.resource).map((name) => hash.get(name))
  if (typeof scopes !== 'string') return []
  return {
    ...id,
    scopes: fromLines(scopes),
    created_at: Number(created_at),
    updated_at: Number(updated_at),
    revoked_at: toTime(revoked_at),
  }
}
