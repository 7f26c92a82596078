/** Device cookies: guesses from elsewhere cannot lock a user out, and the cookies cannot be forged. */

import type { Realm } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword, upsertUser } from '../src/index.js'
import { createDevices } from '../src/sign-in/devices.js'
import { acceptedHashes } from '../src/web/keyed-hash.js'
import { CHANGE, NEW_PASSWORD, postAccount, signedIn, subOf } from './_account.js'
import { anywhere, attempt, guess, limitsReached, manyAttempts } from './_attempts.js'
import { type Browser, browser, PASSWORD, plainPasswords, SECRET, type Setup, setup } from './_setup.js'

const NAME = '__Host-ostiary_device'
const PLAIN = { passwords: plainPasswords }

/** A browser with a device cookie only. */
async function knownDevice(s: Setup, login: Parameters<typeof attempt>[2] = {}): Promise<Browser> {
  const b = browser(s)
  expect((await attempt(s, b, login)).status).toBe(303)
  return deviceOnly(s, b.cookies.get(NAME) ?? '')
}

function deviceOnly(s: Setup, value: string): Browser {
  const b = browser(s)
  b.cookies.set(NAME, value)
  return b
}

describe('an account under attack', () => {
  it.each([20, 150])('%i wrong passwords from many addresses do not stop other browsers', async (count) => {
    const s = await manyAttempts()
    const device = await knownDevice(s)
    expect(await guess(s, { count, address: anywhere })).toEqual({ 422: count })
    expect((await attempt(s, device, { address: '192.0.2.1' })).status).toBe(303)
    expect((await attempt(s, browser(s), { address: '192.0.2.2' })).status).toBe(303)
  })

  it('300 stop unknown browsers, but no known browser and no session', async () => {
    const s = await manyAttempts()
    const device = await knownDevice(s)
    const owner = await signedIn(s)
    expect(await guess(s, { count: 300, address: anywhere })).toEqual({ 422: 200, 429: 100 })
    expect((await attempt(s, browser(s), { address: '192.0.2.2' })).status).toBe(429)
    expect((await attempt(s, device, { address: '192.0.2.1' })).status).toBe(303)
    expect((await postAccount(s, owner, CHANGE)).status).toBe(303)
    const found = await s.users('default').find(await subOf(s))
    expect(await plainPasswords.verify(found?.password_hash ?? null, NEW_PASSWORD)).toBe(true)
  })

  it('an address over its limit does not stop the known browser behind it', async () => {
    const s = await manyAttempts()
    const device = await knownDevice(s)
    const address = '192.0.2.1'
    await guess(s, { count: 100, username: (i) => `user${i}`, address: () => address })
    expect((await attempt(s, browser(s), { address })).status).toBe(429)
    expect((await attempt(s, device, { address })).status).toBe(303)
  })

  it('a known browser has its own limit, which counts wrong passwords only', async () => {
    const s = await manyAttempts()
    const device = await knownDevice(s)
    for (let i = 0; i < 25; i++) expect((await attempt(s, device)).status).toBe(303)
    for (let i = 0; i < 20; i++) expect((await attempt(s, device, { password: 'wrong' })).status).toBe(422)
    expect((await attempt(s, device)).status).toBe(429)
    expect(limitsReached(s)).toEqual(['device'])
    expect((await attempt(s, browser(s))).status).toBe(303)
    s.clock.now += 900
    expect((await attempt(s, device)).status).toBe(303)
  })

  it('a session has its own limit, and sign-ins do not count for it', async () => {
    const s = await manyAttempts()
    const owner = await signedIn(s)
    const elsewhere = await signedIn(s)
    const guesses = { ...CHANGE, current_password: 'wrong' }
    for (let i = 0; i < 20; i++) expect((await postAccount(s, owner, guesses)).status).toBe(422)
    expect((await postAccount(s, owner, CHANGE)).status).toBe(429)
    expect(s.events.at(-1)).toMatchObject({ type: 'account.refused', reason: 'throttled', limit: 'session' })
    expect((await attempt(s, browser(s))).status).toBe(303)
    expect((await postAccount(s, elsewhere, CHANGE)).status).toBe(303)
  })
})

describe('the device cookie', () => {
  it('is set by each sign-in, for 400 days, and is HttpOnly', async () => {
    const s = await manyAttempts()
    const response = await attempt(s, browser(s))
    expect(response.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(
        /^__Host-ostiary_device=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    )
    const plain = await manyAttempts({ oidc: { issuer: 'http://localhost:3000' } })
    const [cookie] = (await attempt(plain, browser(plain))).headers
      .getSetCookie()
      .filter((line) => line.includes('device'))
    expect(cookie).toMatch(
      /^ostiary_device=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    )
  })

  it('is not set after a wrong password', async () => {
    const s = await manyAttempts()
    const b = browser(s)
    await attempt(s, b, { password: 'wrong' })
    expect([...b.cookies.keys()]).toEqual(['__Host-ostiary_csrf'])
  })

  it('keeps its id, and has tags for five accounts, the newest first', async () => {
    const s = await manyAttempts()
    const b = browser(s)
    await attempt(s, b)
    const first = (b.cookies.get(NAME) ?? '').split('.')
    for (let i = 0; i < 5; i++) {
      const username = `user${i}`
      await upsertUser(s.users('default'), { username, password: PASSWORD }, PLAIN)
      await attempt(s, b, { username })
      await attempt(s, b, { username })
    }
    const last = (b.cookies.get(NAME) ?? '').split('.')
    expect(last).toHaveLength(6)
    expect(last[0]).toBe(first[0])
    expect(last).not.toContain(first[1])
    expect(new Set(last).size).toBe(6)
  })

  it('does not sign its browser in', async () => {
    const s = await manyAttempts()
    const device = await knownDevice(s)
    expect((await device.get('https://id.example/account')).headers.get('location')).toContain('/login?')
  })
})

describe('a tag is not accepted', () => {
  /** The account has reached its limit for unknown browsers, so only a valid tag allows an attempt. */
  async function closed(options: Parameters<typeof manyAttempts>[0] = {}, realm = 'default') {
    const s = await manyAttempts({
      ...options,
      identity: { limits: { failures: 1 } },
    })
    const tryClosed = async (b: Browser, login: Parameters<typeof attempt>[2] = {}) => {
      for (let n = 0; n < 10; n += 1) await attempt(s, browser(s), { realm, ...login, password: 'wrong' })
      return (await attempt(s, b, { realm, ...login })).status
    }
    return { s, tryClosed }
  }

  it('unless it is valid', async () => {
    const { s, tryClosed } = await closed()
    expect(await tryClosed(await knownDevice(s))).toBe(303)
    expect(await tryClosed(browser(s))).toBe(429)
  })

  it('when it is forged, or from another device', async () => {
    const { s, tryClosed } = await closed()
    const value = (await knownDevice(s)).cookies.get(NAME) ?? ''
    const other = (await knownDevice(s)).cookies.get(NAME) ?? ''
    const [id = '', tag = ''] = value.split('.')
    const flipped = (tag.startsWith('A') ? 'B' : 'A') + tag.slice(1)
    for (const forged of [
      `${id}.${'A'.repeat(43)}`,
      `${id}.${flipped}`,
      `${id.slice(0, 21)}${id.endsWith('A') ? 'B' : 'A'}.${tag}`,
      `${id}.${other.split('.')[1]}`,
      `${id}.${tag.slice(0, 42)}`,
      `${id}.${`${flipped}.`.repeat(5)}${tag}`,
      id,
      '',
      '.',
    ])
      expect(await tryClosed(deviceOnly(s, forged)), forged).toBe(429)
    expect(await tryClosed(deviceOnly(s, `${id}.${flipped}.${tag}`))).toBe(303)
  })

  it('for another account', async () => {
    const { s, tryClosed } = await closed()
    await upsertUser(s.users('default'), { username: 'eve', password: PASSWORD }, PLAIN)
    const eve = await knownDevice(s, { username: 'eve' })
    expect(await tryClosed(eve)).toBe(429)
    expect(await tryClosed(eve, { username: 'eve' })).toBe(303)
  })

  it('in another realm, even for the same sub and password', async () => {
    const oidc = { routes: { realms: 'path' as const }, realms: { one: {}, two: {} } }
    const { s, tryClosed } = await closed({ oidc }, 'two')
    const same = { username: 'same', sub: 'same', password: PASSWORD }
    for (const realm of ['one', 'two']) await upsertUser(s.users(realm), same, PLAIN)
    const one = await knownDevice(s, { realm: 'one', username: 'same' })
    expect(await tryClosed(one, { username: 'same' })).toBe(429)
    s.clock.now += 900
    const two = await knownDevice(s, { realm: 'two', username: 'same' })
    expect(await tryClosed(two, { username: 'same' })).toBe(303)
  })

  it('after a new password was set', async () => {
    const { s, tryClosed } = await closed()
    const device = await knownDevice(s)
    const changed = { sub: await subOf(s), password: NEW_PASSWORD }
    await setPassword(s.users('default'), changed, PLAIN)
    expect(await tryClosed(device, { password: NEW_PASSWORD })).toBe(429)
  })

  it('for a disabled account, whose answer is the same as for a wrong password', async () => {
    const { s, tryClosed } = await closed()
    const device = await knownDevice(s)
    await setDisabled(s.users('default'), { sub: await subOf(s), disabled: true })
    expect(await tryClosed(device)).toBe(429)
  })

  it('with another secret of the server', async () => {
    const { s, tryClosed } = await closed()
    const foreign = await setup({
      identity: { users: s.users, passwords: plainPasswords, secret: 'another secret, of 32 characters' },
    })
    expect(await tryClosed(deviceOnly(s, (await knownDevice(foreign)).cookies.get(NAME) ?? ''))).toBe(429)
  })
})

it('a password change gives this browser a tag for the new password', async () => {
  const s = await manyAttempts({ identity: { limits: { failures: 1 } } })
  const owner = await signedIn(s)
  const before = owner.cookies.get(NAME)
  await postAccount(s, owner, CHANGE)
  expect(owner.cookies.get(NAME)).not.toBe(before)
  await guess(s, { count: 11 })
  const device = deviceOnly(s, owner.cookies.get(NAME) ?? '')
  expect((await attempt(s, device, { password: NEW_PASSWORD })).status).toBe(303)
})

it('a hash that is renewed at the sign-in is part of the tag', async () => {
  let stale = true
  const passwords = {
    ...plainPasswords,
    verify: async (hash: string | null, password: string) => (hash ?? '').endsWith(` ${password}`),
    hash: async (password: string) => `renewed ${password}`,
    stale: () => stale,
  }
  const s = await manyAttempts({ identity: { passwords, limits: { failures: 1 } } })
  const device = await knownDevice(s)
  stale = false
  await guess(s, { count: 11 })
  expect((await attempt(s, device)).status).toBe(303)
})

it('stays valid when the secret changes, while the previous one is known', async () => {
  const s = await manyAttempts()
  const device = await knownDevice(s)
  await guess(s, { count: 300, address: anywhere })
  const secret = 'another secret of this test, 32 char'
  const known = createDevices(acceptedHashes({ secret, previous_secret: SECRET }, 'device'))
  const alone = createDevices(acceptedHashes({ secret }, 'device'))
  const realm = (await s.provider.locate(new Request('https://id.example/login')))?.realm as Realm
  const user = await s.users('default').find(await subOf(s))
  const request = new Request('https://id.example/login', {
    headers: { cookie: `${NAME}=${device.cookies.get(NAME)}` },
  })
  expect(known.find(request, realm, user)).toMatch(/^[\w-]{22}$/)
  expect(alone.find(request, realm, user)).toBeNull()
})

it('a password check waits in the group of its site, and as known with a valid tag', async () => {
  const s = await manyAttempts()
  const device = await knownDevice(s, { address: '2001:db8:1:2::1' })
  await attempt(s, device, { address: '192.0.2.1' })
  const owner = await signedIn(s)
  await postAccount(s, owner, { ...CHANGE, current_password: 'wrong' })
  expect(s.counts.turns).toEqual([
    { group: '2001:db8:1::/48', known: false },
    { group: '192.0.2.1', known: true },
    { group: 'unknown', known: false },
    { group: 'unknown', known: true },
  ])
})
