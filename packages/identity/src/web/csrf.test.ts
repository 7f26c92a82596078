import type { Realm } from '@ostiary/core'
import { expect, it } from 'vitest'
import { createCsrf } from './csrf.js'
import { acceptedHashes, keyedHash } from './keyed-hash.js'

const csrf = createCsrf([keyedHash('a secret of this test, 32 characters', 'csrf')])
const realm = (id: string) => ({ id, issuer: 'https://id.example' }) as Realm

function request(cookie: string | null): Request {
  return new Request('https://id.example/login', cookie === null ? {} : { headers: { cookie } })
}

function issued() {
  const { token, set_cookie } = csrf.issue(request(null), { realm: realm('one'), bound_to: 'a' })
  return { token, cookie: set_cookie?.split(';')[0] ?? '' }
}

it.each([
  ['one', 'a', true],
  ['two', 'a', false],
  ['one', 'b', false],
])('a token of realm one and request a, in realm %s for request %s: %s', (id, bound_to, valid) => {
  const { token, cookie } = issued()
  expect(csrf.valid(request(cookie), { realm: realm(id), bound_to }, token)).toBe(valid)
})

it('finds its cookie among others', () => {
  const { token, cookie } = issued()
  const among = request(`x__Host-ostiary_csrf=${'x'.repeat(43)}; a=b;${cookie} ; c`)
  expect(csrf.valid(among, { realm: realm('one'), bound_to: 'a' }, token)).toBe(true)
})

it('is valid under the previous secret of a changed one', () => {
  const { token, cookie } = issued()
  const changed = createCsrf(
    acceptedHashes(
      {
        secret: 'another secret of this test, 32 char',
        previous_secret: 'a secret of this test, 32 characters',
      },
      'csrf',
    ),
  )
  expect(changed.valid(request(cookie), { realm: realm('one'), bound_to: 'a' }, token)).toBe(true)
  const own = changed.issue(request(cookie), { realm: realm('one'), bound_to: 'a' })
  expect(own.token).not.toBe(token)
})

it('is not valid under another secret or for another use', () => {
  const { token, cookie } = issued()
  for (const hash of [
    keyedHash('a secret of this test, 32 charactert', 'csrf'),
    keyedHash('a secret of this test, 32 characters', 'x'),
  ])
    expect(createCsrf([hash]).valid(request(cookie), { realm: realm('one'), bound_to: 'a' }, token)).toBe(
      false,
    )
})
