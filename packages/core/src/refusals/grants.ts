/** The catalog: why the token endpoint refuses codes, refresh tokens and grants. */

import { reasons } from '../util/reason.js'

export const GRANT_REASONS = reasons({
  invalid_grant: 'The code or token is not valid: start the authorization again.',
  unsupported_grant_type: {
    sent: 'grant_type client_id',
    hint: 'Send a grant_type of grant_types_supported of the discovery document: another one does not exist, or a key of oidc.clients turns it on.',
  },
  unknown_code: 'The code is not known here: send it as it came, to the issuer that made it.',
  expired_code:
    'The application redeemed the code after more than oidc.tokens.authorization_code seconds. The user has to sign in again.',
  replayed_code:
    'The code was redeemed before: its tokens are revoked. A code is for one request, so do not load the callback page twice.',
  wrong_client: { sent: 'client_id', hint: 'The code or refresh token belongs to another client.' },
  redirect_uri_mismatch: {
    sent: 'redirect_uri',
    hint: 'Send the same redirect_uri as in the authorization request.',
  },
  pkce_mismatch: {
    sent: 'code_verifier',
    hint: 'The code_verifier does not match the code_challenge: send the verifier that the challenge was made of, with S256.',
  },
  missing_code_verifier: {
    sent: 'code_verifier',
    hint: 'Send the code_verifier that the code_challenge of the authorization request was made of.',
  },
  unexpected_code_verifier: {
    sent: 'code_verifier',
    hint: 'The authorization request had no code_challenge: send one there, or no code_verifier here.',
  },
  pkce_required: {
    sent: 'client_id',
    hint: 'The code was issued without PKCE, which this client needs now: start the authorization again, with a code_challenge.',
  },
  unknown_refresh_token:
    'The refresh token is not known here: memoryStorage() forgets all of them at a restart. The user has to sign in again.',
  expired_refresh_token:
    'The refresh token was not used for longer than oidc.tokens.refresh_token seconds: the user has to sign in again.',
  reused_refresh_token:
    'The refresh token was used before: its grant is revoked. Keep the new one of each answer. For parallel requests of this client set its refresh_token_grace, or oidc.tokens.refresh_token_grace, to 30: longer_grace of the event names the key.',
  superseded_refresh_token:
    'The token that replaced this one was used already: use the newest one. The grant is still valid.',
  client_authentication_required: {
    sent: 'client_id',
    hint: 'The client authenticated for the code, and has to for each refresh: send its credentials.',
  },
  revoked_grant:
    'The grant was revoked, for example by a sign-out or a withdrawn consent: the user has to sign in again.',
  expired_grant:
    'The access has lasted as long as it may (oidc.session.absolute_lifetime, oidc.tokens.offline_absolute): the user has to sign in again.',
  user_in_no_allowed_group: {
    sent: 'client_id',
    hint: 'Add the user to one of the allowed_groups of the client (user update --add-group).',
  },
  sign_in_below_required_acr: {
    sent: 'client_id',
    hint: 'The sign-in was below required_acr of the client: the user needs a second step.',
  },
  access_token_too_large: {
    sent: 'scope',
    hint: 'Claims of the user make the access token larger than 4,096 characters: give it fewer of them, or shorter ones (oidc.claims, or the claims resolver).',
  },
})
