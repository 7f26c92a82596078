/** The catalog: why requests of an authorization, and requests in general, are refused. */

import { reasons } from '../util/reason.js'

export const REQUEST_REASONS = reasons({
  // The codes of OAuth stand for themselves where the description says everything.
  invalid_request: { sent: 'client_id', hint: 'Change the request as the description says.' },
  missing_parameter: {
    sent: 'client_id',
    hint: 'Send the missing parameter: at the token endpoint in a form body, at the authorization endpoint in the query.',
  },
  not_a_form: {
    sent: 'content-type',
    hint: 'Send the parameters in the body with Content-Type application/x-www-form-urlencoded, not as JSON.',
  },
  too_large: 'Send less: a query or a form has at most 64 KiB.',
  unreadable_body: { sent: 'content-type', hint: 'Encode the body as UTF-8, and send all of it.' },
  bad_parameter: {
    sent: 'repeated',
    hint: 'Send each parameter once, and without a NUL character. A list goes into one parameter, separated by spaces.',
  },
  too_many_parameters: 'Send at most 200 parameters: those of the endpoint alone.',
  too_many_scopes: 'Ask for at most 200 scopes: those that the application needs.',
  long_parameter: 'Shorten the parameter that the description names.',
  wrong_http_method: {
    sent: 'method',
    hint: 'Send the request with a method that the header Allow of the answer names.',
  },
  no_cross_origin: {
    sent: 'origin',
    hint: 'No script of another origin may call this endpoint (CORS). The authorization and sign-out endpoints are pages: let the browser go there. Introspection is for servers.',
  },
  slash_after_issuer: {
    sent: 'path',
    hint: 'The path begins with two slashes: the issuer in the configuration of the client has a slash at its end. Remove it.',
  },
  unknown_realm: {
    sent: 'realm',
    hint: 'There is no realm with this id: compare the issuer of the client with the keys of oidc.realms.',
  },
  unknown_client: {
    sent: 'client_id',
    hint: 'No client of this realm has this client_id: compare it with the output of client list, or create the client (client create).',
  },
  revoked_client: { sent: 'client_id', hint: 'The client is revoked: create another one.' },
  missing_redirect_uri: {
    sent: 'client_id',
    hint: 'Send redirect_uri: it may be left out only by a client with exactly one registered redirect URI, and never with the profile fapi2.',
  },
  unregistered_redirect_uri: {
    sent: 'redirect_uri',
    hint: "The redirect_uri is not in the client's redirect_uris: they are compared character by character. Send a registered one, or add the one that was sent, if the application owns it.",
  },
  insecure_redirect_uri: {
    sent: 'redirect_uri',
    hint: 'oidc.profile permits http redirect URIs on the loopback alone: register an https one.',
  },
  unauthorized_client: {
    sent: 'grant_type client_id',
    hint: 'The client is not registered for this grant: add it to grant_types of the client. client_credentials and token exchange need a client with a secret or keys.',
  },
  unsupported_response_type: {
    sent: 'response_type',
    hint: 'Send response_type=code: the implicit and hybrid flows do not exist here.',
  },
  unsupported_response_mode: {
    sent: 'response_mode',
    hint: 'Leave response_mode out, or send query.',
  },
  request_not_supported:
    'Send the parameters themselves instead of a signed request object (request), or push them (RFC 9126).',
  invalid_request_uri: {
    sent: 'client_id',
    hint: 'The request_uri is unknown, expired or used: push the request once more.',
  },
  request_uri_not_supported: {
    sent: 'request_uri',
    hint: 'Only a request_uri of the pushed authorization request endpoint of this server (oidc.par) is read.',
  },
  invalid_authorization_details: 'Leave authorization_details out: use scope and resource.',
  missing_code_challenge: {
    sent: 'code_challenge code_challenge_method',
    hint: 'Turn PKCE on in the client (code_challenge with S256). For a client with a secret that cannot: require_pkce: false.',
  },
  unsupported_challenge_method: {
    sent: 'code_challenge_method',
    hint: 'Send code_challenge_method=S256, and as code_challenge the base64url SHA-256 of the code_verifier. Without the parameter it means plain.',
  },
  malformed_code_challenge: {
    sent: 'code_challenge',
    hint: 'The code_challenge is the base64url SHA-256 of the code_verifier, without padding: 43 characters.',
  },
  unknown_scope: {
    sent: 'scope resource',
    hint: 'A requested scope does not exist: correct it, or add it to oidc.scopes or to the scopes of a resource.',
  },
  scope_of_resource: {
    sent: 'scope resource',
    hint: 'A requested scope belongs to a resource that the request does not name: send resource, or set default_resource of the client.',
  },
  unassigned_scope: {
    sent: 'scope resource',
    hint: 'The client may not request one of the scopes: correct the request, or add the scope to its optional_scopes.',
  },
  invalid_scope: { sent: 'scope resource', hint: 'Request fewer scopes: no more than were granted before.' },
  invalid_target: {
    sent: 'resource audience',
    hint: 'No resource has this URI: compare it with the keys of oidc.resources, which are paths below the issuer or absolute URIs.',
  },
  unknown_default_resource:
    'The default_resource of the client is not in oidc.resources: correct the client, or add the resource.',
  resource_not_granted: {
    sent: 'resource',
    hint: 'Send the same resource as in the authorization request, or none: a grant is for one resource.',
  },
  closed_resource: {
    sent: 'resource audience',
    hint: 'Only clients with an entry "<resource> <scope>" in their optional_scopes may ask for this resource. A client that registered itself cannot have one.',
  },
  invalid_prompt: {
    sent: 'prompt',
    hint: 'prompt is none, login, consent or select_account, and create where users sign up; none stands alone.',
  },
  invalid_max_age: { sent: 'max_age', hint: 'max_age is a number of seconds: digits alone.' },
  bad_id_token_hint:
    'The id_token_hint is not an ID token of this issuer: send the id_token of the token response, not the access token.',
  wrong_hint_audience: {
    sent: 'client_id',
    hint: 'Send the client_id that the id_token_hint was issued to, or leave client_id out.',
  },
  hint_names_another_user:
    'Another user is signed in than the one of the id_token_hint: start an authorization without prompt=none.',
  login_required: {
    sent: 'prompt max_age',
    hint: 'Nobody is signed in, or not recently enough: start the authorization again without prompt=none.',
  },
  consent_required: {
    sent: 'prompt scope',
    hint: 'The user has to allow this first: start the authorization again without prompt=none.',
  },
  interaction_required: {
    sent: 'prompt',
    hint: 'The user has to do something first: start the authorization again without prompt=none.',
  },
  access_denied: 'The user, or a policy, has said no: the description says which.',
  client_changed: 'The client was changed while the user was asked: start the authorization again.',
  session_ended: 'The session ended during the request: start the authorization again.',
  consent_withdrawn: 'The consent was withdrawn during the request: start the authorization again.',
  client_expired: 'The client was not used in time and is deleted: it has to register again.',
  unmet_authentication_requirements: {
    sent: 'acr_values',
    hint: 'The sign-in does not have the acr_values of the request (oidc.acr is "require"): pass amr with two methods, or an acr, to provider.login().',
  },
  stale_request:
    'The request expired while the user signed in (oidc.tokens.pending_authorization), or was answered before, as in another tab: start again in the application.',
  unknown_auth_token: 'The consent page is too old, or was answered: start again in the application.',
  expired_auth_token:
    'The consent page is too old (oidc.tokens.pending_authorization): start again in the application.',
  foreign_auth_token:
    'The consent page belongs to another session: somebody has signed in or out. Start again.',
  reused_auth_token: 'The consent page was answered before: start again in the application.',
  answered_request: 'The request was answered in another tab: go back to the application.',
  invalid_redirect_uri:
    'Correct the redirect URI as the description says, or permit it with the key that it names.',
  invalid_client_metadata: 'Correct the metadata of the registration as the description says.',
  share_of_limit:
    'One address, or one IPv6 /48, may use 5% of what the realm allows. Others are not affected; registrations have the limit oidc.throttle.registrations_per_day.',
  realm_limit:
    'Many addresses together have reached a limit of the realm: somebody may be flooding the server. Honest clients try again as Retry-After says; registrations have the limit oidc.throttle.registrations_per_day.',
  many_document_clients:
    'The user has allowed 30 clients with a metadata document within 90 days, which is the most: look at them with consent list. A client that you create yourself does not count.',
  throttled: 'Too many requests from this address: wait as Retry-After says, or raise oidc.throttle.',
  temporarily_unavailable: 'The storage or another service did not answer: see server.error for the cause.',
  server_error: 'An unexpected failure: server.error with the same request_id has the cause.',
})
