/** What a queued mail is about. Its text is made when it is sent, so that it says what is true then. */

import { randomBytes } from 'node:crypto'
import type { FactorKind } from '../events.js'
import type { Sealer } from '../web/sealed.js'
import type { AddressMail, Letter } from './letter.js'
import type { MailQueue, QueuedMail } from './mail-queue.js'

/** Where a mail was caused, for its text. */
export interface MailOrigin {
  /** BCP 47: the language of the page. */
  language: string
  /** The known names of the browser and the system, such as `Firefox, Linux`; empty when neither is known. */
  device: string
  /** Epoch seconds. */
  at: number
}

/** A link that was made for a mail. */
export interface MailLink {
  url: string
  /** Epoch seconds. */
  expires_at: number
  /** Of the user, when the link was made. */
  credential_version: number
}

/** Changes of an account of which its user is told. */
type NoticeName =
  | 'password_changed'
  | 'password_removed'
  | 'factor_added'
  | 'factor_removed'
  | 'codes_created'
  | 'code_used'
  | 'device_copied'
  | 'link_added'
  | 'recovered'

/** A change of an account, for a notice. */
export interface AccountChange {
  notice: NoticeName
  /** Which kind of factor was added or removed. */
  factor?: FactorKind
  /** Recovery codes that are left. */
  left?: number
}

/** The address of a mail about an account is looked up when the mail is sent. */
export type MailContent = MailOrigin &
  (
    | {
        kind: 'reset'
        /** As it was typed: there may be no such account. */
        username: string
        /** Of the attempt before; absent before the first one. */
        link?: MailLink
      }
    | {
        kind: 'invite'
        sub: string
        /** The address that the link verifies. */
        to: string
        link: Omit<MailLink, 'credential_version'>
      }
    | {
        kind: 'sign_up'
        /** A key of usernames, which is an address. */
        to: string
        letters: readonly [Letter, Letter]
        /** Epoch seconds. */
        expires_at: number
      }
    | ({ kind: 'address' } & Omit<AddressMail, 'uncounted'>)
    | {
        kind: 'code'
        /** The key of a username: there may be no such account. */
        to: string
        letter: Letter
        /** Epoch seconds. */
        expires_at: number
      }
    | {
        kind: 'recovery'
        sub: string
        /** The address that was verified when the recovery began to wait. */
        to: string
        letter: Letter
        /** Of the recovery. */
        ticket_hash: string
        /** Epoch seconds. */
        due_at: number
      }
    | {
        kind: 'notice'
        sub: string
        changes: readonly AccountChange[]
      }
  )

/** The use of the key that seals queued mails. */
export const MAIL_USE = 'mail'

/** What a sealed mail belongs to. */
export const contextOf = ({ realm, mail_id }: Pick<QueuedMail, 'realm' | 'mail_id'>): string[] => [
  realm,
  mail_id,
]

export const sealMail = (
  sealer: Sealer,
  mail: Pick<QueuedMail, 'realm' | 'mail_id'>,
  content: MailContent,
): string => sealer.seal(content, contextOf(mail))

/** Null when another secret has sealed it. */
export const openMail = (sealer: Sealer, mail: QueuedMail): MailContent | null =>
  (sealer.open(mail.data, contextOf(mail))?.value as MailContent | undefined) ?? null

/** Stores a mail, which is due at once unless its content says when. */
export async function addMail(
  { queue, sealer }: { queue: MailQueue; sealer: Sealer },
  realm: string,
  content: MailContent,
): Promise<void> {
  const mail_id = randomBytes(16).toString('base64url')
  const data = sealMail(sealer, { realm, mail_id }, content)
  const at = 'due_at' in content ? content.due_at : content.at
  await queue.add({ mail_id, realm, data, attempts: 0, created_at: at, next_attempt_at: at })
}
