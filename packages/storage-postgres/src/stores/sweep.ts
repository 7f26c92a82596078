/** Finds the records of one client by steps through all records of a realm: no index begins with the client. */

import { BUCKETS, type ClientSweep, type SweepStep } from '@ostiary/core'
import type { Param, Queries } from '../connection/executor.js'

/** Records that one step reads, about five milliseconds of work. */
const STEP_SIZE = 2000

interface SweptTable {
  table: string
  /** The condition of a partial index on realm, sub and client_id; `true` when the index has all rows. */
  index_condition: string
  /**
   * Changes the client's rows of the users in `users`; returns a row for each.
   * @param bucket The parameter with the bucket of the rows; absent: rows of all buckets.
   */
  change: (bucket?: string) => string
  /** The number of parameters from `$5` on that `change` has. */
  parameters: number
}

/** The step of a sweep, as two statements. */
export interface SweepStatements {
  of_all: string
  /** Of one bucket, which is the last parameter. */
  of_bucket: string
}

/**
 * A step reads pairs of user and client from the index, in its order, and changes all rows of the pairs that belong to the
 * client: a user may have more of them than a step reads. `$1` is the realm, `$2` the client, `$3` and `$4` the last pair
 * of the step before.
 */
export const sweepStatements = (swept: SweptTable): SweepStatements => ({
  of_all: sweepStatement(swept),
  of_bucket: sweepStatement(swept, `$${5 + swept.parameters}`),
})

/** A further condition of rows. */
export const inBucket = (bucket?: string): string => (bucket === undefined ? '' : `and bucket = ${bucket}`)

const sweepStatement = ({ table, index_condition, change }: SweptTable, bucket?: string): string => `
  with step as materialized (
    select sub, client_id from ${table}
    where realm = $1 ${inBucket(bucket)} and ${index_condition} and (sub, client_id) > ($3, $4)
    order by sub, client_id limit ${STEP_SIZE}
  ), users as materialized (
    select distinct sub from step where client_id = $2
  ), changed as (
    ${change(bucket)}
  ), last as (
    select sub, client_id from step order by sub desc, client_id desc limit 1
  )
  select (select count(*)::int from changed) as count, (select count(*)::int from step) as seen,
    (select sub from last) as sub, (select client_id from last) as client_id`

interface SweepRow {
  count: number
  seen: number
  sub: string | null
  client_id: string | null
}

type Pair = [sub: string, client_id: string]
const FIRST_PAIR: Pair = ['', '']

interface Sweep {
  text: string
  realm: string
  /** The parameters from `$5` on. */
  more: readonly Param[]
}

/** Runs one step. */
export async function sweepStep(
  db: Queries,
  sweep: Sweep,
  { client_id, after }: ClientSweep,
): Promise<SweepStep> {
  const pair: Pair = after === undefined ? FIRST_PAIR : JSON.parse(after)
  const { count, last } = await runStep(db, sweep, { client_id, pair })
  return { count, next: last && JSON.stringify(last) }
}

/** Buckets that one step looks at, until one of them has more records than a step reads. */
const BUCKETS_PER_STEP = 64

/** Runs one step, bucket by bucket. */
export async function sweepStepInBuckets(
  db: Queries,
  { text, realm, more }: Sweep,
  { client_id, after }: ClientSweep,
): Promise<SweepStep> {
  let [bucket, ...pair]: [number, ...Pair] = after === undefined ? [0, ...FIRST_PAIR] : JSON.parse(after)
  const end = Math.min(bucket + BUCKETS_PER_STEP, BUCKETS)
  let total = 0
  for (; bucket < end; bucket += 1) {
    const { count, last } = await runStep(db, { text, realm, more: [...more, bucket] }, { client_id, pair })
    total += count
    if (last !== null) return { count: total, next: JSON.stringify([bucket, ...last]) }
    pair = FIRST_PAIR
  }
  return { count: total, next: bucket === BUCKETS ? null : JSON.stringify([bucket, ...FIRST_PAIR]) }
}

/** @returns `last` is null when there is no further row. */
async function runStep(
  db: Queries,
  { text, realm, more }: Sweep,
  { client_id, pair }: { client_id: string; pair: Pair },
): Promise<{ count: number; last: (string | null)[] | null }> {
  const [row] = await db.query<SweepRow>(text, [realm, client_id, ...pair, ...more])
  if (row === undefined || row.seen < STEP_SIZE) return { count: row?.count ?? 0, last: null }
  return { count: row.count, last: [row.sub, row.client_id] }
}
