/** Realms of Ostiary that administrators make while its servers run. */

export { databaseRealms, type RealmDatabase } from './database-store.js'
export { memoryRealms } from './memory-store.js'
export {
  type DeletedQuestion,
  MAX_REALMS,
  type RealmChanges,
  type RealmRecord,
  type RealmSettings,
  type RealmStore,
  type RealmVersion,
  realmIdFault,
} from './realm-store.js'
