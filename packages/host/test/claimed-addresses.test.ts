/** `X-Forwarded-For` from a private address that is no trusted proxy: it makes each limit by address stricter, and removes none. */

import { describe, expect, it } from 'vitest'
import { FILE, startApp } from './support.ts'

const PEER = '10.0.0.7'
const LIMIT = 5
const CLIENT = { client_id: 'service', client_secret: 'a-secret-that-is-long-enough-for-anyone' }
const file = {
  ...FILE,
  // Of an address for all accounts, five times as many are allowed.
  login: { failures: LIMIT / 5 },
  clients: [{ ...CLIENT, grant_types: ['client_credentials'] }],
  oidc: {
    clients: { registration: { enabled: true } },
    throttle: { register: LIMIT, client_secret: LIMIT },
  },
}

/** No window ends during a test. */
const now = () => 1_800_000_000

type Get = Awaited<ReturnType<typeof startApp>>['get']
/** Sends one request with this header; returns its status. */
type Attempt = (get: Get, forwarded: string | null) => Promise<number>

const from = (forwarded: string | null, headers: Record<string, string> = {}) => ({
  method: 'POST',
  address: PEER,
  headers: { ...headers, ...(forwarded !== null && { 'x-forwarded-for': forwarded }) },
})

/** Another username for each, so that only the addresses count. */
let tried = 0
const signIn: Attempt = async (get, forwarded) => {
  const page = await get('/login?return_to=%2Faccount')
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(await page.text())?.[1] ?? ''
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const username = `user${tried++}`
  const body = new URLSearchParams({ return_to: '/account', csrf_token, username, password: 'wrong' })
  return (await get('/login', { ...from(forwarded, { cookie }), body })).status
}

const register: Attempt = async (get, forwarded) => {
  const body = JSON.stringify({ redirect_uris: ['https://app.example.com/cb'] })
  return (await get('/oauth/register', { ...from(forwarded, { 'content-type': 'application/json' }), body }))
    .status
}

const wrongSecret: Attempt = async (get, forwarded) => {
  const form = { grant_type: 'client_credentials', ...CLIENT, client_secret: 'wrong' }
  return (await get('/oauth/token', { ...from(forwarded), body: new URLSearchParams(form) })).status
}

describe.each([
  { what: 'wrong passwords', attempt: signIn, passed: 422 },
  { what: 'registrations', attempt: register, passed: 201 },
  { what: 'wrong client secrets', attempt: wrongSecret, passed: 401 },
])('$what', ({ attempt, passed }) => {
  const times = async (get: Get, count: number, forwarded: (n: number) => string | null) => {
    const statuses: number[] = []
    for (let n = 0; n < count; n += 1) statuses.push(await attempt(get, forwarded(n)))
    return statuses
  }
  const expected = (count: number, most: number) =>
    Array.from({ length: count }, (_, n) => (n < most ? passed : 429))

  it.each([null, 'x', 'unknown'])('have the limit of one address with the header %s', async (forwarded) => {
    const { get } = await startApp(file, {}, { now })
    expect(await times(get, LIMIT + 2, () => forwarded)).toEqual(expected(LIMIT + 2, LIMIT))
  })

  it('have the limit of the address that the header claims, which is not that of another one', async () => {
    const { get } = await startApp(file, {}, { now })
    expect(await times(get, LIMIT + 1, () => '198.51.100.9')).toEqual(expected(LIMIT + 1, LIMIT))
    expect(await attempt(get, '198.51.100.10')).toBe(passed)
  })

  it('have ten times this limit for the peer, with all addresses that it claims', async () => {
    const { get } = await startApp(file, {}, { now })
    const most = 10 * LIMIT
    expect(await times(get, most + 1, (n) => `198.51.100.${n}`)).toEqual(expected(most + 1, most))
  })
})
