/** To whom a queued mail goes, as the account is when it is sent. */

import { isAddress, usernameKey } from '@ostiary/core/common'
import type { MailRefusal } from '../events.js'
import type { MailContent } from '../outbox/mail-content.js'
import { findNamed } from '../sign-in/extensions/names.js'
import type { Extension } from '../sign-in/extensions/seam.js'
import { isElsewhere } from '../sign-in/passwords-of.js'
import { openTicket, secretIn } from '../users/invitation.js'
import { ticketHash } from '../users/recovery-link.js'
import type { TicketPurpose, Tickets } from '../users/ticket-store.js'
import type { User, Users } from '../users/user-store.js'

/** What the recipient is found with. */
export interface RecipientParts {
  users: Users
  tickets: Tickets
  extensions: readonly { ways: Extension }[]
  /** Epoch seconds. */
  now: () => number
}

export interface Recipient {
  /** Null for an address that is not the name of a user. */
  user: User | null
  to: string
}

export async function recipientOf(
  parts: RecipientParts,
  content: MailContent,
  realm: string,
): Promise<Recipient | MailRefusal> {
  const { tickets, now } = parts
  const user = await userOf(parts, content, realm)
  if ('expires_at' in content && now() >= content.expires_at) return 'expired'
  if ('letters' in content) return { user, to: content.to }
  if (user === null) return 'unknown_user'
  if (user.disabled_at !== null) return 'disabled'
  const { email, email_verified } = user.claims
  const open = (purpose: TicketPurpose) => openTicket(tickets(realm), { user, purpose }, now())
  const invitation = await open('invite')
  if (content.kind === 'invite' || content.kind === 'recovery') {
    const [ticket, hash] =
      content.kind === 'invite'
        ? [invitation, ticketHash(secretIn(content.link))]
        : [await open('wait'), content.ticket_hash]
    return ticket?.ticket_hash === hash && email === content.to ? { user, to: email } : 'changed_meanwhile'
  }
  // Before the invitation is used, its link is the one way in.
  if (invitation !== null) return 'invited'
  if (content.kind === 'code' && isElsewhere({ ...parts, realm: { id: realm } }, user)) return 'elsewhere'
  return email_verified === true && isAddress(email) ? { user, to: email } : 'no_verified_email'
}

async function userOf(
  { users, extensions }: RecipientParts,
  content: MailContent,
  realm: string,
): Promise<User | null> {
  if ('sub' in content) return users(realm).find(content.sub)
  const key = content.kind === 'reset' ? usernameKey(content.username) : content.to
  return key === null ? null : findNamed(users(realm), extensions, { realm, key })
}
