/** The state of a PostgreSQL, and of a pooler in front of it: what slows or stops the writes of a server. */

import type { PooledExecutor } from '../connection/postgres-executor.js'
import { IS_READ_ONLY } from '../connection/write-check.js'
import { type DatabaseFinding, fault } from './finding.js'

interface StateRow {
  read_only: boolean
  /** Empty when replication is not synchronous, or when commits do not wait for it. */
  waits_for: string
  /** The standbys that are connected. */
  standbys: number
  /** Those whose state the role may see. */
  visible: number
  /** Those of them that are synchronous. */
  synchronous: number
}

const STATE = `
  select ${IS_READ_ONLY},
    case when current_setting('synchronous_commit') in ('off', 'local') then ''
      else current_setting('synchronous_standby_names') end as waits_for,
    count(*)::int as standbys, count(sync_state)::int as visible,
    (count(*) filter (where sync_state in ('sync', 'quorum')))::int as synchronous
  from pg_stat_replication`

/**
 * @param another Opens one more connection; undefined where statements are not prepared.
 * @returns A finding for each fault; none when the server can write.
 */
export async function checkServer(
  executor: PooledExecutor,
  another: (() => PooledExecutor) | undefined,
): Promise<DatabaseFinding[]> {
  const [row] = await executor.query<StateRow>(STATE)
  const pooled = another !== undefined && (await changesBackends(another))
  return [
    ...(row?.read_only ? [READ_ONLY] : []),
    ...(row && waitsInVain(row) ? [noStandby(row.waits_for)] : []),
    ...(pooled ? [POOLED] : []),
  ]
}

const READ_ONLY = fault(
  'is read-only (default_transaction_read_only): the server does not start',
  'Reset default_transaction_read_only of the server, the database and the role to off.',
)

const POOLED: DatabaseFinding = {
  status: 'note',
  message: 'is behind a pooler that gives each transaction another connection, and statements are prepared',
  advice:
    'Set OSTIARY_DATABASE__PREPARE to false, unless the pooler keeps prepared statements, as PgBouncer 1.21 does with ' +
    'max_prepared_statements; see "PgBouncer" in docs/run-it.md.',
}

const noStandby = (names: string): DatabaseFinding =>
  fault(
    `waits for a synchronous standby (synchronous_standby_names ${names}), and none is connected: no commit is answered`,
    'Start the standby, or change synchronous_standby_names and reload the configuration of PostgreSQL.',
  )

/** Without pg_monitor, a role sees how many standbys there are, and nothing of them. */
function waitsInVain({ waits_for, standbys, visible, synchronous }: StateRow): boolean {
  if (waits_for === '') return false
  return standbys === 0 || (visible > 0 && synchronous === 0)
}

/** Asks for its backend, and again while another client has that backend. Only a pooler changes it in between. */
async function changesBackends(open: () => PooledExecutor): Promise<boolean> {
  const one = open()
  const other = open()
  const backend = async () => (await one.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid
  try {
    const before = await backend()
    return await other.transaction(async (tx) => {
      await tx.query('select 1')
      return (await backend()) !== before
    })
  } catch {
    // A pooler with one connection lets the first client wait for the other one: nothing is known.
    return false
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}
