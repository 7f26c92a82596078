/** Tells users by mail what was changed at their account: the events of one request are one mail. */

import { type AccountChange, addMail } from '../outbox/mail-content.js'
import type { MailContext } from '../sign-in/context.js'
import type { AccountChanges } from './account-changes.js'
import { originOf } from './ask-mail.js'
import { reserveNotice } from './limits.js'

/** Queues one mail for each account. */
export async function addNotices(c: MailContext, changes: AccountChanges): Promise<void> {
  for (const [sub, changed] of changes) await addNotice(c, { sub, changes: changed })
}

async function addNotice(
  c: MailContext,
  { sub, changes }: { sub: string; changes: readonly AccountChange[] },
): Promise<void> {
  const { mail, realm } = c
  const reservation = await reserveNotice(mail, { realm: realm.id, sub }, c.now())
  if ('limit' in reservation) {
    c.emit({ type: 'mail.throttled', mail: 'notice', limit: reservation.limit, sub })
    return
  }
  await addMail(mail, realm.id, { kind: 'notice', sub, changes, ...originOf(c) })
  mail.start()
}
