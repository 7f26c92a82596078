/** New databases in the server that DATABASE_URL names. Its other databases stay as they are. */

import { randomUUID } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import { onTestFinished } from 'vitest'

export function service(variable: 'DATABASE_URL' | 'REDIS_URL'): string {
  const url = process.env[variable]
  if (!url) throw new Error(`no ${variable}: run \`npm test\`, which starts a server`)
  return url
}

/** Options of an executor without the product's time limits, which a busy machine exceeds: for tests that are not about them. */
export const UNLIMITED = { connectTimeout: 150, statementTimeout: 0 } as const

/** Registers a clean-up. Concurrent tests pass the `onTestFinished` of their own context. */
export type CleanUp = (clean: () => Promise<void> | void) => void

/** A new database, dropped after the test. @returns Its URL. */
export async function ownDatabase(addCleanup: CleanUp = onTestFinished): Promise<string> {
  const { url, drop } = await newDatabase()
  addCleanup(drop)
  return url
}

/** A new database for several tests: call `drop` after the last one. @param template The name of the database that it copies. */
export async function newDatabase(
  template = 'template0',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `ostiary_test_${randomUUID().replaceAll('-', '')}`
  // A copy of the files costs a fifth of the processor time of a copy through the log.
  await command(`create database ${name} encoding 'UTF8' template ${template} strategy file_copy`)
  const url = new URL(service('DATABASE_URL'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => command(`drop database ${name} with (force)`) }
}

/** A copy of the database as it is now. Its connections are ended: PostgreSQL copies no database that is in use. @returns Its URL. */
export async function copyOfDatabase(of_url: string, addCleanup: CleanUp = onTestFinished): Promise<string> {
  const of_name = new URL(of_url).pathname.slice(1)
  const name = `${of_name}_copy`
  await command(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${of_name}'`)
  await command(`create database ${name} template ${of_name} strategy file_copy`)
  addCleanup(() => command(`drop database ${name} with (force)`))
  const url = new URL(of_url)
  url.pathname = `/${name}`
  return url.href
}

/** By the URL of the server: a connection of this process. A new one for each command costs half of what a new database costs. */
const administrators = new Map<string, Sql>()

async function command(text: string): Promise<void> {
  const url = service('DATABASE_URL')
  const sql =
    administrators.get(url) ??
    postgres(url, {
      max: 1,
      idle_timeout: 10,
      fetch_types: false,
      connect_timeout: UNLIMITED.connectTimeout,
      onnotice: () => {},
    })
  administrators.set(url, sql)
  await sql.unsafe(text)
}
