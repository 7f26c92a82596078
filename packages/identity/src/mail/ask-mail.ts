/** Queues a mail that a browser asks for, within the limits. */

import { deviceOf } from '@ostiary/messages'
import type { PageEvent } from '../events.js'
import type { AddressMail } from '../outbox/letter.js'
import { addMail, type MailContent } from '../outbox/mail-content.js'
import type { MailContext } from '../sign-in/context.js'
import type { CodeMail } from '../sign-in/extensions/seam.js'
import type { SignUpMail } from '../sign-in/sign-up/seam.js'
import { type MailRequest, reserveMail } from './limits.js'

/** For each address alike: nothing is looked up. What the mail says is decided when it is sent. */
export const sendSignUp = (c: MailContext, mail: SignUpMail): Promise<boolean> =>
  sendOnce(
    c,
    { username_key: mail.to, device: null, content: { kind: 'sign_up', ...mail, ...originOf(c) }, sub: null },
    { type: 'signup.started' },
  )

/** For each name alike. False when a limit is reached. */
export const sendCode = (c: MailContext, { user, ...mail }: CodeMail): Promise<boolean> =>
  sendOnce(c, {
    username_key: mail.to,
    device: c.devices.find(c.request, c.realm, user),
    content: { kind: 'code', ...mail, ...originOf(c) },
    sub: user?.sub ?? null,
  })

/** What the mail says is decided when it is sent. False when a limit is reached. */
export async function sendToAddress(c: MailContext, { uncounted, ...mail }: AddressMail): Promise<boolean> {
  const content = { kind: 'address', ...mail, ...originOf(c) } as const
  const asked = { username_key: mail.to, device: null, content, sub: mail.by }
  if (!uncounted) return sendOnce(c, asked)
  await add(c, content)
  return true
}

interface AskedMail extends Pick<MailRequest, 'username_key' | 'device'> {
  content: MailContent
  sub: string | null
}

/** Queues the mail. False when a limit is reached. */
export async function sendOnce(c: MailContext, asked: AskedMail, event?: PageEvent): Promise<boolean> {
  const { mail, realm, address, peer } = c
  const { content, sub, ...to } = asked
  const reservation = await reserveMail(mail, { realm: realm.id, address, peer, ...to }, c.now())
  if ('limit' in reservation) {
    c.emit({ type: 'mail.throttled', mail: content.kind, limit: reservation.limit, sub })
    return false
  }
  if (event) c.emit(event)
  await add(c, content)
  return true
}

async function add({ mail, realm }: MailContext, content: MailContent): Promise<void> {
  await addMail(mail, realm.id, content)
  mail.start()
}

/** What a mail says about the request that caused it. */
export function originOf({ language, request, now }: Pick<MailContext, 'language' | 'request' | 'now'>) {
  const { browser, system } = deviceOf(request.headers.get('user-agent'))
  const device = [browser, system].filter((name) => name !== null).join(', ')
  return { language: language.tag, device, at: now() }
}
