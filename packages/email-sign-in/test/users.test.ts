/** What is entered with each change of a user, in memory; and two changes that meet where a user and an entry are two steps. */

import { memoryUsers, type UserStore } from '@ostiary/identity'
import { eventually } from '@ostiary/test-kit/eventually'
import { ADA, ADDRESS_REALMS, addressRules, withAddress } from '@ostiary/test-kit/factors/address-rules'
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

it('users who could not be stored leave no entries, and those whose answer was lost keep theirs', async () => {
  const users = memoryUsers()('default')
  const entries = memoryEntries()('default')
  const fails = async () => {
    throw new Error('no database')
  }
  const failing = enteredUsers({ ...users, create: fails }, entries)
  for (const sub of ['x', 'y', 'z'])
    await expect(failing.create(withAddress(sub, ADA))).rejects.toThrow('no database')
  expect(await entries.find(ADA)).toEqual([])
  const losing = enteredUsers({ ...users, create: (user) => users.create(user).then(fails) }, entries)
  await expect(losing.create(withAddress('a', ADA))).rejects.toThrow('no database')
  expect(await findByAddress(users, entries, ADA)).toMatchObject({ sub: 'a' })
})

it('tells why a user could not be stored, also where the entry cannot be removed', async () => {
  const users = memoryUsers()('default')
  const fails = (what: string) => async () => {
    throw new Error(what)
  }
  const entries = { ...memoryEntries()('default'), remove: fails('no entries') }
  const failing = enteredUsers({ ...users, create: fails('no database') }, entries)
  await expect(failing.create(withAddress('a', ADA))).rejects.toThrow('no database')
})

it('fill in the background begins once, again after a failure, and ends when it is stopped', async () => {
  const stored = memoryUsers()('default')
  const ada = withAddress('a', ADA)
  await stored.create(ada)
  let lists = 0
  let is_broken = true
  const store: UserStore = {
    ...stored,
    async list(page) {
      lists += 1
      if (is_broken) throw new Error('no database')
      return stored.list(page)
    },
  }
  const by_email = createEmailSignIn({ realms: ['default'], users: () => store })
  const failures: unknown[] = []
  const filling = by_email.filling((error) => failures.push(error))
  filling.start()
  filling.start()
  await eventually(() => expect(failures).toHaveLength(1))
  is_broken = false
  filling.start()
  await eventually(async () =>
    expect(await by_email.useOf('default', ada)).toMatchObject({ use: 'signs_in' }),
  )
  filling.start()
  expect(lists).toBe(2)
  const stopped = by_email.filling(() => {})
  await stopped.stop()
  stopped.start()
  await stopped.stop()
  expect(lists).toBe(2)
})

it('fill adds eight entries at the same time', async () => {
  const stored = memoryUsers()
  for (let n = 0; n < 20; n += 1) await stored('default').create(withAddress(`n${n}`, `n${n}@example.com`))
  const entries = memoryEntries()
  let open = 0
  let most = 0
  let added = 0
  const { fill } = createEmailSignIn({
    realms: ['default'],
    users: stored,
    addresses: (realm) => ({
      ...entries(realm),
      async add(key, sub) {
        open += 1
        most = Math.max(most, open)
        await new Promise(setImmediate)
        open -= 1
        added += 1
        return entries(realm).add(key, sub)
      },
    }),
  })
  await fill()
  expect([most, added]).toEqual([8, 20])
})

it('tells what the address of a user is worth', async () => {
  const by_email = createEmailSignIn({ realms: ['default'], users: memoryUsers() })
  const users = by_email.users('default')
  const [ada, bob] = [withAddress('a', ADA), withAddress('b', 'bob@example.com')]
  for (const user of [ada, bob]) await users.create(user)
  expect(await by_email.useOf('default', ada)).toMatchObject({ use: 'signs_in' })
  expect(await by_email.useOf('other', ada)).toBeNull()
  expect(await by_email.useOf('default', { ...ada, claims: { email: ADA } })).toBeNull()
  await users.create(withAddress('c', ADA))
  expect(await by_email.useOf('default', ada)).toMatchObject({ use: 'shared' })
  await users.create(withAddress('d', 'd@example.com', { username_key: 'eve@example.com' }))
  const eve = withAddress('e', 'eve@example.com')
  await users.create(eve)
  expect(await by_email.useOf('default', eve)).toMatchObject({ use: 'username' })
})

it('refuses realms that are no list of ids', () => {
  for (const wrong of [undefined, 'default', [1]] as unknown[])
    expect(() => createEmailSignIn({ realms: wrong as string[], users: memoryUsers() })).toThrow(
      "realms: give a list of the ids of realms: ['default']",
    )
})
