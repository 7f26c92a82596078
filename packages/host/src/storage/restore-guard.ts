/**
 * Notices that a PostgreSQL was restored: what was spent, revoked or changed since would be good again, so nothing is answered from it until
 * `ostiary database restored` has run. After an ordinary failover everything goes on.
 */

import { placeWatch, type Queries } from '@ostiary/storage-postgres'
import { databaseAdvice, RestoredError } from '@ostiary/storage-postgres/errors'
import type { Log } from '../log/log.js'

/** Watches one database. */
export interface RestoreGuard {
  /** To be called when the schema is that of this version. @throws RestoredError */
  start(db: Queries): Promise<void>
  /**
   * Makes sure, with one statement, that the database was not restored. Does nothing before `start` has succeeded.
   * @throws RestoredError
   */
  check(db: Queries): Promise<void>
  /** As `check`, and stores a failover, which is logged once. */
  verify(db: Queries): Promise<void>
  /** Whether the last check has found a restored database. */
  isRestored(): boolean
}

export function restoreGuard(log: Log): RestoreGuard {
  const watch = placeWatch()
  let started = false
  let restored = false

  async function check(db: Queries): Promise<void> {
    if (!started) return
    try {
      const is_known = await watch.check(db)
      if (is_known && restored) log.info('the database is used again')
      restored &&= !is_known
    } catch (error) {
      if (error instanceof RestoredError && !restored) {
        restored = true
        log.error('the database is not used', { reason: error.message, advice: databaseAdvice(error) })
      }
      throw error
    }
  }

  return {
    check,
    isRestored: () => restored,
    async start(db) {
      await watch.check(db)
      started = true
    },
    async verify(db) {
      await check(db)
      // Not with each connection: a commit may wait for a standby, and reads must not.
      if (await watch.storeFailover(db)) log.warn(FAILOVER)
    },
  }
}

const FAILOVER =
  'another server goes on with the database, as after a failover. If it lacks what was answered before, stop the servers and run ' +
  'ostiary database restored'
