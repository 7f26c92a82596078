import type { PendingAuthorization, PendingConsent } from '@ostiary/core'
import { expect } from 'vitest'
import { deviceRecords } from './device-records.js'
import {
  LATER,
  NOW,
  ODD_LIST,
  pendingAuthorization,
  pendingConsent,
  pendingLogout,
  pushedAuthorization,
} from './records.js'
import { parallel, type Rules, winnersOf } from './rule.js'

/** Of a request that must be redeemed with a key (RFC 9449 §10). */
const withJkt = <P extends PendingAuthorization | PendingConsent>(pending: P): P => ({
  ...pending,
  request: { ...pending.request, dpop_jkt: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' },
})

export function pendingRules({ rule }: Rules): void {
  rule('put: every kind is found exactly as it was stored, any number of times', async ({ store, id }) => {
    const records = [
      pendingAuthorization(id('login')),
      { ...pendingAuthorization(id('since')), login_required_since: NOW, login_reason: 'max_age' as const },
      { ...pendingAuthorization(id('acr')), login_required_since: NOW, login_reason: 'acr' as const },
      withJkt(pendingAuthorization(id('jkt'))),
      withJkt(pendingConsent(id('jkt-consent'))),
      pendingConsent(id('consent')),
      pendingLogout(id('logout')),
      pushedAuthorization(id('pushed')),
      ...deviceRecords(id),
      { kind: 'pushed_used' as const, pending_hash: id('used'), expires_at: LATER },
      { kind: 'answered' as const, pending_hash: id('answered'), expires_at: LATER },
    ]
    for (const record of records) expect(await store.pending.put(record)).toBe(true)
    for (const record of [...records, ...records]) {
      expect(await store.pending.find(record.pending_hash)).toEqual(record)
    }
  })

  rule('put: false when there is a record with this hash, which is not changed', async ({ store, id }) => {
    await store.pending.put(pendingConsent(id('a')))
    expect(await store.pending.put(pendingLogout(id('a')))).toBe(false)
    expect(await store.pending.find(id('a'))).toEqual(pendingConsent(id('a')))
  })

  rule('put: one of 50 parallel callers wins', async ({ store, id }) => {
    const put = () => store.pending.put({ kind: 'answered', pending_hash: id('a'), expires_at: LATER })
    expect(winnersOf(await parallel(50, put))).toHaveLength(1)
  })

  rule('find, take: an unknown hash is null', async ({ store, id }) => {
    await store.pending.put(pendingLogout(id('a')))
    for (const unknown of [id('b'), id('A'), ...ODD_LIST]) {
      expect(await store.pending.find(unknown)).toBeNull()
      expect(await store.pending.take(unknown)).toBeNull()
    }
  })

  rule('take: returns the record once, and leaves others', async ({ store, id }) => {
    await store.pending.put(pendingConsent(id('a')))
    await store.pending.put(pendingConsent(id('b')))
    expect(await store.pending.take(id('a'))).toEqual(pendingConsent(id('a')))
    expect(await store.pending.take(id('a'))).toBeNull()
    expect(await store.pending.find(id('a'))).toBeNull()
    expect(await store.pending.find(id('b'))).toEqual(pendingConsent(id('b')))
  })

  rule('take: one of 50 parallel callers gets the record', async ({ store, id }) => {
    await store.pending.put(pendingConsent(id('a')))
    const taken = await parallel(50, () => store.pending.take(id('a')))
    expect(taken.filter((result) => result !== null)).toEqual([pendingConsent(id('a'))])
  })
}
