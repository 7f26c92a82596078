/** Deletes expired records, a limited number at a time. */

import { finishDeletions } from '../clients/delete-client.js'
import type { RealmContext } from '../realm/context.js'

/** Returns the number of deleted records. */
export const purge = async (c: RealmContext): Promise<number> =>
  (await finishDeletions(c)) + (await c.storage.purge(c.now()))
