import { describe, expect, it } from 'vitest'
import { createSealer } from './sealed.js'

const SECRET = 'a secret of this test, 32 characters'
const OTHER = 'another secret of this test, 32 char'
const CONTEXT = ['default', 'sub', 'factor']
const VALUE = { text: 'ä "quoted"', list: [1, null, true] }
const sealer = createSealer({ secret: SECRET }, 'a')
const sealed = sealer.seal(VALUE, CONTEXT)

it.each([VALUE, 'text', 0, null, [], {}])('opens what it has sealed: %j', (value) => {
  expect(sealer.open(sealer.seal(value, CONTEXT), CONTEXT)).toEqual({ value, is_current: true })
})

it('seals a value differently each time, as base64url', () => {
  const texts = Array.from({ length: 100 }, () => sealer.seal(VALUE, CONTEXT))
  // Characters of the salt, and of the IV.
  expect(new Set(texts.map((text) => text.slice(0, 20))).size).toBe(100)
  expect(new Set(texts.map((text) => text.slice(22, 37))).size).toBe(100)
  expect(texts.filter((text) => !/^[\w-]+$/.test(text))).toEqual([])
})

it('keeps a value of 1.4 KB within the 2 KiB of a cookie', () => {
  expect(sealer.seal('x'.repeat(1_400), CONTEXT).length).toBeLessThan(2_048)
})

it('does not open for another use', () => {
  expect(createSealer({ secret: SECRET }, 'b').open(sealed, CONTEXT)).toBeNull()
})

it('does not open under another secret', () => {
  expect(createSealer({ secret: OTHER }, 'a').open(sealed, CONTEXT)).toBeNull()
})

it.each([
  [[]],
  [['default', 'sub']],
  [['default', 'sub', 'factor', '']],
  [['default', 'subfactor']],
  [['default', 'su', 'bfactor']],
  [['other', 'sub', 'factor']],
  [['default', 'factor', 'sub']],
])('does not open in the context %j', (context) => {
  expect(sealer.open(sealed, context)).toBeNull()
})

describe('a changed secret', () => {
  const changed = createSealer({ secret: OTHER, previous_secret: SECRET }, 'a')

  it('opens the values of the previous one, and says so', () => {
    expect(changed.open(sealed, CONTEXT)).toEqual({ value: VALUE, is_current: false })
  })

  it('seals with the current one', () => {
    const own = changed.seal(VALUE, CONTEXT)
    expect(changed.open(own, CONTEXT)).toEqual({ value: VALUE, is_current: true })
    expect(sealer.open(own, CONTEXT)).toBeNull()
    expect(createSealer({ secret: OTHER }, 'a').open(own, CONTEXT)).toEqual({
      value: VALUE,
      is_current: true,
    })
  })

  it('opens no other use and no other context of the previous one', () => {
    expect(changed.open(sealed, ['default'])).toBeNull()
    expect(changed.open(createSealer({ secret: SECRET }, 'b').seal(VALUE, CONTEXT), CONTEXT)).toBeNull()
  })
})

it('does not open when a bit of any byte is changed', () => {
  const bytes = Buffer.from(sealed, 'base64url')
  const opened = Array.from(bytes, (_, index) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ (1 << (index % 8)), index)
    return sealer.open(changed.toString('base64url'), CONTEXT)
  })
  expect(opened.filter((one) => one !== null)).toEqual([])
})

it('does not open when it is cut at any place or continued', () => {
  const cut = Array.from(sealed, (_, length) => sealer.open(sealed.slice(0, length), CONTEXT))
  expect(cut.filter((one) => one !== null)).toEqual([])
  for (const more of ['A', 'AAAA', sealed]) expect(sealer.open(sealed + more, CONTEXT)).toBeNull()
})

it('opens one spelling only', () => {
  // 47 bytes: the last character has 4 bits that the decoder ignores.
  const text = sealer.seal('x', CONTEXT)
  expect([text.length % 4, sealer.open(text, CONTEXT)?.value]).toEqual([3, 'x'])
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = Array.from(ALPHABET, (last) => text.slice(0, -1) + last).filter((other) => other !== text)
  const spellings = [`${text}=`, ` ${text}`, `${text}\n`, `${text.slice(0, 9)}.${text.slice(9)}`, ...others]
  expect(spellings.filter((other) => sealer.open(other, CONTEXT) !== null)).toEqual([])
})

it.each(['', 'A', '=', 'é', '\0', 'x'.repeat(58), 'x'.repeat(59), 'x'.repeat(100_000)])(
  'does not open a text that was not sealed, and does not throw: %j',
  (text) => {
    expect(sealer.open(text, CONTEXT)).toBeNull()
  },
)
