/** A PostgreSQL and a Redis of this test's own, which it may take away and bring back. */

import { startPostgres } from '@ostiary/local-services/postgres'
import { startRedis } from '@ostiary/local-services/redis'
import type { Service } from '@ostiary/local-services/service'
import { onTestFinished } from 'vitest'

export type { Service }

export async function ownPostgres(): Promise<Service> {
  const service = await startPostgres()
  onTestFinished(() => service.stop())
  return service
}

/** It keeps nothing when it ends: the worst that a Redis can do. */
export async function ownRedis(): Promise<Service> {
  const service = await startRedis()
  onTestFinished(() => service.stop())
  return service
}
