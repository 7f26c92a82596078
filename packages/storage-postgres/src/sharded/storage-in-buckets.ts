/**
 * The stores of a database whose tables of people are divided by their bucket, among several PostgreSQL behind a proxy or by an
 * extension. A request names the buckets of its records anyway; here are the stores whose work concerns all people, or two buckets.
 */

import type { RealmStorage } from '@ostiary/core'
import type { Database } from '../connection/row-finder.js'
import { DELETE_OF_CLIENT } from '../stores/consents.js'
import { REVOKE_OF_CLIENT } from '../stores/grants.js'
import { sweepStepInBuckets } from '../stores/sweep.js'
import { purgeInBuckets } from './background.js'
import { type DueSessions, expiredSessions } from './due-sessions.js'
import { throttleInBuckets } from './throttle.js'

/** @param stores Those of an undivided database. */
export function realmStorageInBuckets(
  db: Database,
  { realm, due }: { realm: string; due: DueSessions },
  stores: RealmStorage,
): RealmStorage {
  return {
    ...stores,
    consents: {
      ...stores.consents,
      deleteOfClient: (sweep) =>
        sweepStepInBuckets(db, { text: DELETE_OF_CLIENT.of_bucket, realm, more: [sweep.before] }, sweep),
    },
    grants: {
      ...stores.grants,
      revokeOfClient: (sweep, now) =>
        sweepStepInBuckets(db, { text: REVOKE_OF_CLIENT.of_bucket, realm, more: [now, sweep.before] }, sweep),
    },
    sessions: {
      ...stores.sessions,
      expired: (now, limit) => expiredSessions(db, { realm, due, now, limit }),
    },
    throttle: throttleInBuckets(db, realm, stores.throttle),
    purge: purgeInBuckets(db, realm),
  }
}
