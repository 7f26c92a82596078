/** The connections to one server, with postgres.js. */

import postgres from 'postgres'
import { NoPrimaryError } from './availability.js'
import type { DatabaseHost } from './database-url.js'
import type { Param, Queries } from './executor.js'
import { openLanes } from './lanes.js'
import { openSocket } from './socket.js'

/** How connections are made. Times are in seconds. */
export interface PoolSettings {
  connections: number
  connectTimeout: number
  /** Whether statements may be prepared. False behind a connection pooler that loses them. */
  prepare: boolean
  /** 0: no startup parameter is sent. `unlimited`: a limit of the server or of the role is lifted. */
  statementTimeout: number | 'unlimited'
  /** Called with each error of a connection, and of a statement on it. */
  onError(error: unknown): void
}

/** The statements of a pool, or of a transaction. */
export interface Statements {
  unsafe<Row extends object>(text: string, params?: Param[], options?: { prepare: boolean }): Promise<Row[]>
}

interface PooledStatements extends Statements {
  begin<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
  /** Closes every connection at once. */
  end(): Promise<void>
}

export interface Pool {
  sql: PooledStatements
  /** One of several hosts; null: the host of the URL. */
  host: DatabaseHost | null
  /** As `db1:5432`. */
  server: string
  /** What its connections have reported about their servers. */
  reports: StandbyReports
  /** The server may be gone, or be no longer the primary. */
  suspect: boolean
}

/** Each connection reports whether its server is a standby. A pooler may report an old state. */
interface StandbyReports {
  /** The last report; null: none yet. */
  last: boolean | null
  /** A standby is reported, and it has not been verified. */
  unverified: boolean
  /** The reports differ: connections of one pool lead, or have led, to different servers. */
  differ: boolean
}

const IS_STANDBY = 'select pg_is_in_recovery() as standby'

/** @param host One of several hosts; null: the host of the URL. */
export function openPool(url: string, host: DatabaseHost | null, settings: PoolSettings): Pool {
  const reports: StandbyReports = { last: null, unverified: false, differ: false }
  const onStandby = (standby: boolean) => {
    reports.differ ||= reports.last !== null && reports.last !== standby
    reports.last = standby
    reports.unverified ||= standby
  }
  const lanes = openLanes({
    limit: settings.connections,
    open: () => connect(url, host, { ...settings, onStandby }),
    onError: settings.onError,
  })
  const sql: PooledStatements = {
    unsafe: (text, params, options) => lanes.run((connection) => connection.unsafe(text, params, options)),
    begin: <T>(work: (transaction: Statements) => Promise<T>) =>
      lanes.reserve((connection) => connection.begin(work) as Promise<T>),
    end: async () =>
      void (await Promise.all(lanes.close().map((connection) => connection.end({ timeout: 0 })))),
  }
  const { options } = lanes.first
  const server = typeof options.path === 'string' ? options.path : `${options.host[0]}:${options.port[0]}`
  return { sql, host, server, reports, suspect: false }
}

/** Closes every connection at once. */
export const closePool = ({ sql }: Pool): Promise<void> => sql.end()

/** @throws NoPrimaryError when the server is a standby, and what the connection throws. */
export async function checkPrimary({ server }: Pool, sql: Statements): Promise<void> {
  const [row] = await sql.unsafe<{ standby: boolean }>(IS_STANDBY)
  if (row?.standby) throw new NoPrimaryError([standbyState(server)])
}

/**
 * To be called before an answer is used. What a standby answers may be outdated: a token that is revoked may still be valid
 * there.
 * @throws NoPrimaryError
 */
async function refuseStandby(pool: Pool, sql: Statements): Promise<void> {
  const { reports, server } = pool
  if (reports.differ) throw new NoPrimaryError([`${server} leads to a primary and to a standby`])
  if (!reports.unverified) return
  await checkPrimary(pool, sql)
  reports.unverified = false
}

/** The state of a standby, for `NoPrimaryError`. */
export const standbyState = (server: string): string => `${server} is a standby (pg_is_in_recovery)`

/** An option that the types of postgres.js leave out. */
const WITH_SOCKET: object = { socket: openSocket }

interface ConnectSettings extends PoolSettings {
  /** Called when a connection reports another state than the one before it. */
  onStandby: (standby: boolean) => void
}

/**
 * A pool of one connection. With more, postgres.js 3.4 never shortens the list of its idle connections, and searches it for each
 * statement: after 240,000 statements of four callers, one took 150 µs of CPU instead of 40.
 */
function connect(url: string, host: DatabaseHost | null, settings: ConnectSettings) {
  const { statementTimeout, onStandby } = settings
  return postgres(url, {
    max: 1,
    connect_timeout: settings.connectTimeout,
    ...(host && listOf(host)),
    // A query fails at once while the server is unreachable, and succeeds at once when it is reachable again.
    backoff: false,
    prepare: settings.prepare,
    // Lists are JSON and times are numbers, so the types of the database need not be fetched.
    fetch_types: false,
    ...WITH_SOCKET,
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: 'ostiary', statement_timeout: startupTimeout(statementTimeout) },
    onnotice: () => {},
    onparameter: (name: string, value: unknown) => {
      if (name === 'in_hot_standby') onStandby(value === 'on')
    },
  })
}

/** Milliseconds. postgres.js sends the text '0', and does not send the number. Its types know the number only. */
const startupTimeout = (seconds: PoolSettings['statementTimeout']): number =>
  seconds === 'unlimited' ? ('0' as unknown as number) : seconds * 1000

/** postgres.js would cut a host at its colons; it takes lists as they are, which its types do not say. */
const listOf = ({ name, port }: DatabaseHost) => ({
  host: [name] as unknown as string,
  port: [port] as unknown as number,
})

export interface QueryOptions {
  /** Whether statements with parameters are prepared. */
  prepare: boolean
  /** Called when the server has answered, with rows or with an error. */
  onAnswer: () => void
}

/**
 * Queries on the pool, or on the connection of a transaction. postgres.js prepares only statements with parameters, so a
 * text without parameters may hold several statements.
 */
export function queriesOf(pool: Pool, sql: Statements, { prepare, onAnswer }: QueryOptions): Queries {
  return {
    async query<T>(text: string, params: readonly Param[] = []) {
      try {
        const rows = await sql.unsafe(text, [...params], { prepare })
        onAnswer()
        await refuseStandby(pool, sql)
        return rows as unknown as T[]
      } catch (error) {
        if (error instanceof postgres.PostgresError) onAnswer()
        throw error
      }
    },
  }
}

const TRANSACTION_ID = 'select pg_current_xact_id_if_assigned()::text as id'

/**
 * Runs `work` in a transaction. postgres.js prepares its `commit`, which a pooler may send to a backend that does not know
 * it. postgres.js then repeats it; but the error has aborted the transaction, so PostgreSQL rolls it back, and reports no
 * error. A pool without prepared statements avoids that, and this function asks what became of the transaction.
 * @throws Error when PostgreSQL has rolled the transaction back.
 */
export async function runTransaction<T>(
  { sql }: Pool,
  work: (transaction: Statements) => Promise<T>,
): Promise<T> {
  const { result, id } = await sql.begin(async (transaction) => {
    const done = await work(transaction)
    const [row] = await transaction.unsafe<{ id: string | null }>(TRANSACTION_ID)
    return { result: done, id: row?.id ?? null }
  })
  if (id !== null) await checkCommitted(sql, id)
  return result
}

async function checkCommitted(sql: Statements, id: string): Promise<void> {
  const [row] = await sql.unsafe<{ status: string }>(`select pg_xact_status('${id}'::xid8) as status`)
  if (row?.status === 'committed') return
  throw new Error(
    'PostgreSQL has rolled the transaction back. Behind a connection pooler in transaction mode, set database.prepare to false.',
  )
}
