/** The connections to one server, with postgres.js. */

import type { Duplex } from 'node:stream'
import postgres from 'postgres'
import { NoPrimaryError } from './availability.js'
import type { DatabaseHost } from './database-url.js'
import type { Param, Queries } from './executor.js'
import { openLanes } from './lanes.js'
import {
  closedAtStart,
  connectionEnded,
  failedSocket,
  NotSentError,
  openSocket,
  type Target,
} from './socket.js'
import { inTransaction, type Statements } from './transaction.js'

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
  check: ConnectionCheck | undefined
}

/** Called before the first statement of a connection, which fails when it rejects. Then the next statement calls it again. */
export type ConnectionCheck = (connection: Queries) => Promise<void>

interface PooledStatements extends Statements {
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>
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
    open: (onClosed) => connect(url, host, { ...settings, onStandby, onClosed }),
    isOld: ({ renew_at }) => performance.now() > renew_at,
    end: (connection) => void connection.end(),
    onError: settings.onError,
  })
  const sql: PooledStatements = {
    unsafe: (text, params, options) =>
      untilSent(() => lanes.run((connection) => connection.unsafe(text, params, options))),
    transaction<T>(work: (statements: Statements) => Promise<T>) {
      let begun = false
      const begin = (statements: Statements) => {
        begun = true
        return work(statements)
      }
      return untilSent(
        () => lanes.reserve((connection) => inTransaction(connection, begin)),
        () => !begun,
      )
    },
    end: async () => void (await Promise.all(lanes.close().map((connection) => connection.end()))),
  }
  const { options } = lanes.first
  const server = typeof options.path === 'string' ? options.path : `${options.host[0]}:${options.port[0]}`
  return { sql, host, server, reports, suspect: false }
}

/** Repeats what a connection has not sent, because it has closed before, on the connection that replaces it. */
const untilSent = <T>(attempt: () => Promise<T>, mayRepeat = () => true): Promise<T> =>
  attempt().catch((error: unknown) => {
    if (error instanceof NotSentError && mayRepeat()) return untilSent(attempt, mayRepeat)
    throw error
  })

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

/**
 * A connection is replaced after this time to twice this time, while it runs nothing: a balancer, or a name with other addresses,
 * then gives each server its share, and what a session of PostgreSQL has cached is freed.
 */
const LIFETIME_MS = 1_800_000

interface ConnectSettings extends PoolSettings {
  /** Called when a connection reports another state than the one before it. */
  onStandby: (standby: boolean) => void
  /** Called when the connection has closed, or has not been established. */
  onClosed: () => void
}

/**
 * A pool of one connection. With more, postgres.js 3.4 never shortens the list of its idle connections, and searches it for each
 * statement: after 240,000 statements of four callers, one took 150 µs of CPU instead of 40.
 *
 * It connects once. When a connection closes in the middle of an answer, postgres.js 3.4 keeps the number of rows that it has read,
 * the error that it has read, and what it was about to write. On its next connection, the first answer then begins with rows that
 * are missing, or the connection does not start. So another pool replaces it, and statements that it has not sent fail with a
 * NotSentError.
 */
function connect(url: string, host: DatabaseHost | null, settings: ConnectSettings) {
  const { statementTimeout, onStandby, onClosed } = settings
  let opened = false
  let closed = false
  let ended = false
  const close = () => {
    if (closed) return
    closed = true
    onClosed()
  }
  const notSent = (target: Target) => (ended ? connectionEnded(target) : new NotSentError(target))
  // `max_lifetime` would end a connection between two statements of a transaction. Without `backoff`, a query fails at once while the
  // server is unreachable, and succeeds at once when it is reachable again. Lists are JSON and times are numbers, so no types are fetched.
  const sql = postgres(url, {
    max: 1,
    connect_timeout: settings.connectTimeout,
    max_lifetime: null,
    ...(host && listOf(host)),
    backoff: false,
    prepare: settings.prepare,
    fetch_types: false,
    ...socketOption((target) => {
      // For each statement that still waits when the connection has closed.
      if (closed) return failedSocket(notSent(target))
      if (opened) {
        close()
        return failedSocket(closedAtStart(target))
      }
      opened = true
      // Before postgres.js rejects the statements that it has sent: their callers may repeat them at once.
      return openSocket(target).once('error', close)
    }),
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: 'ostiary', statement_timeout: startupTimeout(statementTimeout) },
    onnotice: () => {},
    onparameter: (name: string, value: unknown) => {
      if (name === 'in_hot_standby') onStandby(value === 'on')
    },
    onclose: close,
  })
  const { options } = sql
  const unsafe = <Row extends object>(text: string, params?: Param[], query?: { prepare: boolean }) =>
    closed
      ? Promise.reject<Row[]>(notSent(options))
      : (sql.unsafe<Row[]>(text, params, query) as Promise<Row[]>)
  const checked = checkOnce(settings.check, { unsafe })
  return {
    options,
    renew_at: performance.now() + LIFETIME_MS * (1 + Math.random()),
    unsafe<Row extends object>(text: string, params?: Param[], query?: { prepare: boolean }) {
      const checking = checked()
      return checking === null
        ? unsafe<Row>(text, params, query)
        : checking.then(() => unsafe<Row>(text, params, query))
    },
    end() {
      ended = true
      return sql.end({ timeout: 0 })
    },
  }
}

/** @returns Null when the connection has passed; else the check under way. */
function checkOnce(check: ConnectionCheck | undefined, { unsafe }: Statements): () => Promise<void> | null {
  let passed = check === undefined
  let checking: Promise<void> | null = null
  const query = <T>(text: string, params: readonly Param[] = []) =>
    unsafe(text, [...params], { prepare: false }) as Promise<unknown[]> as Promise<T[]>
  const run = async () => {
    try {
      await check?.({ query })
      passed = true
    } finally {
      checking = null
    }
  }
  return () => {
    if (passed) return null
    checking ??= run()
    return checking
  }
}

/** An option that the types of postgres.js leave out. */
const socketOption = (socket: (target: Target) => Duplex): object => ({ socket })

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
        // postgres.js assigns closures to its query, which V8 allocates among the old objects: they keep the query and its result
        // alive until the next full collection of garbage. Without this, its rows too.
        return rows.splice(0) as unknown as T[]
      } catch (error) {
        if (error instanceof postgres.PostgresError) onAnswer()
        throw error
      }
    },
  }
}
