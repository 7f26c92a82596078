/** Replaces the memory storage in core's tests: each storage is a set of new realms in a real database. */

import { randomUUID } from 'node:crypto'
import type { Storage } from '@ostiary/core'
import { mixedStorage } from '@ostiary/host'
import { requireTags } from '@ostiary/storage-conformance'
import { postgresStorage } from '@ostiary/storage-postgres'
import { redisStorage } from '@ostiary/storage-redis'
import { freshDatabase, redisCorner } from './services.js'

const { executor } = await freshDatabase()
const durable = postgresStorage(executor)
const storage: Storage = process.env.CONTRACT_STORAGE === 'mix' ? mixed() : durable

function mixed(): Storage {
  const { redis, prefix } = redisCorner()
  return mixedStorage(durable, redisStorage(redis, { prefix }), 'redis')
}

export function memoryStorage(): Storage {
  const own = randomUUID()
  // Whatever core stores about a person has the tag of that person.
  return (realm) => requireTags(storage(`${own}.${realm}`))
}
