/** Corners of our own in the servers that DATABASE_URL and REDIS_URL name; nothing else there is touched. */

import { randomUUID } from 'node:crypto'
import { type Executor, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { Redis } from 'ioredis'

const url = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run this package's test script`)
  return value
}

export interface FreshDatabase {
  executor: Executor
  drop(): Promise<void>
}

/** With every table in it. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = new URL(url('DATABASE_URL'))
  const name = `contract_${randomUUID().replaceAll('-', '')}`
  const admin = async (text: string) => {
    const executor = postgresExecutor(url('DATABASE_URL'), { connections: 1, statementTimeout: 30 })
    await executor.query(text).finally(() => executor.close())
  }
  await admin(`create database ${name}`)
  server.pathname = `/${name}`
  const executor = postgresExecutor(server.href)
  await migrations(executor).migrate()
  return {
    executor,
    async drop() {
      await executor.close()
      await admin(`drop database ${name} with (force)`)
    },
  }
}

/** What is below the prefix is the caller's. */
export const redisCorner = () => ({ redis: new Redis(url('REDIS_URL')), prefix: `contract-${randomUUID()}` })
