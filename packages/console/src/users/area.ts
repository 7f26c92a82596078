/** The pages of users. */

import { refusalPage } from '../pages/errors.js'
import { textOf } from '../texts/texts.js'
import type { OwnVisit, PageArea } from '../visit.js'
import { revokeConsent, userAct } from './acts.js'
import { userDetail } from './detail.js'
import { createUserPage, editUserPage } from './form.js'
import { listUsers } from './list.js'

/** The pages of users: list, one user, and the forms that change one. */
export const usersArea: PageArea = {
  name: 'users',
  title: ['Users', 'Benutzer', 'Utilisateurs'],
  needs: 'users',
  answer: (c, parts) => usersPage({ ...c, text: textOf(c) }, parts),
}

async function usersPage(
  c: OwnVisit,
  [sub, act, more, ...others]: readonly string[],
): Promise<Response | null> {
  if (others.length > 0) return null
  const is_read = c.request.method !== 'POST'
  if (sub === undefined) return is_read ? listUsers(c) : refusalPage(c, 'method')
  if (sub === 'new' && act === undefined)
    return c.may('users', 'write') ? createUserPage(c) : refusalPage(c, 'not_permitted')
  if (act === undefined) return is_read ? userDetail(c, sub) : refusalPage(c, 'method')
  const area = act === 'consents' || act === 'end-access' ? AREAS[act] : 'users'
  if (!c.may(area, 'write')) return refusalPage(c, 'not_permitted')
  if (act === 'consents') return more === undefined ? null : revokeConsent(c, sub, more)
  if (more !== undefined) return null
  return act === 'edit' ? editUserPage(c, sub) : userAct(c, sub, act)
}

/** Whose right a form needs, where it is not that of users. */
const AREAS = { consents: 'consents', 'end-access': 'sessions' } as const
