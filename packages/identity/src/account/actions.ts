/** The actions of the account page's forms. The CSRF token has been checked; null means that a field is missing. */

import type { AccountAction, AccountRefusal, LoginLimitName } from '../events.js'
import type { FormProblem, PasswordField } from '../pages/account-view.js'
import { confirmPage } from '../pages/confirm.js'
import { completeSignIn } from '../sign-in/complete-sign-in.js'
import type { Proof } from '../sign-in/login-limits.js'
import {
  BUSY,
  BUSY_RETRY_AFTER_SECONDS,
  callerOf,
  checkPassword,
  unlessBusy,
} from '../sign-in/password-check.js'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, wrongLength } from '../users/passwords.js'
import type { User } from '../users/user-store.js'
import { pickFields } from '../web/form.js'
import { ACCOUNT_PATH } from '../web/paths.js'
import { type AccountContext, csrfBinding, noticeCookie, redirectWithNotice } from './context.js'
import { showAccount } from './view.js'

/** Requires the current password. All sessions and grants of the user end, and this browser gets a new session. */
export async function changePassword(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['current_password', 'new_password', 'new_password_again'])
  if ('fault' in form) return null
  const { current_password, new_password } = form.fields
  const fault = newPasswordFault(c, form.fields)
  if (fault) return showAccount(c, { at: 'password', ...fault })
  const problem = await passwordProblem(c, 'change_password', current_password)
  if (problem) return showAccount(c, { at: 'password', ...problem })
  const stored = await storePassword(c, new_password)
  if ('text' in stored) return showAccount(c, { at: 'password', ...stored })

  const { sub, sid, amr, acr, auth_time } = c.session
  c.emit({ type: 'account.password_changed', sub, sid })
  await c.management.users.endAccess(sub, { reason: 'password_changed' })
  const { username } = c.user
  const return_to = { path: ACCOUNT_PATH }
  const login = { sub, username, amr, auth_time, return_to, ...(acr !== null && { acr }) }
  return completeSignIn(c, login, [
    noticeCookie(c, 'password'),
    c.devices.remember(c.request, c.realm, stored),
  ])
}

export async function signOutDevice(c: AccountContext, params: URLSearchParams): Promise<Response | null> {
  const form = pickFields(params, ['sid'])
  if ('fault' in form) return null
  const { sid } = form.fields
  // A sid is not secret: only sids of this user are accepted, and the response is the same for all others.
  const own = await c.management.sessions.list(c.user.sub)
  if (!own.some((session) => session.sid === sid)) return redirectWithNotice(c, 'session_gone')
  const passwordPage = await askForPassword(c, params, { action: 'end_session', sid })
  if (passwordPage) return passwordPage
  const ended = await c.management.sessions.end(sid, 'account_page')
  return redirectWithNotice(c, ended ? 'session' : 'session_gone')
}

export async function signOutOthers(c: AccountContext, params: URLSearchParams): Promise<Response> {
  const passwordPage = await askForPassword(c, params, { action: 'end_others' })
  if (passwordPage) return passwordPage
  await c.management.sessions.endOthers(c.user.sub, c.session.sid, 'account_page')
  return redirectWithNotice(c, 'others')
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

/** After this time, an unattended browser or a stolen cookie is not enough to end the user's other sessions. */
const RECENT_SIGN_IN_SECONDS = 900

/**
 * The page that asks for the password; null when the sign-in is recent, the form has the right password, or the account has
 * none.
 */
async function askForPassword(
  c: AccountContext,
  params: URLSearchParams,
  question: { action: 'end_session' | 'end_others'; sid?: string },
): Promise<Response | null> {
  const { auth_time } = c.session
  if (auth_time !== null && c.now() - auth_time < RECENT_SIGN_IN_SECONDS) return null
  if (c.user.password_hash === null) return null
  const { token } = c.csrf.issue(c.request, csrfBinding(c))
  const page = { ...question, realm: c.realm, username: c.user.username, csrf_token: token }
  const form = pickFields(params, ['current_password'])
  if ('fault' in form) return confirmPage(c, page)
  const problem = await passwordProblem(c, question.action, form.fields.current_password)
  return problem && confirmPage(c, { ...page, problem })
}

/** Failures are counted per session, so that guesses from other browsers do not lock the user out of this page. */
const proofOf = ({ session }: AccountContext): Proof => ({ kind: 'session', id: session.sid })

/** Failures are limited as at the sign-in: a stolen session must not allow unlimited guesses. */
async function passwordProblem(
  c: AccountContext,
  action: AccountAction,
  password: string,
): Promise<FormProblem | null> {
  const { username_key, password_hash } = c.user
  const answer = await checkPassword(c, { username_key, password_hash, password, proof: proofOf(c) })
  if (answer === 'right') return null
  if (answer === 'busy') return busyProblem(c, action)
  if (answer !== 'wrong') {
    const { limit, retry_after } = answer
    const text = c.language.text('account.throttled', { count: Math.ceil(retry_after / 60) })
    return report(c, { action, reason: 'throttled', limit }, { status: 429, text, retry_after })
  }
  const wrong = {
    status: 422,
    text: c.language.text('password.wrong'),
    field: 'current_password',
  } as const
  return report(c, { action, reason: 'wrong_password' }, wrong)
}

function newPasswordFault(c: AccountContext, fields: Record<PasswordField, string>): FormProblem | null {
  const { text } = c.language
  const { current_password, new_password, new_password_again } = fields
  const wrong = (field: PasswordField, sentence: string) => ({ status: 422, text: sentence, field })
  const fault = wrongLength(new_password)
  if (fault === 'too_short')
    return wrong('new_password', text('password.too_short', { min: MIN_PASSWORD_LENGTH }))
  if (fault === 'too_long')
    return wrong('new_password', text('password.too_long', { max: MAX_PASSWORD_LENGTH }))
  if (new_password !== new_password_again) return wrong('new_password_again', text('password.not_repeated'))
  return new_password === current_password ? wrong('new_password', text('password.not_new')) : null
}

/** Stores the new password, unless the account has changed since its password was checked. Returns the new record. */
async function storePassword(c: AccountContext, password: string): Promise<User | FormProblem> {
  const password_hash = await unlessBusy(() => c.passwords.hash(password, callerOf(c, proofOf(c))))
  if (password_hash === BUSY) return busyProblem(c, 'change_password')
  const { user } = c
  const changed = { ...user, password_hash, updated_at: Math.max(c.now(), user.updated_at + 1) }
  if (await c.users(c.realm.id).update(changed, user.updated_at)) return changed
  const text = c.language.text('account.changed_meanwhile')
  return report(c, { action: 'change_password', reason: 'changed_meanwhile' }, { status: 409, text })
}

function busyProblem(c: AccountContext, action: AccountAction): FormProblem {
  const text = c.language.text('account.busy')
  return report(c, { action, reason: 'busy' }, { status: 503, text, retry_after: BUSY_RETRY_AFTER_SECONDS })
}

function report(
  c: AccountContext,
  event: { action: AccountAction; reason: Exclude<AccountRefusal, 'csrf'>; limit?: LoginLimitName },
  refusal: FormProblem,
): FormProblem {
  c.emit({ type: 'account.refused', sub: c.user.sub, ...event })
  return refusal
}
