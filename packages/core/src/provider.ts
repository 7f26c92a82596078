/** createProvider(): match → realm → context → endpoint → error boundary. */

import type { Guard } from '@ostiary/resource-server'
import { cachedClients } from './client-cache.js'
import { ConfigError, parseConfig } from './config.js'
import type { Context, RealmContext } from './context.js'
import { MissingViewError, OAuthError, serverError, unavailable } from './errors.js'
import { deliver } from './events.js'
import { defaultExchangePolicy } from './grants/token-exchange.js'
import { expireSessions } from './jobs/expired-sessions.js'
import { deliverLogouts } from './jobs/logout-delivery.js'
import { purge } from './jobs/purge.js'
import { dropRetiredKeys } from './jobs/retired-keys.js'
import { management } from './management.js'
import { standardClaims } from './protocol/claims.js'
import { requestTarget } from './protocol/request-target.js'
import { systemRandom } from './protocol/secret.js'
import type {
  GuardChoice,
  Located,
  Provider,
  ProviderOptions,
  RequestInfo,
  TickReport,
} from './provider-interface.js'
import type { Realm } from './realm.js'
import { realmDirectory } from './realms.js'
import { CORS, errorJson, methodNotAllowed, notFound, preflight } from './responses.js'
import { pathInRealm, ROUTES, type Route, routesAt } from './routes.js'
import { completeLogin, findStoredRequest, loginPrompt } from './steps/login.js'
import { oidcGuard } from './steps/oidc-guard.js'
import { signedIn } from './steps/session.js'
import type { RealmStorage } from './storage.js'
import { deriveSecrets } from './tokens/keys.js'
import { verifiedTokens } from './tokens/verified-tokens.js'

const JOBS: readonly [keyof TickReport, (c: RealmContext) => Promise<number>][] = [
  ['sessions_ended', expireSessions],
  ['logouts_delivered', deliverLogouts],
  ['keys_retired', dropRetiredKeys],
  ['records_purged', purge],
]

/** Seconds. */
const CLIENT_CACHE = 5

/** A request, and what is known of it beside itself. */
interface Asked {
  request: Request
  info: RequestInfo
  /** With its `?`. */
  search: string
  /** What follows a catch-all's own path. */
  path: string
}

const asked = (request: Request, { path = '', ...info }: RequestInfo & { path?: string } = {}): Asked => ({
  ...{ request, info, search: requestTarget(request.url).search, path },
})

/** @throws ConfigError with the path of every fault. */
export function createProvider(options: ProviderOptions): Provider {
  const { storage, accounts, interactions, now = () => Math.floor(Date.now() / 1000) } = options
  if (options.secret.length < 32)
    throw new ConfigError('secret (OIDC_SECRET): give at least 32 random characters')
  const config = parseConfig(options.oidc ?? {}, options.app_url)
  const { routing, ...realms } = realmDirectory(config, now, options.realms)
  const secrets = deriveSecrets(options.secret)
  secrets.catch(() => {})
  const verified = verifiedTokens()

  async function existing(id: string): Promise<Realm> {
    const realm = await realms.find(id)
    if (!realm) throw new Error(`There is no realm ${id}`)
    return realm
  }

  const contexts = new WeakMap<Realm, Promise<RealmContext>>()
  const realmContext = (realm: Realm): Promise<RealmContext> => {
    const known = contexts.get(realm)
    if (known) return known
    const created = createContext(realm)
    contexts.set(realm, created)
    // A failure is not remembered: the next request tries again.
    created.catch(() => contexts.delete(realm))
    return created
  }
  const createContext = async (realm: Realm): Promise<RealmContext> => ({
    realm,
    storage: cachedStores(storage(realm.id)),
    accounts,
    secrets: await secrets,
    key_ring: { loaded: null, loading: null },
    signer: options.signer,
    verified,
    random: options.random ?? systemRandom,
    claims: options.claims ?? standardClaims,
    guard: configuredGuard(realm),
    fetch: options.fetch ?? fetch,
    now,
    emit: emitter(realm.id),
    failure: (cause, route = null) => failure(realm.id, cause, route),
  })

  const cachedStores = (stores: RealmStorage): RealmContext['storage'] => {
    const { client_cache: seconds = CLIENT_CACHE } = options
    return { ...stores, clients: cachedClients(stores.clients, { seconds, now }) }
  }

  const emitter =
    (realm: string): RealmContext['emit'] =>
    (event) =>
      deliver(options.on_event, { time: now(), realm, ...event })

  const failure = (realm: string, cause: unknown, route: string | null): OAuthError => {
    emitter(realm)({ type: 'server.error', route, cause })
    return options.unavailable?.(cause) ? unavailable() : serverError()
  }

  const guard = ({ realm: id = 'default', resource }: GuardChoice = {}) =>
    oidcGuard({
      challenge: realms.challenge(id, resource),
      context: async () => realmContext(await existing(id)),
      emit: emitter(id),
    })
  /** The one named by `oidc.auth.api_guard`: the application's, or ours under that name. */
  const configuredGuard = (realm: Realm): Guard =>
    options.guards?.[realm.settings.auth.api_guard]?.(realm) ?? guard({ realm: realm.id })

  async function context(realm: Realm, { request, info, search, path }: Asked): Promise<Context> {
    const r = await realmContext(realm)
    // Written out, not spread: every request makes one, and this way all of them have one shape.
    return {
      realm: r.realm,
      storage: r.storage,
      accounts: r.accounts,
      secrets: r.secrets,
      key_ring: r.key_ring,
      signer: r.signer,
      verified: r.verified,
      random: r.random,
      claims: r.claims,
      guard: r.guard,
      fetch: r.fetch,
      now: r.now,
      emit: r.emit,
      failure: r.failure,
      request,
      search,
      path,
      body: info.body,
      address: info.address ?? null,
      interactions,
      exchange_policy: options.exchange_policy ?? defaultExchangePolicy,
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
      const [name, headers] = [route?.name ?? null, route?.cors ? CORS : {}]
      if (!(error instanceof OAuthError)) return errorJson(c.failure(error, name), headers)
      c.emit({ type: 'request.refused', route: name, error: error.code, reason: error.reason })
      return errorJson(error, headers)
    }
  }

  /** For what fails before there is a realm to answer in: a look-up by the application. */
  function failed(request: Request, cause: unknown): Response {
    if (cause instanceof MissingViewError) throw cause
    const realm = pathInRealm(requestTarget(request.url).pathname, routing)?.realm ?? ''
    return errorJson(failure(realm, cause, null))
  }

  async function dispatch(request: Request, info: RequestInfo): Promise<Response> {
    const { pathname, search } = requestTarget(request.url)
    const found = await locatePath(pathname)
    if (!found) return notFound()
    const { routes, rest } = routesAt(found.path, found.realm.settings)
    const [first] = routes
    if (!first) return notFound()
    const route = routes.find(({ methods }) => methods.includes(request.method))
    if (!route) {
      const methods = routes.flatMap((other) => other.methods)
      return first.cors && request.method === 'OPTIONS' ? preflight(methods) : methodNotAllowed(methods)
    }
    const c = await context(found.realm, { request, info, search, path: rest })
    return run(route, c, route.handler)
  }

  const locate = (request: Request): Promise<Located | null> =>
    locatePath(requestTarget(request.url).pathname)

  async function locatePath(pathname: string): Promise<Located | null> {
    const found = pathInRealm(pathname, routing)
    const realm = found && (await realms.find(found.realm))
    return found && realm ? { realm, path: found.path } : null
  }

  /** For the application's own pages: the request must belong to a realm. */
  async function located(request: Request): Promise<Context> {
    const found = await locate(request)
    if (!found) throw new Error(`${request.url} belongs to no realm`)
    return context(found.realm, asked(request))
  }

  return {
    locate,
    guard,
    fetch: (request, info = {}) => dispatch(request, info).catch((cause) => failed(request, cause)),
    async handle(name, request, { realm: id, ...info } = {}) {
      const answered = async () => {
        const realm = await realms.find(id ?? (await locate(request))?.realm.id ?? 'default')
        const route = ROUTES.find((candidate) => candidate.name === name)
        if (!realm || !route || route.enabled?.(realm.settings) === false) return notFound()
        return run(route, await context(realm, asked(request, info)), route.handler)
      }
      return answered().catch((cause) => failed(request, cause))
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
      const c = await located(request)
      return run(null, c, () => completeLogin(c, login))
    },
    session: async (request) => signedIn(await located(request)),
    async loginPrompt(request, return_to) {
      const c = await located(request)
      const stored = await findStoredRequest(c, return_to)
      return stored && loginPrompt(c, stored)
    },
    async manage(id = 'default') {
      return management(await realmContext(await existing(id)))
    },
    async tick(ids) {
      const done: TickReport = { sessions_ended: 0, logouts_delivered: 0, keys_retired: 0, records_purged: 0 }
      const all = ids ? await Promise.all(ids.map(existing)) : realms.known()
      for (const realm of all) {
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
