/** Two databases behind a stand-in for a routing proxy, each with half of the buckets. */

import { bucketProxy } from '@ostiary/test-kit/bucket-proxy'
import { type RangedExecutor, type RangedOptions, rangedExecutor } from '../src/index.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

export interface DividedDatabase {
  /** That of the first half is the home database. */
  databases: [OwnDatabase, OwnDatabase]
  /** Closed with the database. */
  open(options: Omit<RangedOptions, 'shards'>): RangedExecutor
  drop(): Promise<void>
}

export async function dividedDatabase(): Promise<DividedDatabase> {
  const databases: [OwnDatabase, OwnDatabase] = [await migratedDatabase(), await migratedDatabase()]
  const cleanUps: (() => Promise<void> | void)[] = []
  const url = await bucketProxy(
    (clean) => void cleanUps.push(clean),
    databases.map((database) => database.url),
  )
  return {
    databases,
    open(options) {
      const executor = rangedExecutor(url, { ...options, shards: 2 })
      cleanUps.unshift(() => executor.close(0))
      return executor
    },
    async drop() {
      for (const clean of cleanUps) await clean()
      for (const database of databases) await database.drop()
    },
  }
}
