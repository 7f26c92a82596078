/** The start of a server on a database that was restored: it refuses every request until `ostiary database restored` has run. */

import { withDeadline } from '../server/deadline.js'
import { StorageError } from '../storage/storage-error.js'

const AGAIN_MS = 2000

interface WhenSafe {
  /** Called once, when the database is refused. */
  refuse: (message: string) => Promise<void>
  /** Resolves when the server is told to stop. */
  stopped: Promise<unknown>
}

/** @returns Null when the server was told to stop first. @throws What `create` throws, except while the database is refused. */
export async function whenSafe<T>(
  create: () => Promise<T>,
  { refuse, stopped }: WhenSafe,
): Promise<T | null> {
  let refused = false
  let ended = false
  const end = stopped.then(() => {
    ended = true
  })
  while (!ended) {
    try {
      return await create()
    } catch (error) {
      if (!(error instanceof StorageError && error.is_restored)) throw error
      if (!refused) await refuse(error.message)
      refused = true
    }
    await withDeadline(AGAIN_MS, end)
  }
  return null
}
