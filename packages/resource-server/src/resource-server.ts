/** Protects an API that runs in a separate service: RFC 9068 §4, RFC 7662, RFC 9728, RFC 9449 §7. */

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type AccessToken, verifyAccessToken } from './access-token.js'
import { BearerError } from './bearer.js'
import type { Freshness } from './cached-value.js'
import { dpopNonces } from './dpop/nonces.js'
import type { GuardDpop } from './dpop/resource-proof.js'
import { createGuard, type Guard } from './guard.js'
import { introspector } from './introspection.js'
import { type Issuer, issuerClient } from './issuer.js'
import { issuerKeys } from './keys.js'
import { metadataHandler, type ProtectedResourceMetadata, whileRight } from './metadata.js'
import type { ResourceServerOptions } from './options.js'
import { clientPrincipal, type Principal, userPrincipal } from './principal.js'
import { type ScopeCheck, scopeCheck } from './scopes.js'
import { type DpopSettings, type Settings, settingsOf } from './settings.js'
import { HASHED_JWT_CHARACTERS, tokenStore } from './token-store.js'
import { unavailableReport } from './unavailable.js'
import { utf8 } from './utf8.js'

/** The guard of one API, with its metadata document (RFC 9728). */
export interface ResourceServer<P extends Principal = Principal> extends Guard<P> {
  /** The metadata document. */
  metadata(): ProtectedResourceMetadata
  /**
   * The response to a request for the metadata document; null for any other request. It is 503 while discovery names another issuer than
   * the option.
   */
  handle(request: Request): Response | null
}

/** @throws BearerError, IssuerUnavailableError */
type Validate = (token: string) => Promise<AccessToken>

/**
 * Makes the guard of one API.
 * @throws TypeError that names every fault of the options.
 *
 * @example
 * ```ts
 * import { createResourceServer } from '@ostiary/resource-server'
 *
 * const api = createResourceServer({
 *   issuer: 'https://id.example.com',
 *   resource: 'https://api.example.com/notes',
 *   scopes_supported: ['notes.read'],
 * })
 *
 * export async function handler(request: Request): Promise<Response> {
 *   const document = api.handle(request)
 *   if (document) return document
 *   const principal = await api.authenticate(request, ['notes.read'])
 *   if (principal instanceof Response) return principal
 *   return Response.json({ user: principal.getAuthIdentifier() })
 * }
 * ```
 */
export function createResourceServer<User = { sub: string }, Client = { client_id: string }>(
  options: ResourceServerOptions<User, Client>,
): ResourceServer<Principal<User, Client>> {
  const settings = settingsOf(options)
  const { issuer, resource, realm, resource_metadata, dpop } = settings
  const { challenge_scopes, acr_order, on_refused } = options
  const on_unavailable = options.on_unavailable ?? unavailableReport(settings.now)
  const covers = scopeCheck(options.implies)
  const discovered = issuerOf(settings)
  const validate = validator(settings, discovered)
  const document = (): ProtectedResourceMetadata => ({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [...settings.scopes_supported],
    bearer_methods_supported: ['header'],
    ...(dpop && {
      dpop_signing_alg_values_supported: [...dpop.algorithms],
      dpop_bound_access_tokens_required: dpop.required,
    }),
  })

  const guard = createGuard<Principal<User, Client>>({
    challenge: { realm, resource_metadata },
    ...(challenge_scopes && { challenge_scopes }),
    ...(acr_order && { acr_order }),
    now: settings.now,
    ...(dpop && { dpop: guardDpop(settings, dpop) }),
    async validate(token) {
      return principalOf(options, await validate(token), covers)
    },
    ...(on_refused && { on_refused }),
    on_unavailable,
  })
  const answer = metadataHandler(resource_metadata, document())
  return { ...guard, metadata: document, handle: whileRight(answer, discovered, on_unavailable) }
}

function issuerOf({ issuer, jwks, fetch, now, timeout_seconds }: Settings): Issuer {
  return issuerClient({ issuer, fetch, timeout_seconds, freshness: freshnessOf({ jwks, now }) })
}

function freshnessOf({ jwks, now }: Pick<Settings, 'jwks' | 'now'>): Freshness {
  const { max_age, stale_if_error, refetch_interval: interval } = jwks
  return { max_age, stale_if_error, interval, now }
}

function guardDpop({ issuer, resource }: Settings, dpop: DpopSettings): GuardDpop {
  const { nonce_secret, replay, public_url, ...rules } = dpop
  const { origin } = new URL(resource)
  // Derived, so that the nonces of one API are not accepted by another one that has the same secret.
  const nonceKey = (secret: string): Uint8Array =>
    hmac(sha256, utf8(secret), utf8(JSON.stringify(['dpop-nonce', issuer, resource])))
  return {
    ...rules,
    // The host of the request is not used: the client chooses it.
    url: public_url ?? ((request) => `${origin}${new URL(request.url).pathname}`),
    ...(nonce_secret !== undefined && { nonces: dpopNonces(nonceKey(nonce_secret)) }),
    ...(replay && { replays: replay }),
  }
}

function validator(settings: Settings, issuer: Issuer): Validate {
  const { mode, now } = settings
  const local = (): Validate => {
    const { algorithms, clock_tolerance } = settings
    const key = issuerKeys(issuer, algorithms, freshnessOf(settings))
    const dpop = settings.dpop !== null
    const verify: Validate = (token) =>
      verifyAccessToken(token, {
        issuer: settings.issuer,
        key,
        algorithms,
        clock_tolerance,
        dpop,
        now: now(),
      })
    return withAudience(settings, withTokenCache(settings, verify))
  }
  const introspect = (): Validate => withAudience(settings, introspector(settings, issuer))
  if (mode === 'jwks') return local()
  if (mode === 'introspection') return introspect()
  return withIntrospection(local(), introspect())
}

/** Refuses tokens for other APIs (RFC 9068 §4), even when the introspection response says that they are active. */
function withAudience({ resource }: Settings, validate: Validate): Validate {
  return async (token) => {
    const verified = await validate(token)
    if (!verified.audience.includes(resource)) throw new BearerError('invalid_token', 'wrong_audience')
    return verified
  }
}

/** Adds the token cache, if the options enable it. */
function withTokenCache({ token_cache, now }: Settings, validate: Validate): Validate {
  if (!token_cache) return validate
  const store = tokenStore(token_cache.entries, HASHED_JWT_CHARACTERS)
  return async (token) => {
    const cached = store.get(token, now())
    if (cached) return cached
    const verified = await validate(token)
    store.set(token, verified, now() + token_cache.seconds)
    return verified
  }
}

/**
 * Verifies locally first, so that tokens of another issuer are refused without a request. The introspection response must
 * be about the same token, and may remove scopes.
 */
function withIntrospection(local: Validate, introspect: Validate): Validate {
  return async (token) => {
    const verified = await local(token)
    const answer = await introspect(token)
    const is_same = (['sub', 'client_id', 'jti'] as const).every(
      (name) => answer.claims[name] === verified.claims[name],
    )
    if (!is_same || keyOf(answer) !== keyOf(verified))
      throw new BearerError('invalid_token', 'introspection_mismatch')
    return { ...verified, scopes: verified.scopes.filter((scope) => answer.scopes.includes(scope)) }
  }
}

/** What the token is bound to: only a `cnf` of the form that was checked with the claims is left here. */
const keyOf = ({ claims }: AccessToken): string => JSON.stringify(claims.cnf)

/** A token whose subject is its client has no user: RFC 9068 §2.2. */
async function principalOf<User, Client>(
  options: ResourceServerOptions<User, Client>,
  token: AccessToken,
  covers: ScopeCheck,
): Promise<Principal<User, Client>> {
  const { sub, client_id } = token.claims
  if (sub === client_id) {
    const client = options.client ? await options.client(token) : ({ client_id } as Client)
    if (client === null) throw new BearerError('invalid_token', 'revoked_client')
    return clientPrincipal(client, token, covers)
  }
  const user = options.user ? await options.user(token) : ({ sub } as User)
  if (user === null) throw new BearerError('invalid_token', 'unknown_user')
  return userPrincipal(user, token, covers)
}
