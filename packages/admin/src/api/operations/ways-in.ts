/** The operations on how a user gets in beside the password: passkeys, an authenticator app, recovery codes, and links for one use. */

import type { Factor, FactorSelection, Ticket, TicketPurpose, User } from '@ostiary/identity'
import * as z from 'zod'
import { endLink } from '../../roles/former-links.js'
import { type Answer, type Call, operation } from '../operation.js'
import { changedMeanwhile, notFound, ProblemError } from '../problem.js'
import { requireBelow } from '../protect.js'
import { EPOCH, NULLABLE } from '../schemas.js'
import { configuredPath, ended, found, ONE, READS, REMOVES, WRITES } from './users.js'

const kind = z.enum(['passkey', 'totp', 'recovery'])
const shownFactor = z.looseObject({
  factor_id: z.string(),
  kind,
  label: z.string(),
  created_at: EPOCH,
  last_used_at: EPOCH.nullable(),
})
const removal = ended.extend({
  removed: z.array(z.object({ factor_id: z.string(), kind })),
  second_step: z.boolean(),
})
/** Of an answer that has a link, which is not shown again. */
const shownLink = z.object({
  sub: z.string(),
  link: z.string().describe('It works once'),
  expires_at: EPOCH,
})

/** A user whose ways in the caller may change. @throws ProblemError 403, 404 */
export async function reachable(call: Call) {
  const user = await found(call)
  await requireBelow(call, user.sub)
  return user
}

/** Without the data of a factor: that of an app is a secret. */
export const withoutSecrets = ({ data: _, state: __, sub: ___, ...factor }: Factor) => factor

/** A link of the user that can be used: one from before a change of how the user signs in cannot. */
export async function openTicket(call: Call, user: User, purpose: TicketPurpose): Promise<Ticket | null> {
  const ticket = await (await call.parts()).tickets.findOf(user.sub, purpose)
  const is_open = ticket?.credential_version === user.credential_version && call.now < ticket.expires_at
  return is_open ? ticket : null
}

async function list(call: Call): Promise<Answer> {
  const user = await found(call)
  const { factors, identity, settings } = await call.parts()
  const all = await factors.list(user.sub)
  return {
    body: {
      items: all.filter((factor) => factor.kind !== 'recovery').map(withoutSecrets),
      recovery_codes: all.reduce((sum, factor) => sum + identity.codesLeft(factor), 0),
      second_step: user.second_step,
      password: settings.password && user.password_hash !== null,
      passkeys: identity.passkeysFor(settings.passkeys, all).length,
      recovery_until: (await openTicket(call, user, 'wait'))?.expires_at ?? null,
      configured: configuredPath(call, user) ?? null,
    },
  }
}

/** @throws ProblemError 404, 409, 412 */
async function remove(call: Call, selection: FactorSelection): Promise<Answer> {
  const user = await reachable(call)
  const { factors, identity, settings } = await call.parts()
  const plan = identity.planFactorRemoval(user, await factors.list(user.sub), { selection, settings })
  if (plan === 'no_factor') throw notFound()
  if (plan === 'last_way_in')
    throw new ProblemError(
      'conflict',
      'The user could not sign in without a passkey: set a password first, or make a recovery link',
    )
  if (!(await identity.removeFactors(factors, user, { ...plan, now: call.now }))) throw changedMeanwhile()
  const removed = plan.removed.map(({ factor_id, kind: of_kind }) => ({ factor_id, kind: of_kind }))
  const { sub } = user
  const access = await call.management.users.endAccess(sub)
  return { body: { sub, removed, second_step: plan.second_step, ...access } }
}

/** @throws ProblemError 409 for a user who is disabled: the page of the link refuses the user. */
function requireEnabled({ disabled_at }: { disabled_at: number | null }): void {
  if (disabled_at === null) return
  throw new ProblemError('conflict', 'The user is disabled, and a link would not work: enable the user first')
}

/** The user may have got a role meanwhile. @throws ProblemError 403: the link has ended. */
export async function keepLink(call: Call, sub: string, purpose: 'recover' | 'invite'): Promise<void> {
  try {
    await requireBelow(call, sub)
  } catch (error) {
    const { tickets } = await call.parts()
    await endLink({ realm: call.realm, tickets, audit: call.audit }, { sub, purpose })
    throw error
  }
}

async function makeLink(call: Call): Promise<Answer> {
  const user = await reachable(call)
  requireEnabled(user)
  const { realm, tickets, identity } = await call.parts()
  const { url, expires_at } = await identity.createRecoveryLink(tickets, { realm, user, now: call.now })
  await keepLink(call, user.sub, 'recover')
  return { status: 201, body: { sub: user.sub, link: url, expires_at } }
}

/** Ends the recovery by mail that waits. */
async function cancel(call: Call): Promise<Answer> {
  const { sub } = await reachable(call)
  const { tickets } = await call.parts()
  const { realm, audit } = call
  if (!(await endLink({ realm, tickets, audit }, { sub, purpose: 'wait' }))) throw notFound()
  return { status: 204 }
}

export const WAYS_IN = [
  operation({
    ...READS,
    id: 'factors.list',
    path: `${ONE}/factors`,
    summary: 'List the passkeys and the authenticator app of a user, without what is secret',
    answers: {
      200: z.object({
        items: z.array(shownFactor),
        recovery_codes: z.int(),
        second_step: z.boolean(),
        password: z.boolean(),
        passkeys: z.int(),
        recovery_until: EPOCH.nullable(),
        configured: NULLABLE,
      }),
    },
    run: list,
  }),
  operation({
    ...REMOVES,
    id: 'factors.remove_all',
    path: `${ONE}/factors`,
    summary: 'Remove all passkeys, the app and the recovery codes of a user, whose sessions and grants end',
    answers: { 200: removal },
    run: (call) => remove(call, 'all'),
  }),
  operation({
    ...REMOVES,
    id: 'factors.remove',
    path: `${ONE}/factors/{factor_id}`,
    summary: 'Remove a passkey or the app of a user, whose sessions and grants end; the last way in stays',
    answers: { 200: removal },
    run: (call) => remove(call, { factor_id: call.params.factor_id ?? '' }),
  }),
  operation({
    ...WRITES,
    id: 'recovery_link.make',
    method: 'POST',
    path: `${ONE}/recovery-link`,
    summary: 'Make a link for one hour with which a user gets back in; an older one ends',
    recent: true,
    answers: { 201: shownLink },
    run: makeLink,
  }),
  operation({
    ...WRITES,
    id: 'recovery_link.cancel',
    method: 'DELETE',
    path: `${ONE}/recovery-link`,
    summary: 'End the recovery by mail of a user that waits',
    answers: { 204: null },
    run: cancel,
  }),
]
