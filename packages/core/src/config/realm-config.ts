/** Generated from a schema by `pnpm --filter @ostiary/core run option-types`; a test compares both. */

// biome-ignore-all format: generated

/** The `oidc.*` keys of one realm, all optional. Durations are in seconds. */
export interface RealmConfig {
  /** The public origin, such as https://id.example.com. Every URL derives from it, never from a request. */
  issuer?: string | undefined
  /** Sets other keys, unless they are given: mcp is what MCP clients need (docs/connect-an-mcp-client.md). */
  preset?: 'mcp' | undefined
  /** Sets and restricts other keys: fapi2 is the FAPI 2.0 Security Profile (docs/sender-constrained.md). */
  profile?: 'fapi2' | undefined
  /**
   * Protected resources, by path relative to the issuer; an absolute URI names an external one. Default:
   * `{}`.
   */
  resources?: Record<string, {
    /** Scopes that this resource owns. Default: `[]`. */
    scopes?: string[] | undefined
    /**
     * client_ids of the API itself, which may introspect and exchange the access tokens that are addressed to
     * it; those of the key "" also tokens of requests that name no resource. Default: `[]`.
     */
    clients?: string[] | undefined
    /**
     * required: every access token for this resource is bound to a key (needs oidc.dpop). Default:
     * `"optional"`.
     */
    dpop?: 'optional' | 'required' | undefined
    /**
     * true: only clients that the operator made, and whose own default_scopes or optional_scopes name a scope
     * of it, may request it; "*" does not stand for its scopes. Default: `false`.
     */
    closed?: boolean | undefined
    /** The algorithm of its access tokens; when absent, oidc.keys.access_token_alg. */
    token_signing_alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | undefined
  }> | undefined
  /** Adds to the scope catalog, by name. Default: `{}`. */
  scopes?: Record<string, {
    /** What the consent page says. */
    description?: string | undefined
    /** Neither advertised nor shown at consent; when absent: true for offline_access, false for others. */
    hidden?: boolean | undefined
    /** high: the consent page shows it first, as sensitive. Default: `"normal"`. */
    severity?: 'normal' | 'high' | undefined
  }> | undefined
  /** What clients may do. */
  clients?: {
    /** Dynamic client registration (RFC 7591). */
    registration?: {
      /** Clients may register themselves (RFC 7591). Default: `false`. */
      enabled?: boolean | undefined
      /**
       * Schemes besides http and https that a client may register, or name in its document. Default: `[]`.
       */
      allowed_redirect_schemes?: string[] | undefined
      /**
       * Schemes of apps whose redirect URIs have no host, such as com.example.app:/callback (RFC 8252).
       * Default: `[]`.
       */
      allowed_private_use_schemes?: string[] | undefined
      /** Exact hosts that a client may register, or name in its document; * is any. Default: `["*"]`. */
      allowed_redirect_domains?: string[] | undefined
      /** A public client that registers the same metadata again gets the same client_id. Default: `false`. */
      reuse?: boolean | undefined
      /**
       * Seconds after which a client that registered itself and was never used is deleted; 0: never. Default:
       * `86400`.
       */
      unused_lifetime?: number | undefined
    } | undefined
    /** Clients whose client_id is the URL of their metadata (Client ID Metadata Documents). */
    metadata_documents?: {
      /** A client_id may be the https URL of the metadata of the client. Default: `false`. */
      enabled?: boolean | undefined
      /** Hosts of these URLs: exact, or *.example.com for every host below it; * is any. Default: `["*"]`. */
      allowed_hosts?: string[] | undefined
    } | undefined
    /**
     * Clients may authenticate with a signed assertion (RFC 7523); when absent, the value of
     * metadata_documents.enabled.
     */
    private_key_jwt?: boolean | undefined
    /** Scopes that every request has. An entry is a scope, or "<resource> <scope>". Default: `[]`. */
    default_scopes?: string[] | undefined
    /**
     * Scopes that a request may name; * is every scope that the named resource, or the realm, owns. Default:
     * `["*"]`.
     */
    optional_scopes?: string[] | undefined
    /**
     * The resource of authorization and client_credentials requests that name none, of clients without one of
     * their own: a key of oidc.resources, or its URI.
     */
    default_resource?: string | undefined
    /**
     * The device authorization grant (RFC 8628): for clients that operators make, or also for clients with
     * metadata documents. Clients that registered themselves never have it. Default: `"off"`.
     */
    device_authorization?: 'off' | 'operator' | 'documents' | undefined
    /** The token exchange grant (RFC 8693). Default: `false`. */
    token_exchange?: boolean | undefined
  } | undefined
  /** The check of bearer tokens. */
  auth?: {
    /** The guard that checks bearer tokens at UserInfo. Default: `"oidc"`. */
    api_guard?: string | undefined
  } | undefined
  /** The paths of the endpoints. */
  routes?: {
    /** path: each realm has its endpoints below /realms/<id>. Default: `"single"`. */
    realms?: 'single' | 'path' | undefined
  } | undefined
  /** Claims that are attributes of the user, by the name of the claim. Default: `{}`. */
  claims?: Record<string, {
    /** The attribute of the user; when absent, the one with the name of the claim. */
    attribute?: string | undefined
    /** Each of these scopes gives the claim. An entry is a scope, or "<resource> <scope>". */
    scopes: string[]
    /** Where the claim is: id_token, userinfo, access_token. Default: `["id_token","userinfo"]`. */
    targets?: ('id_token' | 'userinfo' | 'access_token')[] | undefined
  }> | undefined
  /** The claims that discovery names; when absent, those of oidc.claims are added. */
  claims_supported?: string[] | undefined
  /** The acr of a login with one authentication method, and with two or more. Default: `["1","2"]`. */
  acr_values_supported?: [string, string] | undefined
  /**
   * tell: access tokens of users say when and how the user signed in (auth_time, acr; RFC 9470). require:
   * also, a sign-in must satisfy the acr_values of the request; otherwise the client gets an error. Default:
   * `"off"`.
   */
  acr?: 'off' | 'tell' | 'require' | undefined
  /**
   * on: a client that sends a proof of a key gets access tokens, and a public client refresh tokens, that
   * only this key can use (DPoP, RFC 9449). nonce: also, a proof must have a nonce of the last five minutes,
   * which the server sends; so none can be made long in advance. Default: `"off"`.
   */
  dpop?: 'off' | 'on' | 'nonce' | undefined
  /**
   * allowed: clients may push their authorization requests (RFC 9126). required: every authorization request
   * must be pushed. Default: `"off"`.
   */
  par?: 'off' | 'allowed' | 'required' | undefined
  /** How long codes and tokens are valid, in seconds. */
  tokens?: {
    /** Seconds that a code is valid. Default: `60`. */
    authorization_code?: number | undefined
    /** Seconds that an access token is valid. Default: `900`. */
    access_token?: number | undefined
    /** Seconds that an ID token is valid. Default: `3600`. */
    id_token?: number | undefined
    /** Seconds that a token of client_credentials is valid. Default: `3600`. */
    client_credentials?: number | undefined
    /**
     * Seconds that a refresh token is valid; a rotation issues one that is valid as long again. Default:
     * `1209600`.
     */
    refresh_token?: number | undefined
    /** Seconds after which a grant with offline_access ends, even if it is in use. Default: `7776000`. */
    offline_absolute?: number | undefined
    /**
     * Seconds in which a spent refresh token still gets the same new token, at most 60; 0: it is refused at
     * once. When absent, 30 for a client that authenticates or proves the key of the grant, and 0 for others.
     */
    refresh_token_grace?: number | undefined
    /** Seconds that a request waits for the user to sign in or to consent. Default: `600`. */
    pending_authorization?: number | undefined
  } | undefined
  /** The sessions of signed-in users. */
  session?: {
    /** Seconds that a sign-in lasts; never extended. Default: `2592000`. */
    absolute_lifetime?: number | undefined
  } | undefined
  /** Endpoints that can be switched off: an endpoint with false is neither routed nor advertised. */
  handlers?: {
    /** The UserInfo endpoint. Default: `true`. */
    userinfo?: boolean | undefined
    /** The end-session endpoint. Default: `true`. */
    logout?: boolean | undefined
    /** The introspection endpoint (RFC 7662). Default: `true`. */
    introspect?: boolean | undefined
    /** The revocation endpoint (RFC 7009). Default: `true`. */
    revoke?: boolean | undefined
  } | undefined
  /** Limits of what one address may send. */
  throttle?: {
    /** Registrations per minute and client address. Default: `60`. */
    register?: number | undefined
    /**
     * Registrations of a realm per day, from all addresses; one address may use 5%, at least one. Default:
     * `10000`.
     */
    registrations_per_day?: number | undefined
    /**
     * Authorization requests per minute and client address that are too long for a URL, or that a public or
     * self-registered client pushes. Default: `60`.
     */
    authorize?: number | undefined
    /**
     * Wrong secrets per client and client address in 15 minutes; after that it has to wait. Default: `100`.
     */
    client_secret?: number | undefined
  } | undefined
  /** The signing keys. */
  keys?: {
    /** The realm has a key of each: RS256, PS256, ES256, EdDSA. Default: `["RS256"]`. */
    algorithms?: ('RS256' | 'PS256' | 'ES256' | 'EdDSA')[] | undefined
    /**
     * The algorithm of access tokens; when absent, RS256, or the first of oidc.keys.algorithms where RS256 is
     * not in it.
     */
    access_token_alg?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | undefined
    /**
     * Seconds that a new signing key is published before it signs: the time that a JWKS is cached. Default:
     * `3600`.
     */
    publish_before?: number | undefined
  } | undefined
}
