/** A PostgreSQL and a Redis database for each server. They are removed with the services. */

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'

const variable = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: with-services sets it`)
  return value
}

/** @returns The URL of a new and empty database. */
export async function newDatabase(): Promise<string> {
  const url = new URL(variable('DATABASE_URL'))
  const name = `bench_${randomBytes(6).toString('hex')}`
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  url.pathname = `/${name}`
  return url.href
}

/** The parent of PostgreSQL's processes. Null where it runs on another machine, or there is no /proc. */
export async function databasePid(): Promise<number | null> {
  const sql = postgres(variable('DATABASE_URL'), { max: 1, onnotice: () => {} })
  try {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const status = readFileSync(`/proc/${row?.pid}/status`, 'utf8')
    return /^Name:\s+postgres$/m.test(status) ? Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) : null
  } catch {
    return null
  } finally {
    await sql.end()
  }
}

/** Runs the `migrate` of a server of ours. @param command Its program, with `serve` at the end. */
export function migrate(command: readonly string[], database_url: string): void {
  const [program = '', ...args] = command.with(-1, 'migrate')
  const env = { ...process.env, DATABASE_URL: database_url }
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`migrate: ${stderr}`)
}

let redis_databases = 0

/** One of Redis' numbered databases. */
export function newRedis(): string {
  const url = new URL(variable('REDIS_URL'))
  url.pathname = `/${redis_databases++ % 16}`
  return url.href
}
