/** Finds single rows. What is to be found in one turn of the event loop by the same query is one statement. */

import { isDataException } from './availability.js'
import type { Queries } from './executor.js'

/** Runs statements, and finds rows. */
export interface Database extends Queries {
  /**
   * @param text A statement of `findRow`.
   * @param id The row's id or hash in the realm.
   */
  find<Row extends object>(text: string, realm: string, id: string): Promise<Row | null>
}

/** The keys of one statement. More are several statements, so that none of them takes long. */
const MAX_KEYS = 64

/**
 * A statement for `find`. It runs the query for each of the keys `$1` (realms) and `$2` (ids), and numbers the answers. Each run of
 * the query is a look-up of its own: `limit 1` prevents the planner from joining the keys with the whole table.
 * @param query Finds a row by `key.realm` and `key.id`.
 */
export const findRow = (query: string): string => `
  select found.*, key.number
  from unnest($1::text::text[], $2::text::text[]) with ordinality as key (realm, id, number),
    lateral (${query} limit 1) as found`

interface Waiting {
  realm: string
  id: string
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
      const rows = await db.query<NumberedRow>(text, [arrayOf(keys.map(realmOf)), arrayOf(keys.map(idOf))])
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
    find: <Row extends object>(text: string, realm: string, id: string) =>
      new Promise<Row | null>((resolve, reject) => {
        const key: Waiting = { realm, id, resolve: resolve as Waiting['resolve'], reject }
        const others = waiting.get(text)
        if (others) others.push(key)
        else if (waiting.set(text, [key]).size === 1) process.nextTick(sendAll)
      }),
  }
}

const realmOf = ({ realm }: Waiting): string => realm
const idOf = ({ id }: Waiting): string => id

/** PostgreSQL's text of an array. */
const arrayOf = (texts: readonly string[]): string => `{${texts.map(quoted).join(',')}}`
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
