/**
 * The executor of a database that is divided among several PostgreSQL, each of which has a range of the buckets. Each range has
 * connections of its own: while its database does not answer, statements about its people fail, and no others wait behind them.
 */

import { BUCKETS } from '@ostiary/core'
import { RangeFullError, RangeUnavailableError } from '../connection/availability.js'
import type { Executor, Param, Queries } from '../connection/executor.js'
import {
  DEFAULT_CONNECTIONS,
  type PooledExecutor,
  type PostgresOptions,
  postgresExecutor,
} from '../connection/postgres-executor.js'
import { countReasons } from '../connection/refusals.js'
import type { Database } from '../connection/row-finder.js'
import { IS_READ_ONLY } from '../connection/write-check.js'
import { type Breaker, breaker } from './breaker.js'
import { bucketOf } from './bucket-of.js'
import { createPlaces, type Places } from './places.js'

/** Options of `rangedExecutor`. */
export interface RangedOptions extends PostgresOptions {
  /** The number of ranges, which have the same number of buckets: as many as there are PostgreSQL. */
  shards: number
  /** Who causes the statements that are sent now, as a network address. Undefined: the server itself. */
  sender?: () => string | undefined
}

/** A range of buckets, which may be unavailable alone. */
export interface DatabaseRange {
  /** Its first and its last bucket, as `0-2047`. */
  name: string
  /** @throws Error while its database does not answer, or accepts no writes. */
  check(): Promise<void>
}

/** The executor of a divided database. What names no bucket is sent on the connections of the home database. */
export interface RangedExecutor extends PooledExecutor {
  ranges: readonly DatabaseRange[]
  /**
   * The same finder of rows, with a bound for the look-ups and statements of each range and sender. For `postgresStorage`.
   * @internal
   */
  withPlaces(db: Database): Database
}

/** Whether the executor knows the ranges of its database. */
export const isRanged = (executor: Executor): executor is RangedExecutor => 'ranges' in executor

interface Range extends DatabaseRange, Queries {
  executor: PooledExecutor
  breaker: Breaker
  places: Places
}

/**
 * Connects with the first statement: with up to `connections` to the home database, and with half as many for each range. After three
 * statements of a range in a row without an answer, those that follow fail at once until a probe, one a second, is answered.
 * @param url Of the proxy that sends each statement to the PostgreSQL of its bucket.
 */
export function rangedExecutor(
  url: string,
  { shards, sender, check, ...options }: RangedOptions,
): RangedExecutor {
  const { connections = DEFAULT_CONNECTIONS } = options
  // What the check reads is in the home database.
  const home = postgresExecutor(url, { ...options, ...(check && { check }) })
  const connections_of_range = Math.max(1, Math.floor(connections / 2))
  const open = () => postgresExecutor(url, { ...options, connections: connections_of_range })
  const ranges = Array.from({ length: shards }, (_, number) => openRange({ number, shards }, open()))
  const executors = [home, ...ranges.map(({ executor }) => executor)]
  const rangeOf = (bucket: number) => ranges[Math.floor((bucket * shards) / BUCKETS)]

  /** Runs the work while its sender has a place in the bucket's range. The server's own work needs none. */
  async function inPlace<T>(bucket: number | null | undefined, work: () => Promise<T>): Promise<T> {
    const range = bucket == null ? undefined : rangeOf(bucket)
    const by = sender?.()
    if (range === undefined || by === undefined) return work()
    const leave = range.places.take(by)
    if (leave === null) throw new RangeFullError(range.name)
    return work().finally(leave)
  }

  return {
    ...home,
    ranges,
    query<T>(text: string, params: readonly Param[] = []) {
      const bucket = bucketOf(text, params)
      const target = (bucket === null ? undefined : rangeOf(bucket)) ?? home
      return target.query<T>(text, params)
    },
    withPlaces: (db) => ({
      query: (text, params = []) => inPlace(bucketOf(text, params), () => db.query(text, params)),
      find: (search, key) => inPlace(key.bucket, () => db.find(search, key)),
    }),
    load: () => sumOf(executors.map((executor) => executor.load())),
    async close(within_ms) {
      for (const range of ranges) range.breaker.end()
      await Promise.all(executors.map((executor) => executor.close(within_ms)))
    },
  }
}

/** Its answer is one row, also while the table is empty. */
const PROBE = `
  select ${IS_READ_ONLY}
  from (select count(*) from oidc_users where realm = '' and bucket = $1 and sub = '') as answered`

function openRange({ number, shards }: { number: number; shards: number }, executor: PooledExecutor): Range {
  const startOf = (range: number) => Math.ceil((range * BUCKETS) / shards)
  const first = startOf(number)
  const name = `${first}-${startOf(number + 1) - 1}`
  const probe = async () => {
    const [row] = await executor.query<{ read_only: boolean }>(PROBE, [first])
    if (row?.read_only) throw new RangeUnavailableError(name, 'accepts no writes')
  }
  const own = breaker({ probe, refusal: () => new RangeUnavailableError(name, 'does not answer') })
  return {
    name,
    executor,
    breaker: own,
    places: createPlaces(),
    query: (text, params) => own.run(() => executor.query(text, params)),
    check: () => own.run(probe),
  }
}

type Load = ReturnType<PooledExecutor['load']>

function sumOf(loads: readonly Load[]): Load {
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0)
  return {
    unanswered: sum(({ unanswered }) => unanswered),
    connections: sum(({ connections }) => connections),
    refused: countReasons((reason) => sum(({ refused }) => refused[reason])),
  }
}
