/** The rules of identity's FactorStore, as tests. */

import { personTag } from '@ostiary/core'
import type { Factor, FactorChange, Factors, User, Users } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fresh, pageRules, type RealmStores } from './factors/page-rules.ts'
import { factorRecord as factor, factorId } from './factors/record.ts'
import { userRecord as user } from './user-rules.ts'

const ODD = `Zoë 🦉 "double" 'single' \\back\\ {brace} a,b;c $1 名前\tend`
const NOW = 1_700_000_100
const CALLERS = 20

/** Another `sub` with the same tag. */
function withTagOf(sub: string): string {
  let n = 0
  while (personTag(`other-${n}`) !== personTag(sub)) n += 1
  return `other-${n}`
}

export interface FactorPlace {
  users: Users
  factors: Factors
  close(): Promise<void>
  /** The order of `page`. Default: of `factor_id`, by its bytes. */
  inOrder?: (ids: readonly string[]) => string[]
}

/** Everything that is stored about these users. */
async function stored({ users, factors }: RealmStores, subs: readonly string[]) {
  const of = async (sub: string) => ({ user: await users.find(sub), factors: await factors.list(sub) })
  return Promise.all(subs.map(of))
}

/** Tests the rules of identity's FactorStore on one implementation. */
export function factorRules(name: string, open: () => Promise<FactorPlace>): void {
  describe(name, () => {
    let place: FactorPlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    /** The stores of a new realm, in which these users are. */
    const fresh = async (...subs: string[]): Promise<RealmStores> => {
      realms += 1
      const realm = `factors-${realms}`
      const stores = { users: place.users(realm), factors: place.factors(realm) }
      for (const sub of subs) await stores.users.create(user(sub))
      return stores
    }
    readRules(fresh)
    changeRules(fresh)
    refusalRules(fresh)
    useRules(fresh)
    pageRules(fresh, (ids) => place.inOrder?.(ids) ?? [...ids].sort())
  })
}

/** A change that is made once for each version. */
const change = ({ factors }: RealmStores, made: FactorChange, credential_version = 0) =>
  factors.change(made, { credential_version, now: NOW })

function readRules(fresh: Fresh): void {
  it('finds a factor exactly as it was stored, and lists those of a user, the oldest first', async () => {
    const stores = await fresh('a', 'b', 'c')
    const data = { keys: [{ kty: 'EC', n: 0.1 }, null], [ODD]: { '': ODD }, flag: false }
    const of_a = [
      factor('z', 'a', { created_at: 5, kind: 'passkey', label: ODD, state: ODD, data }),
      factor('m', 'a', { created_at: 9, last_used_at: 10 }),
      factor('n', 'a', { created_at: 9, kind: 'recovery' }),
    ]
    const of_b = [factor('z', 'b')]
    expect(await change(stores, { sub: 'a', add: of_a.toReversed() })).toBe(true)
    expect(await change(stores, { sub: 'b', add: of_b })).toBe(true)
    for (const record of [...of_a, ...of_b])
      expect(await stores.factors.find(record.factor_id)).toEqual(record)
    const lists = await Promise.all(['a', 'b', 'c', 'none'].map((sub) => stores.factors.list(sub)))
    expect(lists).toEqual([of_a, of_b, [], []])
    for (const unknown of [factorId('y', 'a'), factorId('m', 'b'), 'z', ''])
      expect(await stores.factors.find(unknown)).toBeNull()
  })

  it('separates realms', async () => {
    const one = await fresh('a')
    const two = await fresh('a')
    const own = factor('f', 'a')
    for (const realm of [one, two]) await change(realm, { sub: 'a', add: [own] })
    const before = await stored(two, ['a'])
    const { factor_id } = own
    expect(await one.factors.use(factor_id, '0', { state: '1', last_used_at: NOW })).toBe(true)
    expect(await one.factors.rename(factor_id, 'Tablet')).toBe(true)
    expect(await one.factors.list('a')).toMatchObject([{ state: '1', label: 'Tablet' }])
    expect(await change(one, { sub: 'a', remove: [factor_id], second_step: true }, 1)).toBe(true)
    expect(await one.users.delete('a')).toBe(true)
    expect([await one.factors.find(factor_id), await one.factors.list('a')]).toEqual([null, []])
    expect(await stored(two, ['a'])).toEqual(before)
    expect(await two.factors.find(factor_id)).toEqual(own)
  })

  it('returns and keeps copies', async () => {
    const stores = await fresh('a')
    const given = factor('f', 'a', { data: { list: [1] } })
    const wanted = structuredClone(given)
    await change(stores, { sub: 'a', add: [given] })
    const spoil = (record: Factor | null | undefined) => {
      if (!record) throw new Error('There is no factor')
      record.label = 'spoiled'
      ;(record.data.list as number[]).push(2)
    }
    spoil(given)
    spoil(await stores.factors.find(wanted.factor_id))
    spoil((await stores.factors.list('a'))[0])
    expect(await stores.factors.find(wanted.factor_id)).toEqual(wanted)
    expect(await stores.factors.list('a')).toEqual([wanted])
  })
}

function changeRules(fresh: Fresh): void {
  it('change: adds, removes and sets the switch at once, and the versions of the user grow', async () => {
    const stores = await fresh('a', 'b')
    const [first, second, third] = [factor('1', 'a'), factor('2', 'a'), factor('3', 'a')]
    const versions = async () => {
      const { credential_version, updated_at, second_step } = (await stores.users.find('a')) as User
      return { credential_version, updated_at, second_step }
    }
    expect(await change(stores, { sub: 'a', add: [first, second] })).toBe(true)
    expect(await versions()).toEqual({ credential_version: 1, updated_at: NOW, second_step: false })
    const next = { sub: 'a', add: [third], remove: [first.factor_id], second_step: true }
    // The server that makes this change has a clock that is behind.
    expect(await stores.factors.change(next, { credential_version: 1, now: 5 })).toBe(true)
    expect(await versions()).toEqual({ credential_version: 2, updated_at: NOW + 1, second_step: true })
    expect(await stores.factors.list('a')).toEqual([second, third])
    expect(await change(stores, { sub: 'a', remove: [second.factor_id, third.factor_id] }, 2)).toBe(true)
    expect(await versions()).toMatchObject({ credential_version: 3, second_step: true })
    expect(await change(stores, { sub: 'a', second_step: false }, 3)).toBe(true)
    expect(await versions()).toMatchObject({ credential_version: 4, second_step: false })
    expect(await stores.factors.list('a')).toEqual([])
    expect(await stores.users.findByUsername('a')).toEqual(await stores.users.find('a'))
    expect(await stores.users.find('b')).toEqual(user('b'))
  })

  it('change: one of 20 parallel callers wins', async () => {
    const stores = await fresh('a')
    const made = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) => change(stores, { sub: 'a', add: [factor(`${n}`, 'a')] })),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await stores.factors.list('a')).toEqual([factor(`${made.indexOf(true)}`, 'a')])
    expect(await stores.users.find('a')).toMatchObject({ credential_version: 1 })
  })

  it('change: of two users that add the same id at the same time, one has it', async () => {
    const subs = ['a', withTagOf('a')]
    for (let round = 0; round < 10; round += 1) {
      const stores = await fresh(...subs)
      const made = await Promise.all(
        subs.map((sub) => change(stores, { sub, add: [factor(sub, sub), factor('same', sub)] })),
      )
      expect([...made].sort()).toEqual([false, true])
      const [winner = '', loser = ''] = made[0] ? subs : subs.toReversed()
      expect(await stores.factors.find(factorId('same', 'a'))).toMatchObject({ sub: winner })
      expect(await stored(stores, [loser])).toEqual([{ user: user(loser), factors: [] }])
    }
  })

  it('an update of a user that was read before a change is refused', async () => {
    const stores = await fresh('a')
    const before = user('a')
    expect(await change(stores, { sub: 'a', add: [factor('f', 'a')], second_step: true })).toBe(true)
    const outdated = { ...before, username: 'Anna', updated_at: NOW + 9 }
    expect(await stores.users.update(outdated, before.updated_at)).toBe(false)
    const changed = { ...before, credential_version: 1, second_step: true, updated_at: NOW }
    expect(await stores.users.find('a')).toEqual(changed)
    expect(await stores.users.update({ ...changed, updated_at: NOW + 9 }, NOW)).toBe(true)
  })
}

function refusalRules(fresh: Fresh): void {
  /** Each change is that of a user who has the factor `f`, and is refused as a whole. */
  const REFUSED: [what: string, made: FactorChange, credential_version?: number][] = [
    ['of an earlier version', { sub: 'a' }, 0],
    ['of a later version', { sub: 'a' }, 2],
    ['with an id that the user has', { sub: 'a', add: [factor('f', 'a', { label: 'Other' })] }],
    [
      'with an id that the user gives up',
      { sub: 'a', add: [factor('f', 'a')], remove: [factorId('f', 'a')] },
    ],
    ['with an id twice', { sub: 'a', add: [factor('2', 'a'), factor('2', 'a', { label: 'Other' })] }],
    ['that removes an unknown id', { sub: 'a', remove: [factorId('f', 'a'), factorId('2', 'a')] }],
    ['that removes an id without a tag', { sub: 'a', remove: ['f'] }],
    ['that removes a factor of another user', { sub: 'a', remove: [factorId('f', 'b')] }],
    ['of an unknown user', { sub: 'none' }, 0],
    ['of a deleted user', { sub: 'gone' }, 0],
  ]

  it.each(REFUSED)('change: one %s is false, and nothing changes', async (_, made, version = 1) => {
    const stores = await fresh('a', 'b', 'gone')
    for (const sub of ['a', 'b']) await change(stores, { sub, add: [factor('f', sub)] })
    await stores.users.delete('gone')
    const subs = ['a', 'b', 'gone', 'none']
    const before = await stored(stores, subs)
    const more = { ...made, add: [factor('new', made.sub), ...(made.add ?? [])], second_step: true }
    expect(await change(stores, more, version)).toBe(false)
    expect(await stored(stores, subs)).toEqual(before)
    expect(await stores.factors.find(factorId('new', made.sub))).toBeNull()
  })

  it('change: a factor of another user with the same tag is neither removed nor replaced', async () => {
    const other = withTagOf('a')
    const stores = await fresh('a', other)
    const theirs = factor('f', other)
    await change(stores, { sub: other, add: [theirs] })
    const before = await stored(stores, ['a', other])
    expect(await change(stores, { sub: 'a', remove: [theirs.factor_id] })).toBe(false)
    const add = [factor('new', 'a'), factor('f', 'a', { label: 'Mine' })]
    expect(await change(stores, { sub: 'a', add })).toBe(false)
    expect(await stored(stores, ['a', other])).toEqual(before)
    expect(await stores.factors.find(theirs.factor_id)).toEqual(theirs)
  })
}

function useRules(fresh: Fresh): void {
  it('use: replaces the state and sets the time, if the state is the expected one', async () => {
    const stores = await fresh('a', 'b')
    for (const sub of ['a', 'b']) await change(stores, { sub, add: [factor('f', sub), factor('g', sub)] })
    const { factor_id } = factor('f', 'a')
    const before = await stored(stores, ['a', 'b'])
    expect(await stores.factors.use(factor_id, '1', { state: '2', last_used_at: NOW })).toBe(false)
    expect(await stores.factors.use(factor_id, '', { state: '2', last_used_at: NOW })).toBe(false)
    expect(await stores.factors.use('none', '0', { state: '2', last_used_at: NOW })).toBe(false)
    expect(await stored(stores, ['a', 'b'])).toEqual(before)
    expect(await stores.factors.use(factor_id, '0', { state: '1', last_used_at: NOW })).toBe(true)
    const used = factor('f', 'a', { state: '1', last_used_at: NOW })
    // The versions of the user stay.
    expect(await stored(stores, ['a', 'b'])).toEqual([
      { ...before[0], factors: [used, factor('g', 'a')] },
      before[1],
    ])
  })

  it('use: one of 20 parallel callers wins', async () => {
    const stores = await fresh('a')
    await change(stores, { sub: 'a', add: [factor('f', 'a')] })
    const used = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) =>
        stores.factors.use(factorId('f', 'a'), '0', { state: `after ${n}`, last_used_at: NOW }),
      ),
    )
    expect(used.filter(Boolean)).toHaveLength(1)
    expect(await stores.factors.list('a')).toMatchObject([{ state: `after ${used.indexOf(true)}` }])
  })

  it('rename: changes the label alone', async () => {
    const stores = await fresh('a')
    await change(stores, { sub: 'a', add: [factor('f', 'a'), factor('g', 'a')] })
    const [before] = await stored(stores, ['a'])
    expect(await stores.factors.rename(factorId('f', 'a'), ODD)).toBe(true)
    expect(await stores.factors.rename(factorId('none', 'a'), ODD)).toBe(false)
    expect(await stores.factors.list('a')).toEqual([factor('f', 'a', { label: ODD }), factor('g', 'a')])
    expect(await stores.users.find('a')).toEqual(before?.user)
  })

  it('the deletion of a user deletes the factors of this user', async () => {
    const other = withTagOf('a')
    const stores = await fresh('a', 'b', other)
    for (const sub of ['a', 'b', other])
      await change(stores, { sub, add: [factor(`f-${sub}`, sub), factor(`g-${sub}`, sub)] })
    const before = await stored(stores, ['b', other])
    expect(await stores.users.delete('a')).toBe(true)
    for (const id of ['f-a', 'g-a'].map((name) => factorId(name, 'a'))) {
      const used = await stores.factors.use(id, '0', { state: '1', last_used_at: NOW })
      expect([used, await stores.factors.rename(id, 'Tablet')]).toEqual([false, false])
      expect(await stores.factors.find(id)).toBeNull()
    }
    expect(await stores.factors.list('a')).toEqual([])
    expect(await change(stores, { sub: 'a', add: [factor('new', 'a')] }, 1)).toBe(false)
    expect(await stored(stores, ['b', other])).toEqual(before)
  })
}
