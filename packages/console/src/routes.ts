/** The pages of an administrator, by their paths. */

import { refusalPage } from './pages/errors.js'
import { areaPath, areasOf } from './pages/shell.js'
import type { Visit } from './visit.js'
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
export async function realmPage(c: Visit, [name = '', ...parts]: readonly string[]): Promise<Response> {
  const area = areasOf(c).find((each) => each.name === name)
  if (area === undefined && name === '') return firstPage(c)
  return (await area?.answer(c, parts)) ?? refusalPage(c, 'not_found')
}

/** The first page that the administrator may read. */
export function firstPage(c: Visit): Response {
  const [area] = areasOf(c)
  return area === undefined ? refusalPage(c, 'not_permitted') : seeOther(areaPath(c, area))
}
