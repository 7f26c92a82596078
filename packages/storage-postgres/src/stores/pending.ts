import type { Pending, PendingStore } from '@ostiary/core'
import { bucketByHash } from '../connection/buckets.js'
import { first, won } from '../connection/executor.js'
import { type Database, findRow, hasKey, keyByHash } from '../connection/row-finder.js'
import { PLACE } from './columns.js'

const PUT = `
  insert into oidc_pending_authorizations (realm, bucket, pending_hash, expires_at, pending)
  values ($1, $2, $3, $4, $5::text::json)
  on conflict do nothing returning pending_hash`

const FIND = findRow(`
  select pending from oidc_pending_authorizations
  where ${hasKey('pending_hash')}`)

const TAKE = `
  delete from oidc_pending_authorizations where ${PLACE} and pending_hash = $3 returning pending`

export function pendingStore(db: Database, realm: string): PendingStore {
  const keyOf = (pending_hash: string) => [realm, bucketByHash(pending_hash), pending_hash]
  const recordOf = async (row: Promise<{ pending: Pending } | null>) => (await row)?.pending ?? null
  return {
    put(pending) {
      const { pending_hash, expires_at } = pending
      return won(db.query(PUT, [...keyOf(pending_hash), expires_at, JSON.stringify(pending)]))
    },
    find: (pending_hash) => recordOf(db.find(FIND, keyByHash(realm, pending_hash))),
    take: (pending_hash) => recordOf(first(db.query(TAKE, keyOf(pending_hash)))),
  }
}
