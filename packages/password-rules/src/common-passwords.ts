/** The list of this package: the first 8 bytes of the SHA-256 of each password, sorted. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Two passwords have the same bytes with a probability of 1 in 370 trillion for this list. */
const ENTRY_BYTES = 8

/** From src and from dist alike. */
const FILE = new URL('../common-passwords.bin', import.meta.url)

let entries: Promise<DataView> | undefined

/** Reads the file at the first call. A read that failed is repeated. */
export async function isCommon(folded: string): Promise<boolean> {
  entries ??= readEntries()
  return contains(await entries, entryOf(folded))
}

async function readEntries(): Promise<DataView> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(FILE)
    return new DataView(buffer, byteOffset, byteLength)
  } catch (error) {
    entries = undefined
    throw error
  }
}

/** What the list has of a password. */
export const entryOf = (folded: string): bigint =>
  createHash('sha256').update(folded).digest().readBigUInt64BE()

/** Binary search. */
export function contains(list: Pick<DataView, 'byteLength' | 'getBigUint64'>, entry: bigint): boolean {
  let low = 0
  let high = list.byteLength / ENTRY_BYTES
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = list.getBigUint64(middle * ENTRY_BYTES)
    if (found === entry) return true
    if (found < entry) low = middle + 1
    else high = middle
  }
  return false
}
