/** The signer for private keys, by the algorithm and the number of cores. */

import {
  constants,
  createPrivateKey,
  type KeyObject,
  type SignKeyObjectInput,
  sign as signBytes,
} from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Signer, SigningAlgorithm } from '@ostiary/core'
import { inTurns, turnLength } from '@ostiary/resource-server/turns'

interface Signature {
  /** Null: the algorithm has its own. */
  digest: 'sha256' | null
  options?: Omit<SignKeyObjectInput, 'key'>
}

/** RFC 7518 §3.3 to §3.5, RFC 8037 §3.1. */
const SIGNATURES: Readonly<Record<SigningAlgorithm, Signature>> = {
  RS256: { digest: 'sha256' },
  PS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null },
}

/**
 * WebCrypto makes every signature in another thread. With spare cores, several RSA signatures are made at a time; a process
 * with one core only pays for the thread switches, so it signs in its own thread, all signatures of a turn of the event loop
 * together. A signature of ES256 or EdDSA takes so little time (30 microseconds) that passing it to another thread never pays:
 * 44 to 49 microseconds, and not more a second.
 * @param workers Processes that share the machine's cores.
 */
export const signerFor =
  (workers: number): Signer =>
  (pkcs8, alg) => {
    const is_rsa = alg === 'RS256' || alg === 'PS256'
    if (is_rsa && workers < availableParallelism()) return undefined
    return synchronousSign(createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }), alg)
  }

function synchronousSign(key: KeyObject, alg: SigningAlgorithm): ReturnType<Signer> {
  const { digest, options } = SIGNATURES[alg]
  // Node 24 takes 10 microseconds to see that an object with options is not a key itself.
  const input_key = options === undefined ? key : { key, ...options }
  return inTurns(
    (input) => signBytes(digest, Buffer.from(input), input_key).toString('base64url'),
    turnLength(),
  )
}
