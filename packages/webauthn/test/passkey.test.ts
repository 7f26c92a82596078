import { describe, expect, it } from 'vitest'
import { bytesOfBase64url, stateOf, stateText } from '../src/index.js'

describe('the state', () => {
  it.each([
    [{ counter: 0, backed_up: false }, '0 0'],
    [{ counter: 4_294_967_295, backed_up: true }, '4294967295 1'],
  ])('%j is %j', (state, text) => {
    expect(stateText(state)).toBe(text)
    expect(stateOf(text)).toEqual(state)
  })

  it.each(['', '1', '1 2', '-1 0', ' 1 0', '1 0 ', '1  0', '12345678901 0', '1 0\n'])(
    '%j is none',
    (text) => {
      expect(stateOf(text)).toBeNull()
    },
  )
})

describe('base64url', () => {
  it.each([
    ['', 0],
    ['AA', 1],
    ['AAA', 2],
    ['AAAA', 3],
    ['-_8', 2],
  ])('%j has %i bytes', (text, length) => {
    expect(bytesOfBase64url(text, 3)).toHaveLength(length)
  })

  it.each([
    'A',
    'AB',
    'AA==',
    'AA=',
    '+/8',
    'AA A',
    'AA\n',
    'ÀAAA',
    'AAAAA',
    'AAAAAA',
    'AAAAAAAA',
    7,
    null,
    {},
  ])('%j is none of at most 3 bytes', (text) => {
    expect(bytesOfBase64url(text, 3)).toBeNull()
  })
})
