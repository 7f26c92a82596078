/** Whether an account can be signed in to, with what the user has elsewhere too. */

import type { PageContext } from '../sign-in/context.js'
import { isAsked } from '../sign-in/enrolment.js'
import type { LinksSignIn } from '../sign-in/extensions/seam.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import type { Factor } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'

type InRealm = Pick<PageContext, 'factors' | 'extensions' | 'realm'>

interface Account {
  user: User
  factors: readonly Factor[]
  links: LinksSignIn
}

/** Alone: neither the provider's settings, nor the realm, nor the user asks for a factor of this server too. */
export const linkIsEnough = (
  { factors }: Pick<InRealm, 'factors'>,
  { user, links }: Omit<Account, 'factors'>,
): boolean =>
  links === 'alone' && factors?.settings.second_factor !== 'required' && !(factors && user.second_step)

/** With a password, a passkey that works here, or a link: alone, or with the app of the account. */
export const canSignIn = (c: InRealm, account: Account): boolean =>
  hasPassword(c, account.user) ||
  passkeysOf(c, account) > 0 ||
  linkIsEnough(c, account) ||
  (account.links === 'without_factor' &&
    c.factors?.settings.second_factor !== 'required' &&
    !account.factors.some(isAsked)) ||
  (account.links !== 'never' && account.factors.some(({ kind }) => kind === 'totp'))

export const passkeysOf = (c: InRealm, { factors }: Pick<Account, 'factors'>): number =>
  c.factors?.passkeysIn(factors).length ?? 0

/**
 * The loss of one device must not close the account: it has two passkeys, or one and a link that is enough. Recovery codes stand in for a
 * factor, and an app follows a password: neither counts.
 */
export function mayRemovePassword(c: InRealm, account: Account): boolean {
  const passkeys_needed = linkIsEnough(c, account) ? 1 : 2
  return passkeysOf(c, account) >= passkeys_needed
}
