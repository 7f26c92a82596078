import { describe, expect, it } from 'vitest'
import { clientNameFault } from './client-name.ts'

const INVISIBLE =
  'holds a control, format, surrogate or private-use character, or another one that is not drawn'

describe('a name is judged by what is drawn', () => {
  it.each([
    ['U+3164 HANGUL FILLER', '\u3164'],
    ['U+115F U+1160', '\u115f\u1160'],
    ['U+FFA0', '\uffa0'],
    ['U+17B4', '\u17b4'],
    ['U+17B5', '\u17b5'],
    ['U+180B', 'a\u180bb'],
    ['U+FE0F VARIATION SELECTOR-16', 'a\ufe0f'],
    ['U+E0100 VARIATION SELECTOR-17', 'a\u{e0100}'],
    ['U+034F COMBINING GRAPHEME JOINER', 'a\u034fb'],
    ['U+2028 LINE SEPARATOR', 'a\u2028b'],
    ['U+2029 PARAGRAPH SEPARATOR', 'a\u2029b'],
    ['U+200B', 'a\u200bb'],
    ['U+2065, which is not assigned', 'a\u2065b'],
    ['U+2800 BRAILLE PATTERN BLANK', 'a\u2800b'],
  ])('%s is refused', (_, name) => {
    expect(clientNameFault(name)).toBe(INVISIBLE)
  })

  it.each([' ', '\u3000', '\u00a0', '\u2003'])('one space in a row, not two: %j', (space) => {
    expect(clientNameFault(`a${space}b${space}c`)).toBeNull()
    for (const run of [`${space}${space}`, `${space} `, space.repeat(40)])
      expect(clientNameFault(`a${run}b`)).toBe('has more than one space in a row')
  })

  it('two combining marks in a row, not three', () => {
    expect(clientNameFault('a\u0301\u0323b\u0301\u0323')).toBeNull()
    for (const count of [3, 240])
      expect(clientNameFault(`a${'\u0301'.repeat(count)}`)).toBe('has more than two combining marks in a row')
    expect(clientNameFault('a\u0301\u20dd\u0327')).toBe('has more than two combining marks in a row')
  })

  it('255 characters, not 256', () => {
    expect(clientNameFault('a'.repeat(255))).toBeNull()
    expect(clientNameFault('a'.repeat(256))).toBe('is longer than 255 characters')
  })

  it.each(['Müller & Söhne', 'Mu\u0308ller', '日本語アプリ', 'น้ำดื่ม', 'שָׁלוֹם', 'हिन्दी', '🚀 Launch', '한국어'])(
    '%s is accepted',
    (name) => expect(clientNameFault(name)).toBeNull(),
  )
})
