import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base64url, first16Bytes } from './base64url.js'

it.each([
  ['', ''],
  ['f', 'Zg'],
  ['fo', 'Zm8'],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg'],
  ['fooba', 'Zm9vYmE'],
  ['foobar', 'Zm9vYmFy'],
  ['é🔑', 'w6nwn5SR'],
])('%j is %j (RFC 4648 §10, without padding)', (text, encoded) => {
  expect(base64url(text)).toBe(encoded)
})

it('of any bytes it is what the runtime makes of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }),
  )
})

it('of any text it is what the runtime makes of its UTF-8', () => {
  const text = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 200 }))
  fc.assert(
    fc.property(text, (value) => {
      expect(base64url(value)).toBe(Buffer.from(value).toString('base64url'))
    }),
  )
})

it('the first 16 bytes of a hash have the base64url of those bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
      expect(first16Bytes(base64url(hash))).toBe(base64url(hash.subarray(0, 16)))
    }),
  )
})
