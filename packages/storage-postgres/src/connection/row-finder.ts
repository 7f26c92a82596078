/** Finds single rows. What is to be found in one turn of the event loop by the same query is one statement. */

import { bucketByTag } from '@ostiary/core'
import { isDataException } from './availability.js'
import { bucketByHash } from './buckets.js'
import type { Param, Queries } from './executor.js'

/** What a row is found by. */
export interface RowKey {
  realm: string
  /** The row's id or hash in the realm. */
  id: string
  /** Absent for a table that has no buckets. */
  bucket?: number
}

/** The key of a record of a person, whose id or hash ends with a tag. */
export const keyByTag = (realm: string, id: string): RowKey => ({ realm, id, bucket: bucketByTag(id) })

/** The key of a user by `sub`, or of a record of the realm. */
export const keyByHash = (realm: string, id: string): RowKey => ({ realm, id, bucket: bucketByHash(id) })

/** Runs statements, and finds rows. */
export interface Database extends Queries {
  find<Row extends object>(search: RowSearch, key: RowKey): Promise<Row | null>
}

/** What `findRow` returns: the same look-up as two statements. */
export interface RowSearch {
  /** For one key, which most look-ups are: `$1` is the realm, then come the bucket, if the table has buckets, and the id. */
  of_one: string
  /** Whether the table has buckets. */
  has_buckets: boolean
  /** For several keys: `$1` is the array of the realms, `$2` of the ids, `$3` of the buckets. */
  of_several: string
}

/** The keys of one statement. More are several statements, so that none of them takes long. */
const MAX_KEYS = 64

/**
 * Statements for `find`. That for several keys runs the query for each of them, and numbers the answers. Each run of the query is a look-up
 * of its own: `limit 1` prevents the planner from joining the keys with the whole table.
 * @param query Finds a row by `key.realm`, `key.id` and `key.bucket`.
 */
export const findRow = (query: string): RowSearch => ({
  of_one: `${withParameters(query)} limit 1`,
  has_buckets: query.includes('key.bucket'),
  of_several: `
  select found.*, key.number
  from unnest($1::text::text[], $2::text::text[], $3::text::smallint[]) with ordinality
      as key (realm, id, bucket, number),
    lateral (${query} limit 1) as found`,
})

/** The query for the key whose parts are the parameters of the statement. */
function withParameters(query: string): string {
  const names = query.includes('key.bucket') ? ['key.realm', 'key.bucket', 'key.id'] : ['key.realm', 'key.id']
  return names.reduce((text, name, index) => text.replaceAll(name, `$${index + 1}`), query)
}

/** The condition of a query of `findRow` on a table with buckets. @param id The column of the key's id. */
export const hasKey = (id: string): string => `realm = key.realm and bucket = key.bucket and ${id} = key.id`

interface Waiting {
  key: RowKey
  resolve: (row: object | null) => void
  reject: (cause: unknown) => void
}

type NumberedRow = object & { number: number }

export interface FinderOptions {
  /** Whether each key is a statement of its own: those of different buckets may be in different databases. Default false. */
  one_by_one?: boolean
}

/** The same database, which also finds rows. */
export function withRowFinder(db: Queries, { one_by_one = false }: FinderOptions = {}): Database {
  let waiting = new Map<RowSearch, Waiting[]>()

  function wait(search: RowSearch, look_up: Waiting): void {
    if (waiting.size === 0) process.nextTick(sendAll)
    const others = waiting.get(search)
    if (others) others.push(look_up)
    else waiting.set(search, [look_up])
  }

  function sendAll(): void {
    const turn = waiting
    waiting = new Map()
    for (const [search, look_ups] of turn)
      for (let start = 0; start < look_ups.length; start += MAX_KEYS)
        void answer(search, look_ups.slice(start, start + MAX_KEYS))
  }

  async function answer(search: RowSearch, look_ups: readonly Waiting[]): Promise<void> {
    const [first] = look_ups
    if (look_ups.length === 1 && first !== undefined) return answerOne(search, first)
    try {
      const rows = await db.query<NumberedRow>(search.of_several, arraysOf(look_ups))
      const found: (object | null)[] = look_ups.map(() => null)
      for (const { number, ...row } of rows) found[number - 1] = row
      for (const [index, { resolve }] of look_ups.entries()) resolve(found[index] ?? null)
    } catch (error) {
      // A key that PostgreSQL cannot read fails alone.
      for (const look_up of look_ups)
        if (isDataException(error)) void answerOne(search, look_up)
        else look_up.reject(error)
    }
  }

  async function answerOne(search: RowSearch, { key, resolve, reject }: Waiting): Promise<void> {
    const { realm, bucket = 0, id } = key
    const params = search.has_buckets ? [realm, bucket, id] : [realm, id]
    try {
      const [row = null] = await db.query<object>(search.of_one, params)
      resolve(row)
    } catch (error) {
      reject(error)
    }
  }

  return {
    query: (text, params) => db.query(text, params),
    find: <Row extends object>(search: RowSearch, key: RowKey) =>
      new Promise<Row | null>((resolve, reject) => {
        const look_up = { key, resolve: resolve as Waiting['resolve'], reject }
        if (one_by_one) void answerOne(search, look_up)
        else wait(search, look_up)
      }),
  }
}

const arraysOf = (look_ups: readonly Waiting[]): Param[] => [
  arrayOf(look_ups.map(({ key }) => quoted(key.realm))),
  arrayOf(look_ups.map(({ key }) => quoted(key.id))),
  arrayOf(look_ups.map(({ key }) => key.bucket ?? 0)),
]

/** PostgreSQL's text of an array. */
const arrayOf = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
