/** Who signs in with an address. */

import type { User, UserStore } from '@ostiary/identity'
import { confirmedKey } from './address.js'
import type { AddressEntries } from './entries.js'

/** Who has confirmed an address. */
interface Holders {
  /** At most two. */
  users: User[]
  /** Whether there are more entries, whose users were not read. */
  has_more: boolean
}

/** As many look-ups for each key, whoever has it. */
export async function holdersOf(users: UserStore, entries: AddressEntries, key: string): Promise<Holders> {
  const listed = await entries.find(key)
  const read = await Promise.all([0, 1].map((place) => users.find(listed[place]?.sub ?? key)))
  return {
    users: read.filter(
      (user, place): user is User => user?.sub === listed[place]?.sub && confirmedKey(user) === key,
    ),
    has_more: listed.length > 2,
  }
}

/** Null for none, and for several: none of them is meant. */
export async function findByAddress(
  users: UserStore,
  entries: AddressEntries,
  key: string,
): Promise<User | null> {
  const holders = await holdersOf(users, entries, key)
  return holders.has_more || holders.users.length > 1 ? null : (holders.users[0] ?? null)
}
