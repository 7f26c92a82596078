/** Signatures and hashes by Web APIs and JavaScript, for every runtime; `platform-node.ts` replaces this file on Node and Bun. */

import { sha256 } from '@noble/hashes/sha2.js'
import { base64url } from 'jose'
import type { SignatureAlgorithm } from './algorithms.js'
import { utf8, utf8Text } from './utf8.js'

/** A signature, and a key that serves the algorithm. */
export interface SignatureInput {
  alg: SignatureAlgorithm
  key: CryptoKey
  /** What is signed: ASCII. */
  input: string
  /** In base64url. */
  signature: string
}

/** RFC 7518 §3.3 to §3.5, RFC 8037 §3.1. */
const PARAMETERS: Readonly<Record<SignatureAlgorithm, RsaPssParams | EcdsaParams | Algorithm>> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
  PS256: { name: 'RSA-PSS', saltLength: 32 },
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
}

/** Decodes each byte to one character: those of Windows-1252 where the runtime follows the Encoding Standard. */
const latin1 = new TextDecoder('latin1')

/** Whether the key has made the signature. It may throw for a signature that has no valid form. */
export const verifySignature = ({ alg, key, input, signature }: SignatureInput): Promise<boolean> =>
  crypto.subtle.verify(
    PARAMETERS[alg],
    key,
    base64url.decode(signature) as Uint8Array<ArrayBuffer>,
    utf8(input),
  )

/**
 * The SHA-256 of a text, taken as UTF-8, as 32 characters: another one for each value of a byte, and not the same on each runtime.
 * Not by WebCrypto: waiting for its promise takes as long as the verification that a token store avoids.
 */
export const sha256Characters = (text: string): string => latin1.decode(sha256(utf8(text)))

/**
 * The text that a part of a token encodes.
 * @param encoded Characters of base64url; their number is not one more than a multiple of four.
 * @throws TypeError for bytes that are not UTF-8.
 */
export const decodedText = (encoded: string): string => utf8Text(base64url.decode(encoded))
