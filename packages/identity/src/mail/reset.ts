/** The page of the link in the mail: GET shows the form, and POST uses the link. */

import type { FormProblem } from '../pages/account-view.js'
import { badForm } from '../pages/bad-form.js'
import { type BadTicket, type GoodTicket, ticketIn } from '../recovery/flow.js'
import { withCookies } from '../sign-in/complete-sign-in.js'
import type { MailContext } from '../sign-in/context.js'
import { isAsked } from '../sign-in/enrolment.js'
import { hashedPassword, newPasswordFault, newPasswordView } from '../sign-in/new-password.js'
import { hiddenFields } from '../sign-in/page-form.js'
import { hasPasswords, mayHavePassword } from '../sign-in/passwords-of.js'
import { changedUser } from '../users/changed-user.js'
import type { Ticket } from '../users/ticket-store.js'
import type { User } from '../users/user-store.js'
import { pickFields, readForm } from '../web/form.js'
import { accountPath, FORGOT_PATH, pathIn, RESET_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { badLinkPage, resetDonePage, resetPage } from './reset-page.js'

export async function getReset(c: MailContext): Promise<Response> {
  const { searchParams } = new URL(c.request.url)
  if (searchParams.has('done'))
    return resetDonePage(c, {
      realm: c.realm,
      next: accountPath(c.realm, c.has_account_page),
    })
  const secrets = searchParams.getAll('t')
  const secret = secrets.length === 1 ? (secrets[0] ?? '') : ''
  const good = await found(c, secret)
  return good instanceof Response ? good : showReset(c, { secret, ...good })
}

export async function postReset(c: MailContext): Promise<Response> {
  const form = await readForm(c)
  if ('fault' in form) return badForm(c, form)
  const fields = pickFields(form.params, ['csrf_token', 't', 'new_password', 'new_password_again'])
  if ('fault' in fields) return badForm(c, fields)
  const { csrf_token, t: secret, new_password, new_password_again } = fields.fields
  const good = await found(c, secret)
  if (good instanceof Response) return good
  const shown = { secret, ...good }
  if (!c.csrf.valid(c.request, { realm: c.realm, bound_to: boundTo(good.ticket) }, csrf_token)) {
    c.emit({ type: 'recovery.refused', reason: 'csrf', sub: good.user.sub })
    return showReset(c, shown, { status: 403, text: c.language.text('sign_in.not_confirmed') })
  }
  // A password that is refused, and a server that is busy, leave the link as it is.
  const chosen = { user: good.user, password: new_password, again: new_password_again }
  const fault = await newPasswordFault(c, chosen)
  if (fault !== null) return showReset(c, shown, fault)
  const password_hash = await hashedPassword(c, new_password)
  if (typeof password_hash !== 'string') return showReset(c, shown, password_hash)
  return setPassword(c, secret, password_hash)
}

const boundTo = ({ ticket_hash }: Ticket): string => `${RESET_PATH} ${ticket_hash}`

/** The ticket and its account, or the page that is the same for every link that is not good. */
async function found(c: MailContext, secret: string, takes = false): Promise<GoodTicket | Response> {
  const good = await ticketIn(c, secret, { purposes: hasPasswords(c) ? ['reset'] : [], takes })
  if ('reason' in good) return refuse(c, good)
  return mayHavePassword(c, good.user) ? good : refuse(c, { reason: 'changed_meanwhile', sub: good.user.sub })
}

function refuse(c: MailContext, refusal: BadTicket): Response {
  c.emit({ type: 'recovery.refused', ...refusal })
  return badLinkPage(c, { realm: c.realm, again: pathIn(c.realm, FORGOT_PATH) })
}

/** Uses the link. What the account has given to browsers and applications ends. The user then signs in as always: with the second step too. */
async function setPassword(c: MailContext, secret: string, password_hash: string): Promise<Response> {
  const taken = await found(c, secret, true)
  if (taken instanceof Response) return taken
  const { user } = taken
  const { sub } = user
  const changed = changedUser(user, { password_hash }, c.now())
  if (!(await c.users(c.realm.id).update(changed, user.updated_at)))
    return refuse(c, { reason: 'changed_meanwhile', sub })
  c.emit({ type: 'account.password_reset', sub })
  const management = await c.provider.manage(c.realm.id, c.origin)
  await management.users.endAccess(sub, { reason: 'password_changed' })
  return withCookies(seeOther(`${urlIn(c.realm, RESET_PATH)}?done`), await deviceCookies(c, changed))
}

/**
 * Wrong passwords from elsewhere must not keep the owner of the mailbox out. With a second step the browser has not shown that it is the
 * owner's, and gets no limits of its own.
 */
async function deviceCookies(c: MailContext, user: User): Promise<string[]> {
  const factors = (await c.factors?.store.list(user.sub)) ?? []
  return factors.some(isAsked) ? [] : [c.devices.remember(c.request, c.realm, user)]
}

function showReset(
  c: MailContext,
  { secret, ticket, user }: GoodTicket & { secret: string },
  problem: FormProblem | null = null,
): Response {
  const { token, set_cookie } = c.csrf.issue(c.request, { realm: c.realm, bound_to: boundTo(ticket) })
  return resetPage(c, {
    realm: c.realm,
    username: user.username,
    ...newPasswordView(c),
    action: pathIn(c.realm, RESET_PATH),
    fields: hiddenFields({ csrf_token: token, t: secret }),
    problem,
    cookies: [set_cookie],
  })
}
