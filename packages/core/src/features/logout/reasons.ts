/** The catalog: why a sign-out is refused, and why its back-channel logout was not confirmed by the receiver. */

import { reasons } from '../../util/reason.js'

export const LOGOUT_REASONS = reasons({
  bad_confirmation_token: 'The page that confirms a sign-out is too old, or was used: sign out again.',
  no_session_to_end: {
    sent: 'client_id',
    hint: 'A sign-out needs the browser of the user: redirect it to the end_session_endpoint. A back end revokes the refresh token at the revocation_endpoint instead.',
  },
  no_known_client: {
    sent: 'post_logout_redirect_uri client_id',
    hint: 'A sign-out needs id_token_hint or client_id of a live client, else there is no list of addresses to compare with.',
  },
  unregistered_post_logout_redirect_uri: {
    sent: 'post_logout_redirect_uri',
    hint: "The address is not in the client's post_logout_redirect_uris: they are compared character by character. Send a registered one, or add the one that was sent, if the application owns it.",
  },
  delivery_status:
    'The backchannel_logout_uri answered with another status than 2xx: look at the log of the application.',
  delivery_timeout:
    'The backchannel_logout_uri gave no answer within its time: the application answers first, and works afterwards.',
  delivery_stopped: 'This server was stopped during the delivery: it is tried again.',
  delivery_revoked_client: 'The client was revoked after the session began: it gets no logout token.',
  delivery_forbidden_address:
    'The host of backchannel_logout_uri has an address in a private network: publish it at a public one, or list its host and port in backchannel.private_hosts.',
  delivery_failed:
    'The host of backchannel_logout_uri cannot be reached: check its name, its port and its certificate.',
})
