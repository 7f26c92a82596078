/** Prepares each storage for tests that run on all of them. */

import { newDatabase, service } from '@ostiary/test-kit/database'
import { inject } from 'vitest'

export const STORAGES = ['memory', 'embedded', 'postgres', 'postgres and redis'] as const
export type StorageName = (typeof STORAGES)[number]

export interface StorageSetup {
  /** Variables for the server. */
  env: Record<string, string>
  remove(): Promise<void>
}

/** Each tested server has its own Redis database, or one would count the other's sign-ins. */
const REDIS_DATABASES = { node: 1, bun: 2 }

export async function prepare(storage: StorageName): Promise<StorageSetup> {
  if (storage === 'memory') return { env: { OSTIARY_STORAGE: 'memory' }, remove: async () => {} }
  if (storage === 'embedded') return { env: {}, remove: async () => {} }
  const { url: DATABASE_URL, drop } = await newDatabase()
  const redis = new URL(service('REDIS_URL'))
  redis.pathname = `/${REDIS_DATABASES[inject('server') ?? 'node']}`
  const REDIS_URL = storage === 'postgres' ? {} : { REDIS_URL: redis.href }
  return { env: { DATABASE_URL, ...REDIS_URL }, remove: drop }
}
