/** The provider's secret: whether it decrypts the signing keys; after its change, the keys are encrypted with it. */

import { openSigningKey } from '../crypto/keys.js'
import { resealPrivateKey } from '../crypto/reseal.js'
import type { RealmContext } from '../realm/context.js'

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

/** @throws SealedKeyError for a stored key that no secret decrypts */
export async function checkKeys({ realm, secrets, storage }: RealmContext): Promise<void> {
  for (const key of await storage.keys.list())
    await openSigningKey(key, { realm: realm.id, seals: secrets.seals })
}
