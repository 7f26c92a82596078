/** A PostgreSQL and a Redis of this test's own, which it may take away and bring back. */

import { onTestFinished } from 'vitest'
import type { Service } from '../../../test/local-services/src/machine.ts'
import { startPostgres } from '../../../test/local-services/src/postgres.ts'
import { startRedis } from '../../../test/local-services/src/redis.ts'

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
