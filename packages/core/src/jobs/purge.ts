/** Deletes expired records, a limited number at a time. */

import type { RealmContext } from '../context.js'
import { finishDeletions } from '../steps/delete-client.js'

/** Returns the number of deleted records. */
export const purge = async (c: RealmContext): Promise<number> =>
  (await finishDeletions(c)) + (await c.storage.purge(c.now()))
