/** createProvider(): match → realm → context → endpoint → error boundary. */

import type { Guard } from '@ostiary/resource-server'
import { ConfigError, type OidcConfig, parseConfig, type RealmConfig } from './config.js'
import type { Context, RealmContext } from './context.js'
import { MissingViewError, OAuthError } from './errors.js'
import { deliver, type EventSink } from './events.js'
import { defaultExchangePolicy } from './grants/token-exchange.js'
import { expireSessions } from './jobs/expired-sessions.js'
import { deliverLogouts } from './jobs/logout-delivery.js'
import { purge } from './jobs/purge.js'
import { dropRetiredKeys } from './jobs/retired-keys.js'
import { type Management, management } from './management.js'
import type { Accounts, ClaimsResolver, ExchangePolicy, Interactions, Login, LoginPrompt } from './ports.js'
import { standardClaims } from './protocol/claims.js'
import { type Random, systemRandom } from './protocol/secret.js'
import type { Realm } from './realm.js'
import { realmDirectory } from './realms.js'
import { errorJson, methodNotAllowed, notFound, preflight, serverError, withCors } from './responses.js'
import { pathInRealm, ROUTES, type Route, type RouteName, routesAt } from './routes.js'
import { completeLogin, findStoredRequest, loginPrompt } from './steps/login.js'
import { type OidcPrincipal, oidcGuard } from './steps/oidc-guard.js'
import type { Storage } from './storage.js'
import { deriveSecrets } from './tokens/keys.js'

export interface ProviderOptions {
  /** The `oidc.*` keys. */
  oidc?: OidcConfig
  /** Stands in for `oidc.issuer`. */
  app_url?: string
  /** At least 32 characters. Seals the signing keys; losing it means new keys. */
  secret: string
  storage: Storage
  accounts: Accounts
  interactions: Interactions
  claims?: ClaimsResolver
  /** Told of everything that matters for security. It cannot make a request fail. */
  on_event?: EventSink
  /** Epoch seconds, an integer. */
  now?: () => number
  random?: Random
  /** Who may exchange which token for what; the default asks `allowed_exchange_audiences`. */
  exchange_policy?: ExchangePolicy
  /** For back-channel logout. The host's job is to let it reach public addresses only. */
  fetch?: typeof fetch
  /** Guards by name; UserInfo uses the one named by `oidc.auth.api_guard`. */
  guards?: Record<string, (realm: Realm) => Guard>
  /** Looks a realm up by its id, instead of the static map `oidc.realms`. */
  realms?: (id: string) => Promise<RealmConfig | null>
}

export interface RequestInfo {
  /** The client's IP address, as a trusted host sees it. */
  address?: string
}

/** Where a request belongs. */
export interface Located {
  realm: Realm
  /** Below the realm, e.g. `/login`. */
  path: string
}

export interface GuardChoice {
  /** `default` when absent. */
  realm?: string
  /** A key of `oidc.resources`: challenges point at its document. */
  resource?: string
}

/** What a tick did, in numbers. */
export interface TickReport {
  sessions_ended: number
  logouts_delivered: number
  keys_retired: number
  records_purged: number
}

export interface Provider {
  /**
   * Answers every route of the provider, and 404 for everything else.
   * @throws MissingViewError when the application supplies no consent view and one is needed.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** Calls a handler by its route name, wherever the application has mounted it. */
  handle(name: RouteName, request: Request, options?: { realm?: string; path?: string }): Promise<Response>
  /** The absolute URL of a route. */
  url(name: RouteName, options?: { realm?: string; path?: string }): string
  /** The realm of a URL and the path below it; null when there is no such realm. */
  locate(request: Request): Promise<Located | null>
  /**
   * The application has checked who is there: starts a session, sets its cookie and goes on with the stored request.
   * When that is unknown or expired, `interactions.error` answers and no session is started.
   */
  login(request: Request, login: Login): Promise<Response>
  /** What waits behind `return_to`; null when it is unknown or expired. */
  loginPrompt(request: Request, return_to: string): Promise<LoginPrompt | null>
  /** The bearer-token guard of a realm (RFC 9068 §4), aware of revocations. */
  guard(choice?: GuardChoice): Guard<OidcPrincipal>
  /** Work that no request waits for. Call it every few seconds. */
  tick(): Promise<TickReport>
  /** Consents, sessions and keys of a realm, for its owner. `default` when absent. */
  manage(realm?: string): Promise<Management>
}

const JOBS: readonly [keyof TickReport, (c: RealmContext) => Promise<number>][] = [
  ['sessions_ended', expireSessions],
  ['logouts_delivered', deliverLogouts],
  ['keys_retired', dropRetiredKeys],
  ['records_purged', purge],
]

/** @throws ConfigError with the path of every fault. */
export function createProvider(options: ProviderOptions): Provider {
  const { storage, accounts, interactions, now = () => Math.floor(Date.now() / 1000) } = options
  if (options.secret.length < 32)
    throw new ConfigError('secret (OIDC_SECRET): give at least 32 random characters')
  const config = parseConfig(options.oidc ?? {}, options.app_url)
  const { routing, ...realms } = realmDirectory(config, options.realms)
  const secrets = deriveSecrets(options.secret)
  secrets.catch(() => {})

  const contexts = new WeakMap<Realm, Promise<RealmContext>>()
  const realmContext = (realm: Realm): Promise<RealmContext> => {
    const known = contexts.get(realm) ?? createContext(realm)
    contexts.set(realm, known)
    return known
  }
  const createContext = async (realm: Realm): Promise<RealmContext> => ({
    realm,
    storage: storage(realm.id),
    accounts,
    secrets: await secrets,
    random: options.random ?? systemRandom,
    claims: options.claims ?? standardClaims,
    fetch: options.fetch ?? fetch,
    now,
    emit: (event) => deliver(options.on_event, { time: now(), realm: realm.id, ...event }),
  })

  const guard = ({ realm: id = 'default', resource }: GuardChoice = {}) =>
    oidcGuard(realms.challenge(id, resource), async () => {
      const realm = await realms.find(id)
      if (!realm) throw new Error(`There is no realm ${id}`)
      return realmContext(realm)
    })
  const guards = new WeakMap<Realm, Guard>()
  /** The one named by `oidc.auth.api_guard`: the application's, or ours under that name. */
  const configuredGuard = (realm: Realm): Guard => {
    const ours = () => guard({ realm: realm.id })
    const known = guards.get(realm) ?? (options.guards?.[realm.settings.auth.api_guard] ?? ours)(realm)
    guards.set(realm, known)
    return known
  }

  async function context(
    realm: Realm,
    request: Request,
    more: { path?: string; address?: string | undefined } = {},
  ): Promise<Context> {
    return {
      ...(await realmContext(realm)),
      request,
      url: new URL(request.url),
      path: more.path ?? '',
      address: more.address ?? null,
      interactions,
      exchange_policy: options.exchange_policy ?? defaultExchangePolicy,
      guard: configuredGuard(realm),
    }
  }

  /** Nothing that a client sends may get past this as an exception. */
  async function run(
    route: Route | null,
    c: Context,
    handler: (c: Context) => Promise<Response>,
  ): Promise<Response> {
    try {
      return await handler(c)
    } catch (error) {
      if (error instanceof MissingViewError) throw error
      const name = route?.name ?? null
      if (error instanceof OAuthError) {
        c.emit({ type: 'request.refused', route: name, error: error.code, reason: error.reason })
        return errorJson(error)
      }
      c.emit({ type: 'server.error', route: name, cause: error })
      return serverError()
    }
  }

  /** For what fails before there is a realm to answer in: a look-up by the application. */
  function failed(request: Request, cause: unknown): Response {
    if (cause instanceof MissingViewError) throw cause
    const realm = pathInRealm(new URL(request.url).pathname, routing)?.realm ?? ''
    deliver(options.on_event, { time: now(), realm, type: 'server.error', route: null, cause })
    return serverError()
  }

  async function dispatch(request: Request, address: string | undefined): Promise<Response> {
    const found = await locate(request)
    if (!found) return notFound()
    const { routes, rest } = routesAt(found.path, found.realm.settings)
    const [first] = routes
    if (!first) return notFound()
    const route = routes.find(({ methods }) => methods.includes(request.method))
    if (!route) {
      const methods = routes.flatMap((other) => other.methods)
      return first.cors && request.method === 'OPTIONS' ? preflight(methods) : methodNotAllowed(methods)
    }
    const c = await context(found.realm, request, { path: rest, address })
    return answer(route, c)
  }

  async function answer(route: Route, c: Context): Promise<Response> {
    const response = await run(route, c, route.handler)
    return route.cors ? withCors(response) : response
  }

  async function locate(request: Request): Promise<Located | null> {
    const found = pathInRealm(new URL(request.url).pathname, routing)
    const realm = found && (await realms.find(found.realm))
    return found && realm ? { realm, path: found.path } : null
  }

  /** For the application's own pages: the request must belong to a realm. */
  async function located(request: Request): Promise<Context> {
    const found = await locate(request)
    if (!found) throw new Error(`${request.url} belongs to no realm`)
    return context(found.realm, request)
  }

  return {
    locate,
    guard,
    fetch: (request, { address } = {}) => dispatch(request, address).catch((cause) => failed(request, cause)),
    async handle(name, request, { realm: id, path = '' } = {}) {
      const realm = await realms.find(id ?? (await locate(request))?.realm.id ?? 'default')
      const route = ROUTES.find((candidate) => candidate.name === name)
      if (!realm || !route || route.enabled?.(realm.settings) === false) return notFound()
      return answer(route, await context(realm, request, { path }))
    },
    url(name, { realm = 'default', path } = {}) {
      const route = ROUTES.find((candidate) => candidate.name === name)
      if (!route) throw new Error(`There is no route ${name}`)
      const urls = realms.urls(realm)
      if (name === 'oidc.authorization-server') return urls.authorization_server
      if (name === 'oidc.protected-resource') return urls.protected_resource(path)
      return urls.issuer + route.path
    },
    async login(request, login) {
      return run(null, await located(request), (c) => completeLogin(c, login))
    },
    async loginPrompt(request, return_to) {
      const c = await located(request)
      const stored = await findStoredRequest(c, return_to)
      return stored && loginPrompt(c, stored)
    },
    async manage(id = 'default') {
      const realm = await realms.find(id)
      if (!realm) throw new Error(`There is no realm ${id}`)
      return management(await realmContext(realm))
    },
    async tick() {
      const done: TickReport = { sessions_ended: 0, logouts_delivered: 0, keys_retired: 0, records_purged: 0 }
      for (const realm of realms.known()) {
        const c = await realmContext(realm)
        for (const [name, job] of JOBS) {
          // One that fails (storage may be away) must not keep the others from their work.
          done[name] += await job(c).catch((cause: unknown) => {
            c.emit({ type: 'server.error', route: null, cause })
            return 0
          })
        }
      }
      return done
    },
  }
}
