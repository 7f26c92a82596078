/** The catalog: why a token exchange is refused (RFC 8693 §2.2.2). */

import { reasons } from '../../util/reason.js'

export const EXCHANGE_REASONS = reasons({
  subject_token_type: {
    sent: 'subject_token_type',
    hint: 'subject_token_type is urn:ietf:params:oauth:token-type:access_token or …:jwt: other tokens are not exchanged.',
  },
  requested_token_type: {
    sent: 'requested_token_type',
    hint: 'requested_token_type is urn:ietf:params:oauth:token-type:access_token: leave it out, since no other token is issued.',
  },
  unsupported_actor_token: 'Leave actor_token and actor_token_type out: the client itself is the actor.',
  foreign_subject_token: {
    sent: 'client_id',
    hint: 'The subject token is neither issued to this client nor addressed to it. If the client is the API in the aud of the token, name it in oidc.resources.<key>.clients.',
  },
  no_exchange_target: {
    sent: 'client_id',
    hint: 'Send audience with the URI of the API that the new token is for, or set default_resource of the client.',
  },
  too_many_actors: {
    sent: 'client_id',
    hint: 'The token was exchanged by 8 clients, one after the other: exchange an earlier token of the chain.',
  },
  audience_not_allowed: {
    sent: 'audience resource',
    hint: 'Add the audience to allowed_exchange_audiences of the client.',
  },
  different_targets: {
    sent: 'audience resource',
    hint: 'Send audience or resource, or the same URI in both.',
  },
  subject_is_named_like_the_client: {
    sent: 'client_id',
    hint: 'A user and this client have the same identifier, so their tokens could be mistaken: give the client another client_id.',
  },
})
