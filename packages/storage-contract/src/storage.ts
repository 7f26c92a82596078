/** Stands where core's tests import the memory storage: each one is a set of realms of its own in a real database. */

import { randomUUID } from 'node:crypto'
import type { Storage } from '@ostiary/core'
import { type Executor, migrations, postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
import { redisStorage } from '@ostiary/storage-redis'
import { Redis } from 'ioredis'

const url = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run this package's test script`)
  return value
}

const executor = await freshDatabase()
const durable = postgresStorage(executor)
const redis = process.env.CONTRACT_STORAGE === 'mix' ? new Redis(url('REDIS_URL')) : null
const quick = redis && redisStorage(redis, { prefix: `contract-${randomUUID()}` })
const storage: Storage = quick ? (realm) => mixed(realm, quick) : durable

export function memoryStorage(): Storage {
  const own = randomUUID()
  return (realm) => storage(`${own}.${realm}`)
}

/** As the host mixes them: what lives long in Postgres, what is hot and short-lived in Redis. */
function mixed(realm: string, redisOf: Storage) {
  const [lasting, hot] = [durable(realm), redisOf(realm)]
  const { pending, sessions, throttle } = hot
  const purge = async (now: number) => (await lasting.purge(now)) + (await hot.purge(now))
  return { ...lasting, pending, sessions, throttle, purge }
}

/** In the server that DATABASE_URL names, beside whatever it holds. */
async function freshDatabase(): Promise<Executor> {
  const server = new URL(url('DATABASE_URL'))
  const name = `contract_${randomUUID().replaceAll('-', '')}`
  const admin = postgresExecutor(server.href)
  await admin.query(`create database ${name}`)
  await admin.close()
  server.pathname = `/${name}`
  const made = postgresExecutor(server.href)
  await migrations(made).migrate()
  return made
}
