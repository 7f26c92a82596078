/** Encrypts a private key anew: for another secret of the provider, or another realm. */

import type { SigningKey } from '../storage/storage.js'
import type { Random } from '../util/secret.js'
import { keyName, openPrivateKey, sealPrivateKey } from './keys.js'

export interface ResealOptions {
  realm: string
  /** The realm that gets the key; the same one when absent. */
  to?: string
  seals: readonly CryptoKey[]
  random: Random
}

/** The private key, encrypted with the first of these keys; null when it is that already. @throws SealedKeyError */
export async function resealPrivateKey(
  key: SigningKey,
  { realm, to = realm, seals, random }: ResealOptions,
): Promise<string | null> {
  const { pkcs8, seal } = await openPrivateKey(key, realm, seals)
  const [current] = seals
  if (current === undefined || (seal === current && to === realm)) return null
  return sealPrivateKey(pkcs8, { additionalData: keyName(to, key.kid), seal: current, random })
}
