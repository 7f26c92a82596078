/** What an event says about a refused request. */

import type { OAuthError } from '../http/errors.js'
import { claimedClient, type SentRequest, sentOf } from '../http/sent.js'
import type { Context } from '../realm/context.js'
import type { EventDetails, RefusalDetails } from '../realm/events.js'
import { hintFor } from '../refusals/hints.js'
import { shownUri, uriDifference } from '../util/shown-uri.js'
import { printable, shownValue } from '../util/shown-value.js'

export const refusal = (c: Context, error: OAuthError): RefusalDetails => ({
  client_id: c.facts.client_id,
  ...(c.facts.sub !== null && { sub: c.facts.sub }),
  error: error.code,
  reason: error.reason,
  description: error.event_description,
  redirect_uri: shownUri(c.facts.redirect_uri),
  sent: sentText(c, error),
  hint: hintText(c, error),
})

/** The event of a failed client authentication, which the error of the endpoint carries; null for every other error. */
export function authenticationFailure(c: Context, error: OAuthError): EventDetails | null {
  if (error.authentication === null) return null
  const { client_id } = c.facts
  const { reason, authentication } = error
  return {
    type: 'client.authentication_failed',
    client_id,
    reason,
    ...authentication,
    sent: sentText(c, error),
    hint: hintText(c, error),
  }
}

const requestOf = (c: Context): SentRequest => ({ request: c.request, params: c.facts.params, now: c.now() })

/** Beside what the catalog names, the client that the request names, if no client is known yet. */
function sentText(c: Context, { reason, sent }: OAuthError): string | null {
  const request = requestOf(c)
  const text = sent ?? sentOf(request, reason)
  const client_id = c.facts.client_id === null ? claimedClient(request) : null
  if (client_id === null || text?.includes('client_id=')) return text
  return printable([text, `client_id=${client_id}`].filter((part) => part !== null).join(', '))
}

/** Reasons about a URI that differs from a registered one, or from the one of the request before. */
const URI_REASONS: readonly string[] = ['unregistered_redirect_uri', 'redirect_uri_mismatch']
/** Reasons about a URL of this server. */
const ISSUER_REASONS: readonly string[] = ['assertion_audience', 'proof_url']

function hintText(c: Context, error: OAuthError): string | null {
  // The description names the resource.
  if (error.reason === 'scope_of_resource') return `${error.event_description}.`
  const hint = hintFor(error.reason)
  const detail = hintDetail(c, error)
  return hint === null || detail === null ? hint : `${hint} ${detail}`
}

/** A sentence with the values of this request, and of this server, that are to be compared. */
function hintDetail(c: Context, { reason, refused_value }: OAuthError): string | null {
  if (refused_value !== null) return `It is ${shownValue(refused_value)}.`
  if (ISSUER_REASONS.includes(reason)) return `The issuer is ${c.realm.issuer}.`
  const { redirect_uri, registered_uris, params } = c.facts
  if (reason === 'invalid_target') {
    const target = params?.get('resource') ?? params?.get('audience') ?? null
    return target === null
      ? null
      : uriDifference(
          target,
          c.realm.resources.map(({ uri }) => uri),
        )
  }
  if (!URI_REASONS.includes(reason)) return null
  return uriDifference(redirect_uri, registered_uris, reason === 'unregistered_redirect_uri')
}
