/** Changes of one user, for operators. */

import { isDeepStrictEqual } from 'node:util'
import type { Claims } from '@ostiary/core'
import { usernameKey } from '@ostiary/core/common'
import { type Attributes, attributesFault, groupsFault } from './attributes.js'
import { changedUser } from './changed-user.js'
import { type ManageUsersOptions, UserError } from './manage-users.js'
import { claimFault } from './standard-claims.js'
import type { User, UserStore } from './user-store.js'

/** The fields to change; an absent field stays as it is. */
export interface UserChanges {
  username?: string
  /** All claims of the user. */
  claims?: Claims
  /** All attributes; null for none. */
  attributes?: Attributes | null
  /** All groups; null for none. */
  groups?: string[] | null
}

/** A changed user. */
export interface UserUpdate {
  user: User
  /** The names of the changed fields; empty when the user was like this already. */
  changed: string[]
}

/** An attempt fails when another writer changes the user between its read and its write. */
const MAX_ATTEMPTS = 5

/**
 * Changes fields of a user. Null when there is no such user.
 * @param update `change` gets the stored user; it is called again if another writer changes the user meanwhile.
 * @throws UserError when a value is invalid, or the username is taken.
 */
export async function updateUser(
  store: UserStore,
  { sub, change }: { sub: string; change: (stored: User) => UserChanges },
  { now = () => Math.floor(Date.now() / 1000) }: ManageUsersOptions = {},
): Promise<UserUpdate | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const stored = await store.find(sub)
    if (stored === null) return null
    const wanted = { ...stored, ...checkedChanges(stored, change(stored)) }
    const changed = SHOWN_FIELDS.filter((field) => !isDeepStrictEqual(stored[field], wanted[field]))
    if (changed.length === 0) return { user: stored, changed }
    const user = changedUser(stored, wanted, now())
    if (await store.update(user, stored.updated_at)) return { user, changed }
    const owner = await store.findByUsername(user.username_key)
    if (owner !== null && owner.sub !== sub)
      throw new UserError(
        `user ${JSON.stringify(stored.username)}: the username ${JSON.stringify(user.username)} is taken`,
      )
  }
  throw new UserError(
    `the user with the sub ${JSON.stringify(sub)} is being changed by another process; try again`,
  )
}

const SHOWN_FIELDS = ['username', 'claims', 'attributes', 'groups'] as const

function checkedChanges(stored: User, { username, claims, attributes, groups }: UserChanges): Partial<User> {
  const refuse = (fault: string) => new UserError(`user ${JSON.stringify(stored.username)}: ${fault}`)
  const username_key = username === undefined ? stored.username_key : usernameKey(username)
  if (username_key === null) throw refuse('a username has 1 to 255 characters, and no control characters')
  const fault = claimFault(claims ?? {}) ?? attributesFault(attributes ?? {}) ?? groupsFault(groups ?? [])
  if (fault !== null) throw refuse(fault)
  return {
    username_key,
    ...(username !== undefined && { username: username.trim() }),
    ...(claims !== undefined && { claims }),
    ...(attributes !== undefined && { attributes }),
    ...(groups !== undefined && { groups }),
  }
}
