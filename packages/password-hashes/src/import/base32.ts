/** Base32 (RFC 4648 §6), in which the secrets of authenticator apps are written. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** The bytes of a text in capital letters, without `=`. Bits that belong to no byte are left out. Null for another text. */
export function base32Bytes(text: string): Buffer | null {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return null
    value = (value << BITS) | digit
    bits += BITS
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >> bits)
    value &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
