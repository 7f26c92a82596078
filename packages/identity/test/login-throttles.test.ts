import { expect, it } from 'vitest'
import { loginThrottles } from '../src/index.js'
import { anywhere, attempt, guess, manyAttempts } from './_attempts.js'
import { browser, SECRET, type Setup } from './_setup.js'

const ADDRESS = '2001:db8:1:2::1'

const throttlesOf = (s: Setup, limits = {}) =>
  loginThrottles({
    realm: 'default',
    throttle: s.storage('default').throttle,
    secret: SECRET,
    limits,
  })

/** The highest number of failures by limit. */
async function failures(s: Setup, selection: { username?: string; address?: string }) {
  const found = await throttlesOf(s).list(selection, s.clock.now)
  return Object.fromEntries(found.map(({ limit, failures: count }) => [limit, count]))
}

it('lists the counters of an account, an address, or both', async () => {
  const s = await manyAttempts()
  const device = browser(s)
  await attempt(s, device)
  await attempt(s, device, { password: 'wrong' })
  await guess(s, { count: 3, address: () => ADDRESS })
  await guess(s, { count: 2, username: 'bob', address: () => ADDRESS })
  expect(await failures(s, { username: ' ADA ' })).toEqual({ account: 3, account_and_address: 3, device: 1 })
  expect(await failures(s, { username: 'bob' })).toEqual({ account: 2, account_and_address: 2 })
  expect(await failures(s, { address: '2001:db8:1:2:9::9' })).toEqual({ site: 5, address: 5 })
  expect(await failures(s, { address: '2001:db8:1:3::1' })).toEqual({ site: 5 })
  expect(await failures(s, { username: 'bob', address: ADDRESS })).toEqual({
    account: 2,
    account_and_address: 2,
    site: 5,
    address: 5,
  })
  expect(await failures(s, { username: 'eve' })).toEqual({})
  await attempt(s, browser(s), { address: '192.0.2.9' })
  expect(await failures(s, { address: '192.0.2.9' })).toEqual({})
  expect(await failures(s, { username: '\0' })).toEqual({})
  expect(await failures(s, {})).toEqual({})
})

it('gives the end of the window and the maximum of each counter', async () => {
  const s = await manyAttempts()
  await guess(s, { count: 1, address: () => ADDRESS })
  const throttles = throttlesOf(s, { failures: 7 })
  expect(await throttles.list({ username: 'ada' }, s.clock.now)).toContainEqual({
    limit: 'account',
    failures: 1,
    maximum: 70,
    until: s.clock.now + 900,
  })
  expect(await throttles.list({ username: 'ada' }, s.clock.now + 900)).toEqual([])
})

it('resets the counters of an account only', async () => {
  const s = await manyAttempts()
  await guess(s, { count: 210, address: anywhere })
  await guess(s, { count: 1, username: 'bob', address: () => ADDRESS })
  expect((await attempt(s, browser(s), { address: ADDRESS })).status).toBe(429)
  expect(await throttlesOf(s).reset({ username: 'ada' })).toBeGreaterThan(200)
  expect((await attempt(s, browser(s), { address: ADDRESS })).status).toBe(303)
  expect(await failures(s, { username: 'bob' })).toEqual({ account: 1, account_and_address: 1 })
  expect(await failures(s, { address: ADDRESS })).toEqual({ site: 1, address: 1 })
})

it('resets the counters of an address only, and none without a selection', async () => {
  const s = await manyAttempts()
  await guess(s, { count: 101, username: (i) => `user${i}`, address: () => ADDRESS })
  expect(await throttlesOf(s).reset({})).toBe(0)
  expect((await attempt(s, browser(s), { address: ADDRESS })).status).toBe(429)
  expect(await throttlesOf(s).reset({ address: ADDRESS })).toBe(2)
  expect((await attempt(s, browser(s), { address: ADDRESS })).status).toBe(303)
})
