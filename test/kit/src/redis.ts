/** A Redis for one test, with settings that `doctor` warns of. */

import { startRedis } from '@ostiary/local-services/redis'
import { Redis } from 'ioredis'
import type { CleanUp } from './database.ts'

/** It evicts records when it is full; its user `limited`, with the password `hush`, may not send INFO. @returns Its URL. */
export async function evictingRedis(addCleanup: CleanUp): Promise<string> {
  const { url, stop } = await startRedis()
  addCleanup(stop)
  const admin = new Redis(url)
  addCleanup(() => admin.disconnect())
  await admin.config('SET', 'appendonly', 'yes')
  await admin.config('SET', 'maxmemory', '100mb')
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await admin.acl('SETUSER', 'limited', 'on', '>hush', '~*', '&*', '+@all', '-info')
  return url
}
