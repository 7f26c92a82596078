/** How private keys sign on this machine. */

import { createPrivateKey, createSign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Signer } from '@ostiary/core'

/**
 * WebCrypto hands every signature to another thread. With cores to spare several are made at a time; a process that has
 * one core for itself only pays for the way there and back, and signs at once instead.
 * @param workers Processes that share the machine's cores.
 * @returns Undefined for WebCrypto.
 */
export const signerFor = (workers: number): Signer | undefined =>
  workers >= availableParallelism() ? atOnce : undefined

const atOnce: Signer = (pkcs8) => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  return (input) => createSign('sha256').update(input).sign(key, 'base64url')
}
