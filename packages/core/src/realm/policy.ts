/**
 * What the settings of a realm mean for its requests: decided once, when the realm is built. It is the only reader of
 * `oidc.profile` beside the rules of the configuration (FAPI 2.0 Security Profile).
 */

import { DPOP_ALGORITHMS } from '@ostiary/resource-server'
import { isLoopbackIssuer, type OidcSettings } from '../config/config.js'
import type { SigningAlgorithm, TokenEndpointAuthMethod } from '../storage/records.js'
import { ASSERTION_ALGORITHMS, type AssertionAlgorithm } from '../util/assertion-algorithms.js'
import { SECRET_METHODS } from '../util/auth-methods.js'
import { isLoopbackHost } from '../util/loopback.js'
import { SIGNING_ALGORITHMS } from '../util/signing-algorithms.js'

export interface RealmPolicy {
  /** What refuses requests that are usual otherwise, for messages: `oidc.profile "fapi2"`; null: nothing does. */
  profile: string | null
  /** How clients may authenticate; `none` comes last. */
  auth_methods: readonly TokenEndpointAuthMethod[]
  /** Of access tokens of this realm. */
  token_algorithms: readonly SigningAlgorithm[]
  /** Of assertions by which clients authenticate; null: none are read. */
  assertions: AssertionPolicy | null
  /** Of DPoP proofs; null: DPoP is off. */
  proofs: ProofPolicy | null
  /** Pushed authorization requests. */
  pushed: OidcSettings['par']
  /** Whether an operator can exempt a client with a secret from PKCE. */
  pkce_optional: boolean
  /** Whether a request may leave out the only redirect URI of its client. */
  redirect_uri_optional: boolean
  /** The hosts of http redirect URIs, of those that are valid otherwise. */
  http_redirects: 'any' | 'loopback'
  /**
   * Whether the server may send requests to this computer: for documents, keys and logos of clients, and for logout. Only with an issuer on it (development).
   */
  reaches_loopback: boolean
  /** Whether the refresh tokens of clients that authenticate are replaced with each use. */
  rotates_confidential: boolean
  /** Whether access tokens of users, and their introspection, say how the user has authenticated. */
  tells_authentication: boolean
  /**
   * The status of a redirect: 303 after a form, so that the browser follows with GET and without the form's secrets; 302
   * otherwise, or 303 always.
   */
  redirect_status(method: string): 302 | 303
}

export interface AssertionPolicy {
  algorithms: readonly AssertionAlgorithm[]
  /** Whether the issuer is the only `aud`. */
  only_issuer: boolean
  /** Whether `aud` may also be a list of one value. */
  aud_list: boolean
  /** Seconds from now to the latest `exp`. */
  max_lifetime: number
}

export interface ProofPolicy {
  algorithms: readonly string[]
  /** Whether each proof needs a nonce. */
  nonce: boolean
  /** Whether every access token is bound to a key. */
  every_token: boolean
}

/** Seconds. RFC 7523 §3 leaves the limit open, and libraries sign for up to an hour. */
const MAX_ASSERTION_LIFETIME = 3_600
const MAX_ASSERTION_LIFETIME_FAPI2 = 600

export function realmPolicy(settings: OidcSettings): RealmPolicy {
  const is_fapi2 = settings.profile === 'fapi2'
  const { acr, clients } = settings
  return {
    profile: is_fapi2 ? 'oidc.profile "fapi2"' : null,
    auth_methods: authMethods(clients.private_key_jwt, is_fapi2),
    token_algorithms: permitted(SIGNING_ALGORITHMS, is_fapi2),
    assertions: clients.private_key_jwt ? assertionPolicy(is_fapi2) : null,
    proofs: settings.dpop === 'off' ? null : proofPolicy(settings, is_fapi2),
    pushed: settings.par,
    pkce_optional: !is_fapi2,
    // FAPI 2.0 Security Profile §5.3.2.2.
    redirect_uri_optional: !is_fapi2,
    http_redirects: is_fapi2 ? 'loopback' : 'any',
    reaches_loopback: isLoopbackIssuer(settings.issuer),
    // §5.3.2.1.
    rotates_confidential: !is_fapi2,
    tells_authentication: acr !== 'off',
    redirect_status: (method) => (method === 'GET' && !is_fapi2 ? 302 : 303),
  }
}

/** §5.3.2.1: confidential clients only, which authenticate with private_key_jwt. Mutual TLS is not offered. */
function authMethods(private_key_jwt: boolean, is_fapi2: boolean): TokenEndpointAuthMethod[] {
  if (is_fapi2) return ['private_key_jwt']
  return private_key_jwt ? [...SECRET_METHODS, 'private_key_jwt', 'none'] : [...SECRET_METHODS, 'none']
}

/** §5.4.1: PS256, ES256 and EdDSA. */
const permitted = <Algorithm extends string>(
  algorithms: readonly Algorithm[],
  is_fapi2: boolean,
): readonly Algorithm[] => algorithms.filter((algorithm) => !is_fapi2 || algorithm !== 'RS256')

/** §5.3.2.1: the issuer as a string. */
const assertionPolicy = (is_fapi2: boolean): AssertionPolicy => ({
  algorithms: permitted(ASSERTION_ALGORITHMS, is_fapi2),
  only_issuer: is_fapi2,
  aud_list: !is_fapi2,
  max_lifetime: is_fapi2 ? MAX_ASSERTION_LIFETIME_FAPI2 : MAX_ASSERTION_LIFETIME,
})

const proofPolicy = ({ dpop }: OidcSettings, is_fapi2: boolean): ProofPolicy => ({
  algorithms: permitted(DPOP_ALGORITHMS, is_fapi2),
  nonce: dpop === 'nonce',
  every_token: is_fapi2,
})

/** Why no authorization response is sent to this redirect URI, which is valid otherwise; null when it may be. */
export function insecureRedirectFault(
  { http_redirects, profile }: Pick<RealmPolicy, 'http_redirects' | 'profile'>,
  uri: string,
): string | null {
  if (http_redirects === 'any') return null
  const { protocol, hostname } = new URL(uri)
  const is_insecure = protocol === 'http:' && !isLoopbackHost(hostname)
  return is_insecure ? `is http, which ${profile} permits for the loopback alone` : null
}

/** Provider metadata about assertions at an endpoint: required beside private_key_jwt (RFC 8414 §2). */
export const assertionMetadata = ({ assertions }: RealmPolicy, endpoint: string): Record<string, unknown> =>
  assertions === null
    ? {}
    : { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: assertions.algorithms }
