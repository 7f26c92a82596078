/**
 * `document:<client_id>` is a hash with the record and its `fetched_at`. `documents` is a sorted set of all ids, in
 * lexicographic order; `documents-by-end` has them by `expires_at`.
 */

import type { ClientDocument, ClientDocumentStore } from '@ostiary/core'
import type { Root } from './keys.js'
import { inBatches } from './purge.js'
import { type RedisConnection, scriptsOf } from './script.js'

// KEYS: document, all, by end. ARGV: client_id, fetched_at, expires_at, record
const PUT = `
local fetched_at = call('HGET', KEYS[1], 'fetched_at')
if fetched_at and tonumber(fetched_at) > tonumber(ARGV[2]) then return end
call('HSET', KEYS[1], 'document', ARGV[4], 'fetched_at', ARGV[2])
call('ZADD', KEYS[2], 0, ARGV[1])
call('ZADD', KEYS[3], ARGV[3], ARGV[1])`

// KEYS: document, all, by end. ARGV: client_id
const DELETE = `
call('ZREM', KEYS[2], ARGV[1])
call('ZREM', KEYS[3], ARGV[1])
return call('DEL', KEYS[1])`

// KEYS: stem, all, by end. ARGV: now, limit
const DELETE_EXPIRED = `
local ids = call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, client_id in ipairs(ids) do
  call('DEL', KEYS[1] .. client_id)
  call('ZREM', KEYS[2], client_id)
  call('ZREM', KEYS[3], client_id)
end
return #ids`

export interface RedisClientDocumentStore extends ClientDocumentStore {
  purgeDocuments(now: number): Promise<number>
}

export function clientDocumentStores(redis: RedisConnection): (root: Root) => RedisClientDocumentStore {
  const script = scriptsOf(redis)
  const put = script<null>('ostiaryPutDocument', 3, PUT)
  const remove = script<number>('ostiaryDeleteDocument', 3, DELETE)
  const deleteExpired = script<number>('ostiaryDeleteExpiredDocuments', 3, DELETE_EXPIRED)
  return (root) => {
    const stem = `${root}document:`
    const key = (client_id: string) => `${stem}${client_id}`
    const index = `${root}documents`
    const byEnd = `${root}documents-by-end`
    const find = async (client_id: string): Promise<ClientDocument | null> => {
      const record = await redis.hget(key(client_id), 'document')
      return record === null ? null : JSON.parse(record)
    }
    return {
      find,
      async put(document) {
        const { client_id, fetched_at, expires_at } = document
        const record = JSON.stringify(document)
        await put(key(client_id), index, byEnd, client_id, fetched_at, expires_at, record)
      },
      async list({ after, limit }) {
        const from = after === undefined ? '-' : `(${after}`
        const ids = await redis.zrangebylex(index, from, '+', 'LIMIT', 0, limit)
        return (await Promise.all(ids.map(find))).filter((document) => document !== null)
      },
      delete: async (client_id) => (await remove(key(client_id), index, byEnd, client_id)) === 1,
      purgeDocuments: (now) => inBatches((limit) => deleteExpired(stem, index, byEnd, now, limit)),
    }
  }
}
