/** Enters the addresses of users that were stored without this package. */

import { inParallel } from '@ostiary/core/common'
import type { UserStore } from '@ostiary/identity'
import { confirmedKey } from './address.js'
import type { AddressEntries } from './entries.js'

/** Users that are read at a time. */
const PAGE = 500
/** Entries that are added at the same time. */
const MAX_PARALLEL = 8

/** @param isStopped Asked before each page. */
export async function fill(
  users: UserStore,
  entries: AddressEntries,
  isStopped: () => boolean,
): Promise<void> {
  let after: string | undefined
  while (!isStopped()) {
    const page = await users.list({ limit: PAGE, ...(after !== undefined && { after }) })
    await inParallel(page, MAX_PARALLEL, async (user) => {
      const key = confirmedKey(user)
      if (key !== null) await entries.add(key, user.sub)
    })
    after = page.at(-1)?.sub
    if (page.length < PAGE || after === undefined) return
  }
}

/** A work in the background that is done once. */
export interface Once {
  start(): void
  stop(): Promise<void>
}

/** @param failed Told when it fails; the next call of `start` begins anew. */
export function once(
  work: (isStopped: () => boolean) => Promise<void>,
  failed: (error: unknown) => void,
): Once {
  let running: Promise<void> | null = null
  let is_stopped = false
  return {
    start() {
      running ??= work(() => is_stopped).catch((error: unknown) => {
        running = null
        failed(error)
      })
    },
    async stop() {
      is_stopped = true
      await running
    },
  }
}
