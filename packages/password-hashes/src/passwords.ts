/** Passwords of people who come from another system. */

import type { QueuedPasswordHasher } from '@ostiary/identity'

/** The text of a hash that `@ostiary/identity` makes, with each cost that it has had. */
const OWN_HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

/**
 * Whether a hash has the form of those that are made here. Such a hash says that the user has signed in here, or got the password here; or
 * the other system has hashed with the same parameters.
 */
export const isOwnHash = (hash: string): boolean => OWN_HASH.test(hash)

/**
 * Why a hash is refused: a clause such as `bcrypt: the cost is 15, and at most 12 is verified here`; null for a hash that is verified. It
 * never contains the hash. For imports: `verify` answers false for a hash that is refused.
 */
export async function passwordHashFault(hash: string): Promise<string | null> {
  const found = await read(hash)
  return 'fault' in found ? found.fault : null
}

/**
 * A password hasher that also verifies the hashes of other systems: argon2 with any parameters, bcrypt, scrypt, Firebase's scrypt, PBKDF2
 * and salted SHA of LDAP. New hashes are those of `passwords`, and the sign-in replaces a hash of another kind when its password is right.
 *
 * A hash that costs much more than an own one is not verified (`passwordHashFault` says so), and the empty password is never right.
 * @param passwords Makes and verifies own hashes, and has the queue in which all are verified: `argon2Passwords()`.
 * @example
 * ```ts
 * import { argon2Passwords, createIdentity, type IdentityOptions } from '@ostiary/identity'
 * import { withOlderHashes } from '@ostiary/password-hashes'
 *
 * declare const options: IdentityOptions
 * export const identity = createIdentity({ ...options, passwords: withOlderHashes(argon2Passwords()) })
 * ```
 */
export function withOlderHashes(passwords: QueuedPasswordHasher): QueuedPasswordHasher {
  return {
    ...passwords,
    async verify(stored, password, caller) {
      if (stored === null || isOwnHash(stored)) return passwords.verify(stored, password, caller)
      const older = await read(stored)
      // After the work of an own verification, as for a name that no user has.
      if ('fault' in older || password === '') return passwords.verify(null, password, caller)
      return passwords.verifyBy(() => older.verify(password), { password, caller })
    },
  }
}

/** The kinds are loaded with the first hash of another system. */
async function read(hash: string) {
  const { readHash } = await import('./read-hash.js')
  return readHash(hash)
}
