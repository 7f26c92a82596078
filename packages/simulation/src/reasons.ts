/** The setting that decides about each reason of a refusal. The sentence of the catalog names it too, which a test compares. */

/** A configuration key (`oidc.…`), or a field of the client (`client.…`). A reason that is absent has none. */
export const SETTINGS: Readonly<Record<string, string>> = {
  access_token_too_large: 'oidc.claims',
  client_requires_proof: 'client.dpop_bound_access_tokens',
  closed_resource: 'client.optional_scopes',
  document_host_not_allowed: 'oidc.clients.metadata_documents.allowed_hosts',
  insecure_redirect_uri: 'oidc.profile',
  invalid_target: 'oidc.resources',
  missing_code_challenge: 'client.require_pkce',
  profile_method: 'oidc.profile',
  profile_requires_proof: 'oidc.profile',
  request_uri_not_supported: 'oidc.par',
  resource_requires_proof: 'oidc.resources',
  scope_of_resource: 'client.default_resource',
  throttled: 'oidc.throttle',
  sign_in_below_required_acr: 'client.required_acr',
  unassigned_scope: 'client.optional_scopes',
  unauthorized_client: 'client.grant_types',
  unknown_default_resource: 'client.default_resource',
  unknown_scope: 'oidc.scopes',
  unmet_authentication_requirements: 'oidc.acr',
  unregistered_redirect_uri: 'client.redirect_uris',
  user_in_no_allowed_group: 'client.allowed_groups',
}

/** @param pushed `oidc.par` */
export function settingOf(reason: string, pushed: string): string | null {
  if (reason === 'push_required')
    return pushed === 'required' ? 'oidc.par' : 'client.require_pushed_authorization_requests'
  return Object.hasOwn(SETTINGS, reason) ? (SETTINGS[reason] ?? null) : null
}
