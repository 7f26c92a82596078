/** What the steps of a recovery have in common. */

import type { RecoveryRefusal } from '../events.js'
import { unknownTicketPage } from '../pages/recovery/ticket.js'
import type { FormTarget, RecoveryContext } from '../sign-in/context.js'
import { isAsked } from '../sign-in/enrolment.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import type { RecoveryState } from '../sign-in/recovery-state.js'
import type { Factor } from '../users/factor-store.js'
import type { User } from '../users/user-store.js'
import { accountPath, pathIn, TICKET_PATH } from '../web/paths.js'

/** A recovery of this browser, and its account as it is now. */
export interface Recovery {
  c: RecoveryContext
  state: RecoveryState
  user: User
  /** All of the account; none where the realm offers no factors. */
  factors: readonly Factor[]
}

/** Whether the account is the one for which the link, or the state, was made. */
export const isCurrent = (user: User, { credential_version }: { credential_version: number }): boolean =>
  user.credential_version === credential_version && user.disabled_at === null

/** The same page for every link that does not work: it does not tell whether there is such an account. */
export function refuseRecovery(
  c: RecoveryContext,
  refusal: { reason: RecoveryRefusal; sub: string | null },
): Response {
  c.emit({ type: 'recovery.refused', ...refusal })
  return badLink(c)
}

export const badLink = (c: RecoveryContext): Response =>
  unknownTicketPage(c, { realm: c.realm, next: accountPath(c.realm, c.has_account_page) })

/** For all forms of a page: the token belongs to a cookie, which the browser may have lost. */
export function flowForm({ c, state }: Recovery): {
  set_cookie: string | null
  target(action: string): FormTarget
} {
  const bound_to = `${TICKET_PATH} ${state.id}`
  const { token, set_cookie } = c.csrf.issue(c.request, { realm: c.realm, bound_to })
  return {
    set_cookie,
    target: (action) => ({
      action: pathIn(c.realm, TICKET_PATH),
      fields: hiddenFields({ csrf_token: token, action }),
      csrf_token: token,
      bound_to,
    }),
  }
}

/** The passkeys and apps that the account has at the end. */
export const keptOf = ({ state, factors }: Recovery): Factor[] =>
  factors.filter((factor) => isAsked(factor) && !state.remove?.includes(factor.factor_id))

/** What the user has to add before the end; null when nothing is missing. */
export function missingOf(recovery: Recovery): 'way' | 'factor' | null {
  const { c, state, user } = recovery
  const kept = keptOf(recovery)
  const knows_password = state.password || (hasPassword(c, user) && kept.length > 0)
  if (!knows_password && !c.factors?.passkeysIn(kept).length) return 'way'
  return c.factors?.settings.second_factor === 'required' && kept.length === 0 ? 'factor' : null
}
