/** Finds single rows. What is to be found in one turn of the event loop by the same query is one statement. */

import { bucketByHash, bucketByTag } from '@ostiary/core'
import { isDataException } from './availability.js'
import type { Queries } from './executor.js'

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
  /** @param text A statement of `findRow`. */
  find<Row extends object>(text: string, key: RowKey): Promise<Row | null>
}

/** The keys of one statement. More are several statements, so that none of them takes long. */
const MAX_KEYS = 64

/**
 * A statement for `find`. It runs the query for each of the keys `$1` (realms), `$2` (ids) and `$3` (buckets), and numbers the answers.
 * Each run of the query is a look-up of its own: `limit 1` prevents the planner from joining the keys with the whole table.
 * @param query Finds a row by `key.realm`, `key.id` and `key.bucket`.
 */
export const findRow = (query: string): string => `
  select found.*, key.number
  from unnest($1::text::text[], $2::text::text[], $3::text::smallint[]) with ordinality
      as key (realm, id, bucket, number),
    lateral (${query} limit 1) as found`

interface Waiting extends RowKey {
  resolve: (row: object | null) => void
  reject: (cause: unknown) => void
}

type NumberedRow = object & { number: number }

/** The same database, which also finds rows. */
export function withRowFinder(db: Queries): Database {
  /** By the text of their statement. */
  let waiting = new Map<string, Waiting[]>()

  function sendAll(): void {
    const turn = waiting
    waiting = new Map()
    for (const [text, keys] of turn) {
      for (let start = 0; start < keys.length; start += MAX_KEYS)
        void answer(text, keys.slice(start, start + MAX_KEYS))
    }
  }

  async function answer(text: string, keys: readonly Waiting[]): Promise<void> {
    try {
      const rows = await db.query<NumberedRow>(text, [
        arrayOf(keys.map(({ realm }) => quoted(realm))),
        arrayOf(keys.map(({ id }) => quoted(id))),
        arrayOf(keys.map(({ bucket = 0 }) => bucket)),
      ])
      const found: (object | null)[] = keys.map(() => null)
      for (const { number, ...row } of rows) found[number - 1] = row
      for (const [index, { resolve }] of keys.entries()) resolve(found[index] ?? null)
    } catch (error) {
      refuse(error, text, keys)
    }
  }

  /** A key that PostgreSQL cannot read fails alone. */
  function refuse(error: unknown, text: string, keys: readonly Waiting[]): void {
    if (keys.length > 1 && isDataException(error)) {
      for (const key of keys) void answer(text, [key])
      return
    }
    for (const { reject } of keys) reject(error)
  }

  return {
    query: (text, params) => db.query(text, params),
    find: <Row extends object>(text: string, key: RowKey) =>
      new Promise<Row | null>((resolve, reject) => {
        const one: Waiting = { ...key, resolve: resolve as Waiting['resolve'], reject }
        const others = waiting.get(text)
        if (others) others.push(one)
        else if (waiting.set(text, [one]).size === 1) process.nextTick(sendAll)
      }),
  }
}

/** PostgreSQL's text of an array. */
const arrayOf = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
