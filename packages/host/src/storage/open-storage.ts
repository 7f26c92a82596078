/** Opens the storage that the configuration names. */

import { memoryStorage } from '@ostiary/core/memory'
import { memoryUserStores } from '@ostiary/identity'
import type { MailQueue } from '@ostiary/identity/mail'
import type { StorageChoice } from '../config/storage-choice.js'
import type { Log } from '../log/log.js'
import type { HostStorage, OpenOptions } from './host-storage.js'

/**
 * Sets up an empty database.
 * @throws StorageError when a server does not answer, when the schema is another version's, when the database was restored, or when
 * another process uses the embedded database; ConfigError when the folder of the embedded database cannot be created.
 */
export async function openStorage(
  choice: StorageChoice,
  log: Log,
  options: OpenOptions = {},
): Promise<HostStorage> {
  if (choice.kind === 'memory') return openMemory()
  // The database clients take memory: they are loaded only when they are used.
  const { openDurable } = await import('./durable-storage.js')
  return openDurable(choice, log, options)
}

/** The records end with the process. */
function openMemory(): HostStorage {
  return {
    storage: memoryStorage(),
    ...memoryUserStores(),
    mails: mailsInMemory(),
    parts: {},
    close: async () => {},
  }
}

/** The queue is loaded with the first mail. */
function mailsInMemory(): MailQueue {
  let loading: Promise<MailQueue> | undefined
  const queue = () => {
    loading ??= import('@ostiary/identity/mail').then(({ memoryMailQueue }) => memoryMailQueue())
    return loading
  }
  return {
    add: async (mail) => (await queue()).add(mail),
    claim: async (claim) => (await queue()).claim(claim),
    settle: async (mail, next) => (await queue()).settle(mail, next),
    page: async (page) => (await queue()).page(page),
    reseal: async (...mail) => (await queue()).reseal(...mail),
  }
}
