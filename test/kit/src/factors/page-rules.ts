/** The rules of identity's FactorStore for what concerns the factors of all users, as tests. */

import type { Factor, FactorStore, UserStore } from '@ostiary/identity'
import { expect, it } from 'vitest'
import { factorRecord as factor, factorId } from './record.ts'

const NOW = 1_700_000_100
const CALLERS = 20

export interface RealmStores {
  users: UserStore
  factors: FactorStore
}
/** The stores of a new realm, in which these users are. */
export type Fresh = (...subs: string[]) => Promise<RealmStores>

const SUBS = ['a', 'b', 'c', 'd', 'e'] as const

async function add({ factors }: RealmStores, sub: string, records: Factor[]): Promise<void> {
  expect(await factors.change({ sub, add: records }, { credential_version: 0, now: NOW })).toBe(true)
}

/** @param inOrder The order of `page`. */
export function pageRules(fresh: Fresh, inOrder: (ids: readonly string[]) => string[]): void {
  it('page: each factor of the realm once, in the order of the store', async () => {
    const stores = await fresh(...SUBS)
    const other = await fresh('a')
    const records = SUBS.flatMap((sub) => [
      factor(`1${sub}`, sub, { kind: 'passkey' }),
      factor(`Z${sub}`, sub, { kind: 'recovery', data: { of: sub } }),
    ])
    for (const sub of SUBS)
      await add(
        stores,
        sub,
        records.filter((record) => record.sub === sub),
      )
    await add(other, 'a', [factor('elsewhere', 'a')])
    const ids = inOrder(records.map(({ factor_id }) => factor_id))
    const wanted = ids.map((id) => records.find(({ factor_id }) => factor_id === id))
    expect(await stores.factors.page({ limit: 100 })).toEqual(wanted)
    for (const limit of [1, 3, 5, 10]) {
      const found: Factor[] = []
      for (let pages = 0; pages <= records.length; pages += 1) {
        const after = found.at(-1)?.factor_id
        const page = await stores.factors.page({ limit, ...(after !== undefined && { after }) })
        expect(page.length).toBeLessThanOrEqual(limit)
        found.push(...page)
        if (page.length < limit) break
      }
      expect(found).toEqual(wanted)
    }
  })

  it('page: goes on after a factor that was removed', async () => {
    const stores = await fresh('a')
    await add(
      stores,
      'a',
      ['1', '2', '3'].map((name) => factor(name, 'a')),
    )
    const after = factorId('2', 'a')
    await stores.factors.change({ sub: 'a', remove: [after] }, { credential_version: 1, now: NOW })
    expect(await stores.factors.page({ after, limit: 9 })).toEqual([factor('3', 'a')])
  })

  it('reseal: replaces the data alone, if they are the expected ones', async () => {
    const stores = await fresh('a', 'b')
    const old = { secret: 'old', list: [1, { b: 'é', a: null }] }
    for (const sub of ['a', 'b']) await add(stores, sub, [factor('f', sub, { data: old })])
    const user = await stores.users.find('a')
    const id = factorId('f', 'a')
    const next = { secret: 'new', list: [2, { nested: '"quoted"' }] }
    for (const other of [{}, { ...old, secret: 'other' }, { ...old, more: 1 }, { secret: 'old' }])
      expect(await stores.factors.reseal(id, other, next)).toBe(false)
    expect(await stores.factors.reseal(factorId('none', 'a'), old, next)).toBe(false)
    expect(await stores.factors.find(id)).toEqual(factor('f', 'a', { data: old }))
    // The order of the names does not matter.
    const same = { list: [1, { a: null, b: 'é' }], secret: 'old' }
    expect(await stores.factors.reseal(id, same, next)).toBe(true)
    expect(await stores.factors.list('a')).toEqual([factor('f', 'a', { data: next })])
    expect(await stores.factors.list('b')).toEqual([factor('f', 'b', { data: old })])
    // The user is not signed out.
    expect(await stores.users.find('a')).toEqual(user)
  })

  it('reseal: keeps a copy, and does not reach another realm', async () => {
    const [one, two] = [await fresh('a'), await fresh('a')]
    for (const stores of [one, two]) await add(stores, 'a', [factor('f', 'a')])
    const data = { list: [1] }
    expect(await one.factors.reseal(factorId('f', 'a'), {}, data)).toBe(true)
    data.list.push(2)
    expect(await one.factors.list('a')).toEqual([factor('f', 'a', { data: { list: [1] } })])
    expect(await two.factors.list('a')).toEqual([factor('f', 'a')])
  })

  it('reseal: one of 20 parallel callers wins', async () => {
    const stores = await fresh('a')
    await add(stores, 'a', [factor('f', 'a')])
    const sealed = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) => stores.factors.reseal(factorId('f', 'a'), {}, { n })),
    )
    expect(sealed.filter(Boolean)).toHaveLength(1)
    expect(await stores.factors.list('a')).toMatchObject([{ data: { n: sealed.indexOf(true) } }])
  })
}
