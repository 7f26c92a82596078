/** A request's way to its endpoint: match → realm → context → endpoint → error boundary. */

import type { Context } from './context.js'
import { pageForBrowser } from './error-page.js'
import { MissingViewError, OAuthError } from './errors.js'
import { defaultExchangePolicy } from './protocol/exchange-policy.js'
import { requestTarget } from './protocol/request-target.js'
import type { Located, ProviderOptions, RequestInfo } from './provider-interface.js'
import type { Realm } from './realm.js'
import type { RealmContexts } from './realm-contexts.js'
import type { RealmDirectory } from './realms.js'
import { CORS, errorJson, methodNotAllowed, notFound, preflight, withoutBody } from './responses.js'
import { pathInRealm, ROUTES, type Route, type RouteName, routesAt } from './routes.js'

export interface Dispatcher {
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  handle(name: RouteName, request: Request, options?: HandleOptions): Promise<Response>
  locate(request: Request): Promise<Located | null>
  /** For the application's own pages. @throws Error when the request belongs to no realm. */
  contextOf(request: Request): Promise<Context>
  /** Runs a handler; an OAuthError becomes its answer, and so does a failure. */
  run(route: Route | null, c: Context, handler: (c: Context) => Promise<Response>): Promise<Response>
}

type HandleOptions = { realm?: string; path?: string } & RequestInfo

export interface DispatcherOptions {
  options: ProviderOptions
  realms: RealmDirectory
  contexts: RealmContexts
}

/** A request, and what is known of it beside itself. */
interface IncomingRequest {
  request: Request
  info: RequestInfo
  /** With its `?`. */
  search: string
  /** What follows a catch-all's own path. */
  path: string
}

function incoming(request: Request, { path = '', ...info }: HandleOptions = {}): IncomingRequest {
  return { request, info, search: requestTarget(request.url).search, path }
}

export function dispatcher({ options, realms, contexts }: DispatcherOptions): Dispatcher {
  const { interactions } = options

  async function context(realm: Realm, { request, info, search, path }: IncomingRequest): Promise<Context> {
    const r = await contexts.of(realm)
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
  const run: Dispatcher['run'] = async (route, c, handler) => {
    try {
      return await handler(c)
    } catch (error) {
      if (error instanceof MissingViewError) throw error
      const name = route?.name ?? null
      const headers = route?.cors ? CORS : {}
      if (!(error instanceof OAuthError)) return errorJson(c.failure(error, name), headers)
      c.emit({ type: 'request.refused', route: name, error: error.code, reason: error.reason })
      return errorJson(error, headers)
    }
  }

  /** For a failure before there is a realm to answer in: in the application's look-up of one. */
  function failed(request: Request, cause: unknown): Response {
    if (cause instanceof MissingViewError) throw cause
    const realm = pathInRealm(requestTarget(request.url).pathname, realms.routing)?.realm ?? ''
    return errorJson(contexts.failure(realm, cause, null))
  }

  /** An endpoint's answer, as this request takes it. */
  async function shown(answer: Response, request: Request, realm: Realm): Promise<Response> {
    const response = await pageForBrowser(answer, { request, realm, interactions })
    return request.method === 'HEAD' ? withoutBody(response) : response
  }

  async function dispatch(request: Request, info: RequestInfo): Promise<Response> {
    const { pathname, search } = requestTarget(request.url)
    const found = await locatePath(pathname)
    if (!found) return notFound()
    const answer = await answerInRealm(found, { request, info, search, path: '' })
    return shown(answer, request, found.realm)
  }

  async function answerInRealm({ realm, path }: Located, { request, info, search }: IncomingRequest) {
    const { routes, rest } = routesAt(path, realm.settings)
    const [first] = routes
    if (!first) return notFound()
    const route = routes.find(({ methods }) => methods.includes(request.method))
    if (!route) {
      const methods = routes.flatMap((other) => other.methods)
      if (!first.cors) return methodNotAllowed(methods)
      return request.method === 'OPTIONS' ? preflight(methods) : methodNotAllowed(methods, CORS)
    }
    return run(route, await context(realm, { request, info, search, path: rest }), route.handler)
  }

  async function locatePath(pathname: string): Promise<Located | null> {
    const found = pathInRealm(pathname, realms.routing)
    const realm = found && (await realms.find(found.realm))
    return found && realm ? { realm, path: found.path } : null
  }
  const locate = (request: Request) => locatePath(requestTarget(request.url).pathname)

  async function handle(name: RouteName, request: Request, { realm: id, ...info }: HandleOptions) {
    const realm = await realms.find(id ?? (await locate(request))?.realm.id ?? 'default')
    const route = ROUTES.find((candidate) => candidate.name === name)
    if (!realm || !route || route.enabled?.(realm.settings) === false) return notFound()
    const answer = await run(route, await context(realm, incoming(request, info)), route.handler)
    return shown(answer, request, realm)
  }

  return {
    fetch: (request, info = {}) => dispatch(request, info).catch((cause) => failed(request, cause)),
    handle: (name, request, given = {}) =>
      handle(name, request, given).catch((cause) => failed(request, cause)),
    locate,
    async contextOf(request) {
      const found = await locate(request)
      if (!found) throw new Error('The request belongs to no realm')
      return context(found.realm, incoming(request))
    },
    run,
  }
}
