/** What every step works with. */

import type { personTag } from '@ostiary/core'
import type { setDisabled, Tickets, User, Users } from '@ostiary/identity'

/** Functions of `@ostiary/core` and `@ostiary/identity`, which a server has a copy of. */
export interface DeletionFunctions {
  personTag: typeof personTag
  setDisabled: typeof setDisabled
}

/** The stores, and who may not delete the account. */
export interface Place extends DeletionFunctions {
  users: Users
  tickets: Tickets
  isKept: (realm: string, user: User) => boolean
  failed: (error: unknown) => void
}
