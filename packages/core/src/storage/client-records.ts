/** The stored records of clients; records.ts has the others, and says what their values are. */

export type TokenEndpointAuthMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'

/** An algorithm that the provider signs with (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = 'RS256' | 'ES256' | 'PS256' | 'EdDSA'

/** Public keys (RFC 7517 §5). */
export interface JsonWebKeySet {
  keys: Record<string, unknown>[]
}

/**
 * Who described a client: the operator; the client itself, by registration (RFC 7591); or the document at the URL that is
 * its client_id (OAuth Client ID Metadata Document).
 */
export type ClientOrigin = 'operator' | 'registered' | 'metadata_document'

/** A client: the metadata of RFC 7591 §2, and fields that only an operator sets. */
export interface Client {
  client_id: string
  /** Null for a public client. */
  client_secret_hash: string | null
  client_name: string
  token_endpoint_auth_method: TokenEndpointAuthMethod
  /** The methods of a client that has more than one, one per request; null: `token_endpoint_auth_method` alone. */
  token_endpoint_auth_methods: TokenEndpointAuthMethod[] | null
  /** The only algorithm of its assertions (RFC 7523); null: any that is accepted. */
  token_endpoint_auth_signing_alg: string | null
  /** The public keys of its assertions; not both of `jwks` and `jwks_uri`. */
  jwks: JsonWebKeySet | null
  jwks_uri: string | null
  /** The algorithm of its ID tokens and logout tokens; null: that of the realm. */
  id_token_signed_response_alg: SigningAlgorithm | null
  /** True: each of its access tokens is bound to a key (RFC 9449 §5.2). Null and false: only those that it sends a proof for. */
  dpop_bound_access_tokens: boolean | null
  /** True: it must push its authorization requests (RFC 9126 §6). Null and false: it may. */
  require_pushed_authorization_requests: boolean | null
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  backchannel_logout_uri: string | null
  backchannel_logout_session_required: boolean
  /** Audiences that the client may request in a token exchange (RFC 8693). */
  allowed_exchange_audiences: string[]
  /** False: the consent view is never shown, and no consent is stored. */
  consent_required: boolean
  /** True for a first-party client: the consent view is never shown, not even for `prompt=consent`. */
  trusted: boolean
  /** Only users in one of these groups may use the client; null: all. */
  allowed_groups: string[] | null
  /** The `acr` that a sign-in for the client has at least, one of `oidc.acr_values_supported`; null: any. */
  required_acr: string | null
  /** True: its device authorization responses have `verification_uri_complete` (RFC 8628 §3.3.1). Null: they do not. */
  verification_uri_complete: boolean | null
  /** Null: the realm's own assignment. An entry is a scope, `*` (optional only) or `<resource> <scope>`. */
  default_scopes: string[] | null
  optional_scopes: string[] | null
  /** False: this confidential client may leave out PKCE (RFC 7636). Null and true: it must use PKCE. */
  require_pkce: boolean | null
  /** The resource of a request that names none: a key or a URI of `oidc.resources`. Null: the issuer. */
  default_resource: string | null
  /** Addresses for the pages (RFC 7591 §2): https, or http on the loopback. Null for a client that registered itself. */
  logo_uri: string | null
  client_uri: string | null
  policy_uri: string | null
  tos_uri: string | null
  /** Seconds; null: those of `oidc.tokens`. */
  access_token_lifetime: number | null
  refresh_token_lifetime: number | null
  /** Seconds in which a spent refresh token gets the same new one; null: `oidc.tokens.refresh_token_grace`. */
  refresh_token_grace: number | null
  origin: ClientOrigin
  client_id_issued_at: number
  /**
   * When a client that registered itself and was never used is deleted, or when the id of a deleted client is free again;
   * null for any other client.
   */
  expires_at: number | null
  revoked_at: number | null
  /** Grants of the client with a `created_at` until then have ended, this second included; null: none has. A deletion sets it. */
  not_before: number | null
}

/** The document at the URL that is a client's id, as it was when a user last used the client. */
export interface ClientDocument {
  /** The URL. */
  client_id: string
  /** The JSON text, at most 5,120 bytes. */
  document: string
  /** The validators of its response (RFC 9110 §8.8); null when it had none. */
  etag: string | null
  last_modified: string | null
  /** When the host last confirmed this document. */
  fetched_at: number
  /** Until when it may be used without asking the host (RFC 9111). */
  fresh_until: number
  /** Since when its redirect hosts and authentication methods are these: a consent from before this does not count. */
  changed_at: number
  /** After this the record may be deleted. */
  expires_at: number
}
