/** The actions of the account page's forms. The CSRF token has been checked; null means that a field is missing. */

import type { FormProblem, Notice, PasswordField } from '../pages/account-view.js'
import { completeSignIn, withCookies } from '../sign-in/complete-sign-in.js'
import { newPasswordFault } from '../sign-in/new-password.js'
import { BUSY, callerOf, unlessBusy } from '../sign-in/password-check.js'
import { mayHavePassword } from '../sign-in/passwords-of.js'
import { acrOf, amrOf, levelOfSession } from '../sign-in/proofs.js'
import { changedUser } from '../users/changed-user.js'
import type { User } from '../users/user-store.js'
import { pickFields } from '../web/form.js'
import { ACCOUNT_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { type AccountContext, noticeCookie, redirectWithNotice } from './context.js'
import { type Fresh, hasSecondFactor, type Question, requireFresh } from './fresh.js'
import { busyProblem, passwordProblem, proofOf, refused } from './password-problem.js'
import { showAccount } from './view.js'

/** Requires the current password. All sessions and grants of the user end, and this browser gets a new session. */
export async function changePassword(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['current_password', 'new_password', 'new_password_again'])
  if ('fault' in form || !mayHavePassword(c, c.user)) return null
  const { current_password, new_password } = form.fields
  const asked = await askForFactor(c)
  if (asked) return asked
  const fault = await changeFault(c, form.fields)
  if (fault) return showAccount(c, { at: 'password', ...fault })
  const problem = await passwordProblem(c, 'change_password', current_password)
  if (problem) return showAccount(c, { at: 'password', ...problem })
  const done = { type: 'account.password_changed', notice: 'password' } as const
  return storePassword(c, { action: 'change_password', password: new_password, done })
}

interface ChangedPassword {
  /** As it is now. */
  user: User
  type: 'account.password_changed' | 'account.password_set' | 'account.password_removed'
  notice: Notice
  /** What the form of the change has proved. */
  fresh?: Fresh
}

/** Ends all sessions and grants of the user. This browser gets a new session, and a tag of its device for the new password. */
export async function signInAnew(
  c: AccountContext,
  { user, type, notice, fresh: { proofs } = { cookies: [], proofs: [] } }: ChangedPassword,
): Promise<Response> {
  const { sub, sid, acr, auth_time } = c.session
  c.emit({ type, sub, sid })
  await c.management.users.endAccess(sub, { reason: 'password_changed' })
  const is_proved = proofs.length > 0
  const amr = [...new Set([...c.session.amr, ...(is_proved ? amrOf(proofs) : [])])]
  const reached = is_proved ? acrOf(c.realm, levelOfSession({ amr })) : acr
  const login = {
    sub,
    username: user.username,
    amr,
    auth_time: is_proved ? c.now() : auth_time,
    return_to: { path: ACCOUNT_PATH },
    ...(reached !== null && { acr: reached }),
  }
  return completeSignIn(c, login, [noticeCookie(c, notice), c.devices.remember(c.request, c.realm, user)])
}

/** After this time, an unattended browser or a stolen cookie is not enough to end the user's other sessions. */
const RECENT_SIGN_IN_SECONDS = 900

const requireRecent = (c: AccountContext, params: URLSearchParams, question: Question) =>
  requireFresh(c, params, { ...question, seconds: RECENT_SIGN_IN_SECONDS })

const OPEN_PASSWORD = { action: 'open_password', fields: {} } as const

/** Who knows the password alone cannot change it where there is a second factor. The form is opened again: it keeps no passwords. */
export async function askForFactor(c: AccountContext): Promise<Response | null> {
  const factors = await c.factors?.store.list(c.user.sub)
  if (factors === undefined || !hasSecondFactor(factors)) return null
  const fresh = await requireFresh(c, new URLSearchParams(), OPEN_PASSWORD)
  return fresh instanceof Response ? fresh : null
}

/** Leads back to the form of the password after a fresh proof. */
export async function openPassword(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  if (!mayHavePassword(c, c.user)) return null
  const fresh = await requireFresh(c, params, OPEN_PASSWORD)
  if (fresh instanceof Response) return fresh
  const field: PasswordField = c.user.password_hash === null ? 'new_password' : 'current_password'
  const location = `${urlIn(c.realm, ACCOUNT_PATH)}#${field}`
  return withCookies(seeOther(location), [noticeCookie(c, 'confirmed'), ...fresh.cookies])
}

export async function signOutDevice(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['sid'])
  if ('fault' in form) return null
  const { sid } = form.fields
  // A sid is not secret: only sids of this user are accepted, and the response is the same for all others.
  const own = await c.management.sessions.list(c.user.sub)
  if (!own.some((session) => session.sid === sid)) return redirectWithNotice(c, 'session_gone')
  const fresh = await requireRecent(c, params, { action: 'end_session', fields: { sid } })
  if (fresh instanceof Response) return fresh
  const ended = await c.management.sessions.end(sid, 'account_page')
  return redirectWithNotice(c, ended ? 'session' : 'session_gone', fresh.cookies)
}

export async function signOutOthers(c: AccountContext, params: URLSearchParams): Promise<Response> {
  const fresh = await requireRecent(c, params, { action: 'end_others', fields: {} })
  if (fresh instanceof Response) return fresh
  await c.management.sessions.endOthers(c.user.sub, c.session.sid, 'account_page')
  return redirectWithNotice(c, 'others', fresh.cookies)
}

/**
 * Withdraws a client's access to one resource, or to all of them when `resource` is empty: the consents, the grants that
 * they cover, and grants without a consent.
 */
export async function withdrawAccess(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['client_id', 'resource'])
  if ('fault' in form) return null
  const { client_id, resource } = form.fields
  const { sub } = c.user
  const { consents, grants } = c.management
  const matches = (row: { client_id: string; resource: string | null }) =>
    row.client_id === client_id && (resource === '' || resource === (row.resource ?? c.realm.issuer))
  // Compared with the stored rows first, so that text from the form is never used in a query.
  const [consentRows, grantRows] = await Promise.all([consents.list(sub), grants.list(sub)])
  if (![...consentRows, ...grantRows].some(matches)) return redirectWithNotice(c, 'withdrawn_before')
  const selection = { sub, client_id, ...(resource !== '' && { resource }) }
  if ((await consents.revoke(selection)) > 0) return redirectWithNotice(c, 'withdrawn')
  return redirectWithNotice(c, grantRows.some(matches) ? 'access_ended' : 'withdrawn_before')
}

async function changeFault(
  c: AccountContext,
  fields: Record<PasswordField, string>,
): Promise<FormProblem | null> {
  const { current_password, new_password, new_password_again } = fields
  const chosen = { user: c.user, password: new_password, again: new_password_again }
  const fault = await newPasswordFault(c, chosen)
  if (fault !== null || new_password !== current_password) return fault
  return { status: 422, text: c.language.text('password.not_new'), field: 'new_password' }
}

interface NewPassword {
  action: 'change_password' | 'set_password'
  password: string
  done: Pick<ChangedPassword, 'type' | 'notice'>
}

/** Stores the new password, unless the account has changed since its password was checked. */
export async function storePassword(
  c: AccountContext,
  { action, password, done }: NewPassword,
): Promise<Response> {
  const show = (problem: FormProblem) => showAccount(c, { at: 'password', ...problem })
  const password_hash = await unlessBusy(() => c.passwords.hash(password, callerOf(c, proofOf(c))))
  if (password_hash === BUSY) return show(busyProblem(c, action))
  const { user } = c
  const changed = changedUser(user, { password_hash }, c.now())
  if (await c.users(c.realm.id).update(changed, user.updated_at))
    return signInAnew(c, { user: changed, ...done })
  const text = c.language.text('account.changed_meanwhile')
  return show(refused(c, { action, reason: 'changed_meanwhile' }, { status: 409, text }))
}
