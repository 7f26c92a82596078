/**
 * `client:<client_id>` is a hash with the record, `secret` (the hash of the client secret), `expires_at`, `revoked_at` and
 * `not_before`. `clients` is a sorted set of all ids, in lexicographic order; `clients-by-end` has the ids of clients
 * that expire, and `clients-deleted` those of tombstones, which are not in `clients`.
 */

import { isDeepStrictEqual } from 'node:util'
import { type Client, type ClientStore, clientFields, requireStorableClient } from '@ostiary/core'
import type { Root } from './keys.js'
import { inBatches } from './purge.js'
import { type RedisConnection, scriptsOf, toFields, toTime } from './script.js'

// KEYS: client, all, by end. ARGV: client_id, expires_at or '', fields
const CREATE = `
if call('EXISTS', KEYS[1]) == 1 then return 0 end
call('HSET', KEYS[1], unpack(ARGV, 3))
call('ZADD', KEYS[2], 0, ARGV[1])
if ARGV[2] ~= '' then call('ZADD', KEYS[3], ARGV[2], ARGV[1]) end
return 1`

// `expected` has the stored values of the fields that it names.
// ARGV: record, the hash of the secret or '', then expected fields and values
const UPDATE = `
if call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 3, #ARGV, 2 do
  if (call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then return 0 end
end
call('HSET', KEYS[1], 'client', ARGV[1])
if ARGV[2] ~= '' then call('HSET', KEYS[1], 'secret', ARGV[2]) else call('HDEL', KEYS[1], 'secret') end
return 1`

const SET_SECRET = `
if call('EXISTS', KEYS[1]) == 0 or call('HEXISTS', KEYS[1], 'revoked_at') == 1 then return 0 end
call('HSET', KEYS[1], 'secret', ARGV[1])
return 1`

// KEYS: client, by end. ARGV: client_id
const CLEAR_EXPIRY = `
if call('EXISTS', KEYS[1]) == 0 or call('HEXISTS', KEYS[1], 'revoked_at') == 1 then return 0 end
call('HDEL', KEYS[1], 'expires_at')
call('ZREM', KEYS[2], ARGV[1])
return 1`

// KEYS: stem, all, by end. ARGV: now, limit
const DELETE_EXPIRED = `
local ids = call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, client_id in ipairs(ids) do
  call('DEL', KEYS[1] .. client_id)
  call('ZREM', KEYS[2], client_id)
  call('ZREM', KEYS[3], client_id)
end
return #ids`

const REVOKE = `
if call('EXISTS', KEYS[1]) == 0 then return 0 end
return call('HSETNX', KEYS[1], 'revoked_at', ARGV[1])`

// KEYS: client, all, by end, deleted. ARGV: client_id, expires_at, fields
const DELETE = `
if call('EXISTS', KEYS[1]) == 0 or call('ZSCORE', KEYS[4], ARGV[1]) then return 0 end
call('DEL', KEYS[1])
call('HSET', KEYS[1], unpack(ARGV, 3))
call('ZREM', KEYS[2], ARGV[1])
call('ZREM', KEYS[3], ARGV[1])
call('ZADD', KEYS[4], ARGV[2], ARGV[1])
return 1`

// KEYS: client, deleted. ARGV: client_id, now
const FORGET = `
local ends = call('ZSCORE', KEYS[2], ARGV[1])
if not ends or tonumber(ends) > tonumber(ARGV[2]) then return end
call('DEL', KEYS[1])
call('ZREM', KEYS[2], ARGV[1])`

export interface RedisClientStore extends ClientStore {
  purgeClients(now: number): Promise<number>
}

export function clientStores(redis: RedisConnection): (root: Root) => RedisClientStore {
  const script = scriptsOf(redis)
  const create = script<number>('ostiaryCreateClient', 3, CREATE)
  const update = script<number>('ostiaryUpdateClient', 1, UPDATE)
  const setSecret = script<number>('ostiarySetClientSecret', 1, SET_SECRET)
  const clearExpiry = script<number>('ostiaryClearClientExpiry', 2, CLEAR_EXPIRY)
  const revoke = script<number>('ostiaryRevokeClient', 1, REVOKE)
  const deleteExpired = script<number>('ostiaryDeleteExpiredClients', 3, DELETE_EXPIRED)
  const bury = script<number>('ostiaryDeleteClient', 4, DELETE)
  const forget = script<null>('ostiaryForgetClient', 2, FORGET)
  return (root) => {
    const stem = `${root}client:`
    const key = (client_id: string) => `${stem}${client_id}`
    const index = `${root}clients`
    const byEnd = `${root}clients-by-end`
    const tombstones = `${root}clients-deleted`
    const fieldsOf = (client_id: string) => redis.hmget(key(client_id), ...FIELDS)
    const find = async (client_id: string): Promise<Client | null> => clientOf(await fieldsOf(client_id))
    const findAll = async (ids: string[]): Promise<Client[]> =>
      (await Promise.all(ids.map(find))).filter((client) => client !== null)
    return {
      find,
      async create(client) {
        requireStorableClient(client)
        const { client_id, expires_at } = client
        const fields = hashFields(client)
        return (await create(key(client_id), index, byEnd, client_id, expires_at ?? '', ...fields)) === 1
      },
      async update(client, expected) {
        requireStorableClient(client)
        const { client_id, client_secret_hash } = client
        const conditions = expected && conditionsOf(await fieldsOf(client_id), expected)
        if (conditions === null) return false
        const record = toJson(client)
        return (await update(key(client_id), record, client_secret_hash ?? '', ...(conditions ?? []))) === 1
      },
      setSecret: async (client_id, client_secret_hash) =>
        (await setSecret(key(client_id), client_secret_hash)) === 1,
      keep: async (client_id) => (await clearExpiry(key(client_id), byEnd, client_id)) === 1,
      revoke: async (client_id, now) => (await revoke(key(client_id), now)) === 1,
      async list({ after, limit }) {
        const from = after === undefined ? '-' : `(${after}`
        return findAll(await redis.zrangebylex(index, from, '+', 'LIMIT', 0, limit))
      },
      async delete(tombstone) {
        const { client_id, expires_at } = tombstone
        const fields = hashFields(tombstone)
        const keys = [key(client_id), index, byEnd, tombstones]
        return (await bury(...keys, client_id, expires_at ?? 0, ...fields)) === 1
      },
      deleted: async (now, limit) =>
        findAll(await redis.zrangebyscore(tombstones, '-inf', now, 'LIMIT', 0, limit)),
      async forget(client_id, now) {
        await forget(key(client_id), tombstones, client_id, now)
      },
      purgeClients: (now) => inBatches((limit) => deleteExpired(stem, index, byEnd, now, limit)),
    }
  }
}

/** The value of a field that a record of an earlier release does not have. */
const ABSENT = Object.fromEntries(Object.entries(clientFields).map(([name, { absent }]) => [name, absent]))

const FIELDS = ['client', 'secret', 'expires_at', 'revoked_at', 'not_before'] as const

/** The fields of the hash of a new record. */
function hashFields(client: Client): (string | number)[] {
  const { client_secret_hash: secret, expires_at, revoked_at, not_before } = client
  return toFields({ client: toJson(client), secret, expires_at, revoked_at, not_before })
}

/** The fields and values that a script compares, or null when the stored client is not the expected one already. */
function conditionsOf(values: (string | null)[], expected: Client): string[] | null {
  if (!isDeepStrictEqual(clientOf(values), expected)) return null
  return FIELDS.flatMap((field, i) => [field, values[i] ?? ''])
}

/** Stored instead of `origin`, so that the release before reads it too. */
type StoredClient = Omit<Client, 'origin'> & { self_registered: boolean }

function toJson({ origin, ...client }: Client): string {
  const stored: StoredClient = { ...client, self_registered: origin === 'registered' }
  return JSON.stringify(stored)
}

function clientOf([client, secret, expires_at, revoked_at, not_before]: (string | null)[]): Client | null {
  if (!client) return null
  const { self_registered, ...record }: StoredClient = JSON.parse(client)
  return {
    ...ABSENT,
    ...record,
    origin: self_registered ? 'registered' : 'operator',
    client_secret_hash: secret ?? null,
    expires_at: toTime(expires_at),
    revoked_at: toTime(revoked_at),
    not_before: toTime(not_before),
  }
}
