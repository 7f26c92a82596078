/** Generated from a schema by `pnpm --filter @ostiary/core run option-types`; a test compares both. */

// biome-ignore-all format: generated

/**
 * A client as an operator describes it: the metadata of RFC 7591 §2, and fields that registration can never
 * set.
 */
export interface ClientInput {
  /** 1 to 255 printable ASCII characters. */
  client_id: string
  /** What users see; the client_id when absent. */
  client_name?: string | undefined
  /** Where codes may be sent; compared exactly. Default: `[]`. */
  redirect_uris?: string[] | undefined
  /** Where users may be redirected after signing out. Default: `[]`. */
  post_logout_redirect_uris?: string[] | undefined
  /** The grants that it may use. Default: `["authorization_code","refresh_token"]`. */
  grant_types?: ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:device_code')[] | undefined
  /** Always ["code"]. Default: `["code"]`. */
  response_types?: ['code'] | undefined
  /**
   * How it authenticates; when absent, with its keys, or with either of the two secret methods, or none
   * without both.
   */
  token_endpoint_auth_method?: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | undefined
  /** The methods between which a client with a secret may choose for each request. */
  token_endpoint_auth_methods?: ('client_secret_basic' | 'client_secret_post')[] | undefined
  /** The public keys of a client that authenticates with private_key_jwt. */
  jwks?: {
    /** Public keys (RFC 7517). */
    keys: Record<string, unknown>[]
  } | undefined
  /** The address of these keys, instead of jwks; https. They are read when they are needed. */
  jwks_uri?: string | undefined
  /** The only algorithm of its assertions; when absent, each that fits a key. */
  token_endpoint_auth_signing_alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'Ed25519' | undefined
  /**
   * The algorithm of its ID tokens and logout tokens, one of oidc.keys.algorithms; when absent, RS256, or the
   * first of them where RS256 is not in it.
   */
  id_token_signed_response_alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | undefined
  /** true: each of its access tokens is bound to a key (needs oidc.dpop). */
  dpop_bound_access_tokens?: boolean | undefined
  /** true: it must push its authorization requests (needs oidc.par). */
  require_pushed_authorization_requests?: boolean | undefined
  /** Where the client is notified that a session has ended; https. */
  backchannel_logout_uri?: string | undefined
  /** Its logout tokens must name the session. Default: `false`. */
  backchannel_logout_session_required?: boolean | undefined
  /** Audiences that it may request in a token exchange. Default: `[]`. */
  allowed_exchange_audiences?: string[] | undefined
  /** false: users are never asked for consent, and none is stored. Default: `true`. */
  consent_required?: boolean | undefined
  /** First-party: users are never asked for consent, not even for prompt=consent. Default: `false`. */
  trusted?: boolean | undefined
  /** Only users in one of these groups may use it; when absent, all. */
  allowed_groups?: string[] | undefined
  /** How its users have to sign in at least: one of oidc.acr_values_supported. */
  required_acr?: string | undefined
  /**
   * true: its devices also get an address that fills in the code, for a QR code (needs
   * oidc.clients.device_authorization). Default: `false`.
   */
  verification_uri_complete?: boolean | undefined
  /** Scopes of every request, instead of oidc.clients.default_scopes. */
  default_scopes?: string[] | undefined
  /** Scopes that a request may name, instead of oidc.clients.optional_scopes. */
  optional_scopes?: string[] | undefined
  /**
   * false, for a client with a secret that cannot send PKCE: it may leave out code_challenge. Default:
   * `true`.
   */
  require_pkce?: boolean | undefined
  /** The resource of a request that names none: a key of oidc.resources, or its URI. */
  default_resource?: string | undefined
  /** Seconds that its access tokens are valid, instead of oidc.tokens. */
  access_token_lifetime?: number | undefined
  /** Seconds that its refresh tokens are valid, instead of oidc.tokens.refresh_token. */
  refresh_token_lifetime?: number | undefined
  /** Seconds, at most 60, instead of oidc.tokens.refresh_token_grace. */
  refresh_token_grace?: number | undefined
  /** Its logo, for the pages; https. */
  logo_uri?: string | undefined
  /** Its home page; https. */
  client_uri?: string | undefined
  /** Its privacy policy; https. */
  policy_uri?: string | undefined
  /** Its terms of service; https. */
  tos_uri?: string | undefined
}
