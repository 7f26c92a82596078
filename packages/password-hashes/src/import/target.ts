/** A user of a file, and what is read of a realm to import it. */

import type { ClientStore } from '@ostiary/core'
import type { Factor, FactorStore, User, UserStore } from '@ostiary/identity'

/** A user of a file, checked. What the line does not have is null. */
export interface UserLine extends Pick<User, 'username' | 'username_key' | 'claims'> {
  sub: string | null
  /** Of a kind that is verified: `passwordHashFault` has returned null. */
  password_hash: string | null
  attributes: User['attributes']
  groups: string[] | null
  disabled: boolean
  /** Authenticator apps. */
  totp: readonly { secret: Uint8Array; label: string }[]
}

/** Where the users go. */
export interface ImportTarget {
  users: UserStore
  factors: FactorStore
  clients: Pick<ClientStore, 'find'>
  /** Why a user may not be imported, a sentence without a full stop: the configuration has it, or its sub is that of a client. */
  refusal(line: UserLine): string | null
  /** Makes the record of an authenticator app. */
  totp(app: { sub: string; label: string; secret: Uint8Array }): Factor
  /** Stored users who differ get what the file has; otherwise they are refused. */
  update: boolean
  /** Epoch seconds. */
  now: number
}
