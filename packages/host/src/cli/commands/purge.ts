import type { RealmStorage } from '@ostiary/core'
import { DEFAULT_REALM } from '../../config/entries.js'
import type { Command } from '../command.js'
import { inRealm } from '../workspace.js'

export const purge: Command = {
  name: 'purge',
  summary: 'Forget what has expired',
  about: [
    'A running server does this all the time, a little at once. It is for a database that no server has been at for a while. Clients, consents, users and keys never expire.',
  ],
  of_realm: true,
  examples: [['ostiary purge', 'Tidy up the realm default']],
  run: (input, context) =>
    inRealm(input, context, async ({ storage }) => {
      const purged = await purgeAll(storage, Math.floor(Date.now() / 1000))
      const realm = input.text('realm') ?? DEFAULT_REALM
      return { text: `Forgotten: ${purged}`, json: { realm, purged } }
    }),
}

/** Batch by batch, with one time for all, so that it comes to an end. */
async function purgeAll(storage: RealmStorage, now: number): Promise<number> {
  let total = 0
  for (;;) {
    const went = await storage.purge(now)
    if (went === 0) return total
    total += went
  }
}
