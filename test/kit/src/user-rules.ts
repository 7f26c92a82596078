/** The rules of identity's UserStore, as tests. */

import { type User, type Users, upsertUser } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ODD = `Zoë 🦉 "double" 'single' \\back\\ {brace} a,b;c $1 名前\tend`

/** A user whose fields do not matter. */
export const userRecord = (sub: string, changes: Partial<User> = {}): User => ({
  sub,
  username: sub.toUpperCase(),
  username_key: sub,
  password_hash: '$argon2id$…',
  claims: {},
  attributes: null,
  groups: null,
  created_at: 1_700_000_000,
  updated_at: 1_700_000_001,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
  ...changes,
})

const user = userRecord

const sorted = (users: readonly User[]): User[] => [...users].sort((a, b) => (a.sub < b.sub ? -1 : 1))

export interface UserPlace {
  users: Users
  close(): Promise<void>
  /** The order of `list`. Default: of `sub`, by its bytes. */
  inOrder?: (subs: readonly string[]) => string[]
}

/** Tests the rules of identity's UserStore on one implementation. */
export function userRules(name: string, open: () => Promise<UserPlace>): void {
  describe(name, () => {
    let place: UserPlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    const fresh = () => {
      realms += 1
      return place.users(`realm-${realms}`)
    }
    const listed = (subs: readonly string[]) => place.inOrder?.(subs) ?? [...subs].sort()

    it('finds a user exactly as it was stored, by sub and by username', async () => {
      const store = fresh()
      const claims = { name: ODD, email_verified: false, address: { country: 'ĀÉ', b: '1', a: '2' }, n: 0.1 }
      const records = [
        user('a', { username: ODD, username_key: ODD, claims }),
        user('b', { password_hash: null, disabled_at: 1_700_000_002 }),
        user('c', { credential_version: 7, second_step: true }),
        user('d', {
          attributes: { b: [{ a: 0.1, ODD }, null], a: ODD, 'o"d\\d': true, z: {} },
          groups: [ODD, 'b', 'a'],
        }),
        user('e', { attributes: {}, groups: [] }),
        user('f', { terms: { version: ODD, accepted_at: 1_700_000_003 } }),
      ]
      for (const record of records) expect(await store.create(record)).toBe(true)
      for (const record of records) {
        expect(await store.find(record.sub)).toEqual(record)
        expect(await store.findByUsername(record.username_key)).toEqual(record)
      }
      for (const unknown of ['g', 'A', '', 'a ']) {
        expect([await store.find(unknown), await store.findByUsername(unknown)]).toEqual([null, null])
      }
    })

    it('delete: nothing of the user is found, the username is free, and the sub stays taken', async () => {
      const store = fresh()
      const claims = { email: 'ann@example.com' }
      await store.create(user('a', { username: ODD, username_key: ODD, claims }))
      await store.create(user('b'))
      expect(await store.delete('a')).toBe(true)
      expect([await store.delete('a'), await store.delete('none')]).toEqual([false, false])
      expect([await store.find('a'), await store.findByUsername(ODD)]).toEqual([null, null])
      expect(await store.list({ limit: 10 })).toEqual([user('b')])
      expect(await store.list({ limit: 10, after: '0' })).toEqual(
        listed(['0', 'b'])[1] === 'b' ? [user('b')] : [],
      )
      // An update that read the user before.
      expect(await store.update(user('a', { updated_at: 1_700_000_002 }), 1_700_000_001)).toBe(false)
      expect(await store.update(user('a', { updated_at: 1_700_000_002 }), 0)).toBe(false)
      expect(await store.create(user('a', { username_key: 'other' }))).toBe(false)
      expect(await store.create(user('c', { username: ODD, username_key: ODD }))).toBe(true)
      expect(await store.delete('b')).toBe(true)
      expect(await store.list({ limit: 10 })).toMatchObject([{ sub: 'c' }])
    })

    it('create: false when the sub or the username is taken, and nothing changes', async () => {
      const store = fresh()
      await store.create(user('a'))
      expect(await store.create(user('a', { username_key: 'b' }))).toBe(false)
      expect(await store.create(user('b', { username_key: 'a' }))).toBe(false)
      expect(await store.list({ limit: 9 })).toEqual([user('a')])
    })

    it('create: one of 50 parallel callers wins', async () => {
      const store = fresh()
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, n) => store.create(user(`${n}`, { username_key: 'same' }))),
      )
      expect(made.filter(Boolean)).toHaveLength(1)
      expect(await store.findByUsername('same')).toMatchObject({ sub: `${made.indexOf(true)}` })
    })

    it('update: replaces the record only when its updated_at is the given one', async () => {
      const store = fresh()
      const credentials = { credential_version: 3, second_step: true }
      const next = user('a', { username_key: 'new', updated_at: 5, ...credentials })
      const { updated_at: seen } = user('a')
      expect(await store.update(next, seen)).toBe(false)
      await store.create(user('a'))
      await store.create(user('b'))
      expect(await store.update(next, seen - 1)).toBe(false)
      expect(await store.update(next, seen)).toBe(true)
      expect(await store.update(user('a'), seen)).toBe(false)
      expect(sorted(await store.list({ limit: 9 }))).toEqual([next, user('b')])
      expect(await store.findByUsername('a')).toBeNull()
    })

    it('update: false when the username belongs to another user', async () => {
      const store = fresh()
      for (const sub of ['a', 'b']) await store.create(user(sub))
      expect(await store.update(user('a', { username_key: 'b' }), user('a').updated_at)).toBe(false)
      expect(sorted(await store.list({ limit: 9 }))).toEqual([user('a'), user('b')])
    })

    it('update: one of 50 parallel callers wins', async () => {
      const store = fresh()
      await store.create(user('a'))
      const { updated_at } = user('a')
      const updated = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          store.update(user('a', { username: `${n}`, updated_at: updated_at + 1 }), updated_at),
        ),
      )
      expect(updated.filter(Boolean)).toHaveLength(1)
      expect(await store.find('a')).toMatchObject({ username: `${updated.indexOf(true)}` })
    })

    it('list: in its order, after the given one', async () => {
      const store = fresh()
      for (const sub of ['c', 'a', 'Z', 'b']) await store.create(user(sub))
      const [first = '', second = '', third = '', last = ''] = listed(['c', 'a', 'Z', 'b'])
      const subs = async (page: Parameters<typeof store.list>[0]) =>
        (await store.list(page)).map(({ sub }) => sub)
      expect(await subs({ limit: 9 })).toEqual([first, second, third, last])
      expect(await subs({ limit: 2 })).toEqual([first, second])
      expect(await subs({ after: second, limit: 2 })).toEqual([third, last])
      expect(await subs({ after: last, limit: 2 })).toEqual([])
    })

    it('separates realms', async () => {
      const one = fresh()
      const two = fresh()
      await one.create(user('a'))
      expect([await two.find('a'), await two.findByUsername('a')]).toEqual([null, null])
      expect(await two.update(user('a'), user('a').updated_at)).toBe(false)
      expect(await two.create(user('a', { username: 'theirs' }))).toBe(true)
      expect(await one.list({ limit: 9 })).toEqual([user('a')])
    })

    it('servers that create the same user at the same time create one', async () => {
      const store = fresh()
      const claims = { address: { locality: 'X', country: 'Y' }, name: ODD }
      const brought = () => upsertUser(store, { username: 'Ada', ...claims }).then(({ outcome }) => outcome)
      const done = await Promise.all(Array.from({ length: 8 }, brought))
      expect(done.sort()).toEqual(['created', ...Array(7).fill('unchanged')])
      expect(await brought()).toBe('unchanged')
    })
  })
}
