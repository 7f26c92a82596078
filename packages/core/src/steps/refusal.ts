/** What an event says about a refused request. */

import type { Context } from '../context.js'
import type { OAuthError } from '../errors.js'
import type { RefusalDetails } from '../events.js'
import { withoutSecrets } from '../protocol/redirect-uri.js'

export const refusal = ({ facts }: Context, error: OAuthError): RefusalDetails => ({
  client_id: facts.client_id,
  error: error.code,
  reason: error.reason,
  description: error.event_description,
  redirect_uri: withoutSecrets(facts.redirect_uri),
})
