/** The account page: who I am, where I am signed in, whom I allowed what; and the forms to change it. */

import { badForm } from '../pages/bad-form.js'
import type { PageContext } from '../sign-in/context.js'
import { type FormFault, pick, readPosted } from '../web/form.js'
import { ACCOUNT_PATH, LOGIN_PATH, urlIn } from '../web/paths.js'
import { changePassword, endOthers, endSession, withdraw } from './actions.js'
import { type AccountContext, accountContext, csrfBinding, seeOther } from './context.js'
import { showAccount } from './view.js'

/** Three passwords at their longest, percent-encoded. */
const FORM_LIMIT = 32_768

const ACTIONS = new Map([
  ['change_password', changePassword],
  ['end_session', endSession],
  ['end_others', endOthers],
  ['withdraw', withdraw],
])

export async function getAccount(page: PageContext): Promise<Response> {
  const c = await accountContext(page)
  return c ? showAccount(c) : signInFirst(page)
}

export async function postAccount(page: PageContext): Promise<Response> {
  const c = await accountContext(page)
  if (!c) return signInFirst(page)
  const posted = await readPosted(c, FORM_LIMIT)
  if ('fault' in posted) return unreadable(c, posted.fault)
  const form = pick(posted.params, ['csrf_token', 'action'])
  if ('fault' in form) return unreadable(c, form.fault)
  const { csrf_token, action } = form.fields
  if (!c.csrf.valid(c.request, csrfBinding(c), csrf_token)) {
    c.emit({ type: 'account.refused', reason: 'csrf', action: null, sub: c.user.sub })
    const text = 'Your browser could not confirm this form, and nothing was changed. Please try again.'
    return showAccount(c, { at: 'page', status: 403, text })
  }
  const answer = await ACTIONS.get(action)?.(c, posted.params)
  return answer ?? unreadable(c, 'malformed')
}

/** The way back is fixed: no address from outside is followed. */
const signInFirst = ({ realm }: PageContext): Response =>
  seeOther(`${urlIn(realm, LOGIN_PATH)}?${new URLSearchParams({ return_to: ACCOUNT_PATH })}`)

const unreadable = (c: AccountContext, fault: FormFault): Response =>
  badForm(c, { fault, limit: FORM_LIMIT, form: 'The form', advice: 'Open your account page and try again.' })
