/** What an event says about a refused request. */

import type { Context } from '../context.js'
import type { OAuthError } from '../errors.js'
import type { EventDetails, RefusalDetails } from '../events.js'
import { shownUri, uriDifference } from '../protocol/shown-uri.js'
import { printable } from '../protocol/shown-value.js'
import { hintFor } from '../refusals/hints.js'
import { claimedClient, type SentRequest, sentOf } from './sent.js'

export const refusal = (c: Context, error: OAuthError): RefusalDetails => ({
  client_id: c.facts.client_id,
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

function hintText(c: Context, { reason, event_description }: OAuthError): string | null {
  // The description names the resource.
  if (reason === 'scope_of_resource') return event_description
  const hint = hintFor(reason)
  if (hint === null || !URI_REASONS.includes(reason)) return hint
  const difference = uriDifference(
    c.facts.redirect_uri,
    c.facts.registered_uris,
    reason === 'unregistered_redirect_uri',
  )
  return difference === null ? hint : `${hint} ${difference}`
}
