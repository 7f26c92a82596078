/** Queues a mail that a browser asks for, within the limits. */

import type { PageEvent } from '../events.js'
import type { AddressMail } from '../outbox/letter.js'
import { addMail, type MailContent } from '../outbox/mail-content.js'
import type { MailContext } from '../sign-in/context.js'
import { deviceLabel } from '../sign-in/device-label.js'
import type { CodeMail } from '../sign-in/extensions/seam.js'
import type { SignUpMail } from '../sign-in/sign-up/seam.js'
import { type MailRequest, reserveMail } from './limits.js'

/** For each address alike: nothing is looked up. What the mail says is decided when it is sent. */
export const sendSignUp = (c: MailContext, mail: SignUpMail): Promise<boolean> =>
  sendOnce(c, askedTo({ kind: 'sign_up', ...mail, ...originOf(c) }, null), { type: 'signup.started' })

/** The same, for an address of an account. */
export const sendToAddress = (
  c: MailContext,
  { uncounted = false, ...mail }: AddressMail,
): Promise<boolean> =>
  sendOnce(c, { ...askedTo({ kind: 'address', ...mail, ...originOf(c) }, mail.by), uncounted })

/** For each name alike. False when a limit is reached. */
export const sendCode = (c: MailContext, { user, ...mail }: CodeMail): Promise<boolean> =>
  sendOnce(c, {
    ...askedTo({ kind: 'code', ...mail, ...originOf(c) }, user?.sub ?? null),
    device: c.devices.find(c.request, c.realm, user),
  })

interface AskedMail extends Pick<MailRequest, 'username_key' | 'device'> {
  content: MailContent
  sub: string | null
  /** No limit counts it. */
  uncounted?: boolean
}

const askedTo = (content: MailContent & { to: string }, sub: string | null): AskedMail => ({
  username_key: content.to,
  device: null,
  content,
  sub,
})

/** Queues the mail. False when a limit is reached. */
export async function sendOnce(c: MailContext, asked: AskedMail, event?: PageEvent): Promise<boolean> {
  const { mail, realm, address, peer } = c
  const { content, sub, uncounted, ...to } = asked
  const limited = { realm: realm.id, address, peer, ...to }
  const reservation = uncounted ? null : await reserveMail(mail, limited, c.now())
  if (reservation && 'limit' in reservation) {
    c.emit({ type: 'mail.throttled', mail: content.kind, limit: reservation.limit, sub })
    return false
  }
  if (event) c.emit(event)
  await addMail(mail, realm.id, content)
  mail.start()
  return true
}

/** What a mail says about the request that caused it. */
export const originOf = (c: Pick<MailContext, 'language' | 'request' | 'now'>) => ({
  language: c.language.tag,
  device: deviceLabel(c.request),
  at: c.now(),
})
