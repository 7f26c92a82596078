/**
 * The limits of mails in an hour: one at each, and one above. Who reaches a limit leaves others what is theirs, and the page looks the
 * same.
 */

import { describe, expect, it } from 'vitest'
import { signedIn, signInAt } from './_account.js'
import { ask, askWith, type MailWorld, type MailWorldOptions, mailWorld } from './_mail.js'
import { type Browser, browser, PASSWORD } from './_setup.js'

const HOUR = 3600

/** In an hour that has just begun. */
async function world(options: MailWorldOptions = {}): Promise<MailWorld> {
  const s = await mailWorld(options)
  s.clock.now += HOUR - (s.clock.now % HOUR)
  return s
}

const throttled = ({ events }: MailWorld) =>
  events.flatMap((event) => (event.type === 'mail.throttled' ? [event.limit] : []))

/** Mails that wait, or were sent or dropped. */
const accepted = ({ events }: MailWorld): number =>
  events.filter(({ type }) => type === 'recovery.requested').length

interface Requests {
  username?: (n: number) => string
  address?: (n: number) => string
  peer?: string
}

/** Asks so often. Returns how many were accepted, and the limits that refused the others. */
async function asks(
  s: MailWorld,
  count: number,
  { username = (n) => `user${n}`, address, peer }: Requests,
): Promise<[number, string[]]> {
  const before = accepted(s)
  const refused = throttled(s).length
  for (let n = 0; n < count; n += 1) {
    const b = peer === undefined ? browser(s) : fromPeer(s, peer)
    const answer = await askWith(s, b, { username: username(n), ...(address && { address: address(n) }) })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://id.example/login/recover?sent=',
    ])
  }
  return [accepted(s) - before, [...new Set(throttled(s).slice(refused))]]
}

/** A browser whose address is the claim of a peer that is no trusted proxy. */
function fromPeer(s: MailWorld, peer: string): Browser {
  const handle: MailWorld['handle'] = async (request, info = {}) =>
    (await s.identity.fetch(s.provider, request, { ...info, peer })) ?? s.provider.fetch(request, info)
  return browser({ ...s, handle })
}

const addresses = (n: number) => `198.51.${100 + Math.floor(n / 250)}.${n % 250}`

describe('in an hour', () => {
  it('three for one account, from all addresses', async () => {
    const s = await world()
    expect(await asks(s, 4, { username: () => 'ada', address: addresses })).toEqual([3, ['mail_account']])
    expect(await asks(s, 1, { username: () => 'bob', address: addresses })).toEqual([1, []])
    s.clock.now += HOUR - 1
    expect(await asks(s, 1, { username: () => 'ada', address: addresses })).toEqual([0, ['mail_account']])
    s.clock.now += 1
    expect(await asks(s, 1, { username: () => 'ada', address: addresses })).toEqual([1, []])
  })

  it('three for an unknown name too', async () => {
    const s = await world()
    expect(await asks(s, 4, { username: () => 'unknown', address: addresses })).toEqual([3, ['mail_account']])
  })

  it('ten for one address, and the names after that have no counter', async () => {
    const s = await world()
    expect(await asks(s, 11, { address: () => '192.0.2.1' })).toEqual([10, ['mail_address']])
    expect(await asks(s, 1, { address: () => '192.0.2.2' })).toEqual([1, []])
    for (let n = 0; n < 5; n += 1) await asks(s, 1, { username: () => 'ada', address: () => '192.0.2.1' })
    expect(await asks(s, 3, { username: () => 'ada', address: addresses })).toEqual([3, []])
  })

  it('ten for an IPv6 /64, and forty for a /48', async () => {
    const s = await world()
    expect(await asks(s, 11, { address: (n) => `2001:db8:1:1::${n + 1}` })).toEqual([10, ['mail_address']])
    expect(await asks(s, 31, { address: (n) => `2001:db8:1:${n + 100}::1` })).toEqual([30, ['mail_site']])
    expect(await asks(s, 1, { address: () => '2001:db8:2::1' })).toEqual([1, []])
  })

  it('a hundred for a peer that claims addresses', async () => {
    const s = await world()
    expect(await asks(s, 101, { address: addresses, peer: '203.0.113.1' })).toEqual([100, ['mail_peer']])
    expect(await asks(s, 1, { address: addresses, peer: '203.0.113.2' })).toEqual([1, []])
  })

  it('of a realm 750 for strangers, and 250 more for others', async () => {
    const s = await world()
    const known = await signedIn(s)
    expect(await asks(s, 751, { address: addresses })).toEqual([750, ['mail_realm']])
    await askWith(s, known)
    expect(throttled(s)).toEqual(['mail_realm'])
    await s.identity.mail?.settled()
    expect(s.sent).toHaveLength(1)
  })

  it('of a realm as many as it is set to: one address may cause a twentieth', async () => {
    const s = await world({ mail: { per_hour: 100 } })
    expect(await asks(s, 6, { address: () => '192.0.2.1' })).toEqual([5, ['mail_address']])
    expect(await asks(s, 71, { address: addresses })).toEqual([70, ['mail_realm']])
    const sites = await world({ mail: { per_hour: 100 } })
    expect(await asks(sites, 6, { address: (n) => `2001:db8:1:${n}::1` })).toEqual([5, ['mail_site']])
    const peers = await world({ mail: { per_hour: 20 } })
    expect(await asks(peers, 11, { address: addresses, peer: '203.0.113.1' })).toEqual([10, ['mail_peer']])
  })

  it('a realm that may send one sends one', async () => {
    const s = await world({ mail: { per_hour: 1 } })
    expect(await asks(s, 2, { address: addresses })).toEqual([1, ['mail_realm']])
  })

  it('without addresses they are not counted: all clients would share one counter', async () => {
    const s = await world()
    expect(await asks(s, 50, {})).toEqual([50, []])
  })

  it('the realms have counters of their own', async () => {
    const oidc = {
      issuer: 'https://id.example',
      routes: { realms: 'path' },
      realms: { one: {}, two: {} },
    } as const
    const s = await world({ oidc, mailing: ['one', 'two'], mail: { per_hour: 1 } })
    for (const realm of ['one', 'two']) await askWith(s, browser(s), { realm })
    expect(throttled(s)).toEqual([])
  })
})

describe('a browser that has signed in to the account', () => {
  it('has three of its own: requests from elsewhere do not take them', async () => {
    const s = await world()
    const known = await signedIn(s)
    const other = await signedIn(s)
    await asks(s, 4, { username: () => 'ada', address: addresses })
    expect(throttled(s)).toEqual(['mail_account'])
    for (let n = 0; n < 3; n += 1) await askWith(s, known)
    expect(throttled(s)).toEqual(['mail_account'])
    await askWith(s, known)
    expect(throttled(s)).toEqual(['mail_account', 'mail_device'])
    await askWith(s, other)
    expect(throttled(s)).toHaveLength(2)
  })

  it('has none for another account', async () => {
    const s = await world()
    const known = await signedIn(s)
    await asks(s, 3, { username: () => 'bob', address: addresses })
    await askWith(s, known, { username: 'bob' })
    expect(throttled(s)).toEqual(['mail_account'])
  })
})

it('of notices an account gets twenty in an hour, and the change is made all the same', async () => {
  const s = await world()
  const b = await signedIn(s)
  const passwords = Array.from({ length: 22 }, (_, n) => (n === 0 ? PASSWORD : `password number ${n}`))
  for (let n = 1; n < passwords.length; n += 1) {
    const html = await (await b.get(`${s.base('default')}/account`)).text()
    const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(html) ?? []
    const [current_password = '', new_password = ''] = passwords.slice(n - 1, n + 1)
    const fields = {
      csrf_token,
      action: 'change_password',
      current_password,
      new_password,
      new_password_again: new_password,
    }
    expect((await b.post(`${s.base('default')}/account`, fields)).status).toBe(303)
  }
  await s.deliver()
  expect(s.sent).toHaveLength(20)
  expect(throttled(s)).toEqual(['mail_account'])
  expect((await signInAt(s, browser(s), { password: passwords.at(-1) ?? '' })).status).toBe(303)
  // A forgotten password is another counter.
  await ask(s)
  expect(s.sent).toHaveLength(21)
})
