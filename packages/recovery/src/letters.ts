/** The mails. */

import { isolated } from '@ostiary/core/common'
import type { MailRecovery, RecoveryVisit, User } from '@ostiary/identity'
import { textsOf } from './texts.js'

type Letter = ReturnType<MailRecovery['letter']>

/** The mail with the link of a recovery. To an account with a password, it is a part of the mail for a new password. */
export const askedLetter: MailRecovery['letter'] = ({ language, provider, username, when, url, reset }) => {
  const text = textsOf(language)
  if (reset !== null) return { ...reset, after: [...reset.after, `${text('lost')}\n${url}`] }
  const title = text('title')
  return {
    subject: `${title} – ${provider}`,
    title,
    before: [text('asked', { username: isolated(username), provider }), when, text('asked_then')],
    button: { text: title, url },
    after: [text('asked_not_you')],
  }
}

interface Waiting {
  user: User
  /** Epoch seconds. */
  not_before: number
  expires_at: number
  /** The link that cancels it. */
  cancel_url: string
}

/** At once, and before the end of the delay. @param when It was asked for, and with which browser. */
export function noticeLetter(
  c: RecoveryVisit,
  { user, not_before, cancel_url }: Waiting,
  when: string,
): Letter {
  const text = textsOf(c.language.tag)
  const names = { username: isolated(user.username), provider: c.provider, time: c.time(not_before, user) }
  return {
    subject: `${text('notice_title')} – ${c.provider}`,
    title: text('notice_title'),
    before: [text('notice', names), when],
    button: { text: text('not_me'), url: cancel_url },
    after: [text('notice_was_you')],
  }
}

/** At the end of the delay. @param url Of the recovery. */
export function overLetter(c: RecoveryVisit, { user, expires_at, cancel_url }: Waiting, url: string): Letter {
  const text = textsOf(c.language.tag)
  const names = { username: isolated(user.username), provider: c.provider, time: c.time(expires_at, user) }
  const title = text('title')
  return {
    subject: `${title} – ${c.provider}`,
    title,
    before: [text('over', names)],
    button: { text: c.text('ticket.submit'), url },
    after: [`${text('over_not_you')}\n${cancel_url}`],
  }
}
