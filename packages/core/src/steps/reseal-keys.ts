/** After a change of the provider's secret: the signing keys are encrypted with the current one. */

import type { RealmContext } from '../context.js'
import { resealPrivateKey } from '../tokens/reseal.js'

/** Encrypts the keys that the previous secret has encrypted with the current one. Returns their number. */
export async function resealKeys(c: RealmContext): Promise<number> {
  let resealed = 0
  for (const key of await c.storage.keys.list()) {
    const sealed_private_key = await resealPrivateKey(key, {
      realm: c.realm.id,
      seals: c.secrets.seals,
      random: c.random,
    })
    if (sealed_private_key === null) continue
    // False: the key was withdrawn or retired meanwhile, and must not come back.
    if (await c.storage.keys.reseal(key.kid, sealed_private_key)) resealed += 1
  }
  return resealed
}
