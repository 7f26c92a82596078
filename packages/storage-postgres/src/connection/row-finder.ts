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

/** What `findRow` returns: the same look-up as three statements. */
export interface RowSearch {
  /** For one key, which most look-ups are: `$1` is the realm, then come the bucket, if the table has buckets, and the id. */
  of_one_key: string
  /** Whether the table has buckets. */
  has_buckets: boolean
  /** For keys of any buckets: `$1` is the array of the realms, `$2` of the ids, `$3` of the buckets. */
  of_any_bucket: string
  /** For keys of one bucket, `$2`: `$1` is the array of the realms, `$3` of the ids. */
  of_one_bucket: string
}

/** The keys of one statement. More are several statements, so that none of them takes long. */
const MAX_KEYS = 64

/**
 * Statements for `find`. Those for several keys run the query for each of them, and number the answers. Each run of the query is a look-up
 * of its own: `limit 1` prevents the planner from joining the keys with the whole table.
 * @param query Finds a row by `key.realm`, `key.id` and `key.bucket`.
 */
export const findRow = (query: string): RowSearch => ({
  of_one_key: `${withParameters(query)} limit 1`,
  has_buckets: query.includes('key.bucket'),
  of_any_bucket: `
  select found.*, key.number
  from unnest($1::text::text[], $2::text::text[], $3::text::smallint[]) with ordinality
      as key (realm, id, bucket, number),
    lateral (${query} limit 1) as found`,
  of_one_bucket: `
  select found.*, key.number
  from unnest($1::text::text[], $3::text::text[]) with ordinality as key (realm, id, number),
    lateral (${query.replaceAll('key.bucket', '$2')} limit 1) as found`,
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

/** Look-ups that become one statement. */
interface Batch {
  search: RowSearch
  /** Of all its keys; undefined: each key has its own. */
  bucket: number | undefined
  look_ups: Waiting[]
}

export interface FinderOptions {
  /** Whether the keys of one statement have the same bucket. Default false. */
  by_bucket?: boolean
}

/** The same database, which also finds rows. */
export function withRowFinder(db: Queries, { by_bucket = false }: FinderOptions = {}): Database {
  let waiting = new Map<RowSearch, Map<number | undefined, Batch>>()

  function batchOf(search: RowSearch, { bucket }: RowKey): Batch {
    if (waiting.size === 0) process.nextTick(sendAll)
    const batches = waiting.get(search) ?? new Map<number | undefined, Batch>()
    waiting.set(search, batches)
    const of = by_bucket ? bucket : undefined
    const batch = batches.get(of) ?? { search, bucket: of, look_ups: [] }
    batches.set(of, batch)
    return batch
  }

  function sendAll(): void {
    const turn = waiting
    waiting = new Map()
    for (const batches of turn.values()) for (const batch of batches.values()) send(batch)
  }

  function send(batch: Batch): void {
    const { look_ups } = batch
    if (look_ups.length <= MAX_KEYS) void answer(batch)
    else
      for (let start = 0; start < look_ups.length; start += MAX_KEYS)
        void answer({ ...batch, look_ups: look_ups.slice(start, start + MAX_KEYS) })
  }

  async function answer(batch: Batch): Promise<void> {
    const { look_ups } = batch
    const [first] = look_ups
    if (look_ups.length === 1 && first !== undefined) return answerOne(batch.search, first)
    try {
      const rows = await db.query<NumberedRow>(...statementOf(batch))
      const found: (object | null)[] = look_ups.map(() => null)
      for (const { number, ...row } of rows) found[number - 1] = row
      for (const [index, { resolve }] of look_ups.entries()) resolve(found[index] ?? null)
    } catch (error) {
      refuse(error, batch)
    }
  }

  async function answerOne(search: RowSearch, { key, resolve, reject }: Waiting): Promise<void> {
    const { realm, bucket = 0, id } = key
    const params = search.has_buckets ? [realm, bucket, id] : [realm, id]
    try {
      const [row = null] = await db.query<object>(search.of_one_key, params)
      resolve(row)
    } catch (error) {
      reject(error)
    }
  }

  /** A key that PostgreSQL cannot read fails alone. */
  function refuse(error: unknown, batch: Batch): void {
    const { look_ups } = batch
    if (isDataException(error)) {
      for (const look_up of look_ups) void answer({ ...batch, look_ups: [look_up] })
      return
    }
    for (const { reject } of look_ups) reject(error)
  }

  return {
    query: (text, params) => db.query(text, params),
    find: <Row extends object>(search: RowSearch, key: RowKey) =>
      new Promise<Row | null>((resolve, reject) => {
        // A spread of the key would take longer than the rest.
        batchOf(search, key).look_ups.push({ key, resolve: resolve as Waiting['resolve'], reject })
      }),
  }
}

function statementOf({ search, bucket, look_ups }: Batch): [text: string, params: Param[]] {
  const realms = arrayOf(look_ups.map(({ key }) => quoted(key.realm)))
  const ids = arrayOf(look_ups.map(({ key }) => quoted(key.id)))
  if (bucket !== undefined) return [search.of_one_bucket, [realms, bucket, ids]]
  return [search.of_any_bucket, [realms, ids, arrayOf(look_ups.map(({ key }) => key.bucket ?? 0))]]
}

/** PostgreSQL's text of an array. */
const arrayOf = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
