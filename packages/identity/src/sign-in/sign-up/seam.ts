/** How users get an account by themselves, as this package knows it: `createSignUp` of `@ostiary/sign-up` makes it. */

import type { Letter } from '../../outbox/letter.js'
import type { User } from '../../users/user-store.js'
import type { AbuseAnswer } from '../abuse.js'
import type { PageVisit } from '../extensions/seam.js'

/** The option `sign_up` of `createIdentity`. */
export interface SignUp {
  /** Whether users of the realm sign up. */
  offered(realm: string): boolean
  /** Of the link on the sign-in page. @param language BCP 47. */
  label(language: string): string
  /** Answers a request to `/login/signup`. */
  answer(c: SignUpVisit): Promise<Response>
}

/** A request to `/login/signup`. */
export interface SignUpVisit extends PageVisit {
  /** Of the sign-in that waits; empty for none. */
  return_to: string
  has_passwords: boolean
  /** Whether a sign-up has made the user, who never had a way to sign in. */
  isJustSignedUp(user: User): boolean
  /** The other provider to which such an address leads; null for none. */
  elsewhere(address: string): Promise<Response> | null
  /** What the application says to the form. A page where it says nothing; null: the form goes on. */
  check(form: URLSearchParams): Promise<Response | AbuseAnswer | null>
  /** Queues the mail, unless a limit is reached. @returns The cookie with which this browser comes back to the sign-in. */
  send(mail: SignUpMail): Promise<string>
  /** The user chooses the first way to sign in. */
  begin(user: User): Response
}

/** A mail to an address that may be a new one. */
export interface SignUpMail {
  /** A key of usernames. */
  to: string
  /** For a new user, and for one with an account. */
  letters: readonly [Letter, Letter]
  /** Epoch seconds. */
  expires_at: number
}
