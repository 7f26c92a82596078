/** A signing key from a file, sealed for the realm that gets it. */

import { calculateJwkThumbprint } from 'jose'
import { systemRandom } from '../protocol/secret.js'
import type { SigningKey } from '../storage.js'
import { openSigningKey } from './keys.js'
import { resealPrivateKey } from './reseal.js'
import { deriveSecrets } from './secrets.js'

/** Of `importedKey`. */
export interface ImportedKeyOptions {
  /** The id of the realm for which the key was sealed. */
  sealed_for: string
  /** The id of the realm that gets it. */
  realm: string
  /** The provider's secret. */
  secret: string
  /** The secret before its last change. */
  previous_secret?: string | undefined
}

/**
 * The key as the realm stores it: encrypted with `secret`, also when `previous_secret` or another realm had it.
 * @throws SealedKeyError when no secret opens it; TypeError when its parts are not those of one key.
 */
export async function importedKey(
  key: SigningKey,
  { sealed_for, realm, secret, previous_secret }: ImportedKeyOptions,
): Promise<SigningKey> {
  const { seals } = await deriveSecrets(secret, previous_secret)
  if (key.kid !== (await calculateJwkThumbprint(key.public_jwk)))
    throw new TypeError(`The kid ${key.kid} is not the thumbprint of its public_jwk`)
  const { private_key, public_key } = await openSigningKey(key, { realm: sealed_for, seals })
  const sample = Uint8Array.from(systemRandom(32))
  const signature = await crypto.subtle.sign(private_key.algorithm, private_key, sample)
  if (!(await crypto.subtle.verify(public_key.algorithm, public_key, signature, sample)))
    throw new TypeError(`The private key of ${key.kid} is not that of its public_jwk`)
  const resealed = await resealPrivateKey(key, { realm: sealed_for, to: realm, seals, random: systemRandom })
  return resealed === null ? key : { ...key, sealed_private_key: resealed }
}
