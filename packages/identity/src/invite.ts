import type { Realm } from '@ostiary/core'
import type { IdentityOptions } from './identity-options.js'
import type { Invitation } from './users/invitation.js'
import type { UserInput } from './users/manage-users.js'
import type { Tickets } from './users/ticket-store.js'

/**
 * Creates a user who cannot sign in, and a link for 7 days with which the user chooses how; for a user without a way to sign in, another
 * link. Where the realm mails, it goes to the claim `email`, and its use sets `email_verified`.
 * @param options Those of `createIdentity`.
 * @throws UserError when a value is invalid, the user can sign in, or a limit of mails is reached.
 */
export async function inviteUser(
  options: IdentityOptions & { tickets: Tickets },
  realm: Realm,
  input: UserInput,
): Promise<Invitation> {
  return (await import('./later.js')).inviteUser(options, realm, input)
}
