/** What no user of a restored database may have again: an old password, and an account that was disabled. */

import { bucketByHash } from '@ostiary/core'
import { type Queries, won } from '../connection/executor.js'
import type { BucketRange } from './end-access.js'

/** Users that one statement looks at. */
const BATCH = 1_000

const REMOVE = `
  with page as materialized (
    select realm, sub, bucket from oidc_users where (realm, sub) > ($3, $4) order by realm, sub limit ${BATCH}
  ), changed as (
    update oidc_users t set password_hash = null, updated_at = t.updated_at + 1 from page
    where t.realm = page.realm and t.sub = page.sub and t.bucket = page.bucket
      and page.bucket between $1 and $2 and t.password_hash is not null
    returning 1
  )
  select realm, sub, (select count(*)::int from changed) as count from page order by realm desc, sub desc limit 1`

/** Removes each password. @returns How many users had one. */
export async function removePasswords(db: Queries, { first, last }: BucketRange): Promise<number> {
  let [realm, sub] = ['', '']
  for (let total = 0; ; ) {
    const [end] = await db.query<{ realm: string; sub: string; count: number }>(REMOVE, [
      first,
      last,
      realm,
      sub,
    ])
    if (end === undefined) return total
    total += end.count
    realm = end.realm
    sub = end.sub
  }
}

/** A user, and what is done. */
export interface PersonChange {
  realm: string
  sub: string
  what: 'remove password' | 'disable'
}

const CHANGES = {
  'remove password': `
    update oidc_users set password_hash = null, updated_at = updated_at + 1
    where realm = $1 and bucket = $2 and sub = $3 and password_hash is not null returning sub`,
  disable: `
    update oidc_users set disabled_at = oidc_clock(), updated_at = updated_at + 1
    where realm = $1 and bucket = $2 and sub = $3 and disabled_at is null returning sub`,
} as const

/** One statement for each. @returns How many have changed something. */
export async function changePeople(db: Queries, changes: readonly PersonChange[]): Promise<number> {
  let total = 0
  for (const { realm, sub, what } of changes)
    if (await won(db.query(CHANGES[what], [realm, bucketByHash(sub), sub]))) total += 1
  return total
}
