/** The COSE form of a public key (RFC 9052 §7), written only. */

import type { JsonWebKey } from 'node:crypto'
import type { PasskeyAlgorithm } from './public-key.js'

/**
 * The members before the first coordinate, hexadecimal: a map, `kty` (1), `alg` (3), for a curve `crv` (-1), and the label of the
 * first coordinate.
 */
const HEADS: Readonly<Record<PasskeyAlgorithm, string>> = {
  '-8': 'a4 0101 0327 2006 21',
  '-7': 'a5 0102 0326 2001 21',
  '-257': 'a4 0103 03390100 20',
}

/** The label of the second coordinate: `y` is -3, `e` is -2. */
const SECOND_LABELS: Readonly<Record<PasskeyAlgorithm, string>> = { '-8': '', '-7': '22', '-257': '21' }

/**
 * As every authenticator must encode the key (WebAuthn Level 3 §6.5.1): CTAP2 canonical CBOR, with `alg` and the required parameters
 * alone. So the bytes of the authenticator data are compared with it, and need not be read.
 */
export function coseKey(jwk: JsonWebKey, algorithm: PasskeyAlgorithm): Buffer {
  const first = algorithm === -257 ? jwk.n : jwk.x
  const second = algorithm === -257 ? jwk.e : jwk.y
  const members = [hex(HEADS[algorithm]), byteString(first)]
  if (algorithm !== -8) members.push(hex(SECOND_LABELS[algorithm]), byteString(second))
  return Buffer.concat(members)
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** RFC 8949 §3, major type 2: the length in as few bytes as possible. */
function byteString(base64url = ''): Buffer {
  const bytes = Buffer.from(base64url, 'base64url')
  const { length } = bytes
  if (length < 24) return Buffer.concat([Buffer.from([0x40 + length]), bytes])
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}
