/** How users get in again by mail, as this package knows it: `createRecovery` of `@ostiary/recovery` makes it. */

import type { Letter } from '../../outbox/letter.js'
import type { Html } from '../../pages/html.js'
import type { Ticket } from '../../users/ticket-store.js'
import type { User } from '../../users/user-store.js'
import type { PageVisit } from '../extensions/seam.js'

/** The option `recovery` of `createIdentity`. */
export interface MailRecovery {
  /** Whether users of the realm get in again by mail. */
  offered(realm: string): boolean
  /** The letter with the link of a recovery. `when` it was asked for. */
  letter(mail: {
    /** BCP 47. */
    language: string
    provider: string
    username: string
    when: string
    url: string
    /** For a new password. Null for an account without one. */
    reset: Letter | null
  }): Letter
  /** Answers a request to `/login/regain`. */
  answer(c: RecoveryVisit): Promise<Response>
  /** For the account page of the user. Null when no recovery waits. */
  banner(c: RecoveryVisit, user: User): Promise<Html | null>
}

/** A request to `/login/regain`, or to the account page. */
export interface RecoveryVisit extends PageVisit {
  /** The user of this browser's session. */
  signedIn(): Promise<User | null>
  /** The ticket of a mailed link, and its user; null when it does not work. @param takes This call alone gets it. */
  ticketIn(secret: string, takes?: boolean): Promise<{ ticket: Ticket; user: User } | null>
  /** The recovery that waits. */
  waiting(user: User): Promise<Ticket | null>
  /** Ends it. False when another call has. */
  end(waiting: Ticket): Promise<boolean>
  /** Makes a link for a recovery that waits, for the user's address. */
  link(user: User, seconds: number): Promise<{ url: string; ticket_hash: string }>
  /** Queues a letter to the user, due at a time in epoch seconds. It is sent if the recovery waits then. */
  send(user: User, mail: { letter: Letter; ticket_hash: string; due_at: number }): Promise<void>
  /** Uses up a recovery code. What is wrong with it otherwise. */
  useCode(user: User, params: URLSearchParams): Promise<{ text: string; status: number } | null>
  /** Ends what the account has given to browsers and applications; the user chooses anew. */
  begin(user: User, by: 'code' | 'delay'): Promise<Response>
  /** The browser and its system, by name; empty when neither is known. */
  device(): string
  /** Date and time. @param seconds Epoch seconds. */
  time(seconds: number, user?: User): string
}
