import type { RealmStorage } from '@ostiary/core'
import { DEFAULT_REALM } from '../../config/entries.js'
import { nowSeconds } from '../accounts.js'
import type { Command } from '../command.js'
import { ofLocalRealm } from '../workspace.js'

export const purge: Command = {
  name: 'purge',
  effect: 'changes',
  summary: 'Delete expired records',
  about: [
    'A running server does this in small batches. This is for a database that no server has used for a while. Clients, consents, users and keys never expire.',
  ],
  examples: [['ostiary purge', 'Delete the expired records of the realm default']],
  ...ofLocalRealm(async ({ storage }, input) => {
    const purged = await purgeAll(storage, nowSeconds())
    const realm = input.text('realm') ?? DEFAULT_REALM
    const event = purged === 0 ? null : { count: { records: purged } }
    return { text: `Deleted: ${purged}`, json: { realm, purged }, event }
  }),
}

/** Deletes batch by batch. All batches use the same time, so that the loop ends. */
async function purgeAll(storage: RealmStorage, now: number): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await storage.purge(now)
    if (deleted === 0) return total
    total += deleted
  }
}
