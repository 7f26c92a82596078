/** createProvider(): puts the parts together. dispatch.ts shows how a request passes through them. */

import { cancelRequest } from './authorize/cancel-request.js'
import { completeLogin, confirmLogin, loginPrompt } from './authorize/login.js'
import { findRequest, type PendingRequest } from './authorize/pending-request.js'
import { userSession } from './authorize/session.js'
import type { RouteName } from './http/route-name.js'
import { deliveryPool } from './jobs/delivery-pool.js'
import { type TickOptions, tickAll, tickRealms } from './jobs/tick.js'
import { dispatcher, runGuarded } from './provider/dispatch.js'
import { management } from './provider/management.js'
import type { Provider, ProviderOptions } from './provider/provider-interface.js'
import { checkedRealms } from './provider/provider-options.js'
import { realmContexts } from './provider/realm-contexts.js'
import { PROVIDER_ROUTES, ROUTES } from './provider/routes.js'
import type { RealmUrls } from './realm/urls.js'
import { pageForBrowser } from './request/error-page.js'

/**
 * Creates a provider. It reads and writes nothing until the first request.
 * @throws ConfigError with every missing, wrong or unknown option, and what to give instead.
 *
 * @example
 * ```ts
 * import { createProvider } from '@ostiary/core'
 * import { memoryStorage } from '@ostiary/core/memory'
 *
 * const provider = createProvider({
 *   oidc: { issuer: 'https://id.example.com', resources: { api: { scopes: ['notes.read'] } } },
 *   secret: process.env.OIDC_SECRET ?? '',
 *   storage: memoryStorage(),
 *   accounts: { find: async (sub) => ({ sub, claims: { name: 'Ada' } }) },
 *   interactions: {
 *     login: async ({ return_to }) =>
 *       new Response(null, { status: 302, headers: { location: `/sign-in?return_to=${return_to}` } }),
 *     consent: async ({ client }) => new Response(`Allow ${client.client_id}?`),
 *   },
 * })
 * export const fetch = (request: Request) => provider.fetch(request)
 * ```
 */
export function createProvider(options: ProviderOptions): Provider {
  const now = options?.now ?? (() => Math.floor(Date.now() / 1000))
  const realms = checkedRealms(options, now)
  const contexts = realmContexts({ options, realms, now })
  const dispatch = dispatcher({ options, realms, contexts })
  const deliveries = deliveryPool()
  const prompted = new WeakMap<Request, PendingRequest>()
  const background: TickOptions = {
    storage: options.storage,
    deliveries,
    now,
    known: realms.known,
    find: realms.find,
    contextOf: contexts.of,
    failed: (realm, cause) => void contexts.reports(realm, undefined).failure(cause),
  }

  return {
    fetch: dispatch.fetch,
    document: dispatch.document,
    handle: dispatch.handle,
    locate: dispatch.locate,
    routes: PROVIDER_ROUTES,
    guard: (choice = {}) => contexts.guard(choice),
    url: (name, { realm = 'default', path } = {}) => routeUrl(realms.urls(realm), name, path),
    async login(request, login, origin) {
      const c = await dispatch.contextOf(request, origin)
      return runGuarded(null, c, () => completeLogin(c, login, prompted.get(request)))
    },
    async confirm(request, login, origin) {
      const c = await dispatch.contextOf(request, origin)
      return runGuarded(null, c, () => confirmLogin(c, login))
    },
    async cancel(request, { return_to, error }, info) {
      const c = await dispatch.contextOf(request, info)
      return pageForBrowser(await runGuarded(null, c, () => cancelRequest(c, return_to, error)), c)
    },
    session: async (request, origin) => userSession(await dispatch.contextOf(request, origin)),
    async loginPrompt(request, return_to) {
      const c = await dispatch.contextOf(request)
      const waiting = await findRequest(c, return_to)
      if (waiting !== null) prompted.set(request, waiting)
      return waiting && loginPrompt(c, waiting)
    },
    async manage(id = 'default', { request_id } = {}) {
      const c = await contexts.of(await contexts.existing(id))
      return management(request_id === undefined ? c : { ...c, ...contexts.reports(id, request_id) })
    },
    async tick(ids) {
      return ids ? tickRealms(background, await Promise.all(ids.map(contexts.existing))) : tickAll(background)
    },
    forgetRealm: realms.forget,
    settled: deliveries.settled,
    stop: deliveries.stop,
  }
}

function routeUrl(urls: RealmUrls, name: RouteName, path?: string): string {
  const route = ROUTES.find((candidate) => candidate.name === name)
  if (!route) throw new Error(`There is no route ${name}`)
  if (name === 'oidc.authorization-server') return urls.authorization_server
  if (name === 'oidc.protected-resource') return urls.protected_resource(path)
  return urls.issuer + route.path
}
