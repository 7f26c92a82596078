import { expect, it } from 'vitest'
import { newId, newSecret, type Random, sha256Bytes } from './secret.js'
import { looksSecret, MAX_SENT_CHARACTERS, printable, shownValue } from './shown-value.js'

it.each([
  'my-app',
  'my-confidential-notes-application',
  'notes.read',
  'http://localhost:3000/realms/acme/api/notes/v1',
  'https://api.eu-west-1.staging.example.com/products/v2/orders/archive/items',
  'urn:ietf:params:oauth:grant-type:device_code',
  'openid profile email address phone offline_access notes.read notes.write notes.delete',
  '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  'a-guess-at-the-secret',
  '1760000000',
])('%s is no secret', (value) => {
  expect([looksSecret(value), shownValue(value)]).toEqual([false, value])
})

it.each([
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl',
  '9f86d081884c7d659a2feaa0c55ad015',
  'sk_live_4eC39HqLyjWDarjtT1zdp7dcXq0PbM',
  'k4Zt9Qw2Lx8Vb5Nm3Rj7Hs',
  'zq7x4k9m2v8w1t5b3n6c0j7h4d',
  '6ba7b810-9dad-41d1-80b4-00c04fd430c8.6ba7b811-9dad-41d1-80b4-00c04fd430c8',
  'notes.read dGhlIHNlY3JldCBvZiAzMiByYW5kb20gYnl0ZXMuLi4',
  'x'.repeat(5000),
])('%s looks like one', (value) => {
  expect(looksSecret(value)).toBe(true)
  expect(shownValue(value)).toBe(`(${value.length} characters, not shown: they look like a secret)`)
})

/** The same bytes in each run. */
function sameBytes(): Random {
  let calls = 0
  return (bytes) => {
    calls += 1
    return sha256Bytes(`call ${calls}`).slice(0, bytes)
  }
}

it('every secret of this server looks like one, and nearly every id', () => {
  const random = sameBytes()
  for (let i = 0; i < 2000; i++) {
    const secret = newSecret(random)
    expect([secret, looksSecret(secret)]).toEqual([secret, true])
    expect(looksSecret(`urn:ietf:params:oauth:request_uri:${secret}`)).toBe(true)
  }
  const ids = Array.from({ length: 500 }, () => looksSecret(newId(random)))
  expect(ids.filter((hidden) => hidden).length).toBeGreaterThan(470)
})

it('a text of 4,096 characters is examined, and a longer one is not shown', () => {
  const words = 'name '.repeat(900)
  expect([4096, 4097].map((length) => looksSecret(words.slice(0, length)))).toEqual([false, true])
})

it('an event has at most 128 printable characters', () => {
  expect(MAX_SENT_CHARACTERS).toBe(128)
  expect(printable('x'.repeat(MAX_SENT_CHARACTERS))).toHaveLength(MAX_SENT_CHARACTERS)
  expect(printable('x'.repeat(MAX_SENT_CHARACTERS + 1))).toHaveLength(MAX_SENT_CHARACTERS)
  expect(printable('a\u0000b\nc\u2028d\u202ee')).toBe('a?b?c?d?e')
})
