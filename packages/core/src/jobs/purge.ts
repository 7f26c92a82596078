/** Forgets what has expired, one small batch at a time. */

import type { RealmContext } from '../context.js'

/** Returns how many records went. */
export const purge = (c: RealmContext): Promise<number> => c.storage.purge(c.now())
