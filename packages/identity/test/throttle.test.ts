import { expect, it } from 'vitest'
import { browser, openLogin, PASSWORD, setup, tryLogin, withoutTokens } from './_setup.js'

it('stops attempts per account, whether it exists or not, with the same answer', async () => {
  const s = await setup({ identity: { limits: { attempts_per_account: 3 } } })
  const answers = []
  for (const username of ['ada', 'bob']) {
    for (let i = 0; i < 3; i++) expect((await tryLogin(s, { username, password: 'wrong' })).status).toBe(422)
    const verified = s.counts.verify
    const stopped = await tryLogin(s, { username, password: PASSWORD })
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

it('knows an account by its normalised name', async () => {
  const s = await setup({ identity: { limits: { attempts_per_account: 2 } } })
  await tryLogin(s, { username: 'ada', password: 'wrong' })
  await tryLogin(s, { username: ' ＡＤＡ', password: 'wrong' })
  expect((await tryLogin(s, { username: 'Ada', password: PASSWORD })).status).toBe(429)
})

it('allows the defaults: 20 per account, and starts anew after the window', async () => {
  const s = await setup()
  for (let i = 0; i < 20; i++)
    expect((await tryLogin(s, { username: 'ada', password: PASSWORD })).status).toBe(303)
  expect((await tryLogin(s, { username: 'ada', password: PASSWORD })).status).toBe(429)
  s.clock.now += 901
  expect((await tryLogin(s, { username: 'ada', password: PASSWORD })).status).toBe(303)
})

it.each([
  ['192.0.2.1', '192.0.2.1', 429],
  ['192.0.2.1', '192.0.2.2', 422],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 422],
  ['::ffff:192.0.2.1', '192.0.2.1', 429],
])('stops attempts per address: after %s, %s gets %i', async (first, second, status) => {
  const s = await setup({ identity: { limits: { attempts_per_address: 2 } } })
  for (let i = 0; i < 2; i++) await tryLogin(s, { username: `user${i}`, password: 'wrong', address: first })
  const next = await tryLogin(s, { username: 'ada', password: 'wrong', address: second })
  expect(next.status).toBe(status)
})

it('counts no address where the host knows none', async () => {
  const s = await setup({ identity: { limits: { attempts_per_address: 1 } } })
  for (let i = 0; i < 3; i++)
    expect((await tryLogin(s, { username: `user${i}`, password: 'wrong' })).status).toBe(422)
})

it('stores neither names nor addresses', async () => {
  const keys: string[] = []
  const s = await setup({
    identity: {
      throttle: () => ({
        hit: async (key) => {
          keys.push(key)
          return 1
        },
      }),
    },
  })
  await tryLogin(s, { username: 'ada', password: PASSWORD, address: '192.0.2.1' })
  expect(keys).toEqual([
    expect.stringMatching(/^login:[\w-]{43}$/),
    expect.stringMatching(/^login:[\w-]{43}$/),
  ])
  expect(keys.join()).not.toMatch(/ada|192/)
})

it('does not count what never was an attempt', async () => {
  const s = await setup({ identity: { limits: { attempts_per_account: 1 } } })
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  const login = { username: 'ada', password: PASSWORD }
  for (let i = 0; i < 3; i++) await b.post(url, { ...fields, ...login, csrf_token: 'x' })
  expect((await b.post(url, { ...fields, ...login })).status).toBe(303)
})
