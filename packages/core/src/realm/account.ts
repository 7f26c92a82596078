/** The users, as the application knows them. */

import type { Grant, Session } from '../storage/storage.js'
import type { Realm } from './realm.js'

/** OpenID Connect standard claims (Core §5.1) and other claims about the account. */
export type Claims = Record<string, unknown>

/** A user, as the application knows them. */
export interface Account {
  /** Never reassigned, at most 255 ASCII characters (OpenID Connect Core §2). */
  sub: string
  claims: Claims
  /** Other values by name, which `oidc.claims` maps to claims; `groups` is the list of the user's groups. */
  attributes?: Record<string, unknown>
}

/** A grant or a session, which names its user by `sub`; a promise while the provider reads it. */
export type RecordOfUser = Grant | Session | Promise<Grant | Session | null>

/** The users. Looked up at each authorization, at each refresh and for each bearer token. */
export interface Accounts {
  /**
   * The account; null when there is none or it is disabled, and then its tokens are refused.
   * @param record What the provider reads for the same request and names this user: a database that has both may read them with one
   * statement (`postgresStores` of `@ostiary/storage-postgres`). Otherwise ignore it: do not wait for it.
   */
  find(sub: string, realm: Realm, record?: RecordOfUser): Promise<Account | null>
}
