/** What an application that mails gives to `createIdentity`. */

import type { Provider } from '@ostiary/core'
import type { MailQueue } from './mail-queue.js'
import type { Mailer } from './mailer.js'

/** The mails of a realm. */
export interface RealmMail {
  /** Sends them. */
  mailer: Mailer
  /** The mailbox of the sender, with or without a name: `Example <id@example.com>`. */
  from: string
  /** The mailbox for answers, like `from`. */
  reply_to?: string
  /** How many mails the realm sends in an hour at most; 1,000 when absent. A quarter is for known devices and signed-in users. */
  per_hour?: number
}

/** The mails of all realms. */
export interface MailOptions {
  /** Where they wait, e.g. `memoryMailQueue()` of `@ostiary/identity/mail`. */
  queue: MailQueue
  /** Null for a realm that mails nothing. */
  of(realm: string): RealmMail | null
}

/** Sends the mails that wait. */
export interface MailDelivery {
  /**
   * Starts sending the mails that are due, without waiting for them. Call it every few seconds; several servers may do so. After a
   * request of this process it is not needed.
   */
  start(provider: Provider): void
  /** Resolves when no mail is being sent in this process. */
  settled(): Promise<void>
  /** Starts no more. Resolves when none is being sent: one that was interrupted is due again later. */
  stop(): Promise<void>
}
