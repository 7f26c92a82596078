/**
 * Where the extension data of an authenticator ends (WebAuthn Level 3 §6.1). What it says is not used. Its length is checked, so that
 * authenticator data that is cut or extended is refused.
 */

/** The limit of CTAP2 (§8, message encoding). */
const MAX_DEPTH = 4
const TEXT = 3
const MAP = 5
/** False, true and null. */
const SIMPLE_VALUES = [20, 21, 22]
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Whether the bytes are exactly one map in CTAP2 canonical CBOR, whose keys are the names of extensions. */
export function isExtensionMap(bytes: Buffer): boolean {
  const head = headAt(bytes, 0)
  if (head?.major !== MAP) return false
  try {
    return mapEnd(bytes, head, 1) === bytes.length
  } catch {
    return false
  }
}

/** The first bytes of an item: its major type, and its value or length. */
interface Head {
  major: number
  value: number
  /** Of what follows. */
  start: number
}

/** RFC 8949 §3. Null at the end of the bytes, for a length that is indefinite, longer than needed, or of 8 bytes. */
function headAt(bytes: Buffer, at: number): Head | null {
  const first = bytes[at]
  if (first === undefined) return null
  const major = first >> 5
  const info = first & 31
  if (info < 24) return { major, value: info, start: at + 1 }
  const width = 1 << (info - 24)
  if (width > 4 || at + 1 + width > bytes.length) return null
  const value = bytes.readUIntBE(at + 1, width)
  // The values that a shorter form has.
  const shorter = width === 1 ? 24 : 2 ** (4 * width)
  return value < shorter ? null : { major, value, start: at + 1 + width }
}

/** The place after the item: beyond the end for a string that is cut. NaN for an item that is not canonical. */
function itemEnd(bytes: Buffer, at: number, depth: number): number {
  const head = headAt(bytes, at)
  if (head === null || depth > MAX_DEPTH) return Number.NaN
  const { major, value, start } = head
  switch (major) {
    case 0:
    case 1:
      return start
    case 2:
    case TEXT:
      return stringEnd(bytes, head)
    case 4:
      return arrayEnd(bytes, head, depth)
    case MAP:
      return mapEnd(bytes, head, depth)
    case 7:
      return SIMPLE_VALUES.includes(value) ? start : Number.NaN
    default:
      return Number.NaN
  }
}

function stringEnd(bytes: Buffer, { major, value, start }: Head): number {
  const end = start + value
  // Throws for a text that is not UTF-8.
  if (major === TEXT) UTF8.decode(bytes.subarray(start, end))
  return end
}

function arrayEnd(bytes: Buffer, { value, start }: Head, depth: number): number {
  let at = start
  for (let i = 0; i < value && !Number.isNaN(at); i++) at = itemEnd(bytes, at, depth + 1)
  return at
}

/** The keys are texts or, in an inner map, numbers. They are sorted: by type, then by length, then by bytes. */
function mapEnd(bytes: Buffer, { value, start }: Head, depth: number): number {
  let at = start
  let previous: Buffer = Buffer.alloc(0)
  for (let i = 0; i < value; i++) {
    const after_key = itemEnd(bytes, at, depth + 1)
    if (Number.isNaN(after_key)) return after_key
    const key = bytes.subarray(at, after_key)
    if (!isKey(key, depth) || !isAfter(key, previous)) return Number.NaN
    previous = key
    at = itemEnd(bytes, after_key, depth + 1)
    if (Number.isNaN(at)) return at
  }
  return at
}

function isKey([first = 0]: Buffer, depth: number): boolean {
  const major = first >> 5
  return major === TEXT || (depth > 1 && major < 2)
}

/** In canonical CBOR a head begins with type and length, so the bytes of two keys have the order of CTAP2 already. */
const isAfter = (key: Buffer, previous: Buffer): boolean => Buffer.compare(key, previous) > 0
