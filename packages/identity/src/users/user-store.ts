/** What is stored about a user, and the rule of each operation. Times are epoch seconds. */

import type { Claims } from '@ostiary/core'

/** A password account as it is stored. Times are epoch seconds. */
export interface User {
  /** Printable ASCII, at most 255 characters; never reassigned (OpenID Connect Core §2). */
  sub: string
  /** As the person writes it. */
  username: string
  /** `usernameKey(username)`: unique in its realm. */
  username_key: string
  /** A PHC string; null: this user cannot sign in with a password. */
  password_hash: string | null
  /** OpenID Connect Core §5.1 names. */
  claims: Claims
  created_at: number
  /** Grows with every change, so that a change of an outdated copy can be refused. */
  updated_at: number
  /** Since when the user may not sign in, and tokens are refused; null: may. */
  disabled_at: number | null
}

/** The users of one realm. Adapters decide nothing: reads return what is stored, writes say whether they won. */
export interface UserStore {
  find(sub: string): Promise<User | null>
  findByUsername(username_key: string): Promise<User | null>
  /** ATOMIC. False when the `sub` or the `username_key` is taken. */
  create(user: User): Promise<boolean>
  /** ATOMIC. Replaces the record whose `updated_at` is still `seen`; false when it is not, or the new key is taken. */
  update(user: User, seen: number): Promise<boolean>
  /** By `sub`, after the given one. */
  list(page: { after?: string; limit: number }): Promise<User[]>
}

/** Stores are born scoped to a realm, so that a realm can never be forgotten. */
export type Users = (realm: string) => UserStore

export const MAX_USERNAME_LENGTH = 255

/** The form under which a username is looked up (NFKC, trimmed, lower case), or null when nobody can have it. */
export function usernameKey(username: string): string | null {
  if (username.length > MAX_USERNAME_LENGTH) return null
  const key = username.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  // A database may refuse control characters or half a surrogate pair, and no person can type them.
  const impossible = key === '' || key.length > MAX_USERNAME_LENGTH || /[\p{Cc}\p{Cs}]/u.test(key)
  return impossible ? null : key
}
