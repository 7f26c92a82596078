/** The limits of sign-ups in an hour: one at each, and one above. The page does not tell that one was reached. */

import { describe, expect, it } from 'vitest'
import { browserAt, type Place, type PlaceOptions, place, types } from './_place.js'

const HOUR = 3600

/** In an hour that has just begun. */
async function world(options: PlaceOptions = {}): Promise<Place> {
  const p = await place(options)
  p.clock.now += HOUR - (p.clock.now % HOUR)
  return p
}

interface Asked {
  address?: (n: number) => string
  from?: (n: number) => string
  peer?: string
}

let names = 0

/** How many were accepted, and the limits that refused the others. */
async function asks(
  p: Place,
  count: number,
  { address, from, peer }: Asked = {},
): Promise<[number, string[]]> {
  p.events.length = 0
  for (let n = 0; n < count; n += 1) {
    const info = { ...(from && { address: from(n) }), ...(peer !== undefined && { peer }) }
    const answer = await browserAt(p, info).ask(address?.(n) ?? `user${names++}@corp.example`)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://id.example/login/signup?sent=',
    ])
  }
  const limits = p.events.flatMap((event) => (event.type === 'mail.throttled' ? [event.limit] : []))
  return [types(p).filter((type) => type === 'signup.started').length, [...new Set(limits)]]
}

const addresses = (n: number) => `198.51.${100 + Math.floor(n / 250)}.${n % 250}`

describe('in an hour', () => {
  it('three for one address, from all networks; another one has three of its own', async () => {
    const p = await world()
    const ann = () => 'ann@corp.example'
    expect(await asks(p, 4, { address: ann, from: addresses })).toEqual([3, ['mail_account']])
    expect(await asks(p, 3, { address: () => 'bob@corp.example', from: addresses })).toEqual([3, []])
    p.clock.now += HOUR - 1
    expect(await asks(p, 1, { address: ann, from: addresses })).toEqual([0, ['mail_account']])
    p.clock.now += 1
    expect(await asks(p, 1, { address: ann, from: addresses })).toEqual([1, []])
  })

  it('three for an address that has an account too', async () => {
    const p = await world()
    expect(await asks(p, 4, { address: () => 'ada@corp.example', from: addresses })).toEqual([
      3,
      ['mail_account'],
    ])
  })

  it('ten from one network address, forty from a /48', async () => {
    const p = await world()
    expect(await asks(p, 11, { from: () => '192.0.2.1' })).toEqual([10, ['mail_address']])
    expect(await asks(p, 1, { from: () => '192.0.2.2' })).toEqual([1, []])
    expect(await asks(p, 11, { from: (n) => `2001:db8:1:1::${n + 1}` })).toEqual([10, ['mail_address']])
    expect(await asks(p, 31, { from: (n) => `2001:db8:1:${n + 100}::1` })).toEqual([30, ['mail_site']])
  })

  it('a hundred from a peer that claims addresses', async () => {
    const p = await world()
    expect(await asks(p, 101, { from: addresses, peer: '203.0.113.1' })).toEqual([100, ['mail_peer']])
  })

  it('of a realm three quarters of what it mails', async () => {
    const p = await world({ mail: { per_hour: 100 } })
    expect(await asks(p, 76, { from: addresses })).toEqual([75, ['mail_realm']])
  })

  it('a thousand of a stranger store counters, and per_hour mails at most', async () => {
    const p = await world({ mail: { per_hour: 40 } })
    const before = await p.users('default').list({ limit: 100 })
    expect((await asks(p, 1_000, { from: addresses }))[0]).toBe(30)
    await p.deliver()
    expect(p.sent).toHaveLength(30)
    expect(await p.users('default').list({ limit: 100 })).toEqual(before)
    expect(await p.tickets('default').list({ purpose: 'invite', limit: 10 })).toEqual([])
    expect(await p.queue.page({ limit: 10 })).toEqual([])
  })
})
