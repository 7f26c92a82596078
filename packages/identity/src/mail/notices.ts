/** Tells users by mail what was changed at their account: the events of one request are one mail. */

import type { PageEvent } from '../events.js'
import { type AccountChange, addMail } from '../outbox/mail-content.js'
import type { MailContext } from '../sign-in/context.js'
import { originOf } from './ask-mail.js'
import { reserveNotice } from './limits.js'

/** The change that an event reports; null for an event that changes nothing of an account. */
function changeOf(event: PageEvent): AccountChange | null {
  switch (event.type) {
    case 'account.password_changed':
    case 'account.password_set':
    case 'account.password_reset':
    case 'recovery.password_set':
      return { notice: 'password_changed' }
    case 'account.password_removed':
      return { notice: 'password_removed' }
    case 'factor.added':
      return { notice: 'factor_added', factor: event.kind }
    case 'factor.removed':
      return { notice: 'factor_removed', factor: event.kind }
    case 'recovery_codes.created':
      return { notice: 'codes_created' }
    case 'recovery_codes.used':
      return { notice: 'code_used', left: event.left }
    case 'remembered_device.copied':
      return { notice: 'device_copied' }
    case 'recovery.completed':
      return { notice: 'recovered' }
    default:
      return null
  }
}

/** Queues one mail for each account that the events of the request have changed. */
export async function addNotices(c: MailContext, events: readonly PageEvent[]): Promise<void> {
  const bySub = new Map<string, AccountChange[]>()
  for (const event of events) {
    const change = changeOf(event)
    const sub = 'sub' in event ? event.sub : null
    if (change !== null && sub !== null) bySub.set(sub, [...(bySub.get(sub) ?? []), change])
  }
  for (const [sub, changes] of bySub) await addNotice(c, { sub, changes })
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
