/** The pages of users. */

import { refusalFor } from '../pages/errors.js'
import { TEXTS } from '../texts/texts.js'
import { type Area, type OwnVisit, type Page, type PageArea, withTexts } from '../visit.js'
import { userAct } from './acts.js'
import { userDetail } from './detail.js'
import { endOne } from './ends.js'
import { createUserPage, editUserPage } from './form.js'
import { listUsers } from './list.js'

/** The pages of users: list, one user, and the forms that change one. */
export const usersArea: PageArea = {
  name: 'users',
  title: ['Users', 'Benutzer', 'Utilisateurs'],
  needs: 'users',
  answer: (c, parts) => usersPage(withTexts(c, TEXTS), parts),
}

async function usersPage(c: OwnVisit, [sub, act, more, ...others]: readonly string[]): Page {
  if (others.length > 0) return null
  const is_new = sub === 'new' && act === undefined
  if (sub !== undefined && act !== undefined && more !== undefined) return endOne(c, [sub, act, more])
  const refusal = refusalFor(c, act === undefined && !is_new ? null : areaOf(act))
  if (refusal !== null) return refusal
  if (sub === undefined) return listUsers(c)
  if (is_new) return createUserPage(c)
  if (act === undefined) return userDetail(c, sub)
  return act === 'edit' ? editUserPage(c, sub) : userAct(c, sub, act)
}

/** Whose right a form needs. */
const areaOf = (act: string | undefined): Area => (act === 'end-access' ? 'sessions' : 'users')
