/** `client:<client_id>` is a hash of the record and `revoked_at`; `clients` lists the ids in lexicographic order. */

import type { Client, ClientStore } from '@ostiary/core'
import type { Root } from './keys.js'
import { type Connection, defineScript, toFields, toTime } from './script.js'

const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1`

const UPDATE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'client', ARGV[1])
return 1`

const REVOKE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSETNX', KEYS[1], 'revoked_at', ARGV[1])`

export function clientStores(redis: Connection): (root: Root) => ClientStore {
  const create = defineScript<number>(redis, 'ostiaryCreateClient', { keys: 2, lua: CREATE })
  const update = defineScript<number>(redis, 'ostiaryUpdateClient', { keys: 1, lua: UPDATE })
  const revoke = defineScript<number>(redis, 'ostiaryRevokeClient', { keys: 1, lua: REVOKE })
  return (root) => {
    const key = (client_id: string) => `${root}client:${client_id}`
    const index = `${root}clients`
    const fields = (client: Client) =>
      toFields({ client: JSON.stringify(client), revoked_at: client.revoked_at })
    const find = async (client_id: string): Promise<Client | null> => {
      const [client, revoked_at] = await redis.hmget(key(client_id), 'client', 'revoked_at')
      return client ? { ...JSON.parse(client), revoked_at: toTime(revoked_at) } : null
    }
    return {
      find,
      async create(client) {
        const { client_id } = client
        return (await create(key(client_id), index, client_id, ...fields(client))) === 1
      },
      update: async (client) => (await update(key(client.client_id), JSON.stringify(client))) === 1,
      revoke: async (client_id, now) => (await revoke(key(client_id), now)) === 1,
      async list({ after, limit }) {
        const from = after === undefined ? '-' : `(${after}`
        const ids = await redis.zrangebylex(index, from, '+', 'LIMIT', 0, limit)
        const clients = await Promise.all(ids.map(find))
        return clients.filter((client) => client !== null)
      },
    }
  }
}
