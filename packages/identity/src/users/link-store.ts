/** The record of a link: an account at another provider with which a user signs in; and the operations on it. */

import type { ExpectedVersion } from './factor-store.js'

/** The record of a link. Times are epoch seconds. */
export interface Link {
  /** The issuer of the other provider. Together with `subject` it is in one link of a realm. */
  issuer: string
  /** Who the user is there. At most 255 characters. */
  subject: string
  /** The id of the provider in the configuration, when the link was made. */
  upstream: string
  sub: string
  /** The account's name there, for the user: an address or a user name. It opens nothing. */
  label: string
  linked_at: number
  /** Null until the first use. */
  last_used_at: number | null
}

/** The links of the users of one realm. Adapters decide nothing: reads return what is stored, writes return whether they succeeded. */
export interface LinkStore {
  find(issuer: string, subject: string): Promise<Link | null>
  /** The links of the user, the oldest first. */
  list(sub: string): Promise<Link[]>
  /**
   * ATOMIC. Adds the link, and `credential_version` of its user is one more, and `updated_at` grows: if the stored `credential_version` is
   * the expected one, and no link has this `issuer` and `subject`. Otherwise false.
   */
  add(link: Link, expected: ExpectedVersion): Promise<boolean>
  /** ATOMIC. Removes the link of this user, with the same effect on the user. False when there is none, or another `credential_version`. */
  remove(link: Pick<Link, 'issuer' | 'subject' | 'sub'>, expected: ExpectedVersion): Promise<boolean>
  /** Sets `last_used_at`, where the link is stored. The user's record stays. */
  use(link: Pick<Link, 'issuer' | 'subject' | 'sub'>, last_used_at: number): Promise<void>
}

/** The store of a realm. A store is always scoped to one realm. The deletion of a user deletes the user's links. */
export type Links = (realm: string) => LinkStore
