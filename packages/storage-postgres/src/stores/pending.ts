import type { Pending, PendingStore } from '@ostiary/core'
import { first, type Queries, won } from '../connection/executor.js'

const PUT = `
  insert into oidc_pending_authorizations (realm, pending_hash, expires_at, pending) values ($1, $2, $3, $4::text::json)
  on conflict do nothing returning pending_hash`

const FIND = 'select pending from oidc_pending_authorizations where realm = $1 and pending_hash = $2'

const TAKE =
  'delete from oidc_pending_authorizations where realm = $1 and pending_hash = $2 returning pending'

export function pendingStore(db: Queries, realm: string): PendingStore {
  const recordOf = async (text: string, pending_hash: string) =>
    (await first(db.query<{ pending: Pending }>(text, [realm, pending_hash])))?.pending ?? null
  return {
    put(pending) {
      const { pending_hash, expires_at } = pending
      return won(db.query(PUT, [realm, pending_hash, expires_at, JSON.stringify(pending)]))
    },
    find: (pending_hash) => recordOf(FIND, pending_hash),
    take: (pending_hash) => recordOf(TAKE, pending_hash),
  }
}
