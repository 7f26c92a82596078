/** The application's rules of new passwords. `@ostiary/password-rules` has some. */

import type { PasswordRefusal } from '../events.js'

/** A password that is about to be stored, and its account. */
export interface NewPassword {
  password: string
  username: string
  /** The claim. */
  email: unknown
}

/** The rules of one realm. */
export interface PasswordRules {
  /** In code points of the form NFC, at least 8. */
  min_length: number
  /** `unchecked`: accepted, since a service has failed. */
  check(candidate: NewPassword): Promise<'accepted' | 'unchecked' | PasswordRefusal>
}

/** What the rules may depend on. */
export interface PasswordRealm {
  id: string
  issuer: string
  /** The name on the pages; null when it is the issuer's host. */
  product: string | null
  /** Whether each sign-in needs more than the password. */
  second_factor_required: boolean
}
