/** A database and a part of the Redis only for these tests, in the servers that DATABASE_URL and REDIS_URL name. */

import { randomUUID } from 'node:crypto'
import { type Executor, MIGRATIONS, migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { service, UNLIMITED } from '@ostiary/test-kit/database'
import { filledDatabase } from '@ostiary/test-kit/filled-database'
import { Redis } from 'ioredis'

export interface FreshDatabase {
  executor: Executor
  drop(): Promise<void>
}

/** The clocks of core's tests are ahead: with the database's own clock, nothing would be purged. */
const CLOCK_AHEAD = `create or replace function oidc_clock() returns bigint language sql stable as 'select 1::bigint << 40'`

async function fill(url: string): Promise<void> {
  const executor = postgresExecutor(url, UNLIMITED)
  await migrations(executor).migrate()
  await executor.query(CLOCK_AHEAD)
  await executor.close()
}

/** A new database, with every table. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { url, drop } = await filledDatabase({ key: JSON.stringify([MIGRATIONS, CLOCK_AHEAD]), fill })
  const executor = postgresExecutor(url, UNLIMITED)
  return {
    executor,
    async drop() {
      await executor.close()
      await drop()
    },
  }
}

/** The keys of these tests begin with the prefix. */
export const redisCorner = () => ({
  redis: new Redis(service('REDIS_URL')),
  prefix: `contract-${randomUUID()}`,
})
