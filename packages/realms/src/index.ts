/** Realms of Ostiary that administrators make while its servers run. */

export { databaseRealms, type RealmDatabase } from './database-store.js'
export { type DirectoryOptions, type RealmDirectory, RealmNotReadError, realmDirectory } from './directory.js'
export { countRealm, type RealmCounts } from './effects.js'
export { memoryRealms } from './memory-store.js'
export { type PurgeOptions, type RealmPurge, realmPurge } from './purge.js'
export {
  type DeletedQuestion,
  MAX_REALMS,
  PURGE_DAYS,
  type RealmChanges,
  type RealmRecord,
  type RealmSettings,
  type RealmStore,
  type RealmVersion,
  realmIdFault,
} from './realm-store.js'
export type { ConfiguredPlace, RealmFault, RunTimeRealms } from './run-time.js'
