/** The catalog: why pushed authorization requests, and what refers to them, are refused (RFC 9126). */

import { reasons } from '../../util/reason.js'

export const PAR_REASONS = reasons({
  push_required: {
    sent: 'client_id',
    hint: 'The client has to push its parameters first (RFC 9126): oidc.par is "required", or require_pushed_authorization_requests of the client.',
  },
  unknown_request_uri:
    'Nothing is pushed at this request_uri, or its code was issued: push the request once more. memoryStorage() forgets all of them at a restart.',
  expired_request_uri: 'The browser came too late: a pushed request is to be used within 90 seconds.',
  foreign_request_uri: {
    sent: 'client_id',
    hint: 'Another client has pushed this request: send the client_id of that client.',
  },
  client_limit: 'The client has pushed 60,000 requests in ten minutes: let it push one for each sign-in.',
})
