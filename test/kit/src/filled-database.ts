/** New databases that begin with the same content: it is made once for the PostgreSQL of the tests, and copied. */

import { createHash } from 'node:crypto'
import postgres from 'postgres'
import { newDatabase, service, UNLIMITED } from './database.ts'

/** What the databases begin with. */
export interface Content {
  /** Databases with the same key have the same content. */
  key: string
  /** Writes the content, and closes its connections. */
  fill(url: string): Promise<void>
}

/** By the key: the name of the database that is copied. */
const originals = new Map<string, Promise<string>>()

/**
 * A new database with this content: call `drop` after the last test. A PostgreSQL that `with-services` has not started keeps no
 * database of the tests, so there the content is written each time.
 */
export async function filledDatabase({
  key,
  fill,
}: Content): Promise<{ url: string; drop: () => Promise<void> }> {
  if (process.env.THROW_AWAY_DATABASES !== '1') {
    const database = await newDatabase()
    await fill(database.url)
    return database
  }
  const name = `ostiary_original_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const original = originals.get(name) ?? madeOnce(name, fill)
  originals.set(name, original)
  return newDatabase(await original)
}

/** Another process may make it at the same time: the first one holds the lock until it is complete. @returns The name. */
async function madeOnce(name: string, fill: Content['fill']): Promise<string> {
  const sql = postgres(service('DATABASE_URL'), { max: 1, connect_timeout: UNLIMITED.connectTimeout })
  try {
    await sql`select pg_advisory_lock(hashtext(${name}))`
    const found = await sql`select from pg_database where datname = ${name}`
    if (found.length > 0) return name
    const { url } = await newDatabase()
    await fill(url)
    // Only a complete one has the name.
    await sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
    return name
  } finally {
    await sql.end()
  }
}
