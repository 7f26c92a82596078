/** Mails in tests of a MailQueue. */

import type { MailClaim, MailQueue, QueuedMail } from '@ostiary/identity/mail'

export const NOW = 1_700_000_100
export const LEASE = 60

/** A mail that is due, and of which no attempt has begun. */
export const queuedMail = (mail_id: string, changes: Partial<QueuedMail> = {}): QueuedMail => ({
  mail_id,
  realm: 'default',
  data: `data of ${mail_id}`,
  attempts: 0,
  created_at: NOW,
  next_attempt_at: NOW,
  ...changes,
})

/** The mail as the caller gets it that has claimed it at NOW. */
export const claimed = (mail: QueuedMail, now = NOW): QueuedMail => ({
  ...mail,
  attempts: mail.attempts + 1,
  next_attempt_at: now + LEASE,
})

export const idsOf = (mails: readonly QueuedMail[]): string[] => mails.map(({ mail_id }) => mail_id)

/** A queue, and short names for what the rules ask of it. */
export interface Tested {
  queue(): MailQueue
  add(...mails: QueuedMail[]): Promise<void>
  claim(changes?: Partial<MailClaim>): Promise<QueuedMail[]>
  stored(): Promise<QueuedMail[]>
}
