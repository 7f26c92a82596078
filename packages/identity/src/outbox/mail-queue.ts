/** The record of a mail that waits to be sent, and the port of its store. */

/** A mail that waits to be sent. Times are epoch seconds. */
export interface QueuedMail {
  /** 22 characters for 128 bits. */
  mail_id: string
  realm: string
  /** What is to be sent, and to whom: encrypted, as text. */
  data: string
  /** The attempts that have begun. */
  attempts: number
  created_at: number
  /** When the next attempt may begin. While an attempt runs, the end of its lease. */
  next_attempt_at: number
}

/** Which mails to claim. */
export interface MailClaim {
  /** Epoch seconds. */
  now: number
  /** Seconds until another caller may claim the same mail. */
  lease: number
  /** The largest number of mails. */
  limit: number
  /** The largest number for one realm. An adapter may consider only the first 1,000 due mails. */
  share: number
}

/** A mail as its claimer knows it. */
export type ClaimedMail = Pick<QueuedMail, 'mail_id' | 'attempts'>

/** The mails of all realms that wait to be sent. Adapters decide nothing. */
export interface MailQueue {
  add(mail: QueuedMail): Promise<void>
  /**
   * ATOMIC. Returns due mails, each to one caller only; moves them to `now + lease` and increments `attempts`. First attempts come before
   * repeated ones, and then the mail that is due longest.
   */
  claim(claim: MailClaim): Promise<QueuedMail[]>
  /**
   * ATOMIC. Null deletes the mail: it was sent, or given up. Otherwise it is stored with this `data`, and due again. Nothing happens, and
   * the answer is false, when the stored `attempts` is another one: the lease was over, and another caller has the mail.
   */
  settle(mail: ClaimedMail, next: Pick<QueuedMail, 'data' | 'next_attempt_at'> | null): Promise<boolean>
  /** In the order of their ids, for work on all of them. @param page `after`: the last id of the page before. */
  page(page: { after?: string; limit: number }): Promise<QueuedMail[]>
  /** ATOMIC. Replaces `data`, if it is the expected one. */
  reseal(mail_id: string, expected_data: string, data: string): Promise<boolean>
}
