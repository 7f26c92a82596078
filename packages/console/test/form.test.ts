/** What a form may be. */

import { expect, it } from 'vitest'
import { createCookie } from '../src/web/cookies.ts'
import { isSameOrigin, MAX_FIELDS, MAX_FORM_BYTES, readForm } from '../src/web/form.ts'

const ORIGIN = 'https://id.example.com'
const request = (headers: Record<string, string>) =>
  new Request(`${ORIGIN}/admin`, { method: 'POST', headers })
const TYPE = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
const bytes = (text: string) => new TextEncoder().encode(text)

it(`has at most ${MAX_FORM_BYTES} bytes, and ${MAX_FIELDS} fields`, () => {
  const sized = (length: number) => readForm(request(TYPE), bytes('a='.padEnd(length, 'x')))
  expect(sized(MAX_FORM_BYTES)).toBeInstanceOf(URLSearchParams)
  expect(sized(MAX_FORM_BYTES + 1)).toBe('too_large')
  const fields = (count: number) => readForm(request(TYPE), bytes('a=1&'.repeat(count).slice(0, -1)))
  expect(fields(MAX_FIELDS)).toBeInstanceOf(URLSearchParams)
  expect(fields(MAX_FIELDS + 1)).toBe('too_large')
  expect(readForm(request({ 'content-type': 'text/plain' }), bytes('a=1'))).toBe('wrong_type')
  expect(readForm(request({}), null)).toBe('wrong_type')
})

it('comes from this origin, which the browser names', () => {
  expect(isSameOrigin(request({ origin: ORIGIN }), ORIGIN)).toBe(true)
  expect(isSameOrigin(request({ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }), ORIGIN)).toBe(true)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
    { origin: 'https://evil.example.com' },
    { origin: ORIGIN, 'sec-fetch-site': 'same-site' },
    { origin: ORIGIN, 'sec-fetch-site': 'none' },
  ])
    expect(isSameOrigin(request(headers), ORIGIN)).toBe(false)
})

it('a cookie without the prefix, which another subdomain can set, is not read on https', () => {
  const cookie = createCookie(ORIGIN, { name: 'session', shape: /^[a-z]+$/, same_site: 'Strict' })
  const read = (text: string) => cookie.read(request({ cookie: text }))
  expect(cookie.write('abc', 60)).toBe(
    '__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  )
  expect(read('a=b; __Host-session=abc')).toBe('abc')
  expect(read('session=abc')).toBeNull()
  expect(read('__Host-session=ABC')).toBeNull()
  expect(read('x__Host-session=abc')).toBeNull()
})
