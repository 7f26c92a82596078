/** createEmailSignIn: users who sign in with their address, and one of the option `extensions` of createIdentity. */

import { refuseFaults } from '@ostiary/core/common'
import type { Extension, User, UserStore, Users } from '@ostiary/identity'
import { confirmedKey } from './address.js'
import { type AddressEntries, memoryEntries } from './entries.js'
import { fill, type Once, once } from './fill.js'
import { findByAddress } from './find.js'
import { labelFor } from './label.js'
import { enteredUsers } from './users.js'

/** The options of `createEmailSignIn`. */
export interface EmailSignInOptions {
  /** The ids of the realms in which users sign in with their address too. */
  realms: readonly string[]
  /** Those of `createIdentity`, as they are stored. */
  users: Users
  /** `addresses` of `postgresStores`. In the memory of this process when absent, as users of `memoryUsers` are. */
  addresses?: (realm: string) => AddressEntries
}

/**
 * What the address of a user is worth. `signs_in`: the user signs in with it. `shared`: another user has confirmed it too, so that it leads to
 * neither. `username`: it is the username of another user, which counts. `missing`: it has no entry yet; `fill` adds it.
 */
export type AddressUse = 'signs_in' | 'shared' | 'username' | 'missing'

/** What `createEmailSignIn` returns. */
export interface EmailSignIn {
  /** One of the option `extensions` of `createIdentity`. */
  extension: Extension
  /** For `createIdentity`, and for everything that changes users: a change that goes past it is not entered. */
  users: Users
  /** Enters the addresses of the users that are stored already, in all realms. */
  fill(): Promise<void>
  /** The same in the background: `start` begins it, and after a failure again; `stop` ends it. */
  filling(failed: (error: unknown) => void): Once
  /** With a line for operators. Null where the user has confirmed no address. */
  useOf(realm: string, user: User): Promise<{ use: AddressUse; says: string } | null>
}

/**
 * Lets users sign in with their confirmed address in place of the username.
 * @throws ConfigError when `realms` is no list of ids.
 *
 * @example
 * ```ts
 * import { memoryUsers } from '@ostiary/identity'
 * import { createEmailSignIn } from '@ostiary/email-sign-in'
 *
 * // Its `users` and its `extension` are for createIdentity.
 * export const by_email = createEmailSignIn({ realms: ['default'], users: memoryUsers() })
 * await by_email.fill()
 * ```
 */
export function createEmailSignIn(options: EmailSignInOptions): EmailSignIn {
  const { realms, users, addresses = memoryEntries() } = options
  const is_list = Array.isArray(realms) && realms.every((id) => typeof id === 'string')
  refuseFaults(is_list ? [] : [{ path: 'realms', message: "give a list of the ids of realms: ['default']" }])
  const offered = new Set(realms)
  const fillAll = async (isStopped: () => boolean) => {
    for (const realm of offered) await fill(users(realm), addresses(realm), isStopped)
  }
  return {
    extension: {
      name: 'email-sign-in',
      names: (realm) =>
        offered.has(realm)
          ? { label: labelFor, find: (key) => findByAddress(users(realm), addresses(realm), key) }
          : null,
    },
    users: (realm) => (offered.has(realm) ? enteredUsers(users(realm), addresses(realm)) : users(realm)),
    fill: () => fillAll(() => false),
    filling: (failed) => once(fillAll, failed),
    async useOf(realm, user) {
      const key = confirmedKey(user)
      if (key === null || !offered.has(realm)) return null
      const use = await useOf({ users: users(realm), entries: addresses(realm) }, user, key)
      return { use, says: `Signs in with the email address: ${USES[use]}` }
    },
  }
}

const USES: Readonly<Record<AddressUse, string>> = {
  signs_in: 'yes',
  shared: 'no: another user has confirmed it too',
  username: 'no: it is the username of another user',
  missing: 'not yet: a server enters it within some seconds after its start',
}

async function useOf(
  { users, entries }: { users: UserStore; entries: AddressEntries },
  { sub }: User,
  key: string,
): Promise<AddressUse> {
  const named = await users.findByUsername(key)
  if (named !== null && named.sub !== sub) return 'username'
  const listed = await entries.find(key)
  if (!listed.some((entry) => entry.sub === sub)) return 'missing'
  return (await findByAddress(users, entries, key)) === null ? 'shared' : 'signs_in'
}
