/** The options of createResourceServer; settings.ts has their defaults and rules. Durations are in seconds. */

import type { JWK } from 'jose'
import type { AccessToken } from './access-token.js'
import type { SignatureAlgorithm } from './algorithms.js'
import type { BearerError } from './bearer.js'
import type { DPOP_ALGORITHMS } from './dpop/proof.js'
import type { ReplayPort } from './dpop/resource-proof.js'
import type { ScopeImplications } from './scopes.js'
import type { IssuerUnavailableError } from './unavailable.js'

/** How a token is validated: with the issuer's keys (`jwks`), by introspection (RFC 7662), or with both, keys first. */
export type ValidationMode = 'jwks' | 'introspection' | 'both'

/** The credentials for the introspection endpoint (RFC 7662), and a cache for its answers. Times are in seconds. */
export interface IntrospectionOptions {
  /**
   * The client of this service at the issuer, which must let it introspect tokens for `resource`: with Ostiary, by
   * `oidc.resources.<key>.clients`.
   */
  client_id: string
  /** The secret itself, not a hash. Give it or `private_key`. */
  client_secret?: string
  /**
   * The private key of a client that authenticates with signed assertions (private_key_jwt, RFC 7523) instead of a secret: a JWK
   * with `alg`, and with the `kid` that the key has at the issuer.
   */
  private_key?: JWK
  /** The method that a client with a secret is registered with; `client_secret_basic` by default. */
  token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post'
  /** How long an active answer is reused: a revocation applies up to this much later. 0 (off) by default, at most 300. */
  cache_seconds?: number
  /** The largest number of cached answers; 1,000 by default. */
  cache_entries?: number
}

/** Tokens that are bound to a key of the client (DPoP, RFC 9449). Durations are in seconds. */
export interface DpopOptions {
  /** Refuses tokens that are not bound to a key; false by default. */
  required?: boolean
  /** The accepted signature algorithms of proofs; all of `DPOP_ALGORITHMS` by default. */
  algorithms?: readonly (typeof DPOP_ALGORITHMS)[number][]
  /** How old a proof may be; 300 by default, at most 3600. */
  max_age?: number
  /** How far the client's clock may be ahead; 60 by default, at most 300. */
  max_future?: number
  /**
   * Requires a nonce in each proof, so that none can be made in advance (RFC 9449 §9). 32 characters or more, the same on each
   * server of this API. Without it, no nonce is required.
   */
  nonce_secret?: string
  /** Refuses a proof that is used again. Without it, a proof may be used again for the same request while it is not too old. */
  replay?: ReplayPort
  /**
   * The URL of a request as clients see it, behind a proxy that changes the path. By default the origin of `resource` with the
   * path of the request. Do not use the header `Host`: the client chooses it.
   */
  public_url?(request: Request): string
}

/** The options of `createResourceServer`. `issuer` and `resource` are required. Times are in seconds. */
export interface ResourceServerOptions<User, Client> {
  /** The issuer's identifier, exactly as in its tokens. https, or http on a loopback host. */
  issuer: string
  /** The URL of this API, as it is registered at the issuer: the `aud` of a token must contain it. */
  resource: string
  /** `both` when there is `introspection`, otherwise `jwks`. */
  mode?: ValidationMode
  /** Required for the modes `introspection` and `both`. */
  introspection?: IntrospectionOptions
  /**
   * `fapi2` accepts what the FAPI 2.0 Security Profile permits: tokens signed with PS256, ES256 or EdDSA, each with a DPoP proof
   * of such a key that is used once. It needs `dpop.replay`; a weaker setting beside it is an error.
   */
  profile?: 'fapi2'
  /**
   * The accepted signature algorithms; by default RS256, PS256, ES256 and EdDSA. Each key of the issuer verifies one of them:
   * the `alg` of its JWK, or, if it has none, the one of its type (RSA: RS256, and PS256 only where RS256 is not accepted).
   */
  algorithms?: readonly SignatureAlgorithm[]
  /** The tolerated difference between the issuer's clock and this one; 5 by default, at most 300. */
  clock_tolerance?: number
  /** The `realm` of challenges. By default the issuer's realm id: `default`, or the last part of `…/realms/<id>`. */
  realm?: string
  /** The URL of this API's metadata document (RFC 9728); by default the well-known URL of `resource`. */
  resource_metadata?: string
  /** The scopes in the metadata document. */
  scopes_supported?: readonly string[]
  /**
   * The scopes that a client should ask for first: the `scope` of the challenge of every 401 (RFC 6750 §3). By default a 401
   * names none. The challenge of a 403 always names the scopes of the operation.
   */
  challenge_scopes?: readonly string[]
  /**
   * The scopes that a scope implies, directly or through others: `{ 'notes.write': ['notes.read'] }`. `tokenCan`,
   * `checkScopes` and `authenticate` honor it; the token's own list of scopes stays as it was issued.
   */
  implies?: ScopeImplications
  /**
   * The values of `acr` that are ordered, the weakest first: `checkAuthentication` accepts a stronger one than it requires.
   * With Ostiary, `oidc.acr_values_supported`. Without it, each value stands for itself alone.
   */
  acr_order?: readonly string[]
  /** How long the issuer's keys and discovery document are used. */
  jwks?: {
    /** How long they are used before they are read again; 3600 by default. */
    max_age?: number
    /** How much longer they are used while the issuer is unavailable; 3600 by default. */
    stale_if_error?: number
    /** The least time between two requests that an unknown `kid` causes; 30 by default. */
    refetch_interval?: number
  }
  /** Remembers verified tokens. Off by default. */
  token_cache?: {
    /** How long a token is remembered; 60 by default, at most 300. */
    seconds?: number
    /** The largest number of remembered tokens; 1,000 by default. */
    entries?: number
  }
  /** Accepts tokens that are bound to a DPoP key, with a proof of the key. Without it, they are refused. */
  dpop?: DpopOptions
  /** The time limit for each response of the issuer; 5 by default. */
  timeout_seconds?: number
  /** Returns `principal.user`, by default `{ sub }`. Null refuses the token, because the user does not exist. */
  user?(token: AccessToken): Promise<User | null> | User | null
  /** Returns `principal.client`, by default `{ client_id }`. Null refuses the token, because the client does not exist. */
  client?(token: AccessToken): Promise<Client | null> | Client | null
  /** Called with the reason of each refusal, for a log. The client does not learn the reason. */
  on_refused?(error: BearerError, request: Request): void
  /** Called with the reason of each 503 response. By default it is written to standard error, at most once a minute. */
  on_unavailable?(error: IssuerUnavailableError, request: Request): void
  /** Sends the requests to the issuer; the global `fetch` by default. */
  fetch?: typeof fetch
  /** The current time in epoch seconds; the system's by default. */
  now?(): number
}
