import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commonWords, listBytes } from '../scripts/make-common-passwords.mjs'
import { folded } from '../src/blocklist.js'
import { contains, entryOf, isCommon } from '../src/common-passwords.js'
import { commonPasswords } from '../src/index.js'

const FILE = readFileSync(new URL('../common-passwords.bin', import.meta.url))
const WORDS: string[] = commonWords()

it('the file is what the script makes of the list, and below 400 KB', () => {
  expect(createHash('sha256').update(listBytes(WORDS)).digest('hex')).toBe(
    createHash('sha256').update(FILE).digest('hex'),
  )
  expect(WORDS.length).toBeGreaterThan(49_000)
  expect(FILE.length).toBe(WORDS.length * 8)
  expect(FILE.length).toBeLessThan(400_000)
})

it('another order and repeated words make the same file', () => {
  const words = ['Tiger', 'lily', 'ｔｉｇｅｒ']
  expect(listBytes(words)).toEqual(listBytes(['lily', 'tiger']))
  expect(listBytes(words)).toHaveLength(16)
})

it('every word of the list is found, and 10,000 random texts are not', async () => {
  const missed: string[] = []
  for (const word of WORDS) if (!(await isCommon(folded(word)))) missed.push(word)
  expect(missed).toEqual([])
  const found: string[] = []
  for (let round = 0; round < 10_000; round++) {
    const text = randomBytes(9).toString('base64').toLowerCase()
    if (await commonPasswords.has(text)) found.push(text)
  }
  expect(found).toEqual([])
})

it('the first and the last entry are found, and their neighbors are not', () => {
  const list = new DataView(FILE.buffer, FILE.byteOffset, FILE.byteLength)
  const first = list.getBigUint64(0)
  const last = list.getBigUint64(FILE.length - 8)
  expect([first, last].map((entry) => contains(list, entry))).toEqual([true, true])
  const beside = [first - 1n, first + 1n, last - 1n, last + 1n, 0n, 2n ** 64n - 1n]
  expect(beside.map((entry) => contains(list, entry))).toEqual(beside.map(() => false))
})

it('a search reads 16 entries at most, wherever it ends', () => {
  const list = new DataView(FILE.buffer, FILE.byteOffset, FILE.byteLength)
  const readsFor = (entry: bigint) => {
    let reads = 0
    const getBigUint64 = (offset: number) => {
      reads += 1
      return list.getBigUint64(offset)
    }
    contains({ byteLength: list.byteLength, getBigUint64 }, entry)
    return reads
  }
  const ends = [0n, 2n ** 64n - 1n, ...WORDS.slice(0, 1000).map(entryOf), ...WORDS.slice(-1000).map(entryOf)]
  expect(Math.max(...ends.map(readsFor))).toBe(16)
})

it('an empty list has nothing', () => {
  expect(contains(new DataView(new ArrayBuffer(0)), 0n)).toBe(false)
})
