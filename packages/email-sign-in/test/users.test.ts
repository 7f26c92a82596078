/** What is entered with each change of a user, in memory; and two changes that meet where a user and an entry are two steps. */

import { memoryUsers, type UserStore } from '@ostiary/identity'
import { ADA, ADDRESS_REALMS, addressRules, withAddress } from '@ostiary/test-kit/address-rules'
import { expect, it } from 'vitest'
import { memoryEntries } from '../src/entries.ts'
import { findByAddress } from '../src/find.ts'
import { createEmailSignIn } from '../src/index.ts'
import { enteredUsers } from '../src/users.ts'

addressRules('addresses in memory', async () => {
  const stored = memoryUsers()
  const addresses = memoryEntries()
  const { users, fill } = createEmailSignIn({ realms: ADDRESS_REALMS, users: stored, addresses })
  const find = (realm: string, key: string) => findByAddress(stored(realm), addresses(realm), key)
  return { users, stored, addresses, find, fill, close: async () => {} }
})

/** A store whose next call of a method waits. */
function heldStore(store: UserStore, method: 'update' | 'find') {
  let release = () => {}
  let reached = () => {}
  let is_held = false
  const waits = new Promise<void>((resolve) => {
    reached = resolve
  })
  return {
    waits,
    release: () => release(),
    hold: () => {
      is_held = true
    },
    store: {
      ...store,
      async [method](...args: never[]) {
        const answer = await (store[method] as (...all: never[]) => Promise<unknown>)(...args)
        if (is_held) {
          is_held = false
          await new Promise<void>((resolve) => {
            release = resolve
            reached()
          })
        }
        return answer
      },
    } as UserStore,
  }
}

const moved = (email: string, updated_at: number) => ({ ...withAddress('a', email), updated_at })

it('an address that comes back while its entry is being removed keeps an entry', async () => {
  const users = memoryUsers()('default')
  const entries = memoryEntries()('default')
  const quick = enteredUsers(users, entries)
  const { updated_at } = withAddress('a', ADA)
  await quick.create(withAddress('a', ADA))
  // The first server has written, and removes the entry of the former address later.
  const held = heldStore(users, 'update')
  held.hold()
  const slow = enteredUsers(held.store, entries).update(moved('b@example.com', updated_at + 1), updated_at)
  await held.waits
  expect(await quick.update(moved(ADA, updated_at + 2), updated_at + 1)).toBe(true)
  held.release()
  expect(await slow).toBe(true)
  expect(await findByAddress(users, entries, ADA)).toMatchObject({ sub: 'a' })
  expect(await entries.find('b@example.com')).toEqual([])
})

it('it has one again also when the record was read before it came back', async () => {
  const users = memoryUsers()('default')
  const entries = memoryEntries()('default')
  const quick = enteredUsers(users, entries)
  const { updated_at } = withAddress('a', ADA)
  await quick.create(withAddress('a', ADA))
  const written = heldStore(users, 'update')
  written.hold()
  const read = heldStore(written.store, 'find')
  const slow = enteredUsers(read.store, entries).update(moved('b@example.com', updated_at + 1), updated_at)
  await written.waits
  read.hold()
  written.release()
  await read.waits
  expect(await quick.update(moved(ADA, updated_at + 2), updated_at + 1)).toBe(true)
  read.release()
  expect(await slow).toBe(true)
  expect(await findByAddress(users, entries, ADA)).toMatchObject({ sub: 'a' })
})

it('the address has its entry at each moment of a change', async () => {
  const users = memoryUsers()('default')
  const entries = memoryEntries()('default')
  const { updated_at } = withAddress('a', ADA)
  await enteredUsers(users, entries).create(withAddress('a', ADA))
  const held = heldStore(users, 'update')
  held.hold()
  const change = enteredUsers(held.store, entries).update(moved('b@example.com', updated_at + 1), updated_at)
  await held.waits
  expect(await findByAddress(users, entries, 'b@example.com')).toMatchObject({ sub: 'a' })
  expect(await findByAddress(users, entries, ADA)).toBeNull()
  held.release()
  expect(await change).toBe(true)
})

it('fill stops when it is asked to', async () => {
  const users = memoryUsers()
  await users('default').create(withAddress('a', ADA))
  const by_email = createEmailSignIn({ realms: ['default'], users })
  const ada = withAddress('a', ADA)
  await by_email.fill(() => true)
  expect(await by_email.useOf('default', ada)).toBe('missing')
  await by_email.fill(() => false)
  expect(await by_email.useOf('default', ada)).toBe('signs_in')
})

it('tells what the address of a user is worth', async () => {
  const by_email = createEmailSignIn({ realms: ['default'], users: memoryUsers() })
  const users = by_email.users('default')
  const [ada, bob] = [withAddress('a', ADA), withAddress('b', 'bob@example.com')]
  for (const user of [ada, bob]) await users.create(user)
  expect(await by_email.useOf('default', ada)).toBe('signs_in')
  expect(await by_email.useOf('other', ada)).toBeNull()
  expect(await by_email.useOf('default', { ...ada, claims: { email: ADA } })).toBeNull()
  await users.create(withAddress('c', ADA))
  expect(await by_email.useOf('default', ada)).toBe('shared')
  await users.create(withAddress('d', 'd@example.com', { username_key: 'eve@example.com' }))
  const eve = withAddress('e', 'eve@example.com')
  await users.create(eve)
  expect(await by_email.useOf('default', eve)).toBe('username')
})

it('refuses realms that are no list of ids', () => {
  for (const wrong of [undefined, 'default', [1]] as unknown[])
    expect(() => createEmailSignIn({ realms: wrong as string[], users: memoryUsers() })).toThrow(
      "realms: give a list of the ids of realms: ['default']",
    )
})
