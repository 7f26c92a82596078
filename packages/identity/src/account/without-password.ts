/** An account gives up its password for passkeys, or gets one again. Both end all sessions and grants, as a new password does. */

import { newPasswordFault } from '../sign-in/new-password.js'
import { hasPassword, mayHavePassword } from '../sign-in/passwords-of.js'
import { changedUser } from '../users/changed-user.js'
import { pickFields } from '../web/form.js'
import { askForFactor, signInAnew, storePassword } from './actions.js'
import { factorsOf, linksOf } from './context.js'
import { requireFresh } from './fresh.js'
import { mayRemovePassword } from './link-ways.js'
import { report } from './password-problem.js'
import { showAccount } from './view.js'
import { changedMeanwhile, withFactors } from './ways.js'

/**
 * The factors and the links are read after the user, who is compared when the password is removed: what another request removes meanwhile
 * is seen here, or has changed the user.
 */
export const removePassword = withFactors(async (c, params) => {
  const { user } = c
  if (!hasPassword(c, user)) return null
  const question = { action: 'remove_password', fields: {} } as const
  const fresh = await requireFresh(c, params, question)
  if (fresh instanceof Response) return fresh
  const factors = await factorsOf(c)
  if (!mayRemovePassword(c, { user, factors, links: await linksOf(c) })) {
    report(c, { action: 'remove_password', reason: 'last_way_in' })
    const text = c.language.text('password.needs_passkeys')
    return showAccount(c, { at: 'page', status: 422, text }, fresh.cookies)
  }
  const changed = changedUser(user, { password_hash: null }, c.now())
  if (!(await c.users(c.realm.id).update(changed, user.updated_at)))
    return changedMeanwhile(c, 'remove_password', fresh.cookies)
  return signInAnew(c, { user: changed, type: 'account.password_removed', notice: 'password_removed', fresh })
})

/** For an account that signs in with a passkey, after a fresh proof. The form is opened again for it: it keeps no passwords. */
export const setPassword = withFactors(async (c, params) => {
  const form = pickFields(params, ['new_password', 'new_password_again'])
  if ('fault' in form || !mayHavePassword(c, c.user) || c.user.password_hash !== null) return null
  const passkeys = c.factors.passkeysIn(await factorsOf(c))
  if (passkeys.length === 0) return null
  const asked = await askForFactor(c)
  if (asked) return asked
  const { new_password, new_password_again } = form.fields
  const chosen = { user: c.user, password: new_password, again: new_password_again }
  const fault = await newPasswordFault(c, chosen)
  if (fault) return showAccount(c, { at: 'password', ...fault })
  const done = { type: 'account.password_set', notice: 'password_set' } as const
  return storePassword(c, { action: 'set_password', password: new_password, done })
})
