/** Realms of Ostiary that administrators make while its servers run. */

export { findRealm } from './changes.js'
export { databaseRealms, type RealmDatabase } from './database-store.js'
export { type DirectoryOptions, type RealmDirectory, RealmNotReadError, realmDirectory } from './directory.js'
export type { RealmCounts } from './effects.js'
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
export { allRealms, type ServerRealms, type ServerRealmsOptions, serverRealms } from './server-realms.js'
export {
  importFault,
  makeImported,
  type ReadKeys,
  readIdentity,
  type SettingsRules,
  settingsFaults,
} from './settings.js'
