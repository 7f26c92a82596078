/** The server without its socket: storage, sign-in, provider, demo and health behind one `fetch`. */

import { createProvider, type OidcEvent, type Provider, SealedKeyError } from '@ostiary/core'
import { createIdentity, type Identity, type IdentityEvent } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { errorFields, type Log } from '../log/log.js'
import { eventLog } from '../log/log-events.js'
import type { Snapshot } from '../metrics/host-metrics.js'
import { openMetrics } from '../metrics/open-metrics.js'
import { trustedProxies } from '../network/client-address.js'
import { guardedFetch } from '../network/guarded-fetch.js'
import type { HostStorage } from '../storage/host-storage.js'
import { openStorage } from '../storage/open-storage.js'
import { isOutage } from '../storage/outage.js'
import { StorageError } from '../storage/storage-error.js'
import { type SyncReport, syncRealm } from '../storage/sync.js'
import { createDemo, type Demo } from './demo.js'
import { type Entered, type FrontDoor, frontDoor } from './front-door.js'
import { healthz, readiness, type State } from './health.js'
import { REQUEST_LIMITS, type RequestLimits } from './limits.js'
import { readOnly } from './responses.js'
import { routeNames } from './route-names.js'
import { signerFor } from './signing.js'
import { openTracing } from './tracing.js'

/** What `createApp` takes besides the configuration. */
export interface AppOptions {
  /** Gets a line for each request and each event. */
  log: Log
  /** Epoch seconds. */
  now?: () => number
  /** Milliseconds between two ticks of the provider. */
  tick_every?: number
  /** Instead of the one that the configuration names; closed by `stop` all the same. */
  storage?: HostStorage
  /** `REQUEST_LIMITS` when absent. */
  limits?: RequestLimits
}

/** The server without a socket: requests in, responses out. */
export interface App {
  /** Never throws. `address`: of the connection's other end; behind a trusted proxy its header is read. */
  fetch: FrontDoor
  /**
   * Brings clients and users in line with the configuration and starts the background work.
   * @returns What changed, by realm id.
   * @throws ConfigError
   */
  start(): Promise<Record<string, SyncReport>>
  /** What was counted so far, with the values that are measured now. Empty where `server.metrics` is not configured. */
  metrics(): Promise<Snapshot>
  /** From now on /readyz tells balancers to look elsewhere, and every answer closes its connection. */
  drain(): void
  /** Ends the background work and closes the storage; resolves when it is done. */
  stop(): Promise<void>
}

/**
 * Opens the storage: `stop` it even when it has never started.
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
  const { oidc, app_url, secret, theme, account = true } = config
  const { storage, users } = opened
  const metrics = await openMetrics({ enabled: config.server.metrics !== null })
  const logEvent = eventLog(log)
  const on_event = (event: OidcEvent | IdentityEvent) => {
    logEvent(event)
    metrics.countEvent(event)
  }
  const throttle = (realm: string) => storage(realm).throttle
  const shared = { secret, now, on_event, unavailable: isOutage }
  const identity = createIdentity({
    ...shared,
    users,
    throttle,
    account,
    ...(theme && { theme }),
    ...(config.login && { limits: config.login }),
  })
  const { accounts, interactions } = identity
  const signer = signerFor(config.server.workers)
  const provider = createProvider({
    ...shared,
    oidc,
    storage,
    accounts,
    interactions,
    fetch: outbound(config),
    ...(app_url !== undefined && { app_url }),
    ...(signer && { signer }),
  })
  const demo = config.try_out ? await createDemo(config.issuer) : null
  let state: State = 'starting'
  const ticking = ticker(provider, { log, every: tick_every })
  let closed: Promise<void> | null = null
  const ready = readiness(opened.parts)
  const parts = { identity, provider, demo, readyz: () => ready(state) }

  return {
    fetch: frontDoor({
      log,
      metrics,
      limits: options.limits ?? REQUEST_LIMITS,
      stopping: () => state === 'stopping',
      proxies: trustedProxies(config.trusted_proxies, once(unnamedProxy(log))),
      routeOf: routeNames(provider, realmIds(config)),
      tracing: await openTracing(),
      secure: config.issuer.startsWith('https:'),
      answer: (entered) => answer(parts, entered),
    }),
    metrics: () =>
      metrics.snapshot({
        figures: opened.figures,
        keyAges: () => Promise.all(realmIds(config).map((realm) => keyAge(provider, realm, now()))),
      }),
    async start() {
      for (const realm of realmIds(config)) await keysReady(provider, realm)
      const reports: Record<string, SyncReport> = {}
      for (const [realm, entries] of Object.entries(config.realms)) {
        const stores = { clients: storage(realm).clients, users: users(realm) }
        reports[realm] = await syncRealm(stores, entries, now)
      }
      ticking.start()
      state = 'ready'
      return reports
    },
    drain() {
      state = 'stopping'
    },
    async stop() {
      state = 'stopping'
      await ticking.stop()
      // Before the storage closes: what a delivery came to is stored.
      await provider.stop()
      closed ??= opened.close()
      await closed
    },
  }
}

const unnamedProxy = (log: Log) => (peer: string) =>
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

/** A secret that is not the one of the stored keys would fail every request: say so before there is one. */
async function keysReady(provider: Provider, realm: string): Promise<void> {
  try {
    await (await provider.manage(realm)).keys.ready()
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw new StorageError(cause.message, { cause })
    throw cause
  }
}

async function keyAge(provider: Provider, realm: string, now: number): Promise<[string, number]> {
  const keys = await (await provider.manage(realm)).keys.list()
  return [realm, now - Math.max(...keys.map(({ created_at }) => created_at))]
}

interface Parts {
  identity: Identity
  provider: Provider
  demo: Demo | null
  readyz: () => Promise<Response>
}

async function answer(
  { identity, provider, demo, readyz }: Parts,
  { request, path, address, body }: Entered,
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

/** A client's back-channel logout URI may be on this machine only where its realm allows that (for development). */
function outbound({ oidc }: HostConfig): typeof fetch {
  const settings = [oidc, ...Object.values(oidc.realms ?? {})]
  return guardedFetch({
    allow_loopback: settings.some(({ backchannel }) => backchannel?.allow_insecure === true),
  })
}

/** Calls provider.tick() again and again, never twice at a time. */
function ticker(provider: Provider, { log, every }: { log: Log; every: number }) {
  let timer: ReturnType<typeof setInterval> | undefined
  let running: Promise<void> | null = null
  const tick = async () => {
    try {
      await provider.tick()
    } catch (error) {
      log.error('background work failed', errorFields(error))
    }
    running = null
  }
  return {
    start() {
      timer = setInterval(() => {
        running ??= tick()
      }, every)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
