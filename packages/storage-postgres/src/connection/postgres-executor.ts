/** A PostgreSQL server, through postgres.js. */

import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { DatabaseTimeoutError } from './availability.js'
import type { Executor, Param, Queries } from './executor.js'

/** How connections are made. Times are in seconds. */
export interface PostgresOptions {
  /** At most so many connections. Default 10. */
  connections?: number
  /** Seconds until a connection must stand. Default 3. */
  connectTimeout?: number
  /** Seconds that one statement may take; 0: as long as the server lets it, and no time limit here. Default 5. */
  statementTimeout?: number
  /** False behind a pooler that does not keep prepared statements apart. Default true. */
  prepare?: boolean
}

/** Milliseconds that `close` gives to what still runs. */
const GRACE = 5_000

/** Milliseconds that a timer may fire before its time, on another clock than `performance`. */
const TIMER_EARLY = 10

type Pool = ReturnType<typeof openPool>

/** The executor of a server, which also tells how busy it is. */
export interface PooledExecutor extends Executor {
  /** Queries and transactions that were asked for and are not answered, and how many can run at a time. */
  load(): { unanswered: number; connections: number }
}

/** Connects when it is first used. An answer or an error comes within `connectTimeout + statementTimeout` seconds. */
export function postgresExecutor(url: string, options: PostgresOptions = {}): PooledExecutor {
  const { connections = 10, connectTimeout = 3, statementTimeout = 5, prepare = true } = options
  const limit = statementTimeout === 0 ? null : connectTimeout + statementTimeout
  const open = () => openPool(url, { connections, connectTimeout, statementTimeout })
  let pool = open()
  /** When the server last answered, on the clock of `performance`. */
  let answered_at = 0
  const heard = () => {
    answered_at = performance.now()
  }
  const running = new Set<Promise<unknown>>()
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const over = () => void running.delete(work)
    running.add(work)
    work.then(over, over)
    return work
  }
  const isSilent = (seconds: number) => performance.now() - answered_at >= seconds * 1000 - TIMER_EARLY
  const isOverloaded = () => running.size > connections
  /**
   * The server ends a slow statement by itself. When not even that is heard, the connections lead nowhere, and what
   * waits for them would wait for ever: all of it fails now, and the next request starts on new ones.
   */
  const abandon = (stuck: Pool) => {
    if (pool !== stuck) return
    pool = open()
    void stuck.end({ timeout: 0 })
  }
  let watching = false
  /** A query is late. Where more is asked than connections can take, and the server answers, it may only wait its turn. */
  const late = (suspect: Pool, seconds: number) => {
    if (pool !== suspect) return
    if (isSilent(seconds) || !isOverloaded()) abandon(suspect)
    else if (!watching) watch(suspect, seconds)
  }
  /** Looks again, until nothing waits: a transaction has no limit of its own. */
  const watch = (suspect: Pool, seconds: number) => {
    watching = true
    const rest = answered_at + seconds * 1000 - performance.now()
    setTimeout(() => {
      watching = false
      if (pool !== suspect || running.size === 0) return
      if (isSilent(seconds)) abandon(suspect)
      else watch(suspect, seconds)
    }, rest + 1).unref()
  }
  return {
    query: <T>(text: string, params: readonly Param[] = []) => {
      const current = pool
      const answer = queriesOf(current, { prepare, heard }).query<T>(text, params)
      tracked(answer)
      return limit === null ? answer : within(limit, answer, () => late(current, limit))
    },
    transaction: <T>(run: (tx: Queries) => Promise<T>) =>
      tracked(pool.begin((tx) => run(queriesOf(tx, { prepare, heard }))) as Promise<T>),
    load: () => ({ unanswered: running.size, connections }),
    async close() {
      // postgres.js itself would wait for an answer on a connection that was cut.
      await Promise.race([Promise.allSettled(running), sleep(GRACE, null, { ref: false })])
      await pool.end({ timeout: 0 })
    },
  }
}

function openPool(url: string, options: Required<Omit<PostgresOptions, 'prepare'>>) {
  return postgres(url, {
    max: options.connections,
    connect_timeout: options.connectTimeout,
    // A request that finds no server fails at once, and one that comes when it is back succeeds at once.
    backoff: false,
    // No list or date ever crosses as anything but JSON or a number, so no types have to be asked for.
    fetch_types: false,
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: 'ostiary', statement_timeout: options.statementTimeout * 1000 },
    onnotice: () => {},
  })
}

/** Only a text without parameters may hold several statements: those cannot be prepared. */
function queriesOf(
  sql: Pick<Pool, 'unsafe'>,
  { prepare, heard }: { prepare: boolean; heard: () => void },
): Queries {
  return {
    async query<T>(text: string, params: readonly Param[] = []) {
      try {
        const rows = await sql.unsafe(text, [...params], { prepare })
        heard()
        return rows as unknown as T[]
      } catch (error) {
        if (error instanceof postgres.PostgresError) heard()
        throw error
      }
    },
  }
}

function within<T>(seconds: number, answer: Promise<T>, late: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DatabaseTimeoutError(seconds))
      late()
    }, seconds * 1000)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
