import { expect, it } from 'vitest'
import { anywhere, attempt, guess, limitsReached, manyAttempts } from './_attempts.js'
import { browser, openLogin, PASSWORD, setup, tryLogin, withoutTokens } from './_setup.js'

const ADDRESS = '192.0.2.1'

it('limits attempts per account and address, with the same answer for an unknown account', async () => {
  const s = await setup({ identity: { limits: { failures: 3 } } })
  const answers = []
  for (const username of ['ada', 'bob']) {
    for (let i = 0; i < 3; i++)
      expect((await tryLogin(s, { username, password: 'wrong', address: ADDRESS })).status).toBe(422)
    const verified = s.counts.verify
    const stopped = await tryLogin(s, { username, password: PASSWORD, address: ADDRESS })
    expect(s.counts.verify).toBe(verified)
    expect(stopped.status).toBe(429)
    expect(stopped.headers.get('retry-after')).toBe('900')
    const html = withoutTokens(await stopped.text()).replace(`value="${username}"`, 'value=""')
    answers.push({ html, headers: Object.fromEntries(stopped.headers.entries()) })
  }
  const [existing, unknown] = answers
  expect(existing?.html).toContain('Too many attempts to sign in. Please wait 15 minutes, then try again.')
  expect({ ...existing?.headers, 'set-cookie': '' }).toEqual({ ...unknown?.headers, 'set-cookie': '' })
  expect(existing?.html).toBe(unknown?.html)
  expect(limitsReached(s)).toEqual(['account_and_address', 'account_and_address'])
  expect((await tryLogin(s, { username: 'ada', password: PASSWORD, address: '192.0.2.2' })).status).toBe(303)
})

it('gives the same page for a wrong password and for an unknown account', async () => {
  const s = await setup()
  const pages = []
  for (const username of ['ada', 'bob']) {
    const response = await tryLogin(s, { username, password: 'wrong' })
    pages.push(withoutTokens(await response.text()).replace(`value="${username}"`, 'value=""'))
  }
  expect(pages[0]).toBe(pages[1])
})

it('looks up the account before it refuses, so that the work is always the same', async () => {
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  const store = s.users('default')
  const asked: string[] = []
  const { findByUsername } = store
  store.findByUsername = (key) => {
    asked.push(key)
    return findByUsername(key)
  }
  await guess(s, { count: 7, username: (i) => `user${i}`, address: () => ADDRESS })
  expect(limitsReached(s)).toEqual(['address', 'address'])
  expect(asked).toEqual(Array.from({ length: 7 }, (_, i) => `user${i}`))
})

it('counts an account by its normalized username', async () => {
  const s = await setup({ identity: { limits: { failures: 2 } } })
  const from = { address: ADDRESS }
  await tryLogin(s, { username: 'ada', password: 'wrong', ...from })
  await tryLogin(s, { username: ' ＡＤＡ', password: 'wrong', ...from })
  expect((await tryLogin(s, { username: 'Ada', password: PASSWORD, ...from })).status).toBe(429)
})

it.each([
  ['account_and_address', 20, { address: () => ADDRESS }],
  ['account', 200, { address: anywhere }],
  ['address', 100, { address: () => ADDRESS, username: (i: number) => `user${i}` }],
  [
    'site',
    400,
    { address: (i: number) => `2001:db8:1:${i.toString(16)}::1`, username: (i: number) => `user${i}` },
  ],
] as const)('the default limit per %s is %i, in each window', async (limit, most, where) => {
  const s = await manyAttempts()
  expect(await guess(s, { ...where, count: most + 3 })).toEqual({ 422: most, 429: 3 })
  expect(limitsReached(s)).toEqual([limit, limit, limit])
  s.clock.now += 900
  expect(await guess(s, { ...where, count: 1 })).toEqual({ 422: 1 })
})

it.each([
  [ADDRESS, ADDRESS, 429],
  [ADDRESS, '192.0.2.2', 422],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 422],
  ['::ffff:192.0.2.1', ADDRESS, 429],
])('limits attempts per address: after %s, %s gets %i', async (first, second, status) => {
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  await guess(s, { count: 5, username: (i) => `user${i}`, address: () => first })
  expect((await tryLogin(s, { username: 'ada', password: 'wrong', address: second })).status).toBe(status)
})

it('counts the account only when the address is unknown', async () => {
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  expect(await guess(s, { count: 30, username: (i) => `user${i}` })).toEqual({ 422: 30 })
  expect(await guess(s, { count: 12 })).toEqual({ 422: 10, 429: 2 })
})

it('Retry-After is the time until the window ends', async () => {
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  s.clock.now += 845
  await guess(s, { count: 10 })
  const stopped = await tryLogin(s, { username: 'ada', password: PASSWORD })
  expect(stopped.headers.get('retry-after')).toBe('55')
  expect(await stopped.text()).toContain('Please wait a minute, then try again.')
})

it('many users behind one address: right passwords are not counted', async () => {
  const s = await manyAttempts()
  const address = () => ADDRESS
  expect(await guess(s, { count: 150, password: PASSWORD, address })).toEqual({ 303: 150 })
  expect(await guess(s, { count: 20, address })).toEqual({ 422: 20 })
  expect((await s.storage('default').throttle.list('login:', s.clock.now)).map(({ hits }) => hits)).toEqual([
    20, 20, 20,
  ])
})

it('does not count attempts that another limit or a full queue refuses', async () => {
  const { BusyError } = await import('../src/index.js')
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  await guess(s, { count: 8, address: () => ADDRESS })
  const hits = async () =>
    (await s.storage('default').throttle.list('login:', s.clock.now)).map((window) => window.hits)
  expect(await hits()).toEqual([1, 1, 1])
  const verify = async () => Promise.reject(new BusyError())
  const busy = await manyAttempts({
    identity: { passwords: { hash: async () => 'x', stale: () => false, verify } },
  })
  expect(await guess(busy, { count: 8, address: () => ADDRESS })).toEqual({ 503: 8 })
  expect(
    (await busy.storage('default').throttle.list('login:', s.clock.now)).map(({ hits }) => hits),
  ).toEqual([0, 0, 0])
})

it('parallel guesses cannot exceed a limit', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let checks = 0
  const s = await manyAttempts({
    identity: {
      passwords: {
        hash: async () => 'x',
        stale: () => false,
        async verify() {
          checks++
          await opened
          return false
        },
      },
    },
  })
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  const login = { ...fields, username: 'ada', password: 'wrong' }
  let refused = 0
  const all = Array.from({ length: 60 }, async () => {
    const response = await b.post(url, login, { address: ADDRESS })
    if (response.status === 429 && ++refused === 40) open()
    return response.status
  })
  const statuses = await Promise.all(all)
  expect(statuses.filter((status) => status === 422)).toHaveLength(20)
  expect(checks).toBe(20)
})

it('stores neither names nor addresses', async () => {
  const s = await manyAttempts()
  await attempt(s, browser(s), { address: '2001:db8:1:2::1', password: 'wrong' })
  const device = browser(s)
  await attempt(s, device)
  await attempt(s, device, { password: 'wrong' })
  const keys = (await s.storage('default').throttle.list('login:', s.clock.now)).map(({ key }) => key)
  const hash = '[\\w-]{43}'
  expect(keys).toEqual([
    expect.stringMatching(`^login:site:${hash}$`),
    expect.stringMatching(`^login:address:${hash}$`),
    expect.stringMatching(`^login:account:${hash}:account_and_address:${hash}$`),
    expect.stringMatching(`^login:account:${hash}:account$`),
    expect.stringMatching(`^login:account:${hash}:device:${hash}$`),
  ])
  expect(keys.join()).not.toMatch(/ada|2001|192/)
})

it('an address over its limit adds no counters for the usernames that it tries', async () => {
  const s = await manyAttempts()
  const statuses = await guess(s, { count: 3000, username: (i) => `user${i}`, address: () => ADDRESS })
  expect(statuses).toEqual({ 422: 100, 429: 2900 })
  // One counter for the address, and two for each username before the limit.
  expect(await s.storage('default').throttle.list('', s.clock.now)).toHaveLength(201)
})

it('does not count requests without a password check', async () => {
  const s = await setup({ identity: { limits: { failures: 1 } } })
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  const login = { username: 'ada', password: PASSWORD }
  for (let i = 0; i < 11; i++) await b.post(url, { ...fields, ...login, password: 'x', csrf_token: 'x' })
  expect((await b.post(url, { ...fields, ...login })).status).toBe(303)
})
