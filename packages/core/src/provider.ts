/** createProvider(): puts the parts together. dispatch.ts shows how a request passes through them. */

import type { RealmContext } from './context.js'
import { dispatcher, runGuarded } from './dispatch.js'
import { deliveryPool } from './jobs/delivery-pool.js'
import { expireSessions } from './jobs/expired-sessions.js'
import { purge } from './jobs/purge.js'
import { dropRetiredKeys } from './jobs/retired-keys.js'
import { management } from './management.js'
import type { Provider, ProviderOptions, TickReport } from './provider-interface.js'
import { checkedRealms } from './provider-options.js'
import { realmContexts } from './realm-contexts.js'
import { ROUTES, type RouteName } from './routes.js'
import { completeLogin, loginPrompt } from './steps/login.js'
import { userSession } from './steps/session.js'
import { findRequest } from './steps/waiting-request.js'
import type { RealmUrls } from './urls.js'

const JOBS: readonly [keyof TickReport, (c: RealmContext) => Promise<number>][] = [
  ['sessions_ended', expireSessions],
  ['keys_retired', dropRetiredKeys],
  ['records_purged', purge],
]

/**
 * Creates a provider. It reads and writes nothing until the first request.
 * @throws ConfigError that names every missing, wrong or unknown option, each with what to give instead.
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

  return {
    fetch: dispatch.fetch,
    handle: dispatch.handle,
    locate: dispatch.locate,
    guard: (choice = {}) => contexts.guard(choice),
    url: (name, { realm = 'default', path } = {}) => routeUrl(realms.urls(realm), name, path),
    async login(request, login) {
      const c = await dispatch.contextOf(request)
      return runGuarded(null, c, () => completeLogin(c, login))
    },
    session: async (request) => userSession(await dispatch.contextOf(request)),
    async loginPrompt(request, return_to) {
      const c = await dispatch.contextOf(request)
      const waiting = await findRequest(c, return_to)
      return waiting && loginPrompt(c, waiting)
    },
    async manage(id = 'default') {
      return management(await contexts.of(await contexts.existing(id)))
    },
    async tick(ids) {
      const known = ids ? await Promise.all(ids.map(contexts.existing)) : realms.known()
      const report: TickReport = { sessions_ended: 0, keys_retired: 0, records_purged: 0 }
      for (const realm of known) {
        const c = await contexts.of(realm)
        await runJobs(c, report)
        deliveries.start(c)
      }
      return report
    },
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

/** Adds what was done to the report. */
async function runJobs(c: RealmContext, report: TickReport): Promise<void> {
  for (const [name, job] of JOBS) {
    // A job that fails, for example because storage is unavailable, does not stop the other jobs.
    report[name] += await job(c).catch((cause: unknown) => {
      c.emit({ type: 'server.error', route: null, cause })
      return 0
    })
  }
}
