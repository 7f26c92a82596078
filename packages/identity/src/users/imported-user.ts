/** A user record from a file, by the rules of a user that an operator creates. */

import { parseArgon2Hash } from './argon2-hash.js'
import { attributesFault, groupsFault } from './attributes.js'
import { isSub } from './manage-users.js'
import { claimFault } from './standard-claims.js'
import { type User, usernameKey } from './user-store.js'

/** What one sign-in may cost, with the memory in KiB. */
const MAX_COST = { memory: 262_144, passes: 20, lanes: 16 }

function isAffordableHash(hash: string): boolean {
  const cost = parseArgon2Hash(hash)
  if (cost === null) return false
  return cost.memory <= MAX_COST.memory && cost.passes <= MAX_COST.passes && cost.lanes <= MAX_COST.lanes
}

/** What is wrong with a record, as a clause; null when nothing is. @param user Has the types of a `User`. */
export function importedUserFault(user: User): string | null {
  const { sub, username, username_key, password_hash, claims, attributes, groups } = user
  if (!isSub(sub)) return 'a sub has 1 to 255 printable ASCII characters, and no spaces'
  if (usernameKey(username) === null) return 'a username has 1 to 255 characters, and no control characters'
  if (usernameKey(username) !== username_key) return 'username_key is not that of the username'
  if (password_hash !== null && !isAffordableHash(password_hash))
    return 'password_hash is not a hash of argon2, or verifying it takes more than 256 MiB, 20 passes or 16 lanes'
  return (
    claimFault(claims) ??
    (attributes === null ? null : attributesFault(attributes)) ??
    (groups === null ? null : groupsFault(groups))
  )
}
