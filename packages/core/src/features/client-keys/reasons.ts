/** The catalog: why a client assertion is refused (RFC 7523 §3). */

import { reasons } from '../../util/reason.js'

export const CLIENT_KEYS_REASONS = reasons({
  malformed_assertion: {
    sent: 'assertion.alg',
    hint: 'The client_assertion needs to be one compact JWT of at most 8,192 characters, with a client_id as sub, without crit and with no member twice.',
  },
  unknown_assertion_key: {
    sent: 'assertion.kid assertion.alg',
    hint: 'The client has no key for this client_assertion: compare its kid and alg with the jwks, or the jwks_uri, of the client.',
  },
  assertion_type: {
    sent: 'client_assertion_type assertion.typ',
    hint: 'client_assertion_type is urn:ietf:params:oauth:client-assertion-type:jwt-bearer, and typ of the assertion is JWT, or absent.',
  },
  assertion_algorithm: {
    sent: 'assertion.alg',
    hint: 'Sign the client_assertion with an algorithm of token_endpoint_auth_signing_alg_values_supported in the discovery document.',
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
    hint: 'The exp of the client_assertion had passed: compare exp and now in the log. If the client makes one for each request, correct its clock; else it has to make a new one.',
  },
  assertion_lifetime: {
    sent: 'assertion.exp now',
    hint: 'The exp of the client_assertion is too far ahead of now: give seconds, not milliseconds, and a shorter lifetime.',
  },
  assertion_not_yet_valid: {
    sent: 'assertion.iat assertion.nbf now',
    hint: "The iat or nbf of the client_assertion is in the future: correct the client's clock.",
  },
  assertion_id: 'A client_assertion needs a jti of at most 255 characters.',
  assertion_replayed: {
    sent: 'assertion.jti',
    hint: 'Make a new client_assertion, with a jti of its own, for each request.',
  },
})
