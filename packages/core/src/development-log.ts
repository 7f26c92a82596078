/** A log for development: each refusal as one readable line, with what to do. It prints no secret, code or token. */

/** What the log reads of an event of the provider or of the built-in pages. */
export interface LoggedEvent {
  type: string
  route?: string | null
  client_id?: string | null
  error?: string
  reason?: string
  description?: string
  redirect_uri?: string | null
  used_method?: string | null
  registered_methods?: readonly string[] | null
  cause?: unknown
}

/** What to do, by the reason in the event. */
const REMEDIES: Readonly<Record<string, string>> = {
  unknown_client: 'No client has this client_id: create it with (await provider.manage()).clients.create(…).',
  revoked_client: 'The client is revoked: create another one.',
  unregistered_redirect_uri:
    "The redirect_uri of the request is not in the client's redirect_uris: they are compared character by character, the port and the last slash too.",
  wrong_secret: "The client_secret is not the client's: send the one that create() returned.",
  wrong_method:
    'The client is registered for another token_endpoint_auth_method than the request used: none, client_secret_basic (header), client_secret_post (body) or private_key_jwt (client_assertion).',
  profile_method:
    'oidc.profile permits clients that authenticate with private_key_jwt alone: give the client keys, and sign a client_assertion.',
  insecure_redirect_uri:
    'oidc.profile permits http redirect URIs on the loopback alone: register an https one.',
  profile_requires_proof:
    'With oidc.profile every access token is bound to a key: send a DPoP proof with the token request.',
  malformed_authorization_header:
    'The Authorization header is not Basic with base64 of client_id:client_secret, each form-encoded.',
  public_client: 'Only a client with a secret may do this.',
  unknown_assertion_key:
    'The client has no key for this client_assertion: compare its kid and alg with the jwks of the client.',
  assertion_signature: 'The client_assertion is not signed with a key in the jwks of the client.',
  assertion_audience:
    'The aud of a client_assertion is the issuer, or the URL of the endpoint as discovery has it.',
  assertion_expired: 'The client_assertion needs an exp that has not passed.',
  assertion_lifetime:
    'The exp of a client_assertion is at most 600 seconds ahead: give seconds, not milliseconds.',
  assertion_id: 'A client_assertion needs a jti of at most 255 characters.',
  assertion_replayed: 'Make a new client_assertion, with a jti of its own, for each request.',
  pkce_mismatch:
    'The code_verifier does not match the code_challenge: send the verifier that the challenge was made of, with S256.',
  redirect_uri_mismatch: 'Send the same redirect_uri as in the authorization request.',
  unknown_code: 'The code is not known here: send it as it came, to the issuer that made it.',
  expired_code: 'The code is too old: redeem it within oidc.tokens.authorization_code seconds.',
  replayed_code: 'The code was redeemed before: its tokens are revoked. A code is for one request.',
  wrong_client: 'The code or refresh token belongs to another client.',
  unknown_refresh_token:
    'The refresh token is not known here: memoryStorage() forgets all of them at a restart.',
  reused_refresh_token:
    'The refresh token was used before: its grant is revoked. Keep the new one of each answer, or set oidc.tokens.refresh_token_grace.',
  revoked_grant: 'The grant was revoked: the user has to sign in again.',
  unknown_scope: 'A requested scope does not exist: add it to oidc.scopes or to a resource.',
  unassigned_scope:
    "A requested scope is not the client's: add it to optional_scopes, or name the resource that owns it.",
  access_token_too_large:
    'Claims of the user make the access token larger than 4,096 characters: give it fewer of them, or shorter ones (oidc.claims, or the claims resolver).',
  push_required:
    'The client has to push its parameters first (RFC 9126): oidc.par.required, or require_pushed_authorization_requests of the client.',
  unknown_request_uri:
    'Nothing is pushed at this request_uri, or its code was issued: push the request once more. memoryStorage() forgets all of them at a restart.',
  expired_request_uri:
    'The browser came too late: a pushed request is to be used within oidc.par.lifetime seconds.',
  foreign_request_uri: 'Another client has pushed this request: send the client_id of that client.',
  stale_request: 'The request expired while the user signed in (oidc.tokens.pending_authorization).',
  unknown_user: 'accounts.find returned null for the sub of this request.',
  revoked_token: 'The token was revoked, for example with its session.',
  expired: 'The token has expired: refresh it.',
  wrong_audience: 'The token is for another resource: request it with the parameter resource.',
  wrong_issuer: 'The token is from another issuer.',
  unknown_confirmation:
    'The token is bound to a key (cnf), and no proof of the key is checked: use a bearer token.',
  client_requires_proof:
    'The client has dpop_bound_access_tokens: send the header DPoP with a proof (RFC 9449 §4), or change the client.',
  resource_requires_proof:
    'oidc.resources.<key>.dpop is required for this resource: send the header DPoP with a proof (RFC 9449 §4).',
  bound_token_as_bearer:
    'The token is bound to a key: present it with the scheme DPoP and a proof of this key.',
  token_not_bound: 'The token is not bound to a key: present it with the scheme Bearer.',
  dpop_required:
    'The resource takes bound tokens alone (oidc.resources.<key>.dpop): get one with a DPoP proof.',
  insufficient_acr:
    'The user has to sign in in a stronger way: start an authorization with the acr_values of the challenge (oidc.acr puts acr into tokens).',
  authentication_too_old:
    'The user has to sign in again: start an authorization with the max_age of the challenge (oidc.acr puts auth_time into tokens).',
  no_user: 'The operation needs a user: use a token of the authorization code grant.',
  unmet_authentication_requirements:
    'The sign-in does not have the acr_values of the request (oidc.acr.required): pass amr with two methods, or an acr, to provider.login().',
  several_tokens: 'Send one token, in one header Authorization.',
  missing_proof:
    'The code or token is bound to a key: send the header DPoP with a proof of this key (oidc.dpop.enabled must be on).',
  proof_of_another_key:
    'The code or token is bound to another key than that of the proof: keep one key for each sign-in.',
  invalid_dpop_jkt:
    'dpop_jkt is the RFC 7638 thumbprint of the public key, with SHA-256 and base64url: 43 characters.',
  dpop_jkt_mismatch: 'Leave dpop_jkt out, or give the thumbprint of the key that signs the proof.',
  several_proofs: 'Send one header DPoP with one proof.',
  malformed_proof:
    'The header DPoP needs one compact JWT of at most 8,192 characters: header, claims and signature, without crit.',
  proof_type: 'The typ of a DPoP proof is dpop+jwt.',
  proof_algorithm:
    'Sign the proof with an algorithm of dpop_signing_alg_values_supported in the discovery document.',
  proof_key:
    'The jwk in the header of the proof is the public key alone: RSA of 2048 to 4096 bits, P-256 or Ed25519, as alg says.',
  proof_signature:
    'The signature of the proof does not match its jwk: sign with the private half of that key.',
  proof_id: 'A proof needs a jti of 1 to 255 characters.',
  proof_method: 'The htm of a proof is the method of the request, in capitals: POST.',
  proof_url:
    'The htu of a proof is the URL of the endpoint as discovery has it, without query. Behind a proxy: oidc.issuer is the public one.',
  proof_expired:
    'The proof is older than oidc.dpop.max_age seconds: make one for each request, with iat in seconds.',
  proof_not_yet_valid:
    "The iat of the proof is in the future: correct the client's clock, or raise oidc.dpop.max_future.",
  proof_access_token: 'The ath of the proof is the base64url SHA-256 of the access token of this request.',
  proof_replayed: 'Make a new proof, with a jti of its own, for each request.',
  missing_nonce:
    'oidc.dpop.nonce is required: repeat the request with a proof that has the nonce of the header DPoP-Nonce.',
  unknown_nonce:
    'The nonce is too old, or of another server: repeat the request with the one of the header DPoP-Nonce.',
  missing_scope: 'The token lacks a scope that the guard requires.',
  throttled: 'Too many requests from this address: wait, or raise oidc.throttle.',
}

/**
 * A sink for `on_event` that prints refusals and failures as readable lines with a remedy, and nothing else. It is the default of
 * `createProvider` when the issuer is plain http, which is for development on this machine only.
 * @param write Called with each line; `console.warn` when absent.
 */
export function developmentLog(
  write: (line: string) => void = (line) => console.warn(line),
): (event: LoggedEvent) => void {
  return (event) => {
    const line = lineOf(event)
    if (line !== null) write(line)
  }
}

/** Where it happened, for events without a route. */
const PLACES: Readonly<Record<string, string>> = {
  'authorization.refused': 'authorization',
  'bearer.refused': 'bearer token',
  'client.authentication_failed': 'authentication',
  'login.refused': 'sign-in',
  'account.refused': 'account page',
}

/** Another reason may be a text that the client chose, such as a secret in the wrong place. */
const CODE = /^\w{1,64}$/

/** A client's failed authentication is reported with its client_id; `request.refused` follows, and would repeat it. */
function lineOf(event: LoggedEvent): string | null {
  const { type, route, client_id, error, reason } = event
  if (type === 'server.error') return `[ostiary] ${route ?? 'server'} failed: ${causeText(event.cause)}`
  if (reason === undefined || (type === 'request.refused' && error === 'invalid_client')) return null
  const place = route ?? PLACES[type] ?? type
  const by = typeof client_id === 'string' ? ` of client ${JSON.stringify(client_id)}` : ''
  const codes = [...new Set([error, reason])]
    .filter((code) => code !== undefined && CODE.test(code))
    .join(', ')
  const remedy = REMEDIES[reason] ?? event.description ?? 'The response says more.'
  return `[ostiary] ${place}${by} refused: ${codes}. ${remedy}${detailsOf(event)}`
}

/** The values to compare. */
function detailsOf({ reason, redirect_uri, used_method, registered_methods }: LoggedEvent): string {
  if (reason === 'wrong_method' && registered_methods)
    return ` Used: ${used_method}; registered: ${registered_methods.join(', ')}.`
  const concernsUri = reason === 'unregistered_redirect_uri' || reason === 'redirect_uri_mismatch'
  return concernsUri && typeof redirect_uri === 'string'
    ? ` Sent: ${redirect_uri} (shown without its query).`
    : ''
}

const causeText = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? `${cause.name}: ${cause.message}`) : String(cause)
