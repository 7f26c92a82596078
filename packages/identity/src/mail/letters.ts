/** The texts of the mails. */

import type { Realm } from '@ostiary/core'
import { isolated } from '@ostiary/core/common'
import type { Letter } from '../outbox/letter.js'
import type { AccountChange, MailContent, MailLink, MailOrigin } from '../outbox/mail-content.js'
import type { Language } from '../pages/language.js'
import { timeFormats } from '../pages/time.js'
import type { User } from '../users/user-store.js'
import { FORGOT_PATH, urlIn } from '../web/paths.js'

/** What every letter to a user needs. */
export interface LetterContext {
  language: Language
  realm: Realm
  /** The name of the provider. */
  provider: string
  user: Pick<User, 'username' | 'claims'>
  /** Whether the user may have a password. */
  passwords: boolean
  /** Whether the user signs in at another provider in place of a password. */
  is_elsewhere: boolean
  /** Epoch seconds. */
  now: number
}

/** @param link Null for an account without a password, which gets none. */
export function resetLetter(c: LetterContext, asked: MailOrigin, link: MailLink | null): Letter {
  const { text } = c.language
  const names = { username: isolated(c.user.username), provider: c.provider }
  const before = [text('mail.reset_asked', names), whenAndWhere(c, asked)]
  const subject = text('mail.reset_subject', { provider: c.provider })
  const title = text('forgot.title')
  if (link === null)
    return {
      subject,
      title,
      before: [...before, c.is_elsewhere ? text('mail.elsewhere_only') : text('mail.passkey_only')],
      button: null,
      after: [],
    }
  const minutes = Math.floor((link.expires_at - c.now) / 60)
  return {
    subject,
    title,
    before: [...before, text('mail.reset_then', { count: minutes })],
    button: { text: title, url: link.url },
    after: [text('mail.reset_not_you')],
  }
}

export function inviteLetter(
  c: LetterContext,
  { url, expires_at }: Omit<MailLink, 'credential_version'>,
): Letter {
  const { text } = c.language
  const made = text('invite.made', { username: isolated(c.user.username), provider: c.provider })
  const time = timeFormats(c.language, c.user.claims.zoneinfo).dateAndTimeText(expires_at)
  return {
    subject: made,
    title: text('invite.title'),
    before: [made, text('invite.then', { time })],
    button: { text: text('ticket.submit'), url },
    after: [text('invite.unexpected')],
  }
}

export function noticeLetter(
  c: LetterContext,
  { changes, ...changed }: Extract<MailContent, { kind: 'notice' }>,
): Letter {
  const { text } = c.language
  const subject = text('mail.notice_subject', { provider: c.provider })
  const names = { username: isolated(c.user.username), provider: c.provider }
  return {
    subject,
    title: subject,
    before: [
      text('mail.notice_account', names),
      ...changes.map((change) => changeText(c.language, change)),
      whenAndWhere(c, changed),
    ],
    button: null,
    after: [
      ...(c.passwords
        ? [text('mail.notice_not_you'), urlIn(c.realm, FORGOT_PATH)]
        : [text('mail.notice_not_you_without_password')]),
    ],
  }
}

function changeText({ text }: Language, { notice, factor, left = 0 }: AccountChange): string {
  if (notice === 'code_used') return text('mail.code_used', { count: left })
  if (notice !== 'factor_added' && notice !== 'factor_removed') return text(`mail.${notice}`)
  const kind = factor === 'totp' ? 'totp' : 'passkey'
  return text(notice === 'factor_added' ? `mail.${kind}_added` : `mail.${kind}_removed`)
}

/** In the user's time zone, with the known names of the browser and its system: never an address. */
export function whenAndWhere(
  { language, user }: { language: Language; user: Pick<User, 'claims'> },
  { at, device }: MailOrigin,
): string {
  const time = timeFormats(language, user.claims.zoneinfo).dateAndTimeText(at)
  return device === '' ? time : language.text('mail.when', { time, device })
}
