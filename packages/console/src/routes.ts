/** The pages of an administrator, by their paths. */

import { clientDetail } from './clients/detail.js'
import { clientAct, createClientPage } from './clients/forms.js'
import { isKind } from './clients/kinds.js'
import { chooseKind, listClients } from './clients/list.js'
import { refusalPage } from './pages/errors.js'
import { areasOf } from './pages/shell.js'
import { revokeConsent, userAct } from './users/acts.js'
import { userDetail } from './users/detail.js'
import { createUserPage, editUserPage } from './users/form.js'
import { listUsers } from './users/list.js'
import { pathOf, type Visit } from './visit.js'
import { seeOther } from './web/answers.js'

/** The parts of a path of a realm. Null for another path. */
export interface RealmPath {
  realm: string
  parts: readonly string[]
}

export function realmPath(pathname: string): RealmPath | null {
  const [, admin, realms, realm = '', ...parts] = pathname.split('/', REALM_PARTS + 5)
  if (admin !== 'admin' || realms !== 'realms' || parts.length > REALM_PARTS) return null
  const decoded = [realm, ...parts].map(decode)
  if (decoded.some((part) => part === null || part === '')) return null
  const [id = '', ...others] = decoded as string[]
  return { realm: id, parts: others }
}

/** Below the path of a realm. */
const REALM_PARTS = 4

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Answers with a page of the realm. @throws SignInNeeded */
export async function realmPage(c: Visit, parts: readonly string[]): Promise<Response> {
  const [area, ...more] = parts
  const is_read = c.request.method !== 'POST'
  if (area === undefined) return firstPage(c)
  if (area === 'users') return (await usersPage(c, more, is_read)) ?? refusalPage(c, 'not_found')
  if (area === 'clients') return (await clientsPage(c, more, is_read)) ?? refusalPage(c, 'not_found')
  return refusalPage(c, 'not_found')
}

async function clientsPage(
  c: Visit,
  [client_id, act, ...others]: readonly string[],
  is_read: boolean,
): Promise<Response | null> {
  if (!c.may('clients', 'read', c.realm) || others.length > 0) return null
  if (client_id === undefined) return is_read ? listClients(c) : refusalPage(c, 'method')
  const is_new = client_id === 'new'
  if (act === undefined && !is_new) return is_read ? clientDetail(c, client_id) : refusalPage(c, 'method')
  if (!c.may('clients', 'write', c.realm)) return refusalPage(c, 'not_permitted')
  if (act === undefined) return is_read ? chooseKind(c) : refusalPage(c, 'method')
  if (is_new && isKind(act)) return createClientPage(c, act)
  return clientAct(c, client_id, act)
}

/** The first page that the administrator may read. */
export function firstPage(c: Visit): Response {
  const [area] = areasOf(c)
  return area === undefined ? refusalPage(c, 'not_permitted') : seeOther(pathOf(c, area))
}

async function usersPage(
  c: Visit,
  [sub, act, more, ...others]: readonly string[],
  is_read: boolean,
): Promise<Response | null> {
  if (!c.may('users', 'read', c.realm)) return refusalPage(c, 'not_found')
  if (others.length > 0) return null
  if (sub === undefined) return is_read ? listUsers(c) : refusalPage(c, 'method')
  if (sub === 'new' && act === undefined)
    return c.may('users', 'write', c.realm) ? createUserPage(c) : refusalPage(c, 'not_permitted')
  if (act === undefined) return is_read ? userDetail(c, sub) : refusalPage(c, 'method')
  const area = act === 'consents' || act === 'end-access' ? AREAS[act] : 'users'
  if (!c.may(area, 'write', c.realm)) return refusalPage(c, 'not_permitted')
  if (act === 'consents') return more === undefined ? null : revokeConsent(c, sub, more)
  if (more !== undefined) return null
  return act === 'edit' ? editUserPage(c, sub) : userAct(c, sub, act)
}

/** Whose right a form needs, where it is not that of users. */
const AREAS = { consents: 'consents', 'end-access': 'sessions' } as const
