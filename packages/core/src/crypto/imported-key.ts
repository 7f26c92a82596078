/** A signing key from a file, encrypted for the realm that gets it. */

import { calculateJwkThumbprint } from 'jose'
import type { SigningKey } from '../storage/storage.js'
import { systemRandom } from '../util/secret.js'
import { importKeyPair } from './key-algorithms.js'
import { openPrivateKey } from './keys.js'
import { resealPrivateKey } from './reseal.js'
import { deriveSecrets } from './secrets.js'

/** Of `importedKey`. */
export interface ImportedKeyOptions {
  /** The id of the realm for which the key was encrypted. */
  sealed_for: string
  /** The id of the realm that gets it. */
  realm: string
  /** The provider's secret. */
  secret: string
  /** The secret before its last change. */
  previous_secret?: string | undefined
}

/**
 * The key as the realm stores it: encrypted with `secret`, also when `previous_secret` or another realm had it. The private
 * part was encrypted with the `kid`, the thumbprint of the public part.
 * @throws SealedKeyError when no secret decrypts it; TypeError when the `kid` or the `alg` is not that of the key.
 */
export async function importedKey(
  key: SigningKey,
  { sealed_for, realm, secret, previous_secret }: ImportedKeyOptions,
): Promise<SigningKey> {
  if (key.kid !== (await calculateJwkThumbprint(key.public_jwk)))
    throw new TypeError(`The kid ${key.kid} is not the thumbprint of its public_jwk`)
  const { seals } = await deriveSecrets(secret, previous_secret)
  const { pkcs8 } = await openPrivateKey(key, sealed_for, seals)
  await importKeyPair(key.alg, { pkcs8, public_jwk: key.public_jwk }).catch(() => {
    throw new TypeError(`The key ${key.kid} is not one of ${key.alg}`)
  })
  const resealed = await resealPrivateKey(key, { realm: sealed_for, to: realm, seals, random: systemRandom })
  return resealed === null ? key : { ...key, sealed_private_key: resealed }
}
