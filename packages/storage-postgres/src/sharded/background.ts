/** The background work of all realms, bucket by bucket. */

import { type BackgroundStorage, BUCKETS, type DueRealms } from '@ostiary/core'
import { countOf, first, type Queries } from '../connection/executor.js'
import { asList, DUE_OF_REALMS, MAX_REALMS } from '../stores/background.js'
import {
  BATCH_SIZE,
  EXPIRED_UNTIL,
  EXPIRING_IN_BUCKETS,
  EXPIRING_OF_REALMS,
  MAX_BATCHES,
  purgeWithoutBuckets,
} from '../stores/purge.js'
import { ALL_BUCKETS, inBuckets, inBucketsThatAnswer } from './buckets.js'
import type { DueSessions } from './due-sessions.js'

/** Buckets that one call of `due` asks: with a call every five seconds, each bucket has its turn every 80 seconds. */
const BUCKETS_PER_TURN = 256

interface Expiring {
  table: string
  expiry: string
  condition: string
}

const hasExpired = ({ table, expiry, condition }: Expiring, in_bucket = '') => `exists (
    select from ${table} where ${in_bucket}${expiry} <= ${EXPIRED_UNTIL} and ${condition}
  )`

/** `$1` is `keys_before`, `$2` the time. */
const DUE_WITHOUT_BUCKETS = `select ${DUE_OF_REALMS},
  ${EXPIRING_OF_REALMS.map((table) => hasExpired(table)).join(' or ')} as expired`

const GRANTS: Expiring = { table: 'oidc_grants', expiry: 'expires_at', condition: 'true' }

/** `$1` is the bucket, `$2` the time. */
const DUE_IN_BUCKET = `select
  ${asList(`
    select realm from oidc_sessions
    where bucket = $1 and coalesce(ends_until, expires_at) <= $2::bigint limit ${MAX_REALMS}
  `)} as sessions,
  ${[GRANTS, ...EXPIRING_IN_BUCKETS].map((table) => hasExpired(table, 'bucket = $1 and ')).join(' or ')} as expired`

/** `$1` is the bucket, `$2` the time, `$3` the size of the batch, `$4` the realm, or null for all. */
const expiredRows = ({ table, expiry, condition }: Expiring, columns: string) => `
    select ${columns} from ${table}
    where bucket = $1 and ($4::text is null or realm = $4) and ${expiry} <= ${EXPIRED_UNTIL} and ${condition}
    order by ${expiry} limit $3 for update skip locked`

const deleteOfGrants = (table: string) => `
    delete from ${table} of_grant using doomed
    where of_grant.bucket = $1 and of_grant.realm = doomed.realm and of_grant.grant_id = doomed.grant_id
    returning true`

const deleteExpired = (expiring: Expiring) => `
    delete from ${expiring.table} where bucket = $1 and ctid = any(array(${expiredRows(expiring, 'ctid')}
    )) returning true`

/**
 * A token that is stored at the same moment does not stay without its grant: what stores it has locked the grant, which is then skipped, or
 * has made it last longer, which is seen when the grant is locked here.
 */
const PURGE = `
  with doomed as materialized (${expiredRows(GRANTS, 'realm, grant_id')}
  ), codes as (${deleteOfGrants('oidc_authorization_codes')}
  ), tokens as (${deleteOfGrants('oidc_refresh_tokens')}
  ), grants as (${deleteOfGrants('oidc_grants')}
  ), ${EXPIRING_IN_BUCKETS.map((expiring) => `of_${expiring.table} as (${deleteExpired(expiring)})`).join(', ')}
  select count(*)::int as count from (
    ${['grants', ...EXPIRING_IN_BUCKETS.map(({ table }) => `of_${table}`)].map((part) => `select from ${part}`).join(' union all ')}
  ) as deleted`

interface Purge {
  bucket: number
  /** Null for all realms. */
  realm: string | null
  now: number
}

async function purgeBucket(db: Queries, { bucket, realm, now }: Purge): Promise<number> {
  let deleted = 0
  for (let batches = 0; batches < MAX_BATCHES; batches += 1) {
    const count = await countOf(db.query(PURGE, [bucket, now, BATCH_SIZE, realm]))
    deleted += count
    if (count < BATCH_SIZE) break
  }
  return deleted
}

/** @returns `RealmStorage.purge` of the realm. */
export function purgeInBuckets(db: Queries, realm: string): (now: number) => Promise<number> {
  const purgeOthers = purgeWithoutBuckets(db, realm)
  return async (now) => {
    const counts = await inBuckets(ALL_BUCKETS, (bucket) => purgeBucket(db, { bucket, realm, now }))
    return (await purgeOthers(now)) + sum(counts)
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const NOTHING_DUE: DueRealms = { sessions: [], deliveries: [], deletions: [], keys: [], expired: false }

export function backgroundInBuckets(db: Queries, due: DueSessions): BackgroundStorage {
  const purgeOthers = purgeWithoutBuckets(db, null)
  let next = 0
  /** Buckets that have expired records. */
  const expired = new Set<number>()

  const nextTurn = (): readonly number[] => {
    const turn = ALL_BUCKETS.slice(next, next + BUCKETS_PER_TURN)
    next = (next + BUCKETS_PER_TURN) % BUCKETS
    return turn
  }

  async function ask(bucket: number, now: number): Promise<void> {
    const row = await first(db.query<Pick<DueRealms, 'sessions' | 'expired'>>(DUE_IN_BUCKET, [bucket, now]))
    for (const realm of row?.sessions ?? []) due.add(realm, bucket)
    if (row?.expired) expired.add(bucket)
  }

  return {
    async due({ now, keys_before }) {
      const of_realms = await first(db.query<DueRealms>(DUE_WITHOUT_BUCKETS, [keys_before, now]))
      await inBucketsThatAnswer(nextTurn(), (bucket) => ask(bucket, now))
      const { expired: records, ...realms } = of_realms ?? NOTHING_DUE
      return { ...realms, sessions: due.realms(), expired: records || expired.size > 0 }
    },
    async purge(now) {
      const buckets = [...expired]
      expired.clear()
      const counts = await inBucketsThatAnswer(buckets, (bucket) =>
        purgeBucket(db, { bucket, realm: null, now }),
      )
      return (await purgeOthers(now)) + sum(counts)
    },
  }
}
