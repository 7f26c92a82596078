/** A PostgreSQL with every table, those of people in 16 partitions. */

import { migrations, postgresExecutor } from '@ostiary/storage-postgres'
import { ownDatabase, UNLIMITED } from '@ostiary/test-kit/database'
import { partitionPeople } from '@ostiary/test-kit/partitions'

export async function partitionedDatabase(): Promise<string> {
  const url = await ownDatabase()
  const executor = postgresExecutor(url, UNLIMITED)
  await migrations(executor).setUp()
  await executor.close()
  await partitionPeople(url)
  return url
}
