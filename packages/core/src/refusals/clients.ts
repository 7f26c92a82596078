/** The catalog: why client authentication is refused, by secret or by assertion (RFC 6749 §2.3, RFC 7523 §3). */

import { reasons } from '../util/reason.js'

export const CLIENT_REASONS = reasons({
  invalid_client: {
    sent: 'client_id',
    hint: 'The client has not authenticated: see client.authentication_failed.',
  },
  wrong_secret: {
    sent: 'client_id client_secret',
    hint: "The client_secret is not the client's: send the one that was shown when the client was created, or give it another one (client rotate-secret). For a client of the configuration, compare the variable of client_secret_env, and restart. A public client sends none.",
  },
  wrong_method: {
    sent: 'client_id',
    hint: "The application used another method than the client's token_endpoint_auth_method: change one of the two. The methods are client_secret_basic (header), client_secret_post (body), private_key_jwt (client_assertion) and none.",
  },
  profile_method: {
    sent: 'client_id',
    hint: 'oidc.profile permits clients that authenticate with private_key_jwt alone: give the client keys, and sign a client_assertion.',
  },
  malformed_authorization_header:
    'The Authorization header is not Basic with base64 of client_id:client_secret, each form-encoded.',
  public_client: {
    sent: 'client_id',
    hint: 'Only a client with a secret or keys may do this: send its credentials, or create such a client.',
  },
  two_authentications: {
    sent: 'client_id',
    hint: 'Authenticate in one way: the Authorization header, client_secret in the body, or a client_assertion.',
  },
  client_id_differs: {
    sent: 'client_id',
    hint: 'The client_id in the body is another one than that of the credentials: leave it out, or send the same.',
  },
})
