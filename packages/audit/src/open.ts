/** What a server or a command opens: the audit over its storage. */

import { hostname, userInfo } from 'node:os'
import { type Audit, type AuditOptions, createAudit } from './audit.js'
import { type AuditDatabase, databaseAuditStore } from './database-store.js'
import { memoryAuditStore } from './memory-store.js'
import type { AuditStore } from './store.js'

/** A storage of a server. */
export interface OpenedStorage {
  /** The database that has the tables of the audit; undefined when the records are in memory. */
  records?: AuditDatabase | undefined
}

/** What `openAudit` takes. */
export interface OpenOptions extends Omit<AuditOptions, 'store' | 'actor'> {
  storage: OpenedStorage
  /** Of a command: who runs it makes the changes. */
  env?: Readonly<Record<string, string | undefined>>
}

/** The audit over an opened storage. */
export function openAudit({ storage, env, ...options }: OpenOptions): Audit {
  const store = openAuditStore(storage)
  return createAudit({ ...options, store, ...(env && { actor: commandActor(env) }) })
}

/** Of storages in memory: a reload of the configuration keeps the rows. */
const inMemory = new WeakMap<object, AuditStore>()

/** The store of an opened storage. */
export function openAuditStore(storage: OpenedStorage): AuditStore {
  if (storage.records) return databaseAuditStore(storage.records)
  const store = inMemory.get(storage) ?? memoryAuditStore()
  inMemory.set(storage, store)
  return store
}

/** The user of the operating system, or who became that user by sudo. */
const commandActor = ({ SUDO_USER }: NonNullable<OpenOptions['env']>): string =>
  `cli:${SUDO_USER || userName()}@${hostname()}`

/** In a container, the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
