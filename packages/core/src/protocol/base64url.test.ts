import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base64url } from './base64url.js'

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
