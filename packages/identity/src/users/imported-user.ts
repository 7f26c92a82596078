/** A user record from a file, by the rules of a user that an operator creates. */

import { usernameKey } from '@ostiary/core/common'
import { attributesFault, groupsFault } from './attributes.js'
import { isSub } from './manage-users.js'
import { claimFault } from './standard-claims.js'
import type { User } from './user-store.js'

/** What is wrong with a record, as a clause; null when nothing is. @param user Has these types. Its hash may be of any kind. */
export function importedUserFault(user: Omit<User, 'password_hash'>): string | null {
  const { sub, username, username_key, claims, attributes, groups } = user
  if (!isSub(sub)) return 'a sub has 1 to 255 printable ASCII characters, and no spaces'
  if (usernameKey(username) === null) return 'a username has 1 to 255 characters, and no control characters'
  if (usernameKey(username) !== username_key) return 'username_key is not that of the username'
  return (
    claimFault(claims) ??
    (attributes === null ? null : attributesFault(attributes)) ??
    (groups === null ? null : groupsFault(groups))
  )
}
