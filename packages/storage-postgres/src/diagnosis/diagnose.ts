/** Checks a database without a change. */

import { isUnavailable } from '../connection/availability.js'
import type { Executor } from '../connection/executor.js'
import { isServer, type PooledExecutor } from '../connection/postgres-executor.js'
import { migrations } from '../migrations/migrations.js'
import { checkLineage } from '../restores/lineage.js'
import { type DatabaseFinding, fault } from './finding.js'
import { checkServer } from './server-state.js'

/** Codes are valid for a minute, tokens for minutes, and proofs (DPoP) and assertions from their `iat` on. */
const MAX_SKEW_SECONDS = 5

/** What `diagnose` takes beside the database. */
export interface DiagnoseOptions {
  /**
   * Opens one more connection to the same server, which `diagnose` closes: with it, a pooler that gives each transaction another
   * connection is noticed. Leave it out where statements are not prepared: there it is no fault.
   */
  another?: () => PooledExecutor
}

/** What `diagnose` returns. */
export interface DatabaseDiagnosis {
  /** The database has no tables yet; `migrations(executor).setUp()` creates them. */
  is_empty: boolean
  /** What stops or slows the writes of a server. Empty when nothing does, and for an embedded database. */
  server: DatabaseFinding[]
  /** Whether this machine shows the time of the database. */
  clock: DatabaseFinding
}

/**
 * Checks that the database accepts writes, has the schema of this version, and shows the same time as this machine. It changes nothing.
 * @throws SchemaError for the schema of another version, RestoredError after a restore, and each error of the database:
 * `diagnoseFailure` says what to do.
 */
export async function diagnose(
  executor: Executor,
  { another }: DiagnoseOptions = {},
): Promise<DatabaseDiagnosis> {
  const server = isServer(executor) ? await checkServer(executor, another) : []
  const steps = migrations(executor)
  const [missing] = await steps.plan()
  const is_empty = missing?.id === 1
  if (!is_empty) {
    await steps.check()
    if (isServer(executor)) server.push(...(await lineageFindings(executor)))
  }
  return { is_empty, server, clock: await checkClock(executor) }
}

const UNKNOWN_LINEAGE: DatabaseFinding = {
  status: 'note',
  message: 'does not tell which one it is: no server notices a restore',
  advice:
    'Grant the user pg_control_system() and oidc_database, or run ostiary database restored after each restore.',
}

async function lineageFindings(executor: Executor): Promise<DatabaseFinding[]> {
  try {
    await checkLineage(executor)
    return []
  } catch (error) {
    if (isUnavailable(error)) throw error
    return [UNKNOWN_LINEAGE]
  }
}

async function checkClock(executor: Executor): Promise<DatabaseFinding> {
  const before = Date.now()
  const [row] = await executor.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 as now',
  )
  const between = (before + Date.now()) / 2000
  const skew = Math.round((row?.now ?? 0) - between)
  if (Math.abs(skew) <= MAX_SKEW_SECONDS)
    return { status: 'ok', message: 'this machine and the database show the same time' }
  return fault(
    `this machine is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the database`,
    'Set both by NTP: with different clocks, codes, tokens and proofs (DPoP) end too early or too late, or are refused.',
  )
}
