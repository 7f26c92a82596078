import { describe, expect, it } from 'vitest'
import { hmac, newId, newSecret, newTimedId, sameSecret, sha256, systemRandom } from './secret.js'

describe('ids and secrets', () => {
  it.each<[string, () => string, number, RegExp]>([
    ['newSecret has 256 bits', () => newSecret(systemRandom), 32, /^[\w-]{43}$/],
    ['newId has 128 bits', () => newId(systemRandom), 16, /^[\w-]{22}$/],
  ])('%s, base64url, and is new each time', (...[_, make, bytes, shape]) => {
    const made = Array.from({ length: 100 }, make)
    expect(new Set(made).size).toBe(100)
    for (const value of made) {
      expect(value).toMatch(shape)
      expect(Buffer.from(value, 'base64url')).toHaveLength(bytes)
    }
  })

  it('newId never begins with a dash', () => {
    expect(newId((bytes) => new Uint8Array(bytes).fill(0xf8))).toBe('APj4-Pj4-Pj4-Pj4-Pj4-A')
  })

  it('newTimedId sorts by time, and is new each time', () => {
    const times = [0, 9, 10, 255, 1_700_000_000, 1_700_000_001, 4_294_967_295]
    const ids = times.map((now) => newTimedId(systemRandom, now))
    expect(ids.toSorted()).toEqual(ids)
    expect(newTimedId(systemRandom, 1_700_000_000)).toMatch(/^6553f100[\w-]{22}$/)
    expect(newTimedId(systemRandom, 9)).not.toBe(newTimedId(systemRandom, 9))
  })

  it('come from the given random source', () => {
    expect(newSecret((bytes) => new Uint8Array(bytes).fill(255))).toBe(`${'_'.repeat(42)}8`)
    expect(newId((bytes) => new Uint8Array(bytes))).toBe('A'.repeat(22))
  })
})

it.each([
  ['', '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'],
  ['abc', 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0'],
  ['é🔑', Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('é🔑'))).toString('base64url')],
])('sha256 of %j is %s', async (value, hash) => {
  expect(sha256(value)).toBe(hash)
})

it.each<[string, string, boolean]>([
  ['', '', true],
  ['a', 'a', true],
  ['é🔑', 'é🔑', true],
  ['a', '', false],
  ['', 'a', false],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['aa', 'a', false],
  ['abab', 'ab', false],
  ['ab', 'abab', false],
  ['a', 'a\0', false],
  ['a\0', 'a', false],
  ['\0', '', false],
  ['', '\0', false],
  ['abc', 'abd', false],
  ['abc', 'Abc', false],
  // The same letter in two ways of writing it.
  ['\u00e9', 'e\u0301', false],
])('sameSecret of %j and %j: %s', (a, b, same) => {
  expect(sameSecret(a, b)).toBe(same)
})

it('hmac is HMAC-SHA-256, base64url (RFC 4231 §4.3)', async () => {
  const key = Buffer.from('Jefe')
  const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(hmac(key, 'what do ya want for nothing?')).toBe(Buffer.from(mac, 'hex').toString('base64url'))
})

it('the system’s random bytes: any number of them, and none twice', () => {
  const sizes = [0, 1, 16, 32, 4095, 4096, 4097, 10_000]
  expect(sizes.map((size) => systemRandom(size).length)).toEqual(sizes)
  const given = Array.from({ length: 2000 }, () => Buffer.from(systemRandom(16)).toString('hex'))
  expect(new Set(given).size).toBe(2000)
  const mine = systemRandom(16)
  const copy = Uint8Array.from(mine)
  systemRandom(4096)
  expect(mine).toEqual(copy)
})
