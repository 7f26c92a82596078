/** The pool of the primary, which is another one after a failover. */

import {
  DatabaseTimeoutError,
  isReadOnly,
  isServerLost,
  NoPrimaryError,
  RestoredError,
} from './availability.js'
import type { DatabaseUrl } from './database-url.js'
import { checkPrimary, closePool, openPool, type Pool, type PoolSettings, standbyState } from './pool.js'

/** Chooses the pool for each query. */
export interface PrimaryPool {
  /**
   * The pool to use now. With several hosts it is that of the primary.
   * @throws NoPrimaryError, also when none of several hosts answers.
   */
  current(): Pool | Promise<Pool>
  /** Whether no other pool has replaced this one. */
  isCurrent(pool: Pool): boolean
  /** Closes the pool, unless another one has replaced it: the next query uses new connections. */
  replace(broken: Pool): void
  /** Takes an error of a query on this pool. */
  note(pool: Pool, error: unknown): void
  /** Closes every connection at once. */
  end(): Promise<void>
}

/** Until the servers are asked again after a search without a primary. */
const SEARCH_INTERVAL_MS = 200

/** Connects with the first query. */
export const primaryPool = ({ url, hosts }: DatabaseUrl, settings: PoolSettings): PrimaryPool =>
  hosts.length === 0 ? poolOfOne(url, settings) : poolOfSeveral({ url, hosts }, settings)

/** One address. Its server may change: a balancer, a name or a service address leads to another one after a failover. */
function poolOfOne(url: string, settings: PoolSettings): PrimaryPool {
  let pool = openPool(url, null, settings)
  const replace = (broken: Pool) => {
    if (pool !== broken) return
    pool = openPool(url, null, settings)
    void closePool(broken)
  }
  return {
    current: () => pool,
    isCurrent: (candidate) => candidate === pool,
    replace,
    note(used, error) {
      if (isReadOnly(error)) replace(used)
    },
    end: () => closePool(pool),
  }
}

function poolOfSeveral({ url, hosts }: DatabaseUrl, settings: PoolSettings): PrimaryPool {
  let pool: Pool | null = null
  let ended = false
  let searching: Promise<Pool> | null = null
  let failed: { error: unknown; until: number } | null = null

  const search = async (): Promise<Pool> => {
    if (failed !== null && performance.now() < failed.until) throw failed.error
    const candidates = hosts.map((host) => openPool(url, host, settings))
    try {
      const found = await firstPrimary(candidates, settings.connectTimeout)
      use(found)
      return pool ?? found
    } catch (error) {
      failed = { error, until: performance.now() + SEARCH_INTERVAL_MS }
      throw error
    } finally {
      for (const candidate of candidates) if (candidate !== pool || ended) void closePool(candidate)
    }
  }
  /** A primary that is still the same one keeps its connections. */
  const use = (found: Pool) => {
    if (pool?.server === found.server) {
      pool.suspect = false
      return
    }
    if (pool !== null) void closePool(pool)
    pool = found
  }
  const replace = (broken: Pool) => {
    if (pool !== broken) return
    pool = null
    void closePool(broken)
  }
  return {
    current() {
      if (pool !== null && !pool.suspect) return pool
      searching ??= search().finally(() => {
        searching = null
      })
      return searching
    },
    isCurrent: (candidate) => candidate === pool,
    replace,
    note(used, error) {
      if (isReadOnly(error)) replace(used)
      else if (isServerLost(error)) used.suspect = true
    },
    async end() {
      ended = true
      if (pool !== null) await closePool(pool)
    },
  }
}

/**
 * The first of the pools whose server answers that it is a primary.
 * @param seconds How long a server may take.
 * @throws NoPrimaryError with the state of each.
 */
async function firstPrimary(pools: readonly Pool[], seconds: number): Promise<Pool> {
  try {
    return await Promise.any(
      pools.map(async (pool) => {
        await withTimeout(seconds, checkPrimary(pool, pool.sql), () => {})
        return pool
      }),
    )
  } catch (cause) {
    const { errors } = cause as AggregateError
    for (const error of errors) if (error instanceof RestoredError) throw error
    throw new NoPrimaryError(errors.map((error, index) => stateOf(pools[index]?.server ?? '', error)))
  }
}

function stateOf(server: string, error: unknown): string {
  if (error instanceof NoPrimaryError) return standbyState(server)
  const { code, message, severity } = error as { code?: string; message?: string; severity?: string }
  // PostgreSQL itself has answered: a wrong password, too many connections, a start under way.
  if (severity !== undefined) return `${server} refuses the connection (${message})`
  return `${server} does not answer (${code ?? message})`
}

/**
 * @param onTimeout Called after the promise has failed.
 * @throws DatabaseTimeoutError
 */
export function withTimeout<T>(seconds: number, answer: Promise<T>, onTimeout: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DatabaseTimeoutError(seconds))
      onTimeout()
    }, seconds * 1000)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
