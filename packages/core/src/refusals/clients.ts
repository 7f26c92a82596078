/** The catalog: why client authentication is refused, by secret or by assertion (RFC 6749 §2.3, RFC 7523 §3). */

import type { ClientReason } from './names.js'
import type { ReasonRow } from './reason.js'

export const CLIENT_REASONS: Readonly<Record<ClientReason, ReasonRow>> = {
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
  malformed_authorization_header: {
    hint: 'The Authorization header is not Basic with base64 of client_id:client_secret, each form-encoded.',
  },
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
  malformed_assertion: {
    sent: 'assertion.alg',
    hint: 'The client_assertion needs to be one compact JWT of at most 8,192 characters, with a client_id as sub, without crit and with no member twice.',
  },
  assertion_type: {
    sent: 'client_assertion_type assertion.typ',
    hint: 'client_assertion_type is urn:ietf:params:oauth:client-assertion-type:jwt-bearer, and typ of the assertion is JWT, or absent.',
  },
  assertion_algorithm: {
    sent: 'assertion.alg',
    hint: 'Sign the client_assertion with an algorithm of token_endpoint_auth_signing_alg_values_supported in the discovery document.',
  },
  unknown_assertion_key: {
    sent: 'assertion.kid assertion.alg',
    hint: 'The client has no key for this client_assertion: compare its kid and alg with the jwks, or the jwks_uri, of the client.',
  },
  assertion_signature: {
    sent: 'assertion.kid assertion.alg',
    hint: 'The client_assertion is not signed with the key of this kid in the jwks of the client: sign it with the private half.',
  },
  assertion_issuer: {
    sent: 'assertion.iss assertion.sub',
    hint: 'iss and sub of a client_assertion are both the client_id.',
  },
  assertion_audience: {
    sent: 'assertion.aud',
    hint: 'The aud of a client_assertion is the issuer, or the URL of the endpoint as discovery has it: one value, without a slash more or less.',
  },
  assertion_expired: {
    sent: 'assertion.exp now',
    hint: 'The exp of the client_assertion had passed: compare exp and now in the log. If the client makes one for each request, its clock is slow: correct it. If it keeps one, it has to make a new one.',
  },
  assertion_lifetime: {
    sent: 'assertion.exp now',
    hint: 'The exp of the client_assertion is too far ahead of now: give seconds, not milliseconds, and a shorter lifetime.',
  },
  assertion_not_yet_valid: {
    sent: 'assertion.iat assertion.nbf now',
    hint: "The iat or nbf of the client_assertion is in the future: correct the client's clock.",
  },
  assertion_id: { hint: 'A client_assertion needs a jti of at most 255 characters.' },
  assertion_replayed: {
    sent: 'assertion.jti',
    hint: 'Make a new client_assertion, with a jti of its own, for each request.',
  },
}
