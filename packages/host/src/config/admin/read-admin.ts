/** Reads the `admin.*` keys. */

import type { AdminKeys, ReadAdmin, ReadContext } from './enabled-admin.js'

/** Null when the admin API is off: then nothing of it is loaded. */
export const readAdmin = async (keys: AdminKeys, context: ReadContext): Promise<ReadAdmin | null> =>
  keys.admin.enabled ? (await import('./enabled-admin.js')).readEnabledAdmin(keys, context) : null
