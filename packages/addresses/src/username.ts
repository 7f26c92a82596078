/** The username of an account, where it is the address. */

import { usernameKey } from '@ostiary/core/common'
import type { User } from '@ostiary/identity'

/** Whether the username is the address: then it changes with it, so that no login name is an address that the user has lost. */
export const followsAddress = ({ username_key, claims }: Pick<User, 'username_key' | 'claims'>): boolean =>
  typeof claims.email === 'string' && usernameKey(claims.email) === username_key

/** The username after an undo. Before it, the username may be the new address, which the former mailbox does not learn. */
export const usernameAfter = (user: User, former: string | null): string =>
  former !== null && followsAddress(user) ? former : user.username
