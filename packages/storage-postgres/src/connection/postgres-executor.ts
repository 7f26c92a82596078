/** The executor of a PostgreSQL, on a pool of connections to its primary. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull, isPreparedStatementLost } from './availability.js'
import { readDatabaseUrl } from './database-url.js'
import type { Executor, Param, Queries } from './executor.js'
import { type ConnectionCheck, closePool, openPool, type Pool, queriesOf } from './pool.js'
import { type PrimaryPool, primaryPool, withTimeout } from './primary.js'
import { type RefusedConnections, refusalCounter } from './refusals.js'

/** How connections are made. Times are in seconds. */
export interface PostgresOptions {
  /** The largest number of connections. Default 10. */
  connections?: number
  /** Seconds in which a connection must be established. Default 3. */
  connectTimeout?: number
  /** Seconds that one statement may take; 0: no limit but the server's own. Default 5. */
  statementTimeout?: number
  /** Seconds until a query without an answer fails. Default `connectTimeout + statementTimeout`; none when the latter is 0. */
  answerTimeout?: number
  /** False behind a connection pooler that does not support prepared statements. Default true. */
  prepare?: boolean
  /** Checks each new connection. */
  check?: ConnectionCheck
}

/** When the options do not say how many. */
export const DEFAULT_CONNECTIONS = 10

/** How long `close` waits for running queries. */
const CLOSE_TIMEOUT_MS = 5_000

/** A timer may fire this much too early, by the clock of `performance`. */
const TIMER_TOLERANCE_MS = 10

/** The executor of a server, which also reports its load. */
export interface PooledExecutor extends Executor {
  /** The queries and transactions without an answer yet, how many can run at a time, and the connections that were refused. */
  load(): { unanswered: number; connections: number; refused: RefusedConnections }
  /** True from a statement that found no space on the server's disk until `freed` is called. */
  isFull(): boolean
  /** To be called when a statement has extended a table again. */
  freed(): void
}

/** Whether the database is one of a server, and not embedded in this process. */
export const isServer = (executor: Executor): executor is PooledExecutor => 'isFull' in executor

/**
 * Connects with the first query. Each query answers or fails within `connectTimeout + statementTimeout` seconds. A
 * standby is not used: its answers may be outdated, and it accepts no writes.
 * @param url As `postgres://user@host:5432/database`; TLS and further options are in its query. Of several hosts,
 * `postgres://user@host1:5432,host2:5432/database`, the primary is used, and another one after a failover.
 * @throws Error when the URL names a host that is not valid, or asks for a standby.
 */
export function postgresExecutor(url: string, options: PostgresOptions = {}): PooledExecutor {
  const { connections = DEFAULT_CONNECTIONS, connectTimeout = 3, statementTimeout = 5 } = options
  const limit = options.answerTimeout ?? (statementTimeout === 0 ? null : connectTimeout + statementTimeout)
  const address = readDatabaseUrl(url)
  let prepare = options.prepare ?? true
  const refusals = refusalCounter()
  const onError = refusals.count
  const { check } = options
  const settings = { connectTimeout, prepare, onError, check }
  const primary = primaryPool(address, { ...settings, connections, statementTimeout })
  /** Where no startup parameter may be sent, the limit of the server or of the role holds. */
  const openAlone = ({ host }: Pool) =>
    openPool(address.url, host, {
      ...settings,
      connections: 1,
      statementTimeout: statementTimeout === 0 ? 0 : 'unlimited',
    })
  let full = false
  const watch = poolWatch(connections, primary)
  const queriesOn = (pool: Pool, sql: Parameters<typeof queriesOf>[1] = pool.sql) =>
    queriesOf(pool, sql, { prepare, onAnswer: watch.onAnswer })
  /** Draws the consequences of an error. Calls `work` at once, so that `close` waits for it. */
  const noted = async <T>(pool: Pool, work: (pool: Pool) => Promise<T>): Promise<T> => {
    try {
      return await work(pool)
    } catch (error) {
      if (isDiskFull(error)) full = true
      primary.note(pool, error)
      throw error
    }
  }
  const onPrimary = <T>(work: (pool: Pool) => Promise<T>): Promise<T> => {
    const pool = primary.current()
    return 'then' in pool ? pool.then((found) => noted(found, work)) : noted(pool, work)
  }
  const attempt = <T>(text: string, params: readonly Param[]): Promise<T[]> =>
    onPrimary((pool) => {
      const answer = watch.track(queriesOn(pool).query<T>(text, params))
      return limit === null ? answer : withTimeout(limit, answer, () => watch.onTimeout(pool, limit))
    })
  return {
    async query<T>(text: string, params: readonly Param[] = []) {
      const prepared = prepare
      try {
        return await attempt<T>(text, params)
      } catch (error) {
        if (!prepared || !isPreparedStatementLost(error)) throw error
        // A pooler that loses one prepared statement loses the next ones too. This one has not run.
        prepare = false
        return attempt<T>(text, params)
      }
    },
    transaction: <T>(work: (tx: Queries) => Promise<T>) =>
      onPrimary((pool) => watch.track(pool.sql.transaction((tx) => work(queriesOn(pool, tx))))),
    async queryAlone<T>(text: string) {
      const alone = openAlone(await primary.current())
      try {
        return await queriesOn(alone).query<T>(text)
      } finally {
        await closePool(alone)
      }
    },
    load: () => ({ unanswered: watch.running(), connections, refused: { ...refusals.counts } }),
    isFull: () => full,
    freed: () => {
      full = false
    },
    async close(within_ms = CLOSE_TIMEOUT_MS) {
      // postgres.js itself would wait for an answer on a broken connection.
      await Promise.race([watch.ended(), sleep(within_ms, null, { ref: false })])
      await primary.end()
    },
  }
}

/**
 * Watches whether the server answers. It cancels a slow statement itself, and answers. Without even that answer, the
 * connections are broken, and queries would wait for them forever: the pool is replaced, and all of them fail.
 */
function poolWatch(connections: number, { isCurrent, replace }: PrimaryPool) {
  // A number: a Set of the promises would keep their rows alive, since V8 links each table of a Set to the next one.
  let running = 0
  const onEnd: (() => void)[] = []
  /** When the server last answered, by `performance.now()`. */
  let answered_at = 0
  let watching = false
  const isSilent = (seconds: number) => performance.now() - answered_at >= seconds * 1000 - TIMER_TOLERANCE_MS
  /** Checks again until no query is running: a transaction has no time limit of its own. */
  const watch = (suspect: Pool, seconds: number) => {
    watching = true
    const rest = answered_at + seconds * 1000 - performance.now()
    setTimeout(() => {
      watching = false
      if (!isCurrent(suspect) || running === 0) return
      if (isSilent(seconds)) replace(suspect)
      else watch(suspect, seconds)
    }, rest + 1).unref()
  }
  return {
    running: () => running,
    /** Resolves when no query is running. */
    ended: () => new Promise<void>((resolve) => (running === 0 ? resolve() : onEnd.push(resolve))),
    track<T>(work: Promise<T>): Promise<T> {
      const end = () => {
        running -= 1
        if (running === 0) for (const resolve of onEnd.splice(0)) resolve()
      }
      running += 1
      work.then(end, end)
      return work
    },
    onAnswer() {
      answered_at = performance.now()
    },
    /** Called when a query times out. With more queries than connections, it may only be waiting for a connection. */
    onTimeout(suspect: Pool, seconds: number) {
      if (!isCurrent(suspect)) return
      if (isSilent(seconds) || running <= connections) replace(suspect)
      else if (!watching) watch(suspect, seconds)
    },
  }
}
