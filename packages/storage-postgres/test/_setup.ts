import { randomUUID } from 'node:crypto'
import { type Executor, migrations, postgresExecutor } from '../src/index.js'

export interface OwnDatabase {
  url: string
  executor: Executor
  drop(): Promise<void>
}

/** A database of its own for one test file, in the server that DATABASE_URL names; nothing else there is touched. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const server = process.env.DATABASE_URL
  if (!server) throw new Error('no DATABASE_URL: run `npm test`, which starts a server')
  const name = `ostiary_test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await command(server, `create database ${name} encoding 'UTF8' template template0`)
  const executor = postgresExecutor(url.href)
  return {
    url: url.href,
    executor,
    async drop() {
      await executor.close()
      await command(server, `drop database ${name} with (force)`)
    },
  }
}

/** With every table in it. */
export async function migratedDatabase(): Promise<OwnDatabase> {
  const database = await ownDatabase()
  await migrations(database.executor).migrate()
  return database
}

async function command(server: string, text: string): Promise<void> {
  const executor = postgresExecutor(server, { connections: 1, statementTimeout: 30 })
  try {
    await executor.query(text)
  } finally {
    await executor.close()
  }
}
