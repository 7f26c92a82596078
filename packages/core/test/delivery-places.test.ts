/** How the places of back-channel deliveries are shared among realms, users and hosts. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deliveryPlaces } from '../src/jobs/delivery-places.js'

/** After this time without an answer, an attempt leaves its quick place. */
const SLOW_MS = 1000
const at = (n: number, realm = 'default') => ({ realm, host: `host-${n}.example`, sub: `user-${n}` })
const claimed = (places: ReturnType<typeof deliveryPlaces>, realm: string) => {
  const room = places.reserve(realm)
  places.release(realm, room)
  return room
}
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the places of deliveries', () => {
  it('a realm has 25 quick places, and four realms have all of them', () => {
    const places = deliveryPlaces(() => {})
    expect(['a', 'b', 'c', 'd', 'e'].map((realm) => places.reserve(realm))).toEqual([25, 25, 25, 25, 0])
    places.release('a', 25)
    expect(places.reserve('e')).toBe(25)
  })

  it('an attempt without an answer leaves its quick place, and no more than 25 of a realm do', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    for (const n of range(25)) places.take(at(n))
    vi.advanceTimersByTime(SLOW_MS - 1)
    expect([freed, claimed(places, 'default')]).toEqual([0, 0])
    vi.advanceTimersByTime(SLOW_MS)
    expect([freed, claimed(places, 'default')]).toEqual([25, 25])
    const ends = range(25).map((n) => places.take(at(100 + n)))
    vi.advanceTimersByTime(SLOW_MS)
    expect([freed, claimed(places, 'default'), claimed(places, 'other')]).toEqual([25, 0, 25])
    ends[0]?.({ timed_out: false })
    expect(claimed(places, 'default')).toBe(1)
  })

  it('an overdue attempt moves when a slow place gets free', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    const first = range(25).map((n) => places.take(at(n)))
    vi.advanceTimersByTime(SLOW_MS)
    for (const n of range(25)) places.take(at(100 + n))
    vi.advanceTimersByTime(SLOW_MS)
    first[0]?.({ timed_out: true })
    expect([freed, claimed(places, 'default')]).toEqual([26, 1])
  })

  it('an overdue attempt moves once', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    const first = range(25).map((n) => places.take(at(n)))
    vi.advanceTimersByTime(SLOW_MS)
    places.take(at(100))
    vi.advanceTimersByTime(SLOW_MS)
    for (const end of first) end({ timed_out: false })
    expect([freed, claimed(places, 'default')]).toEqual([26, 25])
  })

  it('an attempt that ended in time takes no slow place later', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    for (const n of range(25)) places.take(at(n))({ timed_out: false })
    vi.advanceTimersByTime(SLOW_MS)
    for (const n of range(25)) places.take(at(100 + n))
    vi.advanceTimersByTime(SLOW_MS)
    expect([freed, claimed(places, 'default')]).toEqual([25, 25])
  })

  it('an overdue attempt that ends takes no slow place later', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    const [first] = range(25).map((n) => places.take(at(n)))
    vi.advanceTimersByTime(SLOW_MS)
    const [ended, waiting] = range(2).map((n) => places.take(at(100 + n)))
    vi.advanceTimersByTime(SLOW_MS)
    ended?.({ timed_out: true })
    first?.({ timed_out: false })
    expect(freed).toBe(26)
    // The free slow place went to the second overdue attempt: when that one ends, a place is free again.
    expect(places.full('default').hosts).toEqual(['host-100.example'])
    waiting?.({ timed_out: false })
    expect(places.full('default').hosts).toEqual([])
  })

  it('one hanging receiver in each of 100 realms leaves every quick place', () => {
    let freed = 0
    const places = deliveryPlaces(() => {
      freed += 1
    })
    for (const n of range(100)) places.take(at(n, `realm-${n}`))
    expect(claimed(places, 'another')).toBe(0)
    vi.advanceTimersByTime(SLOW_MS)
    expect([freed, claimed(places, 'another')]).toEqual([100, 25])
  })

  it('a host that has timed out takes a slow place, until it answers', () => {
    const places = deliveryPlaces(() => {})
    places.take(at(1))({ timed_out: true })
    places.take(at(1))
    expect(claimed(places, 'default')).toBe(25)
    places.take(at(1))({ timed_out: false })
    places.take(at(1))
    expect(claimed(places, 'default')).toBe(24)
  })

  it('hosts that have timed out are not claimed while the slow places of the realm are taken', () => {
    const places = deliveryPlaces(() => {})
    for (const n of range(26)) places.take(at(n))({ timed_out: true })
    const ends = range(25).map((n) => places.take(at(n)))
    expect(places.full('default').hosts).toHaveLength(26)
    expect(places.full('other').hosts).toEqual([])
    ends[0]?.({ timed_out: true })
    expect(places.full('default').hosts).toEqual([])
  })

  it('a host has five deliveries, a user five quick and ten slow ones', () => {
    const places = deliveryPlaces(() => {})
    for (const n of range(4)) places.take({ ...at(n), host: 'one.example' })
    for (const n of range(4)) places.take({ ...at(10 + n), sub: 'one' })
    expect(places.full('default')).toEqual({ hosts: [], subs: [] })
    places.take({ ...at(4), host: 'one.example' })
    places.take({ ...at(14), sub: 'one' })
    expect(places.full('default')).toEqual({ hosts: ['one.example'], subs: ['one'] })
    expect(places.full('other')).toEqual({ hosts: ['one.example'], subs: [] })
    vi.advanceTimersByTime(SLOW_MS)
    expect(places.full('default').subs).toEqual([])
    // Five are slow already: five more are, and the others keep their quick places.
    for (const n of range(9)) places.take({ ...at(20 + n), sub: 'one' })
    vi.advanceTimersByTime(SLOW_MS)
    expect(places.full('default').subs).toEqual([])
    places.take({ ...at(29), sub: 'one' })
    vi.advanceTimersByTime(SLOW_MS)
    expect(places.full('default')).toEqual({ hosts: ['one.example'], subs: ['one'] })
  })

  it('remembers 1,000 hosts that have timed out, the last ones', () => {
    const places = deliveryPlaces(() => {})
    for (const n of range(1100)) places.take(at(n))({ timed_out: true })
    for (const n of range(25)) places.take(at(1000 + n))
    const { hosts } = places.full('default')
    expect([hosts.length, hosts[0], hosts.at(-1)]).toEqual([1000, 'host-100.example', 'host-1099.example'])
  })
})
