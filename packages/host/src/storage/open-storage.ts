/** The storage that the configuration names, opened. */

import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers } from '@ostiary/identity'
import type { StorageChoice } from '../config/storage-choice.js'
import type { Log } from '../log/log.js'
import type { HostStorage } from './host-storage.js'

/**
 * Sets an empty database up.
 * @throws StorageError when a server does not answer or its schema is not this version's, or another process has the
 * embedded database; ConfigError when the folder of that cannot be made.
 */
export async function openStorage(choice: StorageChoice, log: Log): Promise<HostStorage> {
  if (choice.kind === 'memory') return openMemory()
  // The clients of databases cost memory: they are loaded where they are used.
  const { openDurable } = await import('./durable-storage.js')
  return openDurable(choice, log)
}

/** Lost with the process. */
const openMemory = (): HostStorage => ({
  storage: memoryStorage(),
  users: memoryUsers(),
  parts: {},
  close: async () => {},
})
