import type { LogoutDelivery } from '@ostiary/core'
import { expect } from 'vitest'
import { claimOf, delivery, LONG_TEXT, NOW, ODD_TEXT } from './records.js'
import { parallel, type Rules } from './rule.js'

const sorted = (deliveries: LogoutDelivery[]): LogoutDelivery[] =>
  [...deliveries].sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1))
const LEASE = 30

export function logoutRules({ rule }: Rules): void {
  rule('add: a known delivery is not changed, and is claimed once', async ({ store, id }) => {
    await store.logouts.add([delivery(id('a'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.add([delivery(id('b')), delivery(id('a'), { sid: 'another' })])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([
      delivery(id('b'), { attempts: 1, next_attempt_at: NOW + LEASE }),
    ])
    expect(sorted(await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10)))[0]).toEqual(
      delivery(id('a'), { attempts: 2, next_attempt_at: NOW + 2 * LEASE }),
    )
  })

  rule(
    'claim: returns due deliveries as stored, and sets the lease and the attempts',
    async ({ store, id }) => {
      const records = [
        delivery(id('a')),
        delivery(id('b'), { session_required: true, attempts: 2, next_attempt_at: NOW - 99 }),
        delivery(id('c'), { client_id: ODD_TEXT, sid: ODD_TEXT, uri: LONG_TEXT, created_at: NOW - 5 }),
      ]
      await store.logouts.add(records)
      expect(sorted(await store.logouts.claim(claimOf(NOW, LEASE, 10)))).toEqual(
        records.map((record) => ({
          ...record,
          attempts: record.attempts + 1,
          next_attempt_at: NOW + LEASE,
        })),
      )
    },
  )

  rule('claim: only due deliveries, from the second of next_attempt_at', async ({ store, id }) => {
    const due = { a: NOW - 1, b: NOW, c: NOW + 1 }
    const records = Object.entries(due).map(([name, next_attempt_at]) =>
      delivery(id(name), { next_attempt_at }),
    )
    await store.logouts.add(records)
    const claimed = sorted(await store.logouts.claim(claimOf(NOW, LEASE, 10)))
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([id('a'), id('b')])
  })

  rule('claim: an empty list when there are no deliveries', async ({ store }) => {
    await store.logouts.add([])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([])
  })

  rule('claim: a delivery is claimed again only after the lease', async ({ store, id }) => {
    await store.logouts.add([delivery(id('a'))])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toHaveLength(1)
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + LEASE - 1, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10))).toEqual([
      delivery(id('a'), { attempts: 2, next_attempt_at: NOW + 2 * LEASE }),
    ])
  })

  rule('claim: at most `limit` deliveries; the next call returns the others', async ({ store, id }) => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map(id)
    await store.logouts.add(ids.map((delivery_id) => delivery(delivery_id)))
    const seen: string[] = []
    for (const size of [2, 2, 1, 0]) {
      const claimed = await store.logouts.claim(claimOf(NOW, LEASE, 2))
      expect(claimed).toHaveLength(size)
      seen.push(...claimed.map(({ delivery_id }) => delivery_id))
    }
    expect(seen.sort()).toEqual(ids)
  })

  rule('claim: 50 parallel callers get every delivery exactly once', async ({ store, id }) => {
    const ids = Array.from({ length: 120 }, (_, n) => id(`${n}`))
    await store.logouts.add(ids.map((delivery_id) => delivery(delivery_id)))
    const claims = await parallel(50, () => store.logouts.claim(claimOf(NOW, LEASE, 3)))
    const rest = await store.logouts.claim(claimOf(NOW, LEASE, 200))
    expect(claims.every((claimed) => claimed.length <= 3)).toBe(true)
    const claimed = [...claims.flat(), ...rest]
    expect(claimed.map(({ delivery_id }) => delivery_id).sort()).toEqual(ids.sort())
    expect(claimed.every(({ attempts }) => attempts === 1)).toBe(true)
  })

  rule('claim: one of 50 parallel callers gets the delivery', async ({ store, id }) => {
    await store.logouts.add([delivery(id('a'))])
    const claims = await parallel(50, () => store.logouts.claim(claimOf(NOW, LEASE, 10)))
    expect(claims.flat()).toEqual([delivery(id('a'), { attempts: 1, next_attempt_at: NOW + LEASE })])
  })

  rule(
    'claim: first attempts before repeated ones, even when those are overdue for longer',
    async ({ store, id }) => {
      await store.logouts.add([
        delivery(id('again'), { attempts: 1, next_attempt_at: NOW - 99 }),
        delivery(id('first')),
      ])
      const names = async () =>
        (await store.logouts.claim(claimOf(NOW, LEASE, 1))).map(({ delivery_id }) => delivery_id)
      expect(await names()).toEqual([id('first')])
      expect(await names()).toEqual([id('again')])
    },
  )

  rule('claim: at most `share` deliveries of one host, and of one user', async ({ store, id }) => {
    const five = ['a', 'b', 'c', 'd', 'e']
    const ofHost = five.map((name) => delivery(id(`host-${name}`), { host: 'slow.example' }))
    const ofUser = five.map((name) => delivery(id(`sub-${name}`), { sub: 'user' }))
    await store.logouts.add([...ofHost, ...ofUser, delivery(id('other'))])
    const claim = { ...claimOf(NOW, LEASE, 100), share: 2 }
    const names = (await store.logouts.claim(claim)).map(({ delivery_id }) => delivery_id)
    expect(names.filter((name) => name.startsWith(id('host-')))).toHaveLength(2)
    expect(names.filter((name) => name.startsWith(id('sub-')))).toHaveLength(2)
    expect(names).toContain(id('other'))
    expect(names).toHaveLength(5)
  })

  rule('claim: no deliveries of an excepted host or user', async ({ store, id }) => {
    const sub = `${ODD_TEXT} /"user`
    await store.logouts.add([
      delivery(id('a'), { host: 'slow.example:8443' }),
      delivery(id('b'), { sub }),
      delivery(id('c')),
    ])
    const except = { hosts: ['other.example', 'slow.example:8443'], subs: [sub, 'other'] }
    const claimed = await store.logouts.claim({ ...claimOf(NOW, LEASE, 100), except })
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([id('c')])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 100))).toHaveLength(2)
  })

  rule('settle: null deletes the delivery', async ({ store, id }) => {
    await store.logouts.add([delivery(id('a')), delivery(id('b'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.settle(id('a'), null)
    const claimed = await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10))
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([id('b')])
  })

  rule('settle: a time makes the delivery due again at that time', async ({ store, id }) => {
    await store.logouts.add([delivery(id('a')), delivery(id('b'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.settle(id('a'), NOW + 5)
    expect(await store.logouts.claim(claimOf(NOW + 4, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + 5, LEASE, 10))).toEqual([
      delivery(id('a'), { attempts: 2, next_attempt_at: NOW + 5 + LEASE }),
    ])
  })

  rule('settle: an unknown delivery is ignored, and none is created', async ({ store, id }) => {
    await store.logouts.settle(id('a'), null)
    await store.logouts.settle(id('a'), NOW)
    expect(await store.logouts.claim(claimOf(NOW + 1, LEASE, 10))).toEqual([])
  })
}
