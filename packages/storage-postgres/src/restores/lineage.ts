/** The database in which a server is, and the one that the row of `oidc_database` names. They differ after a restore. */

import { codeOf, isUnavailable, RestoredError } from '../connection/availability.js'
import type { Queries } from '../connection/executor.js'

/** `timeline` and `flushed` are null on a standby; `home`, `home_timeline` and `recorded_at` while nothing is recorded. */
interface Lineage {
  /** Cluster, database and table. A restored dump makes another table, a copy another database. */
  here: string
  standby: boolean
  /** A promotion and a recovery to a point in time begin another one. */
  timeline: number
  /** The end of the write-ahead log on the disk. */
  flushed: number
  /** Whether the settings name a point at which a recovery ends. */
  to_target: boolean
  /** What the row says. */
  home: string | null
  home_timeline: number
  /** Microseconds. */
  recorded_at: number
}

/** Instead of an identity: a server has proven that the database was restored, which the others cannot see. */
const PROVEN = 'restored'
const UNDEFINED_TABLE = '42P01'
const TARGETS = ['', '_lsn', '_name', '_time', '_xid'].map(
  (kind) => `current_setting('recovery_target${kind}')`,
)

/** On a standby, the functions of the write-ahead log are errors. */
const LINEAGE = `(
  select concat_ws('/', (select system_identifier from pg_control_system()),
    (select oid from pg_database where datname = current_database()), 'oidc_database'::regclass::oid) as here,
  standby, concat(${TARGETS}) <> '' as to_target,
  ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline, (lsn - '0/0')::float8 as flushed
  from (select pg_is_in_recovery() as standby) as server,
    lateral (select case when not standby then pg_current_wal_flush_lsn() end as lsn) as log) as lineage`

const READ = `select lineage.*, identity as home, home.timeline as home_timeline, recorded_at
  from ${LINEAGE} left join oidc_database as home on true`

async function readLineage(db: Queries): Promise<Lineage> {
  try {
    const [row] = await db.query<Lineage>(READ)
    return row as Lineage
  } catch (error) {
    throw codeOf(error) === UNDEFINED_TABLE ? new RestoredError('its schema is an older one') : error
  }
}

const record = (db: Queries, otherwise: string) =>
  db.query(`insert into oidc_database (id, identity, timeline, recorded_at)
    select 1, here, timeline, (extract(epoch from clock_timestamp()) * 1000000)::bigint from ${LINEAGE}
    on conflict (id) do ${otherwise}`)

/** Changes nothing. @throws RestoredError; what PostgreSQL says where the role may not ask. */
export async function checkLineage(db: Queries): Promise<void> {
  const sign = signOf(await readLineage(db), { kept: null, known: false })
  if (sign !== null) throw new RestoredError(sign)
}

/** Notices that a database was restored. */
export interface LineageWatch {
  /**
   * One statement. Records the lineage where none is recorded yet.
   * @returns Null where the role may not ask, and on a standby. Else to be called when a later commit was answered: only a restore loses
   * the state then.
   * @throws RestoredError
   */
  check(db: Queries): Promise<(() => void) | null>
  /** Stores a failover that `check` has found. @returns Whether this server is the first. */
  storeFailover(db: Queries): Promise<boolean>
}

/** For one database, with the schema of this version. */
export function lineageWatch(): LineageWatch {
  let seen: Lineage | null = null
  let kept: Lineage | null = null
  return {
    async check(db) {
      try {
        const lineage = await findLineage(db, { kept, known: seen !== null })
        if (lineage.standby) return null
        seen = lineage
        return () => {
          if (kept === null || !isEarlier(lineage, kept)) kept = lineage
        }
      } catch (error) {
        if (isUnavailable(error) || seen !== null) throw error
        return null
      }
    },
    async storeFailover(db) {
      if (seen === null || seen.timeline === seen.home_timeline) return false
      const stored = await db.query(
        `update oidc_database set timeline = ${seen.timeline} where timeline = ${seen.home_timeline} returning id`,
      )
      return stored.length > 0
    },
  }
}

/** What this server knows. */
interface Before {
  /** A state that no failure loses. */
  kept: Lineage | null
  /** Whether a lineage was recorded. */
  known: boolean
}

/** Stores a proof that the other servers do not have. @throws RestoredError */
async function findLineage(db: Queries, before: Before): Promise<Lineage> {
  const lineage = await readLineage(db)
  const { here, standby, home, recorded_at } = lineage
  const sign = signOf(lineage, before)
  if (sign !== null && home === here)
    await db.query(`update oidc_database set identity = '${PROVEN}' where recorded_at = ${recorded_at}`)
  if (sign !== null) throw new RestoredError(sign)
  if (standby || home !== null) return lineage
  await record(db, 'nothing')
  return readLineage(db)
}

/**
 * To be called when a restored database is safe, or has lost nothing: servers use it from now on.
 * @returns False when this role may not do it.
 */
export async function recordLineage(db: Queries): Promise<boolean> {
  try {
    await record(
      db,
      'update set identity = excluded.identity, timeline = excluded.timeline, recorded_at = excluded.recorded_at',
    )
    return true
  } catch (error) {
    if (isUnavailable(error)) throw error
    return false
  }
}

/** The state of a database never goes back, unless it is restored. */
function isEarlier(one: Lineage, other: Lineage): boolean {
  for (const key of ['recorded_at', 'timeline', 'flushed'] as const) {
    const difference = one[key] - other[key]
    if (difference !== 0) return difference < 0
  }
  return false
}

/** What shows that the database was restored; null when nothing does. */
function signOf(lineage: Lineage, { kept, known }: Before): string | null {
  const { here, standby, home, home_timeline, timeline, to_target } = lineage
  if (standby) return null
  if (home === null) return known ? 'its table oidc_database is empty' : null
  if (home === PROVEN || (home === here && kept && isEarlier(lineage, kept)))
    return 'a server has seen a later state'
  if (home !== here) return 'its records were written in another database'
  return to_target && timeline !== home_timeline
    ? 'it was recovered to a point in time (recovery_target)'
    : null
}
