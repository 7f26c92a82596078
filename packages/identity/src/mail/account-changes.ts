/** What the events of a request have changed of accounts. */

import type { PageEvent } from '../events.js'
import type { AccountChange } from '../outbox/mail-content.js'

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
    case 'link.added':
      return { notice: 'link_added' }
    case 'recovery.completed':
      return { notice: 'recovered' }
    default:
      return null
  }
}

/** By the `sub` of the account. */
export type AccountChanges = ReadonlyMap<string, readonly AccountChange[]>

export function changesIn(events: readonly PageEvent[]): AccountChanges {
  const by_sub = new Map<string, AccountChange[]>()
  // The link of a new user is how the account was made.
  const is_new = events.some(({ type }) => type === 'user.signed_up')
  for (const event of events) {
    const change = is_new ? null : changeOf(event)
    const sub = 'sub' in event ? event.sub : null
    if (change !== null && sub !== null) by_sub.set(sub, [...(by_sub.get(sub) ?? []), change])
  }
  return by_sub
}
