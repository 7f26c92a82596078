/** The record of a user, and the operations on it. */

import type { Claims, RecordOfUser } from '@ostiary/core'
import type { Attributes } from './attributes.js'
import type { Factor } from './factor-store.js'

/** The record of a user. Times are epoch seconds. */
export interface User {
  /** Printable ASCII, at most 255 characters; never reassigned (OpenID Connect Core §2). */
  sub: string
  /** The username as it was entered, trimmed. The pages show it. */
  username: string
  /** `usernameKey(username)`: unique in its realm. */
  username_key: string
  /** A PHC string; null when the user cannot sign in with a password. */
  password_hash: string | null
  /** By the names of OpenID Connect Core §5.1. */
  claims: Claims
  /** Values that `oidc.claims` can map to claims; null when none were given. */
  attributes: Attributes | null
  /** The names of the groups that the user is in; null when none were given. */
  groups: string[] | null
  created_at: number
  /** Grows with every change, so that an update of an outdated copy is refused. */
  updated_at: number
  /** When the user was disabled; null when the user may sign in. The tokens of a disabled user are refused. */
  disabled_at: number | null
  /** One more with each change of the password, the email address, a factor or `disabled_at`: a sign-in that began before such a change ends. */
  credential_version: number
  /** The user's own switch: each sign-in asks for a second step. */
  second_step: boolean
  /** The version of the terms of service that the user has accepted last. */
  terms?: { version: string; accepted_at: number }
}

/** The users of one realm. Adapters decide nothing: reads return what is stored, writes return whether they succeeded. */
export interface UserStore {
  /** @param record As in `Accounts.find` of `@ostiary/core`: a store that has read the user with this record answers from it. */
  find(sub: string, record?: RecordOfUser | Factor): Promise<User | null>
  findByUsername(username_key: string): Promise<User | null>
  /** ATOMIC. False when the `sub` or the `username_key` is taken. */
  create(user: User): Promise<boolean>
  /**
   * ATOMIC. Replaces the record if the stored `updated_at` is `expected_updated_at`. False when it is not, or when the new
   * `username_key` is taken.
   */
  update(user: User, expected_updated_at: number): Promise<boolean>
  /**
   * ATOMIC. Deletes the user. Only the `sub` stays stored, so that no later user gets it: no read returns it, and `create`
   * with it is false. The `username_key` is free again. False when there is no such user.
   */
  delete(sub: string): Promise<boolean>
  /**
   * At most `limit` users, from the one after `after`, in the order of `sub`. A divided database has the order of the buckets first.
   */
  list(page: { after?: string; limit: number }): Promise<User[]>
}

/** The store of a realm. */
export type Users = (realm: string) => UserStore
