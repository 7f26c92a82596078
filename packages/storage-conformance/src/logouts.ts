import type { LogoutDelivery } from '@ostiary/core'
import { expect } from 'vitest'
import { claimOf, delivery, LONG_TEXT, NOW, ODD_TEXT } from './records.js'
import { parallel, type Rules } from './rule.js'

const sorted = (deliveries: LogoutDelivery[]): LogoutDelivery[] =>
  [...deliveries].sort((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1))
const LEASE = 30

export function logoutRules({ rule }: Rules): void {
  rule('add: a known delivery is not changed, and is claimed once', async ({ store, key }) => {
    await store.logouts.add([delivery(key('a'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.add([delivery(key('b')), delivery(key('a'), { sid: 'another' })])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([
      delivery(key('b'), { attempts: 1, next_attempt_at: NOW + LEASE }),
    ])
    expect(sorted(await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10)))[0]).toEqual(
      delivery(key('a'), { attempts: 2, next_attempt_at: NOW + 2 * LEASE }),
    )
  })

  rule(
    'claim: returns due deliveries as stored, and sets the lease and the attempts',
    async ({ store, key }) => {
      const records = [
        delivery(key('a')),
        delivery(key('b'), { session_required: true, attempts: 2, next_attempt_at: NOW - 99 }),
        delivery(key('c'), { client_id: ODD_TEXT, sid: ODD_TEXT, uri: LONG_TEXT, created_at: NOW - 5 }),
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

  rule('claim: only due deliveries, from the second of next_attempt_at', async ({ store, key }) => {
    const due = { a: NOW - 1, b: NOW, c: NOW + 1 }
    const records = Object.entries(due).map(([name, next_attempt_at]) =>
      delivery(key(name), { next_attempt_at }),
    )
    await store.logouts.add(records)
    const claimed = sorted(await store.logouts.claim(claimOf(NOW, LEASE, 10)))
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([key('a'), key('b')])
  })

  rule('claim: an empty list when there are no deliveries', async ({ store }) => {
    await store.logouts.add([])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([])
  })

  rule('claim: a delivery is claimed again only after the lease', async ({ store, key }) => {
    await store.logouts.add([delivery(key('a'))])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toHaveLength(1)
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + LEASE - 1, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10))).toEqual([
      delivery(key('a'), { attempts: 2, next_attempt_at: NOW + 2 * LEASE }),
    ])
  })

  rule('claim: at most `limit` deliveries; the next call returns the others', async ({ store, key }) => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => key(name))
    await store.logouts.add(ids.map((delivery_id) => delivery(delivery_id)))
    const seen: string[] = []
    for (const size of [2, 2, 1, 0]) {
      const claimed = await store.logouts.claim(claimOf(NOW, LEASE, 2))
      expect(claimed).toHaveLength(size)
      seen.push(...claimed.map(({ delivery_id }) => delivery_id))
    }
    expect(seen.sort()).toEqual(ids)
  })

  rule('claim: 50 parallel callers get every delivery exactly once', async ({ store, key }) => {
    const ids = Array.from({ length: 120 }, (_, n) => key(`${n}`))
    await store.logouts.add(ids.map((delivery_id) => delivery(delivery_id)))
    const claims = await parallel(50, () => store.logouts.claim(claimOf(NOW, LEASE, 3)))
    const rest = await store.logouts.claim(claimOf(NOW, LEASE, 200))
    expect(claims.every((claimed) => claimed.length <= 3)).toBe(true)
    const claimed = [...claims.flat(), ...rest]
    expect(claimed.map(({ delivery_id }) => delivery_id).sort()).toEqual(ids.sort())
    expect(claimed.every(({ attempts }) => attempts === 1)).toBe(true)
  })

  rule('claim: one of 50 parallel callers gets the delivery', async ({ store, key }) => {
    await store.logouts.add([delivery(key('a'))])
    const claims = await parallel(50, () => store.logouts.claim(claimOf(NOW, LEASE, 10)))
    expect(claims.flat()).toEqual([delivery(key('a'), { attempts: 1, next_attempt_at: NOW + LEASE })])
  })

  rule(
    'claim: first attempts before repeated ones, even when those are overdue for longer',
    async ({ store, key }) => {
      await store.logouts.add([
        delivery(key('again'), { attempts: 1, next_attempt_at: NOW - 99 }),
        delivery(key('first')),
      ])
      const names = async () =>
        (await store.logouts.claim(claimOf(NOW, LEASE, 1))).map(({ delivery_id }) => delivery_id)
      expect(await names()).toEqual([key('first')])
      expect(await names()).toEqual([key('again')])
    },
  )

  rule('claim: at most `share` deliveries of one host, and of one user', async ({ store, key }) => {
    const five = ['a', 'b', 'c', 'd', 'e']
    const ofHost = five.map((name) => delivery(key(`host-${name}`), { host: 'slow.example' }))
    const ofUser = five.map((name) => delivery(key(`sub-${name}`), { sub: 'user' }))
    await store.logouts.add([...ofHost, ...ofUser, delivery(key('other'))])
    const claim = { ...claimOf(NOW, LEASE, 100), share: 2 }
    const names = (await store.logouts.claim(claim)).map(({ delivery_id }) => delivery_id)
    expect(names.filter((name) => name.startsWith(key('host-')))).toHaveLength(2)
    expect(names.filter((name) => name.startsWith(key('sub-')))).toHaveLength(2)
    expect(names).toContain(key('other'))
    expect(names).toHaveLength(5)
  })

  rule('claim: no deliveries of an excepted host or user', async ({ store, key }) => {
    const sub = `${ODD_TEXT} /"user`
    await store.logouts.add([
      delivery(key('a'), { host: 'slow.example:8443' }),
      delivery(key('b'), { sub }),
      delivery(key('c')),
    ])
    const except = { hosts: ['other.example', 'slow.example:8443'], subs: [sub, 'other'] }
    const claimed = await store.logouts.claim({ ...claimOf(NOW, LEASE, 100), except })
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([key('c')])
    expect(await store.logouts.claim(claimOf(NOW, LEASE, 100))).toHaveLength(2)
  })

  rule('settle: null deletes the delivery', async ({ store, key }) => {
    await store.logouts.add([delivery(key('a')), delivery(key('b'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.settle(key('a'), null)
    const claimed = await store.logouts.claim(claimOf(NOW + LEASE, LEASE, 10))
    expect(claimed.map(({ delivery_id }) => delivery_id)).toEqual([key('b')])
  })

  rule('settle: a time makes the delivery due again at that time', async ({ store, key }) => {
    await store.logouts.add([delivery(key('a')), delivery(key('b'))])
    await store.logouts.claim(claimOf(NOW, LEASE, 10))
    await store.logouts.settle(key('a'), NOW + 5)
    expect(await store.logouts.claim(claimOf(NOW + 4, LEASE, 10))).toEqual([])
    expect(await store.logouts.claim(claimOf(NOW + 5, LEASE, 10))).toEqual([
      delivery(key('a'), { attempts: 2, next_attempt_at: NOW + 5 + LEASE }),
    ])
  })

  rule('settle: an unknown delivery is ignored, and none is created', async ({ store, key }) => {
    await store.logouts.settle(key('a'), null)
    await store.logouts.settle(key('a'), NOW)
    expect(await store.logouts.claim(claimOf(NOW + 1, LEASE, 10))).toEqual([])
  })
}
