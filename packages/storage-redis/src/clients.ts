/**
 * `client:<client_id>` is a hash with the record, `secret` (the hash of the client secret), `expires_at` and
 * `revoked_at`. `clients` is a sorted set of all ids, in lexicographic order; `clients-by-end` has the ids of clients
 * that expire.
 */

import { type Client, type ClientStore, requireStorableName } from '@ostiary/core'
import type { Root } from './keys.js'
import { inBatches } from './purge.js'
import { defineScript, type RedisConnection, toFields, toTime } from './script.js'

// KEYS: client, all, by end. ARGV: client_id, expires_at or '', fields
const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('ZADD', KEYS[2], 0, ARGV[1])
if ARGV[2] ~= '' then redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1]) end
return 1`

// ARGV: record, and the hash of the secret if there is one
const UPDATE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'client', ARGV[1])
if ARGV[2] then redis.call('HSET', KEYS[1], 'secret', ARGV[2]) else redis.call('HDEL', KEYS[1], 'secret') end
return 1`

const SET_SECRET = `
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'revoked_at') == 1 then return 0 end
redis.call('HSET', KEYS[1], 'secret', ARGV[1])
return 1`

// KEYS: client, by end. ARGV: client_id
const CLEAR_EXPIRY = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 'expires_at')
redis.call('ZREM', KEYS[2], ARGV[1])
return 1`

// KEYS: stem, all, by end. ARGV: now, limit
const DELETE_EXPIRED = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, client_id in ipairs(ids) do
  redis.call('DEL', KEYS[1] .. client_id)
  redis.call('ZREM', KEYS[2], client_id)
  redis.call('ZREM', KEYS[3], client_id)
end
return #ids`

const REVOKE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'revoked_at', ARGV[1])`

export interface RedisClientStore extends ClientStore {
  purgeClients(now: number): Promise<number>
}

export function clientStores(redis: RedisConnection): (root: Root) => RedisClientStore {
  const create = defineScript<number>(redis, 'ostiaryCreateClient', { keys: 3, lua: CREATE })
  const update = defineScript<number>(redis, 'ostiaryUpdateClient', { keys: 1, lua: UPDATE })
  const setSecret = defineScript<number>(redis, 'ostiarySetClientSecret', { keys: 1, lua: SET_SECRET })
  const clearExpiry = defineScript<number>(redis, 'ostiaryClearClientExpiry', { keys: 2, lua: CLEAR_EXPIRY })
  const revoke = defineScript<number>(redis, 'ostiaryRevokeClient', { keys: 1, lua: REVOKE })
  const deleteExpired = defineScript<number>(redis, 'ostiaryDeleteExpiredClients', {
    keys: 3,
    lua: DELETE_EXPIRED,
  })
  return (root) => {
    const stem = `${root}client:`
    const key = (client_id: string) => `${stem}${client_id}`
    const index = `${root}clients`
    const byEnd = `${root}clients-by-end`
    const find = async (client_id: string): Promise<Client | null> =>
      clientOf(await redis.hmget(key(client_id), 'client', 'secret', 'expires_at', 'revoked_at'))
    return {
      find,
      async create(client) {
        requireStorableName(client)
        const { client_id, client_secret_hash, expires_at, revoked_at } = client
        const record = JSON.stringify(client)
        const fields = toFields({ client: record, secret: client_secret_hash, expires_at, revoked_at })
        return (await create(key(client_id), index, byEnd, client_id, expires_at ?? '', ...fields)) === 1
      },
      async update(client) {
        requireStorableName(client)
        const { client_id, client_secret_hash } = client
        const secret = client_secret_hash === null ? [] : [client_secret_hash]
        return (await update(key(client_id), JSON.stringify(client), ...secret)) === 1
      },
      setSecret: async (client_id, client_secret_hash) =>
        (await setSecret(key(client_id), client_secret_hash)) === 1,
      keep: async (client_id) => (await clearExpiry(key(client_id), byEnd, client_id)) === 1,
      revoke: async (client_id, now) => (await revoke(key(client_id), now)) === 1,
      async list({ after, limit }) {
        const from = after === undefined ? '-' : `(${after}`
        const ids = await redis.zrangebylex(index, from, '+', 'LIMIT', 0, limit)
        const clients = await Promise.all(ids.map(find))
        return clients.filter((client) => client !== null)
      },
      purgeClients: (now) => inBatches((limit) => deleteExpired(stem, index, byEnd, now, limit)),
    }
  }
}

/** Fields that a record of an earlier release does not have. Null means the default. */
const LATER_FIELDS = {
  token_endpoint_auth_methods: null,
  require_pkce: null,
  default_resource: null,
  logo_uri: null,
  client_uri: null,
  policy_uri: null,
  tos_uri: null,
  access_token_lifetime: null,
  refresh_token_lifetime: null,
} satisfies Partial<Client>

function clientOf([client, secret, expires_at, revoked_at]: (string | null)[]): Client | null {
  if (!client) return null
  const record: Client = { ...LATER_FIELDS, ...JSON.parse(client) }
  return {
    ...record,
    client_secret_hash: secret ?? null,
    expires_at: toTime(expires_at),
    revoked_at: toTime(revoked_at),
  }
}
