import { expect, it } from 'vitest'
import { isolated, usernameKey } from './usernames.js'

it.each([
  ['Ada', 'ada'],
  ['  ada\u00a0', 'ada'],
  ['ＡＤＡ', 'ada'],
  ['E\u0301ve', '\u00e9ve'],
  ['ada@Example.COM', 'ada@example.com'],
  ['__proto__', '__proto__'],
])('%j is looked up as %j', (username, key) => {
  expect(usernameKey(username)).toBe(key)
})

it('a username has at most 255 characters', () => {
  expect(usernameKey('a'.repeat(255))).toBe('a'.repeat(255))
})

it.each([
  ['nothing', ''],
  ['spaces', ' \t '],
  ['a NUL', 'a\0b'],
  ['a line end', 'a\nb'],
  ['half a surrogate pair', 'a\ud800'],
  ['256 characters', 'a'.repeat(256)],
  ['what grows beyond 255', '\ufdfa'.repeat(100)],
])('no username can be %s', (_, username) => {
  expect(usernameKey(username)).toBeNull()
})

it.each([
  ['ada@example.com', 'ada@example.com'],
  ['zoë', '\u2068zoë\u2069'],
  ['נועה', '\u2068נועה\u2069'],
  ['ada\u202e', '\u2068ada\u202e\u2069'],
])('%j stands in a sentence as %j', (name, shown) => {
  expect(isolated(name)).toBe(shown)
})
