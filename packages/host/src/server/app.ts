/** The server without its socket: storage, sign-in, provider, demo and health behind one `fetch`. */

import { type OidcEvent, type Provider, SealedKeyError } from '@ostiary/core'
import type { Identity, IdentityEvent } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import type { Log } from '../log/log.js'
import { eventLog } from '../log/log-events.js'
import type { HostMetrics, Snapshot } from '../metrics/host-metrics.js'
import { openMetrics } from '../metrics/open-metrics.js'
import { trustedProxies } from '../network/client-address.js'
import type { HostStorage } from '../storage/host-storage.js'
import { openStorage } from '../storage/open-storage.js'
import { StorageError } from '../storage/storage-error.js'
import { type SyncReport, syncRealm } from '../storage/sync.js'
import { composeProvider } from './compose-provider.js'
import { createDemo, type Demo } from './demo.js'
import { healthz, readiness, type ServerState } from './health.js'
import { REQUEST_LIMITS, type RequestLimits } from './limits.js'
import { type CheckedRequest, type RequestHandler, requestHandler } from './request-handler.js'
import { readOnly } from './responses.js'
import { routeLabels } from './route-labels.js'
import { providerTicker } from './ticker.js'
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
}

/** The server without a socket: requests in, responses out. */
export interface App {
  /** Never throws. `address` is the peer's; behind a trusted proxy, `X-Forwarded-For` is read. */
  fetch: RequestHandler
  /**
   * Brings clients and users in line with the configuration and starts the background work.
   * @returns What changed, by realm id.
   * @throws ConfigError
   */
  start(): Promise<Record<string, SyncReport>>
  /** What was counted so far, with the values that are measured now. Empty where `server.metrics` is not configured. */
  metrics(): Promise<Snapshot>
  /** From now on /readyz answers 503, so that load balancers stop sending requests, and every answer closes its connection. */
  drain(): void
  /** Ends the background work and closes the storage; resolves when both are done. */
  stop(): Promise<void>
}

/**
 * Opens the storage: call `stop` even when `start` was never called.
 * @throws ConfigError, and what `openStorage` throws.
 */
export async function createApp(config: HostConfig, options: AppOptions): Promise<App> {
  const opened = options.storage ?? (await openStorage(config.storage, options.log))
  try {
    return await composeApp(config, options, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function composeApp(config: HostConfig, options: AppOptions, opened: HostStorage): Promise<App> {
  const { log, now = () => Math.floor(Date.now() / 1000), tick_every = 5000 } = options
  const metrics = await openMetrics({ enabled: config.server.metrics !== null })
  const on_event = eventSink(log, metrics)
  const { identity, provider } = composeProvider(config, { storage: opened, now, on_event })
  const demo = config.try_out ? await createDemo(config.issuer) : null
  const ticker = providerTicker(provider, { log, interval_ms: tick_every })
  const ready = readiness(opened.parts)
  let state: ServerState = 'starting'
  let closing: Promise<void> | null = null

  return {
    fetch: requestHandler({
      log,
      metrics,
      limits: options.limits ?? REQUEST_LIMITS,
      isStopping: () => state === 'stopping',
      proxies: trustedProxies(config.trusted_proxies, once(warnOfUnlistedProxy(log))),
      routeOf: routeLabels(provider, realmIds(config)),
      tracing: await openTracing(),
      secure: config.issuer.startsWith('https:'),
      answer: (request) => route({ identity, provider, demo, readyz: () => ready(state) }, request),
    }),
    metrics: () =>
      metrics.snapshot({ figures: opened.figures, keyAges: () => keyAges(config, provider, now()) }),
    async start() {
      const reports = await startRealms(config, { provider, storage: opened, now })
      ticker.start()
      state = 'ready'
      return reports
    },
    drain() {
      state = 'stopping'
    },
    async stop() {
      state = 'stopping'
      await ticker.stop()
      // Before the storage closes: the outcomes of deliveries are stored.
      await provider.stop()
      closing ??= opened.close()
      await closing
    },
  }
}

function eventSink(log: Log, metrics: HostMetrics): (event: OidcEvent | IdentityEvent) => void {
  const logEvent = eventLog(log)
  return (event) => {
    logEvent(event)
    metrics.countEvent(event)
  }
}

const warnOfUnlistedProxy = (log: Log) => (peer: string) =>
  log.warn(
    'X-Forwarded-For comes from a private address that trusted_proxies does not name, probably a proxy of yours: name it ' +
      'there. Until then the limits per client address leave its requests out',
    { peer },
  )

function once(report: (peer: string) => void): (peer: string) => void {
  let done = false
  return (peer) => {
    if (!done) report(peer)
    done = true
  }
}

interface RealmStart {
  provider: Provider
  storage: HostStorage
  now: () => number
}

/** Makes the first keys and syncs clients and users. */
async function startRealms(
  config: HostConfig,
  { provider, storage: { storage, users }, now }: RealmStart,
): Promise<Record<string, SyncReport>> {
  for (const realm of realmIds(config)) await prepareKeys(provider, realm)
  const reports: Record<string, SyncReport> = {}
  for (const [realm, entries] of Object.entries(config.realms)) {
    const stores = { clients: storage(realm).clients, users: users(realm) }
    reports[realm] = await syncRealm(stores, entries, now)
  }
  return reports
}

/** With another secret than the one that sealed the stored keys, every request would fail: the start fails instead. */
async function prepareKeys(provider: Provider, realm: string): Promise<void> {
  try {
    await (await provider.manage(realm)).keys.ready()
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw new StorageError(cause.message, { cause })
    throw cause
  }
}

const keyAges = (config: HostConfig, provider: Provider, now: number): Promise<[string, number][]> =>
  Promise.all(
    realmIds(config).map(async (realm) => {
      const keys = await (await provider.manage(realm)).keys.list()
      return [realm, now - Math.max(...keys.map(({ created_at }) => created_at))]
    }),
  )

interface Routes {
  identity: Identity
  provider: Provider
  demo: Demo | null
  readyz: () => Promise<Response>
}

async function route(
  { identity, provider, demo, readyz }: Routes,
  { request, path, address, body }: CheckedRequest,
): Promise<Response> {
  const info = address === undefined ? { body } : { address, body }
  if (path === '/healthz') return readOnly(request, healthz)
  if (path === '/readyz') return readOnly(request, readyz)
  return (
    (await identity.fetch(provider, request, info)) ??
    (await demo?.(request, new URL(request.url))) ??
    provider.fetch(request, info)
  )
}
