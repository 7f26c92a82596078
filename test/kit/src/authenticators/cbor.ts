/** Writes CBOR (RFC 8949), as far as WebAuthn has it: a test makes authenticator data and an attestation object with it. */

export type Cbor = number | string | boolean | null | Buffer | readonly Cbor[] | Map<string | number, Cbor>

/** The members of a map stay in their order. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'boolean') return head(7, value ? 21 : 20)
  if (value === null) return head(7, 22)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((item) => cbor(item))])
  return Buffer.concat([head(4, value.length), ...value.map(cbor)])
}

/** The major type, and a number in as few bytes as possible. */
function head(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  return Buffer.from([type | 25, value >> 8, value & 255])
}
