/** The server without its socket: storage, sign-in, provider, demo and health behind one `fetch`. */

import { addressKeys, type RequestInfo } from '@ostiary/core'
import { argon2Passwords, type QueuedPasswordHasher } from '@ostiary/identity'
import { withOlderHashes } from '@ostiary/password-hashes'
import { usesPasswords } from '../config/has-passwords.js'
import type { HostConfig } from '../config/host-config.js'
import type { AddressForm } from '../log/addresses.js'
import type { Log } from '../log/log.js'
import { type AnyEvent, eventLog } from '../log/log-events.js'
import type { HostMetrics, Snapshot } from '../metrics/host-metrics.js'
import { openMetrics } from '../metrics/open-metrics.js'
import { trustedProxies, warnOfUnlistedProxy } from '../network/client-address.js'
import type { HostStorage } from '../storage/host-storage.js'
import { openStorage } from '../storage/open-storage.js'
import type { SyncReport } from '../storage/sync.js'
import { openList } from '../values/open-list.js'
import type { BackgroundWork } from './background.js'
import {
  type ConfiguredParts,
  configuredParts,
  type PartsDependencies,
  prepareRealms,
} from './configured-parts.js'
import { withDeadline } from './deadline.js'
import { healthz, type ReadinessCheck, readiness } from './health.js'
import { type Leadership, leadership } from './leadership.js'
import { type OpenAnswers, REQUEST_LIMITS, type RequestLimits } from './limits.js'
import { type AppLife, metricsSources } from './metrics-sources.js'
import { type CheckedRequest, type RequestHandler, requestHandler } from './request-handler.js'
import { type RequestScopes, requestScopes } from './request-scope.js'
import { notFound, RESTORED, RefusedRequest, readOnly } from './responses.js'
import { openTracing } from './tracing.js'

/** What `createApp` takes besides the configuration. */
export interface AppOptions {
  /** Gets a line for each request and each event. */
  log: Log
  /** Epoch seconds. */
  now?: () => number
  /** Milliseconds between two ticks of the provider; 5,000 when absent. */
  tick_every?: number
  /** Instead of the storage that the configuration names; closed by `stop` too. */
  storage?: HostStorage
  /** `REQUEST_LIMITS` when absent. */
  limits?: RequestLimits
  /** False in a worker whose neighbor measures the database for the metrics of all; true when absent. */
  measures_database?: boolean
}

/** The server without a socket: requests in, responses out. */
export interface App {
  /** Never throws. `address` is the peer's; behind a trusted proxy, `X-Forwarded-For` is read. */
  fetch: (...request: Parameters<RequestHandler>) => Promise<Response>
  /** The same, without a promise where nothing has to be waited for: the handler of a runtime. */
  answer: RequestHandler
  /**
   * Brings clients and users in line with the configuration and starts the background work.
   * @returns What changed, by realm id.
   * @throws ConfigError; PasswordModuleError when no password could be checked.
   */
  start(): Promise<Record<string, SyncReport>>
  /** What was counted so far and measured last, without waiting for anything. Empty where `server.metrics` is not configured. */
  metrics(): Promise<Snapshot>
  /**
   * Takes another configuration: all of it, or nothing. Requests under way are answered by the old one.
   * @param config Of the same sockets, processes and databases: `readReloadedConfig` has checked that.
   * @returns What changed, by realm id.
   * @throws ConfigError, and what the storage throws: the old configuration stays.
   */
  reload(config: HostConfig): Promise<Record<string, SyncReport>>
  /** From now on /readyz answers 503, so that load balancers stop sending requests, and every answer closes its connection. */
  drain(): void
  /** Answers the requests under way with 503, so that they can be sent to another server. */
  cut(): void
  /**
   * Ends the background work and closes the storage; resolves when both are done.
   * @param within_ms How long both may take. When absent, the background work is waited for without a limit.
   */
  stop(within_ms?: number): Promise<void>
}

/**
 * Stores the generated secret of try-out mode, then opens the storage: call `stop` even when `start` was never called.
 * @throws ConfigError, and what `openStorage` throws.
 */
export async function createApp(config: HostConfig, options: AppOptions): Promise<App> {
  await config.try_out?.keep()
  const opened = options.storage ?? (await openStorage(config.storage, options.log))
  try {
    return await composeApp(config, options, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function composeApp(config: HostConfig, options: AppOptions, storage: HostStorage): Promise<App> {
  const { log, now = () => Math.floor(Date.now() / 1000), tick_every = 5000 } = options
  const leader = leadership(storage.lease, { log, now })
  const leads = () => leader.leads() && !storage.isRestored?.()
  const ready = readinessOf(storage, leader)
  const passwords = withOlderHashes(argon2Passwords())
  const life: AppLife = { state: 'starting', config }
  const clock_ahead = () => leader.clock?.ahead() ?? null
  const measured = { storage, readiness: ready, passwords, life, leads, clock_ahead, ...clocks(options) }
  const metrics = await openMetrics(config.server.metrics && metricsSources(measured))
  const addresses = () => addressForm(life.config)
  const shared: LogTargets = { log, metrics, scopes: requestScopes(), addresses }
  const on_event = eventSink(shared)
  const seen = { ticked: metrics.ticked, readiness: () => ready.now(life.state) }
  const dependencies = { storage, log, now, on_event, tick_every, leads, passwords, ...seen }
  let parts = await configuredParts(config, dependencies)
  /** Of earlier configurations, while logouts or mails are under way. */
  const retired = new Set<BackgroundWork>()
  const open: OpenAnswers = openList()
  let stopping: Promise<void> | null = null

  const answer = requestHandler({
    ...shared,
    limits: options.limits ?? REQUEST_LIMITS,
    open,
    isStopping: () => life.state === 'stopping',
    proxies: trustedProxies(config.trusted_proxies, warnOfUnlistedProxy(log, addresses)),
    tracing: await openTracing(),
    secure: config.issuer.startsWith('https:'),
    ...answers(() => parts, ownAnswers(storage, ready, life)),
  })

  return {
    fetch: async (...request) => answer(...request),
    answer,
    metrics: metrics.snapshot,
    async start() {
      const reports = await prepare(parts, dependencies)
      await leader.start()
      parts.ticker.start()
      life.state = 'ready'
      metrics.start()
      return reports
    },
    async reload(next) {
      const reloaded = await configuredParts(next, dependencies)
      const reports = await prepare(reloaded, dependencies)
      const { background, ticker } = parts
      parts = reloaded
      life.config = next
      parts.ticker.start()
      await ticker.stop()
      retire(background, retired)
      return reports
    },
    drain() {
      life.state = 'stopping'
    },
    cut() {
      for (const end of open.values()) end()
    },
    stop(within_ms) {
      life.state = 'stopping'
      metrics.stop()
      stopping ??= closeAfter(stopWork(parts, [leader, ...retired]), storage, within_ms)
      return stopping
    },
  }
}

/** The realms, and the native module that hashes passwords, where a realm has some. */
async function prepare(
  parts: ConfiguredParts,
  dependencies: PartsDependencies & { passwords: QueuedPasswordHasher },
): Promise<Record<string, SyncReport>> {
  const ready = usesPasswords(parts.config) ? dependencies.passwords.ready() : null
  const [reports] = await Promise.all([prepareRealms(parts, dependencies), ready])
  return reports
}

const readinessOf = ({ parts, ranges }: HostStorage, { clock }: Leadership): ReadinessCheck =>
  readiness({ ...parts, ...(clock && { clock: clock.check }) }, ranges && { ranges })

/** Closes the storage after the work, both within the limit if there is one. */
async function closeAfter(work: Promise<void>, storage: HostStorage, within_ms?: number): Promise<void> {
  if (within_ms === undefined) {
    await work
    return storage.close()
  }
  const started = performance.now()
  await withDeadline(within_ms, work)
  await storage.close(Math.max(0, within_ms - (performance.now() - started)))
}

/** Keeps what an earlier configuration has begun until it has ended. */
function retire(background: BackgroundWork, retired: Set<BackgroundWork>): void {
  retired.add(background)
  background
    .settled()
    .then(() => background.stop())
    .finally(() => retired.delete(background))
}

const clocks = ({ now, measures_database = true }: AppOptions) => ({
  now: now ? () => now() * 1000 : Date.now,
  measures_database,
})

/** Before the storage closes: the outcomes of deliveries and mails are stored. */
async function stopWork(
  { ticker, background }: ConfiguredParts,
  others: readonly { stop(): Promise<void> }[],
): Promise<void> {
  await ticker.stop()
  await Promise.all([background, ...others].map((each) => each.stop()))
}

interface LogTargets {
  log: Log
  metrics: HostMetrics
  scopes: RequestScopes
  addresses: () => AddressForm
}

function eventSink({ log, metrics, scopes, addresses }: LogTargets) {
  const logEvent = eventLog(log, addresses)
  return (event: AnyEvent) => {
    logEvent(event)
    metrics.countEvent(event, scopes.routeOf(event.request_id))
  }
}

/** The widest network that counts as one sender: an IPv4 address, or an IPv6 /48. */
function networkOf(client: string): string {
  const { address, site } = addressKeys(client)
  return site ?? address
}

const addressForm = ({ log }: HostConfig): AddressForm => log?.addresses ?? 'truncated'

interface OwnAnswers extends Pick<HostStorage, 'asSender'> {
  readyz: () => Promise<Response>
  isRestored: () => boolean
}

const ownAnswers = (
  { asSender, isRestored = () => false }: HostStorage,
  ready: ReadinessCheck,
  life: AppLife,
): OwnAnswers => ({
  readyz: () => ready.answer(life.state),
  isRestored,
  ...(asSender && { asSender }),
})

/** What answers requests: the parts of this moment. */
const answers = (parts: () => ConfiguredParts, { asSender, ...own }: OwnAnswers) => ({
  routeOf: (pathname: string) => parts().routeOf(pathname),
  answer(checked: CheckedRequest) {
    const { sender, request, request_id } = checked
    const { address, peer = address } = sender
    const current = parts()
    const routed = () => route(current, own, checked)
    const bounded =
      asSender === undefined || peer === undefined ? routed : () => asSender(networkOf(peer), routed)
    if (current.audit === null) return bounded()
    // What a peer claims is not kept.
    const certain = sender.peer === undefined
    return current.audit.during({ request, request_id, ...(certain ? { address } : { peer }) }, bounded)
  },
  documentOf: (request: Request) => (own.isRestored() ? null : parts().provider.document(request)),
  errorPage: (request: Request, answer: Response, request_id: string) =>
    parts().pages.errorPage(request, answer, request_id),
})

async function route(
  { identity, provider, demo, pages, icon, admin }: ConfiguredParts,
  { readyz, isRestored }: OwnAnswers,
  checked: CheckedRequest,
): Promise<Response> {
  const { request, path, sender, body, request_id } = checked
  // No spread here: it costs a tenth of the introspections per second.
  const info: RequestInfo = { body, request_id }
  if (sender.address !== undefined) info.address = sender.address
  if (sender.peer !== undefined) info.peer = sender.peer
  if (path === '/healthz') return readOnly(request, healthz)
  if (path === '/readyz') return readOnly(request, readyz)
  if (path === '/favicon.ico') return readOnly(request, icon)
  if (isRestored()) throw new RefusedRequest(RESTORED)
  const administered = admin?.fetch(checked)
  if (administered) return administered
  if (checked.admin_port) return notFound()
  const answered =
    (await demo?.(request, new URL(request.url))) ??
    (await identity.fetch(provider, request, info)) ??
    pages.landing(request, path)
  return answered ?? pages.errorPage(request, await provider.fetch(request, info), request_id)
}
