/** What the steps of a recovery have in common. */

import type { RecoveryRefusal } from '../events.js'
import type { DecidedItem } from '../pages/recovery/decision.js'
import { unknownTicketPage } from '../pages/recovery/ticket.js'
import type { FormTarget, PageContext, RecoveryContext, RecoveryParts } from '../sign-in/context.js'
import { isAsked } from '../sign-in/enrolment.js'
import type { LinkedAccount } from '../sign-in/extensions/seam.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { hasPassword } from '../sign-in/passwords-of.js'
import type { RecoveryState, RecoveryStates } from '../sign-in/recovery-state.js'
import { redirectToFlow } from '../sign-in/recovery-step.js'
import type { Factor } from '../users/factor-store.js'
import { wasMailed, wasMailedTo } from '../users/invitation.js'
import { ticketHash } from '../users/recovery-link.js'
import type { Ticket, TicketPurpose } from '../users/ticket-store.js'
import type { User } from '../users/user-store.js'
import { accountPath, pathIn, TICKET_PATH } from '../web/paths.js'

/** A recovery of this browser, and its account as it is now. */
export interface Recovery {
  c: RecoveryContext
  state: RecoveryState
  user: User
  /** All of the account; none where the realm offers no factors. */
  factors: readonly Factor[]
  /** The accounts of the user elsewhere. */
  linked: readonly LinkedAccount[]
}

/** Whether the account is the one for which the link, or the state, was made. */
export const isCurrent = (user: User, { credential_version }: { credential_version: number }): boolean =>
  user.credential_version === credential_version && user.disabled_at === null

/** A ticket that can be used, and its user. */
export interface GoodTicket {
  ticket: Ticket
  user: User
}

/** Why a link does not work. */
export interface BadTicket {
  reason: RecoveryRefusal
  /** Null for an unknown ticket. */
  sub: string | null
}

/** The ticket of a link. @param takes This call alone gets it. */
export async function ticketIn(
  c: PageContext & { recovery: RecoveryParts | null },
  secret: string,
  { purposes, takes = false }: { purposes: readonly TicketPurpose[]; takes?: boolean },
): Promise<GoodTicket | BadTicket> {
  const ticket_hash = ticketHash(secret)
  const ticket = ticket_hash && (await c.recovery?.tickets[takes ? 'take' : 'find'](ticket_hash))
  if (!ticket || !purposes.includes(ticket.purpose)) return { reason: 'unknown_ticket', sub: null }
  const { sub } = ticket
  if (c.now() >= ticket.expires_at) return { reason: 'expired_ticket', sub }
  const user = await c.users(c.realm.id).find(sub)
  return user && isCurrent(user, ticket) && (!wasMailed(secret) || wasMailedTo(secret, user.claims.email))
    ? { ticket, user }
    : { reason: 'changed_meanwhile', sub }
}

/** The same page for every link that does not work: it does not tell whether there is such an account. */
export function refuseRecovery(c: RecoveryContext, refusal: BadTicket): Response {
  c.emit({ type: 'recovery.refused', ...refusal })
  return badLink(c)
}

export const badLink = (c: RecoveryContext): Response =>
  unknownTicketPage(c, { realm: c.realm, next: accountPath(c.realm, c.has_account_page) })

/** Ends what the account has given to browsers and applications. */
export async function endAccess(c: RecoveryContext, sub: string): Promise<void> {
  const management = await c.provider.manage(c.realm.id, c.origin)
  await management.users.endAccess(sub)
}

/** The recovery goes on in this browser. */
export async function startFlow(
  c: RecoveryContext,
  ticket: Parameters<RecoveryStates['begin']>[0],
): Promise<Response> {
  await endAccess(c, ticket.sub)
  return redirectToFlow(c, c.recovery.states.begin(ticket, c.now()))
}

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

/** What the user decides about: passkeys and apps, and accounts elsewhere. */
export const decidedOf = ({ factors, linked }: Recovery): DecidedItem[] => [
  ...factors.filter(isAsked).map((factor) => ({ ...factor, id: factor.factor_id })),
  ...linked,
]

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
