/** Ends the sessions and the grants of people, marks each consent as to be asked again, and removes passwords and mails, in batches. */

import type { Queries } from '../connection/executor.js'

/** Buckets of people, both included. */
export interface BucketRange {
  first: number
  last: number
}

/** How many records a run has ended. */
export interface EndedAccess {
  sessions: number
  grants: number
  consents: number
}

/** Rows that one statement looks at. */
const BATCH = 1_000

interface Walk {
  table: string
  /** The columns of the primary key between `realm` and the bucket. */
  key: readonly string[]
  /** The change of a row `t` that is in `page`; `$1` and `$2`: the buckets. */
  change: (same: string) => string
}

const REVOKE = (table: string) => (same: string) =>
  `update ${table} t set revoked_at = oidc_clock() from page where ${same} and t.revoked_at is null and page.bucket between $1 and $2`
const DELETE = (table: string) => (same: string) =>
  `delete from ${table} t using page where ${same} and page.bucket between $1 and $2`

const REMOVE_PASSWORD = (same: string) =>
  `update oidc_users t set password_hash = null, updated_at = t.updated_at + 1, credential_version = coalesce(t.credential_version, 0) + 1 from page where ${same} and t.password_hash is not null and page.bucket between $1 and $2`

/** A run that was interrupted begins anew, and finds ended what it has ended. */
export async function endAccess(db: Queries, range: BucketRange): Promise<EndedAccess> {
  const walk = (table: string, key: readonly string[], change: typeof REVOKE) =>
    walkTable(db, { table, key, change: change(table) }, range)
  const grants = await walk('oidc_grants', ['grant_id'], REVOKE)
  const consents = await walk('oidc_consents', ['sub', 'client_id', 'resource'], REVOKE)
  await walk('oidc_session_clients', ['sid', 'client_id'], DELETE)
  await walk('oidc_session_browsers', ['sid'], DELETE)
  // One that was used before the restore is there again.
  await walk('oidc_tickets', ['sub', 'purpose'], DELETE)
  await walk('oidc_remembered_devices', ['sub', 'device_id'], DELETE)
  return { sessions: await walk('oidc_sessions', ['sid'], DELETE), grants, consents }
}

/** Removes each password. @returns How many users had one. */
export const removePasswords = (db: Queries, range: BucketRange): Promise<number> =>
  walkTable(db, { table: 'oidc_users', key: ['sub'], change: REMOVE_PASSWORD }, range)

const DELETE_MAILS = `
  delete from oidc_mails where mail_id = any(array(select mail_id from oidc_mails limit ${BATCH})) returning 1`

/** Deletes the mails that wait: after a restore, sent ones do too. @returns How many. */
export async function deleteMails(db: Queries): Promise<number> {
  let total = 0
  for (;;) {
    const { length } = await db.query(DELETE_MAILS)
    total += length
    if (length < BATCH) return total
  }
}

/** Goes through the primary key, which no change of these rows moves. @returns How many rows were changed. */
async function walkTable(db: Queries, { table, key, change }: Walk, range: BucketRange): Promise<number> {
  const columns = ['realm', ...key, 'bucket']
  const after = columns.map((_, index) => `$${index + 3}`)
  const same = columns.map((column) => `t.${column} = page.${column}`).join(' and ')
  const statement = (condition: string) => `
    with page as materialized (
      select ${columns.join(', ')} from ${table} ${condition} order by ${columns.join(', ')} limit ${BATCH}
    ), changed as (${change(same)} returning 1)
    select ${columns.join(', ')}, (select count(*)::int from changed) as count
    from page order by ${columns.map((column) => `${column} desc`).join(', ')} limit 1`
  const next = statement(`where (${columns.join(', ')}) > (${after.join(', ')})`)
  const buckets = [range.first, range.last]
  let total = 0
  let rows = await db.query<Record<string, string | number>>(statement(''), buckets)
  for (let end = rows[0]; end !== undefined; end = rows[0]) {
    total += Number(end.count)
    const place = columns.map((column) => end?.[column] ?? '')
    rows = await db.query<Record<string, string | number>>(next, [...buckets, ...place])
  }
  return total
}
