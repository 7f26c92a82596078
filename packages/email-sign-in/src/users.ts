/** Users whose confirmed addresses are entered with each change of their record. */

import { addressIn } from '@ostiary/core/common'
import type { User, UserStore } from '@ostiary/identity'
import { confirmedKey } from './address.js'
import type { AddressEntries } from './entries.js'
import { holdersOf } from './find.js'

/**
 * An entry is added before the record has the address, and removed when it has not any more: in one transaction with the record where there
 * is one. So each confirmed address has its entry at every moment. A username that is the confirmed address of another user is taken.
 */
export function enteredUsers(users: UserStore, entries: AddressEntries): UserStore {
  const isTaken = async ({ sub, username_key }: User) => {
    if (addressIn(username_key) === null) return false
    const holders = await holdersOf(users, entries, username_key)
    return holders.has_more || holders.users.some((holder) => holder.sub !== sub)
  }
  return {
    ...users,
    async create(user) {
      const key = confirmedKey(user)
      if (await isTaken(user)) return false
      if (key === null) return users.create(user)
      return changed({ users, entries }, { sub: user.sub, key, old: null }, (store) => store.create(user))
    },
    async update(user, seen) {
      const before = await users.find(user.sub)
      if (before?.updated_at !== seen) return false
      if (before.username_key !== user.username_key && (await isTaken(user))) return false
      const [old, key] = [confirmedKey(before), confirmedKey(user)]
      if (old === key) return users.update(user, seen)
      return changed({ users, entries }, { sub: user.sub, key, old }, (store) => store.update(user, seen))
    },
    async delete(sub) {
      const key = confirmedKey(await users.find(sub))
      const is_deleted = await users.delete(sub)
      if (is_deleted && key !== null) await entries.remove(key, sub)
      return is_deleted
    },
  }
}

interface Stores {
  users: UserStore
  entries: AddressEntries
}

/** The keys of the address before and after a change of the user; null for none. */
interface Move {
  sub: string
  key: string | null
  old: string | null
}

function changed(
  stores: Stores,
  move: Move,
  write: (store: UserStore) => Promise<boolean>,
): Promise<boolean> {
  const { transaction } = stores.entries
  return transaction ? inOne(transaction, move, write) : inSteps(stores, move, write)
}

/** Ends a transaction whose change was refused. */
const REFUSED = new Error('The user was not changed')

async function inOne(
  transaction: NonNullable<AddressEntries['transaction']>,
  { sub, key, old }: Move,
  write: (store: UserStore) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await transaction(async (users, entries) => {
      if (!(await write(users))) throw REFUSED
      if (key !== null) await entries.add(key, sub)
      if (old !== null) await entries.remove(old, sub)
      return true
    })
  } catch (error) {
    if (error === REFUSED) return false
    throw error
  }
}

async function inSteps(
  { users, entries }: Stores,
  { sub, key, old }: Move,
  write: (store: UserStore) => Promise<boolean>,
): Promise<boolean> {
  async function removeUnused(unused: string | null): Promise<void> {
    // Another change may have brought the address back, before or after the entry is removed.
    const isUsed = async () => confirmedKey(await users.find(sub)) === unused
    if (unused === null || (await isUsed())) return
    await entries.remove(unused, sub)
    if (await isUsed()) await entries.add(unused, sub)
  }
  if (key !== null) await entries.add(key, sub)
  try {
    const is_changed = await write(users)
    await removeUnused(is_changed ? old : key)
    return is_changed
  } catch (error) {
    // Three entries of users that were never stored would count as an address that several users share.
    await removeUnused(key).catch(() => {})
    throw error
  }
}
