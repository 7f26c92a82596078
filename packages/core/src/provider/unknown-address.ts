/** The events of requests that reach no endpoint, where the mistake can be told: a scanner's requests to unknown paths have none. */

import type { EventDetails } from '../realm/events.js'
import type { RealmRules } from '../realm/realm.js'
import { hintFor, type RefusalReason } from '../refusals/hints.js'
import { printable, shownValue } from '../util/shown-value.js'
import { routesAt } from './routes.js'

interface Unanswered {
  reason: RefusalReason
  description: string
  sent: string
}

const unanswered = ({ reason, description, sent }: Unanswered): EventDetails => ({
  type: 'request.refused',
  route: null,
  client_id: null,
  error: 'invalid_request',
  reason,
  description,
  redirect_uri: null,
  sent: printable(sent),
  hint: hintFor(reason),
})

/** A path of a realm that does not exist. */
export const unknownRealm = (id: string): EventDetails =>
  unanswered({
    reason: 'unknown_realm',
    description: 'There is nothing at this address',
    sent: `realm=${shownValue(id)}`,
  })

/** What a client asks for whose configuration has the issuer with a slash at its end. */
export const SLASH_AFTER_ISSUER = 'There is nothing at this address: the issuer has no slash at its end'

/** Whether the path is that of an endpoint after two slashes. */
export const hasDoubleSlash = (path: string, realm: RealmRules): boolean =>
  path.startsWith('//') && routesAt(path.slice(1), realm).routes.length > 0

export const slashAfterIssuer = (path: string): EventDetails =>
  unanswered({
    reason: 'slash_after_issuer',
    description: SLASH_AFTER_ISSUER,
    sent: `path=${shownValue(path)}`,
  })

/** A method that the endpoint does not take; a preflight of a script on another origin (CORS), where there is none. */
export function refusedMethod({ method, headers }: Request, path: string): EventDetails {
  const origin = headers.get('origin')
  const at = `path=${shownValue(path)}`
  if (method === 'OPTIONS' && origin !== null)
    return unanswered({
      reason: 'no_cross_origin',
      description: 'Scripts of other origins may not call this endpoint',
      sent: `origin=${shownValue(origin)}, ${at}`,
    })
  return unanswered({
    reason: 'wrong_http_method',
    description: 'The endpoint does not take this method',
    sent: `method=${shownValue(method)}, ${at}`,
  })
}
