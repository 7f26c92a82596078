/**
 * `consents:<sub and client_id>` is a hash with all consents of one user to one client: `scopes:<resource>`,
 * `created_at:…`, `updated_at:…` and `revoked_at:…`. `consenting:<sub>` is the set of the user's clients, and
 * `consenting-to:<client_id>` the set of the client's users.
 */

import type { Consent, ConsentStore } from '@ostiary/core'
import { nameOf, type Root } from './keys.js'
import { fromLines, type RedisConnection, scriptsOf, toLines, toTime } from './script.js'
import type { RealmKeys } from './tags.js'
import { eachPage, sumOf, sweepStep } from './walk.js'

// KEYS: consents of one client, clients of the user, users of the client
// ARGV: now, client_id, sub, then resource and scopes of each row
const MERGE = `
for i = 4, #ARGV, 2 do
  local resource = ARGV[i]
  local old = ''
  if call('HEXISTS', KEYS[1], 'revoked_at:' .. resource) == 0 then
    old = call('HGET', KEYS[1], 'scopes:' .. resource) or ''
  end
  call('HSET', KEYS[1], 'scopes:' .. resource, union(old, ARGV[i + 1]), 'updated_at:' .. resource, ARGV[1])
  call('HSETNX', KEYS[1], 'created_at:' .. resource, ARGV[1])
  call('HDEL', KEYS[1], 'revoked_at:' .. resource)
end
call('SADD', KEYS[2], ARGV[2])
call('SADD', KEYS[3], ARGV[3])`

// ARGV: now, and the resource if only one consent is revoked
const REVOKE = `
local count = 0
for _, field in ipairs(call('HKEYS', KEYS[1])) do
  local resource = field:match('^scopes:(.*)$')
  if resource and (not ARGV[2] or resource == ARGV[2]) then
    count = count + call('HSETNX', KEYS[1], 'revoked_at:' .. resource, ARGV[1])
  end
end
return count`

// KEYS: consents of one client, clients of the user, users of the client
// ARGV: client_id, sub, and a time if only older consents are deleted
const DELETE = `
local count, left = 0, 0
for _, field in ipairs(call('HKEYS', KEYS[1])) do
  local resource = field:match('^scopes:(.*)$')
  if resource then
    local updated = tonumber(call('HGET', KEYS[1], 'updated_at:' .. resource))
    if not ARGV[3] or updated < tonumber(ARGV[3]) then
      count = count + 1
      for _, name in ipairs({ 'scopes:', 'created_at:', 'updated_at:', 'revoked_at:' }) do
        call('HDEL', KEYS[1], name .. resource)
      end
    else
      left = left + 1
    end
  end
end
if left == 0 then
  call('SREM', KEYS[2], ARGV[1])
  call('SREM', KEYS[3], ARGV[2])
end
return count`

const SCOPES_PREFIX = 'scopes:'
/** Users of a client that are read at once. */
const PAGE_SIZE = 100

export function consentStores(redis: RedisConnection): (realm: RealmKeys) => ConsentStore {
  const script = scriptsOf(redis)
  const merge = script<null>('ostiaryMergeConsents', 3, MERGE)
  const revoke = script<number>('ostiaryRevokeConsents', 1, REVOKE)
  const deleteRows = script<number>('ostiaryDeleteConsents', 3, DELETE)
  const key = (root: Root, { sub, client_id }: Pair) => `${root}consents:${nameOf(sub, client_id)}`
  const clientsOf = (root: Root, sub: string) => `${root}consenting:${sub}`
  const usersOf = (root: Root, client_id: string) => `${root}consenting-to:${client_id}`
  /** What a script uses that adds or deletes consents. */
  const keysOf = (root: Root, pair: Pair) => [
    key(root, pair),
    clientsOf(root, pair.sub),
    usersOf(root, pair.client_id),
  ]
  return (realm) => {
    const { ofPerson } = realm
    return {
      async find(sub, client_id, resources) {
        const distinct = [...new Set(resources)]
        if (distinct.length === 0) return []
        const names = distinct.flatMap(fieldsOf)
        const values = await redis.hmget(key(ofPerson(sub), { sub, client_id }), ...names)
        const hash = new Map(names.map((name, i) => [name, values[i] ?? null]))
        return distinct.flatMap((resource) => rowOf({ sub, client_id, resource }, hash))
      },
      async merge({ sub, client_id, approved }, now) {
        const changes = approved.flatMap(({ resource, scopes }) => [resource, toLines(scopes)])
        await merge(...keysOf(ofPerson(sub), { sub, client_id }), now, client_id, sub, ...changes)
      },
      async revoke({ sub, client_id, resource }, now) {
        const pair = key(ofPerson(sub), { sub, client_id })
        return revoke(pair, now, ...(resource === undefined ? [] : [resource]))
      },
      async list(sub) {
        const root = ofPerson(sub)
        const clients = await redis.smembers(clientsOf(root, sub))
        const consents = clients.map(async (client_id) => {
          const hash = new Map(Object.entries(await redis.hgetall(key(root, { sub, client_id }))))
          const names = [...hash.keys()].filter((name) => name.startsWith(SCOPES_PREFIX))
          return names.flatMap((name) =>
            rowOf({ sub, client_id, resource: name.slice(SCOPES_PREFIX.length) }, hash),
          )
        })
        return (await Promise.all(consents)).flat()
      },
      async delete({ sub, client_id }) {
        const root = ofPerson(sub)
        const clients = client_id === undefined ? await redis.smembers(clientsOf(root, sub)) : [client_id]
        const deleteOf = (id: string) => deleteRows(...keysOf(root, { sub, client_id: id }), id, sub)
        return sumOf(await Promise.all(clients.map(deleteOf)))
      },
      deleteOfClient({ client_id, before, after }) {
        const deleteOld = (root: Root, sub: string) =>
          deleteRows(...keysOf(root, { sub, client_id }), client_id, sub, before)
        return sweepStep(realm, after, {
          count: (root) => redis.scard(usersOf(root, client_id)),
          sweep: (root) =>
            eachPage(
              (cursor) => redis.sscan(usersOf(root, client_id), cursor, 'COUNT', PAGE_SIZE),
              async (subs) => sumOf(await Promise.all(subs.map((sub) => deleteOld(root, sub)))),
            ),
        })
      },
    }
  }
}

type Pair = Pick<Consent, 'sub' | 'client_id'>
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
