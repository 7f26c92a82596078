import type { Realm } from '@ostiary/core'
import { expect, it } from 'vitest'
import { pageCookie } from './cookies.js'

const VALUE = 'x'.repeat(8)
const cookie = pageCookie('ostiary_test', /^x{8}$/)
const realm = (issuer: string) => ({ issuer }) as Realm
const request = (header: string) => new Request('https://id.example/login', { headers: { cookie: header } })

it.each([
  ['planted under the same name', `ostiary_test=planted; ostiary_test=${VALUE}`, VALUE],
  ['under a name that ends like it', `xostiary_test=${VALUE}`, null],
  ['with the prefix of https', `__Host-ostiary_test=${VALUE}`, null],
  ['without a value', 'ostiary_test=; ostiary_test', null],
  ['in quotation marks', `ostiary_test="${VALUE}"`, null],
  ['percent-encoded', `ostiary_test=${encodeURIComponent('é')}`, null],
])('on http, a value %s: %j gives %j', (_, header, value) => {
  expect(cookie.read(request(header), realm('http://id.example'))).toBe(value)
})

it('on https, reads the name with __Host- alone', () => {
  const header = `ostiary_test=${VALUE}; __Host-ostiary_test=${'x'.repeat(9)}`
  expect(cookie.read(request(header), realm('https://id.example'))).toBeNull()
  const right = `ostiary_test=planted; __Host-ostiary_test=${VALUE}`
  expect(cookie.read(request(right), realm('https://id.example'))).toBe(VALUE)
})

it.each([
  ['https://id.example', undefined, `__Host-ostiary_test=${VALUE}; Path=/; HttpOnly; SameSite=Lax; Secure`],
  [
    'https://id.example',
    60,
    `__Host-ostiary_test=${VALUE}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
  ],
  ['http://id.example', 60, `ostiary_test=${VALUE}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`],
])('at %s with a Max-Age of %s, writes %s', (issuer, max_age, header) => {
  expect(cookie.write(realm(issuer), VALUE, max_age)).toBe(header)
})
