/** Finds the records of one client by steps through all records of a realm: no index begins with the client. */

import type { ClientSweep, SweepStep } from '@ostiary/core'
import type { Param, Queries } from '../connection/executor.js'

/** Records that one step reads, about five milliseconds of work. */
const STEP_SIZE = 2000

interface SweptTable {
  table: string
  /** The condition of a partial index on realm, sub and client_id; `true` when the index has all rows. */
  index_condition: string
  /** Changes the client's rows of the users in `users`; returns a row for each. */
  change: string
}

/**
 * A step reads pairs of user and client from the index, in its order, and changes all rows of the pairs that belong to the
 * client: a user may have more of them than a step reads. `$1` is the realm, `$2` the client, `$3` and `$4` the last pair
 * of the step before.
 */
export const sweepStatement = ({ table, index_condition, change }: SweptTable): string => `
  with step as materialized (
    select sub, client_id from ${table}
    where realm = $1 and ${index_condition} and (sub, client_id) > ($3, $4)
    order by sub, client_id limit ${STEP_SIZE}
  ), users as materialized (
    select distinct sub from step where client_id = $2
  ), changed as (
    ${change}
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

/** Runs one step. @param more The parameters from `$5` on. */
export async function sweepStep(
  db: Queries,
  { text, realm, more }: { text: string; realm: string; more: readonly Param[] },
  { client_id, after }: ClientSweep,
): Promise<SweepStep> {
  const pair: [sub: string, client_id: string] = after === undefined ? ['', ''] : JSON.parse(after)
  const [row] = await db.query<SweepRow>(text, [realm, client_id, ...pair, ...more])
  if (!row) return { count: 0, next: null }
  const is_last = row.seen < STEP_SIZE
  return { count: row.count, next: is_last ? null : JSON.stringify([row.sub, row.client_id]) }
}
