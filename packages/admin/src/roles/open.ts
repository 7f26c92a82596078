/** The roles over the storage of a server or of a command. */

import { databaseRoleStore, type RoleDatabase } from './database-store.js'
import { memoryRoleStore } from './memory-store.js'
import type { RoleStore } from './role-store.js'

/** A storage of a server. */
export interface OpenedStorage {
  /** The database that has the table of roles; undefined when the records are in memory. */
  records?: RoleDatabase | undefined
}

/** Of storages in memory: a reload of the configuration keeps the roles. */
const inMemory = new WeakMap<object, RoleStore>()

/** The roles of an opened storage. */
export function openRoleStore(storage: OpenedStorage): RoleStore {
  if (storage.records) return databaseRoleStore(storage.records)
  const store = inMemory.get(storage) ?? memoryRoleStore()
  inMemory.set(storage, store)
  return store
}
