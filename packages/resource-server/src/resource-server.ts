/** An API in a service of its own: RFC 9068 §4, RFC 7662, RFC 9728. */

import { type AccessToken, verifyAccessToken } from './access-token.js'
import { BearerError } from './bearer.js'
import { createGuard, type Guard } from './guard.js'
import { introspector } from './introspection.js'
import { issuerClient } from './issuer.js'
import { issuerKeys } from './keys.js'
import { metadataHandler, type ProtectedResourceMetadata } from './metadata.js'
import { type ResourceServerOptions, type Settings, settingsOf } from './options.js'
import { clientPrincipal, type Principal, userPrincipal } from './principal.js'
import { END_OF_JWT, tokenStore } from './token-store.js'

/** Protects one API: a guard, and the RFC 9728 document. */
export interface ResourceServer<P extends Principal = Principal> extends Guard<P> {
  /** The RFC 9728 document. */
  metadata(): ProtectedResourceMetadata
  /** Answers a request for the RFC 9728 document; null for any other request. */
  handle(request: Request): Response | null
}

/** A token that was found good, or what is thrown: BearerError, IssuerUnavailableError. */
type Validate = (token: string) => Promise<AccessToken>

/** @throws TypeError that names every fault of the options. */
export function createResourceServer<User = { sub: string }, Client = { client_id: string }>(
  options: ResourceServerOptions<User, Client>,
): ResourceServer<Principal<User, Client>> {
  const settings = settingsOf(options)
  const { issuer, resource, realm, resource_metadata } = settings
  const { on_refused, on_unavailable } = options
  const validate = validator(settings)
  const document = (): ProtectedResourceMetadata => ({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [...settings.scopes_supported],
    bearer_methods_supported: ['header'],
  })

  const guard = createGuard<Principal<User, Client>>({
    challenge: { realm, resource_metadata },
    async validate(token) {
      return principalOf(options, await validate(token))
    },
    ...(on_refused && { on_refused }),
    ...(on_unavailable && { on_unavailable }),
  })
  return { ...guard, metadata: document, handle: metadataHandler(resource_metadata, document()) }
}

function validator(settings: Settings): Validate {
  const { mode, jwks, fetch, now, timeout_seconds } = settings
  const { max_age, stale_if_error, refetch_interval: interval } = jwks
  const freshness = { max_age, stale_if_error, interval, now }
  const issuer = issuerClient({ issuer: settings.issuer, fetch, timeout_seconds, freshness })
  const local = (): Validate => {
    const rules = {
      issuer: settings.issuer,
      key: issuerKeys(issuer, settings.algorithms, freshness),
      algorithms: [...settings.algorithms],
      clock_tolerance: settings.clock_tolerance,
    }
    return addressed(
      settings,
      cached(settings, (token) => verifyAccessToken(token, { ...rules, now: now() })),
    )
  }
  const introspect = (): Validate => addressed(settings, introspector(settings, issuer))
  if (mode === 'jwks') return local()
  if (mode === 'introspection') return introspect()
  return confirmed(local(), introspect())
}

/** RFC 9068 §4: a token for another API is as good as none, whoever says that it is active. */
function addressed({ resource }: Settings, validate: Validate): Validate {
  return async (token) => {
    const verified = await validate(token)
    if (!verified.audience.includes(resource)) throw new BearerError('invalid_token', 'wrong_audience')
    return verified
  }
}

/** With a cache when the options ask for one. */
function cached({ token_cache, now }: Settings, validate: Validate): Validate {
  if (!token_cache) return validate
  const store = tokenStore(token_cache.entries, END_OF_JWT)
  return async (token) => {
    const known = store.get(token, now())
    if (known) return known
    const verified = await validate(token)
    store.set(token, verified, now() + token_cache.seconds)
    return verified
  }
}

/** What is no token of the issuer's costs no question. The answer must be about the same token, and may take scopes away. */
function confirmed(local: Validate, introspect: Validate): Validate {
  return async (token) => {
    const verified = await local(token)
    const answer = await introspect(token)
    if ((['sub', 'client_id', 'jti'] as const).some((name) => answer.claims[name] !== verified.claims[name]))
      throw new BearerError('invalid_token', 'introspection_mismatch')
    return { ...verified, scopes: verified.scopes.filter((scope) => answer.scopes.includes(scope)) }
  }
}

/** A client acts for itself where the token's subject is the client: RFC 9068 §2.2. */
async function principalOf<User, Client>(
  options: ResourceServerOptions<User, Client>,
  token: AccessToken,
): Promise<Principal<User, Client>> {
  const { sub, client_id } = token.claims
  if (sub === client_id) {
    const client = options.client ? await options.client(token) : ({ client_id } as Client)
    if (client === null) throw new BearerError('invalid_token', 'revoked_client')
    return clientPrincipal(client, token)
  }
  const user = options.user ? await options.user(token) : ({ sub } as User)
  if (user === null) throw new BearerError('invalid_token', 'unknown_user')
  return userPrincipal(user, token)
}
