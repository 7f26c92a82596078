/** The executor of a PostgreSQL server, on a pool of postgres.js. */

import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { DatabaseTimeoutError } from './availability.js'
import type { Executor, Param, Queries } from './executor.js'

/** How connections are made. Times are in seconds. */
export interface PostgresOptions {
  /** The largest number of connections. Default 10. */
  connections?: number
  /** Seconds in which a connection must be established. Default 3. */
  connectTimeout?: number
  /** Seconds that one statement may take; 0: no limit but the server's own. Default 5. */
  statementTimeout?: number
  /** False behind a connection pooler that does not support prepared statements. Default true. */
  prepare?: boolean
}

/** How long `close` waits for running queries. */
const CLOSE_TIMEOUT_MS = 5_000

/** A timer may fire this much too early, by the clock of `performance`. */
const TIMER_TOLERANCE_MS = 10

type Pool = ReturnType<typeof openPool>

/** The executor of a server, which also reports its load. */
export interface PooledExecutor extends Executor {
  /** The number of queries and transactions without an answer yet, and how many can run at a time. */
  load(): { unanswered: number; connections: number }
}

/**
 * Connects with the first query. Each query answers or fails within `connectTimeout + statementTimeout` seconds.
 * @param url As `postgres://user@host:5432/database`; TLS and further options are in its query.
 */
export function postgresExecutor(url: string, options: PostgresOptions = {}): PooledExecutor {
  const { connections = 10, connectTimeout = 3, statementTimeout = 5, prepare = true } = options
  const limit = statementTimeout === 0 ? null : connectTimeout + statementTimeout
  const open = () => openPool(url, { connections, connectTimeout, statementTimeout })
  let pool = open()
  /** When the server last answered, by `performance.now()`. */
  let answered_at = 0
  const onAnswer = () => {
    answered_at = performance.now()
  }
  const running = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const remove = () => void running.delete(work)
    running.add(work)
    work.then(remove, remove)
    return work
  }
  const isSilent = (seconds: number) => performance.now() - answered_at >= seconds * 1000 - TIMER_TOLERANCE_MS
  const isOverloaded = () => running.size > connections
  /**
   * The server itself cancels a slow statement and answers. Without even that answer, the connections are broken, and
   * queries would wait for them forever: all of them fail now, and the next query uses a new pool.
   */
  const replacePool = (broken: Pool) => {
    if (pool !== broken) return
    pool = open()
    void broken.end({ timeout: 0 })
  }
  let watching = false
  /** Called when a query times out. With more queries than connections, it may only be waiting for a connection. */
  const onTimeout = (suspect: Pool, seconds: number) => {
    if (pool !== suspect) return
    if (isSilent(seconds) || !isOverloaded()) replacePool(suspect)
    else if (!watching) watch(suspect, seconds)
  }
  /** Checks again until no query is running: a transaction has no time limit of its own. */
  const watch = (suspect: Pool, seconds: number) => {
    watching = true
    const rest = answered_at + seconds * 1000 - performance.now()
    setTimeout(() => {
      watching = false
      if (pool !== suspect || running.size === 0) return
      if (isSilent(seconds)) replacePool(suspect)
      else watch(suspect, seconds)
    }, rest + 1).unref()
  }
  return {
    query: <T>(text: string, params: readonly Param[] = []) => {
      const current = pool
      const answer = queriesOf(current, { prepare, onAnswer }).query<T>(text, params)
      track(answer)
      return limit === null ? answer : withTimeout(limit, answer, () => onTimeout(current, limit))
    },
    transaction: <T>(run: (tx: Queries) => Promise<T>) =>
      track(pool.begin((tx) => run(queriesOf(tx, { prepare, onAnswer }))) as Promise<T>),
    async queryAlone<T>(text: string) {
      const alone = openPool(url, { connections: 1, connectTimeout, statementTimeout: 0 })
      try {
        return await queriesOf(alone, { prepare, onAnswer }).query<T>(text)
      } finally {
        await alone.end({ timeout: 0 })
      }
    },
    load: () => ({ unanswered: running.size, connections }),
    async close() {
      // postgres.js itself would wait for an answer on a broken connection.
      await Promise.race([Promise.allSettled(running), sleep(CLOSE_TIMEOUT_MS, null, { ref: false })])
      await pool.end({ timeout: 0 })
    },
  }
}

function openPool(url: string, options: Required<Omit<PostgresOptions, 'prepare'>>) {
  return postgres(url, {
    max: options.connections,
    connect_timeout: options.connectTimeout,
    // A query fails at once while the server is unreachable, and succeeds at once when it is reachable again.
    backoff: false,
    // Lists are JSON and times are numbers, so the types of the database need not be fetched.
    fetch_types: false,
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: 'ostiary', statement_timeout: options.statementTimeout * 1000 },
    onnotice: () => {},
  })
}

/** postgres.js prepares only statements with parameters, so a text without parameters may hold several statements. */
function queriesOf(
  sql: Pick<Pool, 'unsafe'>,
  { prepare, onAnswer }: { prepare: boolean; onAnswer: () => void },
): Queries {
  return {
    async query<T>(text: string, params: readonly Param[] = []) {
      try {
        const rows = await sql.unsafe(text, [...params], { prepare })
        onAnswer()
        return rows as unknown as T[]
      } catch (error) {
        if (error instanceof postgres.PostgresError) onAnswer()
        throw error
      }
    },
  }
}

function withTimeout<T>(seconds: number, answer: Promise<T>, onTimeout: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DatabaseTimeoutError(seconds))
      onTimeout()
    }, seconds * 1000)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
