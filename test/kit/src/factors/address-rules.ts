/** The rules of the addresses with which users sign in, as tests: what is entered with each change of a user. */

import { type User, type Users, updateUser, upsertUser } from '@ostiary/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userRecord } from '../user-rules.js'

interface Entries {
  find(address_key: string): Promise<{ sub: string }[]>
  add(address_key: string, sub: string): Promise<unknown>
}

export interface AddressPlace {
  /** Those that enter addresses. */
  users: Users
  /** The same, as a release writes them that enters none. */
  stored: Users
  addresses: (realm: string) => Entries
  /** Who signs in with the address. */
  find(realm: string, key: string): Promise<User | null>
  fill(realm: string): Promise<void>
  close(): Promise<void>
}

export const ADA = 'ada@example.com'
const NEW = 'new@example.com'

/** The realms of these rules. */
export const ADDRESS_REALMS = Array.from({ length: 20 }, (_, n) => `addresses-${n}`)

/** A user with a confirmed address. */
export const withAddress = (sub: string, email: string, changes: Partial<User> = {}): User =>
  userRecord(sub, { claims: { email, email_verified: true }, ...changes })

/** @param open In a place that enters the addresses of ADDRESS_REALMS. */
export function addressRules(name: string, open: () => Promise<AddressPlace>): void {
  describe(name, () => {
    let place: AddressPlace
    let realms = 0
    beforeAll(async () => {
      place = await open()
    })
    afterAll(() => place.close())
    function fresh() {
      realms += 1
      const realm = ADDRESS_REALMS[realms] ?? ''
      return {
        users: place.users(realm),
        stored: place.stored(realm),
        entries: place.addresses(realm),
        listed: async (key: string) => (await place.addresses(realm).find(key)).map(({ sub }) => sub).sort(),
        fill: () => place.fill(realm),
        who: async (key: string) => (await place.find(realm, key))?.sub ?? null,
      }
    }
    const later = (user: User, changes: Partial<User>): User => ({
      ...user,
      ...changes,
      updated_at: user.updated_at + 1,
    })

    it('enters a confirmed address with the user, and no other one', async () => {
      const { users, listed, who } = fresh()
      expect(await users.create(withAddress('a', 'Ada@Example.com'))).toBe(true)
      expect(await users.create(userRecord('b', { claims: { email: NEW, email_verified: false } }))).toBe(
        true,
      )
      expect(await users.create(userRecord('c', { claims: { email: NEW } }))).toBe(true)
      expect(await users.create(withAddress('d', 'no address'))).toBe(true)
      expect([await listed(ADA), await listed(NEW), await listed('no address')]).toEqual([['a'], [], []])
      expect([await who(ADA), await who(NEW), await who('no address')]).toEqual(['a', null, null])
    })

    it('enters a change of the address with the change of the user, and removes the former entry', async () => {
      const { users, listed, who } = fresh()
      const ada = withAddress('a', ADA)
      await users.create(ada)
      const moved = later(ada, { claims: { email: NEW, email_verified: true } })
      expect(await users.update(moved, ada.updated_at)).toBe(true)
      expect([await listed(ADA), await listed(NEW), await who(NEW)]).toEqual([[], ['a'], 'a'])
      const doubted = later(moved, { claims: { email: NEW, email_verified: false } })
      expect(await users.update(doubted, moved.updated_at)).toBe(true)
      expect([await listed(NEW), await who(NEW)]).toEqual([[], null])
      const back = later(doubted, { claims: moved.claims, password_hash: 'new' })
      expect(await users.update(back, doubted.updated_at)).toBe(true)
      expect([await listed(NEW), await who(NEW)]).toEqual([['a'], 'a'])
    })

    it('enters nothing with a change that was refused', async () => {
      const { users, listed, who } = fresh()
      const ada = withAddress('a', ADA)
      await users.create(ada)
      await users.create(withAddress('b', 'b@example.com'))
      const moved = later(ada, { claims: { email: NEW, email_verified: true } })
      expect(await users.update(moved, ada.updated_at - 1)).toBe(false)
      expect(await users.update({ ...moved, username_key: 'b' }, ada.updated_at)).toBe(false)
      expect(await users.create(withAddress('a', NEW))).toBe(false)
      expect(await users.create(withAddress('c', NEW, { username_key: 'b' }))).toBe(false)
      expect(await users.update(withAddress('none', NEW), 1)).toBe(false)
      expect([await listed(NEW), await listed(ADA), await who(ADA)]).toEqual([[], ['a'], 'a'])
    })

    it('a deletion removes the entry', async () => {
      const { users, listed } = fresh()
      await users.create(withAddress('a', ADA))
      expect(await users.delete('a')).toBe(true)
      expect(await users.delete('a')).toBe(false)
      expect(await listed(ADA)).toEqual([])
    })

    it('of several users who have confirmed an address, none is meant, until one is left', async () => {
      const { users, who } = fresh()
      const subs = ['a', 'b', 'c', 'd']
      for (const sub of subs) await users.create(withAddress(sub, ADA))
      for (const sub of subs.slice(0, 3)) {
        expect(await who(ADA)).toBeNull()
        await users.delete(sub)
      }
      expect(await who(ADA)).toBe('d')
    })

    it('an entry whose user does not have the address means nothing', async () => {
      const { users, stored, entries, who } = fresh()
      const ada = withAddress('a', ADA)
      await users.create(ada)
      await entries.add(ADA, 'none')
      expect(await who(ADA)).toBe('a')
      // The second holder is behind two entries that mean nothing.
      await entries.add(NEW, 'aa')
      await users.create(withAddress('b', NEW))
      await entries.add(NEW, 'c')
      await users.create(withAddress('z', NEW))
      expect(await who(NEW)).toBeNull()
      for (const sub of ['b', 'z']) await users.delete(sub)
      // As a release changes the user that enters nothing.
      await stored.update(later(ada, { claims: { email: NEW, email_verified: true } }), ada.updated_at)
      expect([await who(ADA), await who(NEW)]).toEqual([null, null])
    })

    it('no user gets a username that is the confirmed address of another', async () => {
      const { users, who } = fresh()
      const ada = withAddress('a', ADA)
      await users.create(ada)
      const eve = userRecord('eve')
      expect(await users.create(userRecord('e', { username_key: ADA }))).toBe(false)
      await users.create(eve)
      expect(await users.update(later(eve, { username_key: ADA }), eve.updated_at)).toBe(false)
      expect([await users.findByUsername(ADA), await who(ADA)]).toEqual([null, 'a'])
      expect(await users.update(later(ada, { username_key: ADA }), ada.updated_at)).toBe(true)
      expect(await users.findByUsername(ADA)).toMatchObject({ sub: 'a' })
      // Of nobody, and of somebody who has only claimed it.
      expect(await users.create(userRecord('f', { claims: { email: NEW } }))).toBe(true)
      expect(await users.create(userRecord('g', { username_key: NEW }))).toBe(true)
    })

    it('fill enters the users that were stored before, and leaves the others', async () => {
      const { users, stored, who, listed, fill } = fresh()
      await users.create(withAddress('a', ADA))
      for (let n = 0; n < 501; n += 1) await stored.create(withAddress(`n${n}`, `n${n}@example.com`))
      await stored.create(userRecord('z', { claims: { email: NEW } }))
      expect([await who(ADA), await who('n0@example.com')]).toEqual(['a', null])
      await fill()
      await fill()
      expect(await listed(ADA)).toEqual(['a'])
      for (const n of [0, 499, 500]) expect(await who(`n${n}@example.com`)).toBe(`n${n}`)
      expect(await listed(NEW)).toEqual([])
    })

    it('one of 20 parallel changes wins, and the entries are those of the record', async () => {
      const { users, listed } = fresh()
      const ada = withAddress('a', ADA)
      await users.create(ada)
      const keys = Array.from({ length: 20 }, (_, n) => `n${n}@example.com`)
      const changes = keys.map((email) =>
        users.update(later(ada, { claims: { email, email_verified: true } }), ada.updated_at),
      )
      expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1)
      const email = String((await users.find('a'))?.claims.email)
      const with_entry = []
      for (const key of [ADA, ...keys]) if ((await listed(key)).length > 0) with_entry.push(key)
      expect(with_entry).toEqual([email])
    })

    it('the functions of operators enter what they store, and separate realms', async () => {
      const one = fresh()
      const two = fresh()
      const { sub } = await upsertUser(one.users, { username: 'ada', email: ADA, email_verified: true })
      expect([await one.who(ADA), await two.who(ADA)]).toEqual([sub, null])
      const change = () => ({ claims: { email: NEW, email_verified: true } })
      await updateUser(one.users, { sub, change })
      expect([await one.who(ADA), await one.who(NEW)]).toEqual([null, sub])
      await upsertUser(one.users, { username: 'ada', email: NEW })
      expect(await one.who(NEW)).toBeNull()
    })
  })
}
