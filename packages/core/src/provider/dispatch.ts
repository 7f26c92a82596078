/** How a request reaches its endpoint: match → realm → context → endpoint → error boundary. */

import { OAuthError } from '../http/errors.js'
import { MissingViewError } from '../http/program-errors.js'
import { requestTarget } from '../http/request-target.js'
import { CORS, errorJson, proofCors } from '../http/responses.js'
import type { RouteName } from '../http/route-name.js'
import { methodNotAllowed, notFound, preflight, withoutBody } from '../http/route-responses.js'
import { serveStatic } from '../http/static-document.js'
import type { Context, RealmContext } from '../realm/context.js'
import { defaultExchangePolicy } from '../realm/exchange-policy.js'
import type { Realm } from '../realm/realm.js'
import type { RealmDirectory } from '../realm/realms.js'
import { keepKind, pageForBrowser } from '../request/error-page.js'
import { authenticationFailure, refusal } from '../request/refusal.js'
import { requireAccess } from '../tokens/grant-access.js'
import type { ProviderOptions, RequestInfo, RequestLocation } from './provider-interface.js'
import type { EventReports, RealmContexts } from './realm-contexts.js'
import { isPagePath, pathInRealm, ROUTES, type Route, routesAt } from './routes.js'
import {
  hasDoubleSlash,
  refusedMethod,
  SLASH_AFTER_ISSUER,
  slashAfterIssuer,
  unknownRealm,
} from './unknown-address.js'

export interface Dispatcher {
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  document(request: Request): Response | null
  handle(name: RouteName, request: Request, options?: HandleOptions): Promise<Response>
  locate(request: Pick<Request, 'url'>): Promise<RequestLocation | null>
  /** For the application's own pages. @throws Error when the request belongs to no realm. */
  contextOf(request: Request, info?: RequestInfo): Promise<Context>
}

type HandleOptions = { realm?: string; path?: string } & RequestInfo

export interface DispatcherOptions {
  options: ProviderOptions
  realms: RealmDirectory
  contexts: RealmContexts
}

/** A request, and what the host and the routing know about it. */
interface IncomingRequest {
  request: Request
  info: RequestInfo
  /** With its `?`. */
  search: string
  /** What follows a catch-all route's own path. */
  path: string
}

export function dispatcher(d: DispatcherOptions): Dispatcher {
  return {
    fetch: (request, info = {}) =>
      routeRequest(d, request, info).catch((cause) => failureAnswer(d, { request, info }, cause)),
    handle: (name, request, options = {}) =>
      callHandler(d, name, { request, options }).catch((cause) =>
        failureAnswer(d, { request, info: options }, cause),
      ),
    document: (request) => documentAnswer(d, request),
    locate: (request) => locate(d, requestTarget(request.url).pathname),
    async contextOf(request, info = {}) {
      const { pathname, search } = requestTarget(request.url)
      const location = await locate(d, pathname)
      if (!location) throw new Error('The request belongs to no realm')
      return createContext(d, await d.contexts.of(location.realm), { request, info, search, path: '' })
    },
  }
}

async function routeRequest(d: DispatcherOptions, request: Request, info: RequestInfo): Promise<Response> {
  const { pathname, search } = requestTarget(request.url)
  const found = pathInRealm(pathname, d.realms.routing)
  // Nothing is awaited while the realm is in memory.
  const realm = found && (d.realms.current(found.realm) ?? (await d.realms.find(found.realm)))
  if (!found || !realm) return unlocated(d, found, info)
  const { path } = found
  const answer = await answerInRealm(d, { realm, path }, { request, info, search, path: '' })
  const { request_id } = info
  return rendered(d, answer, { request, realm, has_pages: isPagePath(path), request_id })
}

/** The answer of `fetch` to GET for a document that is in memory: without a promise, and without the context of a request. */
function documentAnswer({ realms, contexts }: DispatcherOptions, request: Request): Response | null {
  if (request.method !== 'GET') return null
  const found = pathInRealm(requestTarget(request.url).pathname, realms.routing)
  const realm = found && realms.current(found.realm)
  const c = realm && contexts.made(realm)
  if (!found || !c) return null
  const { routes, rest } = routesAt(found.path, c.realm)
  const document = routes[0]?.document?.(c, rest)
  return document ? serveStatic(request, document) : null
}

async function locate({ realms }: DispatcherOptions, pathname: string): Promise<RequestLocation | null> {
  const found = pathInRealm(pathname, realms.routing)
  const realm = found && (await realms.find(found.realm))
  return found && realm ? { realm, path: found.path } : null
}

async function answerInRealm(
  d: DispatcherOptions,
  { realm, path }: RequestLocation,
  { request, info, search }: IncomingRequest,
): Promise<Response> {
  const { routes, rest } = routesAt(path, realm)
  const [first] = routes
  const report: EventReports['emit'] = (event) => d.contexts.reports(realm.id, info.request_id).emit(event)
  if (!first) return unknownPath(path, realm, report)
  const match = routes.find(({ methods }) => methods.includes(request.method))
  if (!match) {
    const methods = routes.flatMap((other) => other.methods)
    if (!(first.cors && request.method === 'OPTIONS')) report(refusedMethod(request, path))
    if (!first.cors) return methodNotAllowed(methods)
    if (request.method !== 'OPTIONS') return methodNotAllowed(methods, corsOf(first, realm))
    return preflight(methods, first.reads_proofs === true && realm.policy.proofs !== null)
  }
  const known = d.contexts.made(realm) ?? (await d.contexts.of(realm))
  return runGuarded(match, createContext(d, known, { request, info, search, path: rest }), match.handler)
}

/** The answer at a path of no realm. */
function unlocated(
  { contexts }: DispatcherOptions,
  found: ReturnType<typeof pathInRealm>,
  info: RequestInfo,
): Response {
  // Not of a realm: what was sent as its id may be a secret.
  if (found) contexts.reports('', info.request_id).emit(unknownRealm(found.realm))
  return notFound()
}

function unknownPath(path: string, realm: Realm, emit: EventReports['emit']): Response {
  if (!hasDoubleSlash(path, realm)) return notFound()
  emit(slashAfterIssuer(path))
  return notFound({}, SLASH_AFTER_ISSUER)
}

async function callHandler(
  d: DispatcherOptions,
  name: RouteName,
  { request, options }: { request: Request; options: HandleOptions },
): Promise<Response> {
  const { realm: id, path = '', ...info } = options
  const { pathname, search } = requestTarget(request.url)
  const realm = await d.realms.find(id ?? (await locate(d, pathname))?.realm.id ?? 'default')
  const named = ROUTES.find((candidate) => candidate.name === name)
  if (!realm || !named || named.enabled(realm) === false) return notFound()
  const c = createContext(d, await d.contexts.of(realm), { request, info, search, path })
  const answer = await runGuarded(named, c, named.handler)
  const { request_id } = info
  return rendered(d, answer, { request, realm, has_pages: named.page === true, request_id })
}

/** Runs a handler. An OAuthError becomes its answer; any other exception becomes an event and a fixed answer. */
export async function runGuarded(
  route: Route | null,
  c: Context,
  handler: (c: Context) => Promise<Response>,
): Promise<Response> {
  try {
    return await handler(c)
  } catch (error) {
    if (error instanceof MissingViewError) throw error
    const name = route?.name ?? null
    const headers = corsOf(route, c.realm)
    if (!(error instanceof OAuthError)) return errorJson(c.failure(error, name), headers)
    const authentication = authenticationFailure(c, error)
    if (authentication !== null) c.emit(authentication)
    c.emit({ type: 'request.refused', route: name, ...refusal(c, error) })
    return keepKind(errorJson(error, headers), error)
  }
}

/** The headers with which pages of other origins may read the answers of a route; none where they may not. */
function corsOf(route: Route | null, { policy }: Realm): Record<string, string> {
  if (!route?.cors) return {}
  return route.reads_proofs ? proofCors(policy) : CORS
}

interface AnsweredRequest {
  request: Request
  realm: Realm
  /** A person navigates to its route. */
  has_pages: boolean
  request_id: string | undefined
}

/** The error of a route with pages as a page for a browser that navigates; any answer without its body for HEAD. */
function rendered(
  { options: { interactions } }: DispatcherOptions,
  answer: Response,
  { request, realm, has_pages, request_id }: AnsweredRequest,
): Promise<Response> | Response {
  const page = { request, realm, interactions, request_id }
  const response = has_pages ? pageForBrowser(answer, page) : answer
  return request.method === 'HEAD' ? Promise.resolve(response).then(withoutBody) : response
}

/** For a failure outside of an endpoint: the application's look-up of a realm, or its error page. */
function failureAnswer(
  { realms, contexts }: DispatcherOptions,
  { request, info }: Pick<IncomingRequest, 'request' | 'info'>,
  cause: unknown,
): Response {
  if (cause instanceof MissingViewError) throw cause
  const realm = pathInRealm(requestTarget(request.url).pathname, realms.routing)?.realm ?? ''
  return errorJson(contexts.reports(realm, info.request_id).failure(cause))
}

/** Written out instead of spread: one is made for every request, and all of them should have the same object shape. */
function createContext(
  { options, contexts }: DispatcherOptions,
  r: RealmContext,
  { request, info, search, path }: IncomingRequest,
): Context {
  const { request_id } = info
  const { exchange_policy, access_policy, on_flow } = options
  if (request_id !== undefined) contexts.remember(request, request_id)
  const { emit, failure } = request_id === undefined ? r : contexts.reports(r.realm.id, request_id)
  return {
    realm: r.realm,
    storage: r.storage,
    clients: r.clients,
    auth_methods: r.auth_methods,
    grants: r.grants,
    metadata: r.metadata,
    accounts: r.accounts,
    interactions: r.interactions,
    secrets: r.secrets,
    key_ring: r.key_ring,
    signer: r.signer,
    verified: r.verified,
    hashes: r.hashes,
    random: r.random,
    claims: r.claims,
    claims_in_access_tokens: r.claims_in_access_tokens,
    guard: r.guard,
    fetch: r.fetch,
    fetch_of_operator: r.fetch_of_operator,
    now: r.now,
    emit,
    failure,
    request,
    search,
    path,
    body: info.body,
    address: info.address ?? null,
    peer: info.peer ?? null,
    request_id,
    facts: { client_id: null, sub: null, redirect_uri: null, registered_uris: [], params: null },
    on_flow,
    exchange_policy: exchange_policy ?? defaultExchangePolicy,
    access_policy,
    requireAccess,
  }
}
