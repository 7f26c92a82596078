/** Deletes keys whose tokens have all expired. */

import type { RealmContext } from '../realm/context.js'
import { neededKeys } from '../tokens/signing-keys.js'

/** Returns the number of deleted keys. */
export async function dropRetiredKeys(c: RealmContext): Promise<number> {
  const keys = await c.storage.keys.list()
  const needed = neededKeys(c, keys)
  const retired = keys.filter((key) => !needed.includes(key))
  for (const { kid } of retired) {
    await c.storage.keys.drop(kid)
    c.emit({ type: 'key.retired', kid })
  }
  return retired.length
}
