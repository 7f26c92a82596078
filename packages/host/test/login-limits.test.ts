/** The limits of the sign-in are settings, and what they refuse says which one it was. */

import { expect, it } from 'vitest'
import { configure, FILE, faults, PASSWORD, startApp } from './support.ts'

type Fetch = (path: string, init?: RequestInit & { address?: string }) => Promise<Response>

/** One attempt to sign in for the account page, from a new browser. */
async function attempt(get: Fetch, password: string, address: string): Promise<number> {
  const page = await get('/login?return_to=%2Faccount')
  const html = await page.text()
  const cookie = page.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ return_to: '/account', csrf_token, username: 'ann', password })
  const headers = { cookie: cookie.join('; ') }
  return (await get('/login', { method: 'POST', headers, body, address })).status
}

it('login.* reaches the sign-in, and the log says which limit was reached', async () => {
  const login = { failures: 1, window: 86_400 }
  const { get, logged } = await startApp({ ...FILE, login }, {}, { now: () => 1_800_000_000 })
  const statuses = []
  const others = Array.from({ length: 10 }, (_, n) => `192.0.2.${n + 2}`)
  for (const address of ['192.0.2.1', '192.0.2.1', ...others])
    statuses.push(await attempt(get, 'wrong', address))
  const passed = Array.from({ length: 9 }, () => 422)
  expect(statuses).toEqual([422, 429, ...passed, 429])
  expect(await attempt(get, PASSWORD, '192.0.2.12')).toBe(429)
  expect(logged('login.refused').map(({ reason, limit }) => [reason, limit])).toEqual([
    ['wrong_password', undefined],
    ['throttled', 'account_and_address'],
    ...passed.map(() => ['wrong_password', undefined]),
    ['throttled', 'account'],
    ['throttled', 'account'],
  ])
})

it('login.* has the defaults of the sign-in, and comes from variables too', async () => {
  expect((await configure(FILE)).login).toEqual({ failures: 20, window: 900 })
  const env = { OSTIARY_LOGIN__FAILURES: '7' }
  expect((await configure(FILE, env)).login).toMatchObject({ failures: 7 })
})

it('login.* cannot be nothing, or a fraction: both faults are told', async () => {
  expect(await faults({ ...FILE, login: { failures: 0, window: 60.5 } })).toEqual([
    expect.stringMatching(/^login\.failures: /),
    expect.stringMatching(/^login\.window: /),
  ])
})
