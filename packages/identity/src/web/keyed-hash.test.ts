import { expect, it } from 'vitest'
import { constantTimeEqual, keyedHash } from './keyed-hash.js'

const SECRET = 'only-for-tests-only-for-tests-only-for-tests'

it('keeps values apart, and gives each use a key of its own', () => {
  const hash = keyedHash(SECRET, 'a')
  expect(hash('a', 'bc')).toBe(keyedHash(SECRET, 'a')('a', 'bc'))
  const others = [hash('ab', 'c'), hash('abc'), hash('a', 'b', 'c'), keyedHash(SECRET, 'b')('a', 'bc')]
  expect(others).not.toContain(hash('a', 'bc'))
})

it('compares whole texts', () => {
  expect(constantTimeEqual('abc', 'abc')).toBe(true)
  for (const other of ['abd', 'ab', 'abcd', '']) expect(constantTimeEqual('abc', other)).toBe(false)
})
