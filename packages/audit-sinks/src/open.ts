import type { AuditStore } from '@ostiary/audit'
import type { SinkStore } from './cursor.js'
import { databaseSinkStore, type SinkDatabase } from './database-store.js'
import { memorySinkStore } from './memory-store.js'

/** Of audits in memory: a reload of the configuration keeps the cursors. */
const inMemory = new WeakMap<object, SinkStore>()

/** The cursors of a server: in its database, or in memory where it has none. */
export function openSinkStore(records: SinkDatabase | undefined, audit: AuditStore): SinkStore {
  if (records) return databaseSinkStore(records)
  const store = inMemory.get(audit) ?? memorySinkStore(audit)
  inMemory.set(audit, store)
  return store
}
