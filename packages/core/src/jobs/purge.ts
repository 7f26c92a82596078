/** Deletes expired records, a limited number at a time. */

import type { RealmContext } from '../context.js'

/** Returns the number of deleted records. */
export const purge = (c: RealmContext): Promise<number> => c.storage.purge(c.now())
