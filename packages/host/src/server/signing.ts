/** The signer for private keys, by the number of cores. */

import { createPrivateKey, createSign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Signer } from '@ostiary/core'

/**
 * WebCrypto makes every signature in another thread. With spare cores, several are made at a time; a process with one
 * core only pays for the thread switches, so it signs in its own thread.
 * @param workers Processes that share the machine's cores.
 * @returns Undefined for WebCrypto.
 */
export const signerFor = (workers: number): Signer | undefined =>
  workers >= availableParallelism() ? synchronousSigner : undefined

const synchronousSigner: Signer = (pkcs8) => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  return (input) => createSign('sha256').update(input).sign(key, 'base64url')
}
