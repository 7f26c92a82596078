/** The handlers of the account page: it shows the user's sessions and consents, and handles the forms that change them. */

import { badForm } from '../pages/bad-form.js'
import type { PageContext } from '../sign-in/context.js'
import { type FormFault, pickFields, readForm } from '../web/form.js'
import { ACCOUNT_PATH, LOGIN_PATH, urlIn } from '../web/paths.js'
import { seeOther } from '../web/see-other.js'
import { changePassword, openPassword, signOutDevice, signOutOthers, withdrawAccess } from './actions.js'
import { type AccountContext, accountContext, csrfBinding } from './context.js'
import { accountVisit } from './extensions.js'
import { forgetDevice } from './remembered.js'
import { showAccount } from './view.js'
import { download, enrol, enrolled, newCodes, removeFactor, renameFactor, saved, secondStep } from './ways.js'
import { removePassword, setPassword } from './without-password.js'

/** 32 KiB: three of the longest passwords, percent-encoded. */
const MAX_FORM_BYTES = 32_768

const ACTIONS = new Map([
  ['change_password', changePassword],
  ['end_session', signOutDevice],
  ['end_others', signOutOthers],
  ['withdraw', withdrawAccess],
  ['open_password', openPassword],
  ['set_password', setPassword],
  ['remove_password', removePassword],
  ['enrol', enrol],
  ['enrolled', enrolled],
  ['saved', saved],
  ['download', download],
  ['new_codes', newCodes],
  ['remove_factor', removeFactor],
  ['rename_factor', renameFactor],
  ['second_step', secondStep],
  ['forget_device', forgetDevice],
])

export async function getAccount(page: PageContext): Promise<Response> {
  const c = await accountContext(page)
  return c ? showAccount(c) : signInFirst(page)
}

export async function postAccount(page: PageContext): Promise<Response> {
  const c = await accountContext(page)
  if (!c) return signInFirst(page)
  const form = await readForm(c, MAX_FORM_BYTES)
  if ('fault' in form) return unreadable(c, form.fault)
  const common = pickFields(form.params, ['csrf_token', 'action'])
  if ('fault' in common) return unreadable(c, common.fault)
  const { csrf_token, action } = common.fields
  if (!c.csrf.valid(c.request, csrfBinding(c), csrf_token)) {
    c.emit({ type: 'account.refused', reason: 'csrf', action: null, sub: c.user.sub })
    return showAccount(c, { at: 'page', status: 403, text: c.language.text('account.not_confirmed') })
  }
  const response = ACTIONS.has(action)
    ? await ACTIONS.get(action)?.(c, form.params)
    : await actElsewhere(c, action, form.params)
  return response ?? unreadable(c, 'malformed')
}

/** A form of an extension's section. Null for one that none knows. */
async function actElsewhere(
  c: AccountContext,
  action: string,
  params: URLSearchParams,
): Promise<Response | null> {
  for (const extension of c.extensions) {
    const answer = (await extension.ways.act?.(accountVisit(c, extension), action, params)) ?? null
    if (answer !== null) return answer
  }
  return null
}

/** For a browser that comes back from another way to sign in. */
export { accountVisit }

/** The return address is fixed, so this cannot become an open redirect. */
const signInFirst = ({ realm }: PageContext): Response =>
  seeOther(`${urlIn(realm, LOGIN_PATH)}?${new URLSearchParams({ return_to: ACCOUNT_PATH })}`)

const unreadable = (c: AccountContext, fault: FormFault): Response =>
  badForm(c, { fault, limit: MAX_FORM_BYTES, advice: 'form.account_advice' })
