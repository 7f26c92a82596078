/**
 * Notices that a PostgreSQL was restored: what was spent, revoked or changed since would be good again, so nothing is answered from it until
 * `ostiary database restored` has run. After an ordinary failover everything goes on.
 */

import { lineageWatch, type Queries } from '@ostiary/storage-postgres'
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
  /**
   * As `check`, and stores a failover, which is logged once.
   * @returns To be called when a later commit was answered.
   */
  verify(db: Queries): Promise<() => void>
  /** Whether the last check has found a restored database. */
  isRestored(): boolean
}

export function restoreGuard(log: Log): RestoreGuard {
  const watch = lineageWatch()
  let started = false
  let restored = false

  async function check(db: Queries): Promise<(() => void) | null> {
    if (!started) return null
    try {
      const keep = await watch.check(db)
      if (keep && restored) log.info('the database is used again')
      restored &&= keep === null
      return keep
    } catch (error) {
      if (error instanceof RestoredError && !restored) {
        restored = true
        log.error('the database is not used', { reason: error.message, advice: databaseAdvice(error) })
      }
      throw error
    }
  }

  return {
    check: async (db) => void (await check(db)),
    isRestored: () => restored,
    async start(db) {
      await watch.check(db)
      started = true
    },
    async verify(db) {
      const keep = await check(db)
      // Not with each connection: a commit may wait for a standby, and reads must not.
      if (await watch.storeFailover(db)) log.warn(FAILOVER)
      return keep ?? (() => {})
    },
  }
}

const FAILOVER =
  'another server goes on with the database, as after a failover. If it lacks what was answered before, stop the servers and run ' +
  'ostiary database restored'
