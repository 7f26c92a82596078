/** createEmailSignIn: users who sign in with their address, and one of the option `extensions` of createIdentity. */

import { refuseFaults } from '@ostiary/core'
import type { Extension, User, Users } from '@ostiary/identity'
import { confirmedKey } from './address.js'
import { type AddressEntries, memoryEntries } from './entries.js'
import { fill } from './fill.js'
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
  /** Enters the addresses of the users that are stored already, in all realms. @param isStopped Asked from time to time. */
  fill(isStopped?: () => boolean): Promise<void>
  /** Null where the user has confirmed no address. */
  useOf(realm: string, user: User): Promise<AddressUse | null>
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
  return {
    extension: {
      name: 'email-sign-in',
      names: (realm) =>
        offered.has(realm)
          ? { label: labelFor, find: (key) => findByAddress(users(realm), addresses(realm), key) }
          : null,
    },
    users: (realm) => (offered.has(realm) ? enteredUsers(users(realm), addresses(realm)) : users(realm)),
    async fill(isStopped) {
      for (const realm of offered) await fill(users(realm), addresses(realm), isStopped)
    },
    async useOf(realm, user) {
      const key = confirmedKey(user)
      if (key === null || !offered.has(realm)) return null
      const named = await users(realm).findByUsername(key)
      if (named !== null && named.sub !== user.sub) return 'username'
      const listed = await addresses(realm).find(key)
      if (!listed.some(({ sub }) => sub === user.sub)) return 'missing'
      return (await findByAddress(users(realm), addresses(realm), key)) === null ? 'shared' : 'signs_in'
    },
  }
}
