/** The page of a ticket: a link shows what it does, and its button does it. */

import { badForm } from '../pages/bad-form.js'
import { ticketPage } from '../pages/recovery/ticket.js'
import type { PageContext, RecoveryContext } from '../sign-in/context.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { wasMailed, wasMailedTo } from '../users/invitation.js'
import { updateUser } from '../users/update-user.js'
import { pickFields, readForm } from '../web/form.js'
import { pathIn, TICKET_PATH } from '../web/paths.js'
import { badLink, type GoodTicket, refuseRecovery, startFlow, ticketIn } from './flow.js'
import { actionOf, currentRecovery, showRecovery } from './recovery.js'

export async function getTicket(page: PageContext): Promise<Response> {
  const c = withRecovery(page)
  const secrets = new URL(c.request.url).searchParams.getAll('t')
  if (secrets.length > 0) return showTicket(c, secrets.length === 1 ? (secrets[0] ?? '') : '')
  const recovery = await currentRecovery(c)
  return recovery ? showRecovery(recovery) : badLink(c)
}

export async function postTicket(page: PageContext): Promise<Response> {
  const c = withRecovery(page)
  const form = await readForm(c)
  if ('fault' in form) return badForm(c, form)
  const common = pickFields(form.params, ['csrf_token', 'action'])
  if ('fault' in common) return badForm(c, common)
  const { csrf_token, action } = common.fields
  if (action === 'begin') return begin(c, csrf_token, form.params.get('t') ?? '')
  const recovery = await currentRecovery(c)
  if (!recovery) return refuseRecovery(c, { reason: 'unknown_ticket', sub: null })
  if (!isCsrfToken(c, csrf_token, recovery.state.id)) {
    c.emit({ type: 'recovery.refused', reason: 'csrf', sub: recovery.user.sub })
    return showRecovery(recovery, { status: 403, text: c.language.text('sign_in.not_confirmed') })
  }
  const response = await actionOf(action)?.(recovery, form.params)
  return response ?? badForm(c, { fault: 'malformed' })
}

/** The route is there only where there is a store of tickets. */
function withRecovery(c: PageContext): RecoveryContext {
  const { recovery } = c
  if (recovery === null) throw new Error('No store of tickets')
  return { ...c, recovery }
}

const isCsrfToken = (c: PageContext, token: string, id: string): boolean =>
  c.csrf.valid(c.request, { realm: c.realm, bound_to: `${TICKET_PATH} ${id}` }, token)

/** The ticket and its account, or the page that is the same for every ticket that is not good. @param secret Of the link. */
async function found(c: RecoveryContext, secret: string, takes = false): Promise<GoodTicket | Response> {
  const good = await ticketIn(c, secret, { purposes: ['recover', 'invite'], takes })
  return 'reason' in good ? refuseRecovery(c, good) : good
}

async function showTicket(c: RecoveryContext, secret: string, problem = ''): Promise<Response> {
  const good = await found(c, secret)
  if (good instanceof Response) return good
  const { token, set_cookie } = c.csrf.issue(c.request, {
    realm: c.realm,
    bound_to: `${TICKET_PATH} ${good.ticket.ticket_hash}`,
  })
  return ticketPage(c, {
    realm: c.realm,
    username: good.user.username,
    action: pathIn(c.realm, TICKET_PATH),
    fields: hiddenFields({ csrf_token: token, action: 'begin', t: secret }),
    invited_until: good.ticket.purpose === 'invite' ? good.ticket.expires_at : null,
    problem,
    cookies: [set_cookie],
  })
}

/** Uses the ticket. What the account has given to browsers and applications ends, and the recovery goes on in this browser. */
async function begin(c: RecoveryContext, csrf_token: string, secret: string): Promise<Response> {
  const good = await found(c, secret)
  if (good instanceof Response) return good
  const { ticket_hash, sub } = good.ticket
  if (!isCsrfToken(c, csrf_token, ticket_hash)) {
    c.emit({ type: 'recovery.refused', reason: 'csrf', sub })
    return showTicket(c, secret, c.language.text('sign_in.not_confirmed'))
  }
  const taken = await found(c, secret, true)
  if (taken instanceof Response) return taken
  if (wasMailed(secret)) await verifyAddress(c, secret, sub)
  c.emit({ type: taken.ticket.purpose === 'invite' ? 'invitation.used' : 'recovery.started', sub })
  return startFlow(c, taken.ticket)
}

/** Who uses the link of a mail reads the mails to its address: to that one, and not to one that the account has got meanwhile. */
const verifyAddress = (c: RecoveryContext, secret: string, sub: string): Promise<unknown> =>
  updateUser(
    c.users(c.realm.id),
    {
      sub,
      change: ({ claims }) =>
        wasMailedTo(secret, claims.email) ? { claims: { ...claims, email_verified: true } } : {},
    },
    { now: c.now },
  )
