/** Signatures and hashes by the modules of Node, which Bun has too. `package.json` chooses between this file and `platform.ts`. */

import { constants, hash, KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { SignatureAlgorithm } from './algorithms.js'
import { type SignatureInput, verifySignature as verifyByWebCrypto } from './platform.js'
import { inTurns } from './turns.js'
import { utf8Text } from './utf8.js'

interface Parameters {
  /** Null: the algorithm has its own. */
  digest: 'sha256' | null
  options: Omit<VerifyKeyObjectInput, 'key'>
}

/** RFC 7518 §3.3 to §3.5, RFC 8037 §3.1. */
const PARAMETERS: Readonly<Record<SignatureAlgorithm, Parameters>> = {
  RS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: { digest: 'sha256', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null, options: {} },
}

/** Larger RSA keys and other exponents take longer than passing the work to another thread. */
const MAX_SYNCHRONOUS_RSA_BITS = 2048
/** 65537, in bytes. */
const USUAL_EXPONENT = '1,0,1'

/**
 * WebCrypto verifies each signature in another thread. An RSA signature takes 22 microseconds in this thread, and passing it to
 * another takes more. One of ES256 takes 65 and one of EdDSA 106: with spare cores, several are verified at a time.
 * @param cores How many this process may use.
 */
export function isSynchronous(alg: SignatureAlgorithm, key: CryptoKey, cores: number): boolean {
  if (alg !== 'RS256' && alg !== 'PS256') return cores === 1
  const { modulusLength, publicExponent } = key.algorithm as RsaKeyAlgorithm
  return modulusLength <= MAX_SYNCHRONOUS_RSA_BITS && String(publicExponent) === USUAL_EXPONENT
}

/** As in `platform.ts`. What is verified in this thread is verified together, at the end of the turn of the event loop. */
export const verifySignature = (input: SignatureInput): Promise<boolean> =>
  isSynchronous(input.alg, input.key, CORES) ? verifyInTurns(input) : verifyByWebCrypto(input)

const CORES = availableParallelism()

const verifyInTurns = inTurns(verifySynchronously)

/** Of imported keys, for as long as these are in use. */
const keyObjects = new WeakMap<CryptoKey, KeyObject>()

export function verifySynchronously({ alg, key, input, signature }: SignatureInput): boolean {
  const { digest, options } = PARAMETERS[alg]
  const object = keyObjects.get(key) ?? KeyObject.from(key)
  keyObjects.set(key, object)
  const signed = Buffer.from(input, 'latin1')
  return verify(digest, signed, { key: object, ...options }, Buffer.from(signature, 'base64url'))
}

/** As in `platform.ts`; it takes a fifth of the time. */
export const sha256Characters = (text: string): string => hash('sha256', text, 'binary')

/** As in `platform.ts`. */
export const decodedText = (encoded: string): string => utf8Text(Buffer.from(encoded, 'base64url'))
