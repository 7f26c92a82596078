import { expect, it } from 'vitest'
import { base32Bytes } from './base32.js'

/** RFC 4648 §10, without `=`. */
it.each([
  ['', ''],
  ['MY', 'f'],
  ['MZXQ', 'fo'],
  ['MZXW6', 'foo'],
  ['MZXW6YQ', 'foob'],
  ['MZXW6YTB', 'fooba'],
  ['MZXW6YTBOI', 'foobar'],
])('%j is %j', (text, bytes) => {
  expect(base32Bytes(text)?.toString()).toBe(bytes)
})

it.each(['mzxw6', 'MZXW6===', 'MZXW 6', '0', '1', '8', 'Ä'])('%j is no base32 of an app', (text) => {
  expect(base32Bytes(text)).toBeNull()
})
