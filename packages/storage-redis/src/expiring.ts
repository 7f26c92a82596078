/**
 * Records that are never updated: `pending:<hash>` and `revoked:<jti>`, a string each. `pending-by-end` and
 * `revoked-by-end` are sorted sets of the ids by `expires_at`, for purge. A `jti` that names a grant is with the person's records, any
 * other with the realm's. `replay:<key_hash>` holds the time until which the key is claimed; Redis alone deletes it.
 */

import {
  bucketByTag,
  grantOfJti,
  type PendingStore,
  type ReplayStore,
  type RevokedTokenStore,
} from '@ostiary/core'
import { type Root, realNow, ttlUntil } from './keys.js'
import { type DeleteExpired, inBatches, purgePeople } from './purge.js'
import { type RedisConnection, scriptsOf } from './script.js'
import { byEndOf, type RealmKeys } from './tags.js'

// KEYS: stem, record, by end. ARGV: id, expires_at, time to live, value
const ADD = `
if not call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3], 'NX') then return 0 end
enlist(KEYS[3], { score = ARGV[2], member = ARGV[1], ttl = ARGV[3], stem = KEYS[1] })
return 1`

// Like ADD, but replaces the record.
const PUT = `
call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3])
enlist(KEYS[3], { score = ARGV[2], member = ARGV[1], ttl = ARGV[3], stem = KEYS[1] })`

// KEYS: record, by end. ARGV: id
const TAKE = `
local value = call('GET', KEYS[1])
call('DEL', KEYS[1])
call('ZREM', KEYS[2], ARGV[1])
return value`

// KEYS: stem, by end. ARGV: now, limit
const DELETE_EXPIRED = `
local ids = call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do
  call('DEL', KEYS[1] .. id)
  call('ZREM', KEYS[2], id)
end
return #ids`

// KEYS: record. ARGV: expires_at, now, time to live
const CLAIM = `
local claimed_until = call('GET', KEYS[1])
if claimed_until and tonumber(claimed_until) > tonumber(ARGV[2]) then return 0 end
call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return 1`

export interface ExpiringStores {
  pending: PendingStore
  revoked_tokens: RevokedTokenStore
  replays: ReplayStore
  purgeExpiring(now: number): Promise<number>
}

export function expiringStores(redis: RedisConnection): (realm: RealmKeys) => ExpiringStores {
  const script = scriptsOf(redis)
  const add = script<number>('ostiaryAdd', 3, ADD)
  const put = script<null>('ostiaryPut', 3, PUT)
  const take = script<string | null>('ostiaryTake', 2, TAKE)
  const claim = script<number>('ostiaryClaim', 1, CLAIM)
  const deleteExpired = script<number>('ostiaryDeleteExpired', 2, DELETE_EXPIRED)
  const revoked = (root: Root) => `${root}revoked:`
  const revokedByEnd = (root: Root) => byEndOf('revoked', root)
  const deleteRevoked: DeleteExpired = (root, now, limit) =>
    deleteExpired(revoked(root), revokedByEnd(root), now, limit)
  return (realm) => {
    const root = realm.ofRealm
    const pending = `${root}pending:`
    const pendingByEnd = `${root}pending-by-end`
    const bucketOf = (jti: string): number | null => {
      const grant_id = grantOfJti(jti)
      return grant_id === null ? null : bucketByTag(grant_id)
    }
    const rootOf = (bucket: number | null): Root => (bucket === null ? root : realm.ofBucket(bucket))
    return {
      pending: {
        async put(record) {
          const { pending_hash, expires_at } = record
          const entry = [pending_hash, expires_at, ttlUntil(expires_at), JSON.stringify(record)]
          return (await add(pending, `${pending}${pending_hash}`, pendingByEnd, ...entry)) === 1
        },
        async find(pending_hash) {
          const record = await redis.get(`${pending}${pending_hash}`)
          return record === null ? null : JSON.parse(record)
        },
        async take(pending_hash) {
          const record = await take(`${pending}${pending_hash}`, pendingByEnd, pending_hash)
          return record === null ? null : JSON.parse(record)
        },
      },
      revoked_tokens: {
        async add(jti, expires_at) {
          const bucket = bucketOf(jti)
          const own = rootOf(bucket)
          const keys = [revoked(own), `${revoked(own)}${jti}`, revokedByEnd(own)]
          if (bucket !== null) await realm.tags.revoked.add(bucket)
          await put(...keys, jti, expires_at, ttlUntil(expires_at), '')
        },
        has: async (jti) => (await redis.exists(`${revoked(rootOf(bucketOf(jti)))}${jti}`)) === 1,
      },
      replays: {
        async claim(key_hash, expires_at, now) {
          // By the caller's clock too, which may be behind: a record that Redis deletes too early could be replayed.
          const ttl = ttlUntil(expires_at + Math.max(0, realNow() - now))
          return (await claim(`${root}replay:${key_hash}`, expires_at, now, ttl)) === 1
        },
      },
      async purgeExpiring(now) {
        const counts = await Promise.all([
          inBatches((limit) => deleteExpired(pending, pendingByEnd, now, limit)),
          inBatches((limit) => deleteRevoked(root, now, limit)),
          purgePeople(redis, realm, { kind: 'revoked', deleteExpired: deleteRevoked, now }),
        ])
        return counts[0] + counts[1] + counts[2]
      },
    }
  }
}
