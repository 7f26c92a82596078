/** A PostgreSQL and a Redis database for each server. They are removed with the services. */

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { ROOT } from '../run/processes.js'

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

/** Runs the server's `migrate`. */
export function migrate(database_url: string): void {
  const main = join(ROOT, 'apps/node-server/dist/main.js')
  const env = { ...process.env, DATABASE_URL: database_url }
  const { status, stderr } = spawnSync(process.execPath, [main, 'migrate'], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`migrate: ${stderr}`)
}

let redis_databases = 0

/** One of Redis' numbered databases. */
export function newRedis(): string {
  const url = new URL(variable('REDIS_URL'))
  url.pathname = `/${redis_databases++ % 16}`
  return url.href
}
