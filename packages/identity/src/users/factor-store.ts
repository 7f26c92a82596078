/** The record of a factor: a passkey, an authenticator app or a set of recovery codes; and the operations on it. */

import type { FactorKind } from '../events.js'

export type { FactorKind }

/** The record of a factor. Times are epoch seconds. */
export interface Factor {
  /**
   * Ends with the tag of its user's `sub`, as the ids of all records of a person (storage contract of `@ostiary/core`). That of a passkey
   * follows from its credential id, so that it is found by that and the tag.
   */
  factor_id: string
  sub: string
  kind: FactorKind
  /** The name that the user sees. */
  label: string
  created_at: number
  /** Null until the first use. */
  last_used_at: number | null
  /** What a use changes, e.g. the signature counter of a passkey. A text of the kind's own form, which is compared as a whole. */
  state: string
  /** What no use changes: only {@link FactorStore.reseal} does. JSON of the kind's own form. */
  data: Record<string, unknown>
}

/** A change of the factors of one user. */
export interface FactorChange {
  sub: string
  /** Their `sub` is that of the change. */
  add?: readonly Factor[]
  /** Ids of factors that are removed. */
  remove?: readonly string[]
  /** The user's own switch for a second step at each sign-in. Absent: it stays. */
  second_step?: boolean
}

/** The user's record as it was read before a change. */
export interface ExpectedVersion {
  /** `User.credential_version`. */
  credential_version: number
  /** Epoch seconds, for `User.updated_at`. */
  now: number
}

/** The factors of the users of one realm. As in `UserStore`, adapters decide nothing. */
export interface FactorStore {
  /** The factors of the user, the oldest first. */
  list(sub: string): Promise<Factor[]>
  find(factor_id: string): Promise<Factor | null>
  /**
   * ATOMIC. All of the change, and `credential_version` of the user is one more, and `updated_at` grows: if the stored
   * `credential_version` is the expected one, each removed factor is one of this user, and no added `factor_id` is taken or given twice.
   * Otherwise false, and nothing changes.
   */
  change(change: FactorChange, expected: ExpectedVersion): Promise<boolean>
  /**
   * ATOMIC. Replaces `state` and sets `last_used_at`, if the factor is stored with the expected `state`. The user's record stays. One of
   * several callers that expect the same state gets true.
   */
  use(
    factor_id: string,
    expected_state: string,
    next: { state: string; last_used_at: number },
  ): Promise<boolean>
  /** False when there is no such factor. */
  rename(factor_id: string, label: string): Promise<boolean>
  /** At most `limit` factors of all users, from the one after `after`, by `factor_id`: in the order of `UserStore.list`. */
  page(page: { after?: string; limit: number }): Promise<Factor[]>
  /**
   * ATOMIC. Replaces `data`, if the factor is stored with the expected `data`, which are compared as JSON values. The user's record stays:
   * the factor is the same one, and its user is not signed out.
   */
  reseal(factor_id: string, expected_data: Factor['data'], data: Factor['data']): Promise<boolean>
}

/** The store of a realm. The deletion of a user deletes the user's factors. */
export type Factors = (realm: string) => FactorStore
