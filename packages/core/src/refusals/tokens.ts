/** The catalog: why access tokens and DPoP proofs are refused (RFC 6750 §3, RFC 9068 §4, RFC 9449 §4.3). */

import { reasons } from '../util/reason.js'

export const TOKEN_REASONS = reasons({
  invalid_token: 'The access token is not valid: get another one.',
  insufficient_scope: {
    sent: 'token.scope',
    hint: 'Request a token with the scopes that the challenge names.',
  },
  insufficient_user_authentication: {
    sent: 'token.acr',
    hint: 'The user has to sign in again, as the challenge says.',
  },
  malformed_token:
    'The value after Bearer is not an access token: send the access_token of the token response as it came.',
  malformed_claims:
    'The token is not an access token of this issuer: send the access_token, not the id_token.',
  machine_token: {
    sent: 'token.client_id',
    hint: 'The token is of a client, not of a user: UserInfo needs a token of the authorization code grant.',
  },
  unauthenticated:
    'The application asked for the caller before the guard had let one in: call authenticate first.',
  inactive:
    'The issuer says that the token is not active: it has expired, was revoked, or is not for this resource server.',
  not_a_bearer_token: 'The issuer says that the token is of another type than Bearer or DPoP.',
  introspection_mismatch: 'The issuer tells other claims than the token itself: it may be forged.',
  ERR_JWS_INVALID: 'The token is not a signed JWT: send the access_token of the token response as it came.',
  ERR_JWT_INVALID: 'The payload of the token is not a JSON object: send the access_token as it came.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: {
    sent: 'token.kid token.iss',
    hint: 'The signature is not that of the issuer: the token was changed, or is of another server with the same kid.',
  },
  ERR_JOSE_ALG_NOT_ALLOWED: {
    sent: 'token.alg',
    hint: 'The token is signed with an algorithm that is not accepted here (oidc.keys.algorithms).',
  },
  ERR_JOSE_NOT_SUPPORTED: {
    sent: 'token.alg',
    hint: 'The token uses a feature of JWT that is not supported here.',
  },
  ERR_JWT_EXPIRED: { sent: 'token.exp now', hint: 'The token has expired: refresh it.' },
  ERR_JWT_CLAIM_VALIDATION_FAILED: {
    sent: 'token.typ token.iss',
    hint: 'A claim is missing or wrong: typ is at+jwt, which an ID token does not have, and iss this issuer.',
  },
  ERR_JWKS_NO_MATCHING_KEY: {
    sent: 'token.kid token.iss',
    hint: 'The issuer has no key with the kid of the token: it is of another server, or its key was withdrawn.',
  },
  unknown_key: {
    sent: 'token.kid token.iss',
    hint: 'This issuer has no key with the kid of the token. If that key was withdrawn, the application needs a new token; else another server issued it. See ostiary keys list.',
  },
  expired: { sent: 'token.exp now', hint: 'The token has expired: refresh it.' },
  not_yet_valid: { sent: 'token.nbf now', hint: 'The token is not valid yet: a clock is wrong.' },
  revoked_token: {
    sent: 'token.client_id',
    hint: 'The token was revoked, for example with its session: the user has to sign in again.',
  },
  wrong_audience: {
    sent: 'token.aud',
    hint: 'The token is for another resource: request it with the parameter resource of this API, or set default_resource of the client.',
  },
  wrong_issuer: {
    sent: 'token.iss',
    hint: 'The token is from another issuer: compare iss with oidc.issuer, character by character.',
  },
  unknown_confirmation:
    'The token is bound to a key (cnf), and no proof of the key is checked: use a bearer token.',
  unknown_user: {
    sent: 'token.sub',
    hint: 'accounts.find returned null for the sub of this request: the user was deleted or disabled.',
  },
  user_token_without_grant: {
    sent: 'token.client_id',
    hint: 'No token of this server looks like this: it is forged. Withdraw the key of its kid with keys revoke.',
  },
  foreign_grant: {
    sent: 'token.client_id token.sub',
    hint: 'The token names the grant of another user or client: it is forged. Withdraw the key of its kid with keys revoke.',
  },
  malformed_jti: {
    sent: 'token.client_id',
    hint: 'No token of this server has such a jti: it is forged. Withdraw the key of its kid with keys revoke.',
  },
  insufficient_acr: {
    sent: 'token.acr',
    hint: 'The user has to sign in in a stronger way: start an authorization with the acr_values of the challenge (oidc.acr puts acr into tokens).',
  },
  authentication_too_old: {
    sent: 'token.auth_time now',
    hint: 'The user has to sign in again: start an authorization with the max_age of the challenge (oidc.acr puts auth_time into tokens).',
  },
  no_user: {
    sent: 'token.client_id',
    hint: 'The operation needs a user: use a token of the authorization code grant.',
  },
  missing_scope: {
    sent: 'token.scope',
    hint: 'The token lacks a scope that the guard requires: request it, with the resource that owns it.',
  },
  several_tokens: 'Send one token, in one header Authorization.',
  bound_token_as_bearer:
    'The token is bound to a key: present it with the scheme DPoP and a proof of this key.',
  token_not_bound: 'The token is not bound to a key: present it with the scheme Bearer.',
  dpop_required: {
    sent: 'token.aud',
    hint: 'The resource takes bound tokens alone (oidc.resources.<key>.dpop): get one with a DPoP proof.',
  },
  profile_requires_proof: {
    sent: 'client_id',
    hint: 'With oidc.profile every access token is bound to a key: send a DPoP proof with the token request.',
  },
  client_requires_proof: {
    sent: 'client_id',
    hint: 'The client has dpop_bound_access_tokens: send the header DPoP with a proof (RFC 9449 §4), or change the client.',
  },
  resource_requires_proof: {
    sent: 'resource',
    hint: 'oidc.resources.<key>.dpop is required for this resource: send the header DPoP with a proof (RFC 9449 §4).',
  },
  missing_proof:
    'The code or token is bound to a key: send the header DPoP with a proof of this key (oidc.dpop must be on).',
  proof_of_another_key:
    'The code or token is bound to another key than that of the proof: keep one key for each sign-in.',
  invalid_dpop_jkt: {
    sent: 'dpop_jkt',
    hint: 'dpop_jkt is the RFC 7638 thumbprint of the public key, with SHA-256 and base64url: 43 characters.',
  },
  dpop_jkt_mismatch: 'Leave dpop_jkt out, or give the thumbprint of the key that signs the proof.',
  invalid_dpop_proof: {
    sent: 'proof.htm proof.htu',
    hint: 'Make a new DPoP proof for each request (RFC 9449 §4.2).',
  },
  use_dpop_nonce: 'Repeat the request with a proof that has the nonce of the header DPoP-Nonce.',
  several_proofs: 'Send one header DPoP with one proof.',
  malformed_proof:
    'The header DPoP needs one compact JWT of at most 8,192 characters: header, claims and signature, without crit.',
  proof_type: { sent: 'proof.typ', hint: 'The typ of a DPoP proof is dpop+jwt.' },
  proof_algorithm: {
    sent: 'proof.alg',
    hint: 'Sign the proof with an algorithm of dpop_signing_alg_values_supported in the discovery document.',
  },
  proof_key: {
    sent: 'proof.alg',
    hint: 'The jwk in the header of the proof is the public key alone: RSA of 2048 to 4096 bits, P-256 or Ed25519, as alg says.',
  },
  proof_signature: {
    sent: 'proof.alg',
    hint: 'The signature of the proof does not match its jwk: sign with the private half of that key.',
  },
  proof_id: 'A proof needs a jti of 1 to 255 characters.',
  proof_method: {
    sent: 'proof.htm method',
    hint: 'The htm of a proof is the method of the request, in capitals: POST.',
  },
  proof_url: {
    sent: 'proof.htu',
    hint: 'The htu of a proof is the URL of the endpoint as discovery has it, without query. Behind a proxy: oidc.issuer is the public one.',
  },
  proof_expired: {
    sent: 'proof.iat now',
    hint: "The proof is older than 300 seconds: make one for each request, with iat in seconds. If iat differs from now by more, correct the client's clock.",
  },
  proof_not_yet_valid: {
    sent: 'proof.iat now',
    hint: "The iat of the proof is in the future: correct the client's clock.",
  },
  proof_access_token: 'The ath of the proof is the base64url SHA-256 of the access token of this request.',
  proof_replayed: { sent: 'proof.jti', hint: 'Make a new proof, with a jti of its own, for each request.' },
  missing_nonce:
    'oidc.dpop is "nonce": repeat the request with a proof that has the nonce of the header DPoP-Nonce.',
  unknown_nonce: {
    sent: 'proof.nonce',
    hint: 'The nonce is too old, or of another server: repeat the request with the one of the header DPoP-Nonce.',
  },
})
