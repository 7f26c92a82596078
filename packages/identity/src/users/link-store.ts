/** The record of a link: an account at another provider with which a user signs in; and the operations on it. */

import type { ExpectedVersion } from './factor-store.js'

/** The record of a link. Times are epoch seconds. */
export interface Link {
  /** With `subject` it is in one link of a realm. */
  issuer: string
  /** At most 255 characters. */
  subject: string
  /** The provider's id in the configuration. */
  upstream: string
  sub: string
  /** What the user calls the account. */
  label: string
  linked_at: number
  /** Null until the first use. */
  last_used_at: number | null
}

/** The links of the users of one realm, which the deletion of a user deletes too. */
export interface LinkStore {
  find(issuer: string, subject: string): Promise<Link | null>
  /** The links of the user, the oldest first. */
  list(sub: string): Promise<Link[]>
  /**
   * ATOMIC. False when there is one with this `issuer` and `subject`, or another `credential_version` of the user, which is one more then;
   * `updated_at` grows.
   */
  add(link: Link, expected: ExpectedVersion): Promise<boolean>
  /** ATOMIC. With the same effect on the user. False when there is none, or another `credential_version`. */
  remove(link: Pick<Link, 'issuer' | 'subject' | 'sub'>, expected: ExpectedVersion): Promise<boolean>
  /** The user's record stays. */
  use(link: Pick<Link, 'issuer' | 'subject' | 'sub'>, last_used_at: number): Promise<void>
}

/** The store of a realm. */
export type Links = (realm: string) => LinkStore
