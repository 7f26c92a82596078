import type { Pending, PendingStore } from '@ostiary/core'
import { first, won } from '../connection/executor.js'
import { type Database, findRow } from '../connection/row-finder.js'

const PUT = `
  insert into oidc_pending_authorizations (realm, pending_hash, expires_at, pending) values ($1, $2, $3, $4::text::json)
  on conflict do nothing returning pending_hash`

const FIND = findRow(`
  select pending from oidc_pending_authorizations where realm = key.realm and pending_hash = key.id`)

const TAKE =
  'delete from oidc_pending_authorizations where realm = $1 and pending_hash = $2 returning pending'

export function pendingStore(db: Database, realm: string): PendingStore {
  const recordOf = async (row: Promise<{ pending: Pending } | null>) => (await row)?.pending ?? null
  return {
    put(pending) {
      const { pending_hash, expires_at } = pending
      return won(db.query(PUT, [realm, pending_hash, expires_at, JSON.stringify(pending)]))
    },
    find: (pending_hash) => recordOf(db.find(FIND, realm, pending_hash)),
    take: (pending_hash) => recordOf(first(db.query(TAKE, [realm, pending_hash]))),
  }
}
