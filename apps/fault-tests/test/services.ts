/** A PostgreSQL and a Redis of one test, which the test can stop and start again. */

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

/** It keeps no data when it stops: the worst case for a Redis. */
export async function ownRedis(): Promise<Service> {
  const service = await startRedis()
  onTestFinished(() => service.stop())
  return service
}
