/** A person whose request fails for a reason of ours gets a page, where an application gets JSON. */

import type { Realm } from '@ostiary/core'
import { errorPage } from './pages/error.js'
import { unavailablePage } from './pages/unavailable.js'
import type { Look } from './theme.js'

/** The provider's addresses that people are sent to, below the realm. */
const PEOPLES = ['/oauth/authorize', '/oauth/authorize/resume', '/oauth/authorize/consent', '/oauth/logout']

/** True for a browser that goes there, and not for a script or a program that asks. */
export const isPersons = (request: Request, path: string): boolean =>
  PEOPLES.includes(path) && (request.headers.get('accept') ?? '').includes('text/html')

/** The provider's answer; a page instead of it when the provider has failed. */
export function forPerson(look: Look, realm: Realm, response: Response): Response {
  if (response.status < 500) return response
  return failurePage(look, realm, response.status === 503)
}

/** @param away The same request may succeed a little later. */
export function failurePage(look: Look, realm: Realm, away: boolean): Response {
  if (away) return unavailablePage(look, realm)
  const description = 'The request failed for a reason that is not yours.'
  return errorPage(look, { realm, status: 500, code: 'server_error', description })
}
