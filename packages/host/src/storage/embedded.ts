/** The embedded database. Its package is optional, and is loaded when it is used. */

import type { PgliteOptions } from '@ostiary/storage-pglite'
import type { Executor } from '@ostiary/storage-postgres'
import { StorageError } from './storage-error.js'

const PACKAGE = '@ostiary/storage-pglite'

/** @throws StorageError when the package is not installed. */
export async function embeddedExecutor(folder: string, options?: PgliteOptions): Promise<Executor> {
  const { pgliteExecutor } = await loadPackage()
  return pgliteExecutor(folder, options)
}

async function loadPackage() {
  try {
    return await import('@ostiary/storage-pglite')
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    const message =
      'Without DATABASE_URL the records are in an embedded database, whose package is not installed: ' +
      `run npm install ${PACKAGE}, or set DATABASE_URL to a PostgreSQL server`
    throw new StorageError(message, { cause })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(PACKAGE)
