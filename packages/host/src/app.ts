/** The server without its socket: storage, sign-in, provider, demo and health behind one `fetch`. */

import { createProvider, type Provider, SealedKeyError } from '@ostiary/core'
import { createIdentity, type Identity } from '@ostiary/identity'
import { addressReader } from './addresses.js'
import type { HostConfig } from './config.js'
import { createDemo, type Demo } from './demo.js'
import { guardedFetch } from './guarded-fetch.js'
import { type HealthParts, healthz, readyz, type State } from './health.js'
import { errorFields, type Log } from './log.js'
import { eventLog } from './log-events.js'
import { realmIds } from './manage.js'
import { isOutage } from './outage.js'
import { readOnly, serverError } from './responses.js'
import { type HostStorage, openStorage } from './storage.js'
import { StorageError } from './storage-error.js'
import { type SyncReport, syncRealm } from './sync.js'

export interface AppOptions {
  log: Log
  /** Epoch seconds. */
  now?: () => number
  /** Milliseconds between two ticks of the provider. */
  tick_every?: number
  /** Instead of the one that the configuration names; closed by `stop` all the same. */
  storage?: HostStorage
}

export interface App {
  /** Never throws. `address`: of the connection's other end; behind a trusted proxy its header is read. */
  fetch(request: Request, info?: { address?: string | undefined }): Promise<Response>
  /**
   * Brings clients and users in line with the configuration and starts the background work.
   * @returns What changed, by realm id.
   * @throws ConfigError
   */
  start(): Promise<Record<string, SyncReport>>
  /** From now on /readyz tells balancers to look elsewhere. */
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
  const { oidc, app_url, secret, theme, account = true, trusted_proxies } = config
  const { storage, users } = opened
  const on_event = eventLog(log)
  const throttle = (realm: string) => storage(realm).throttle
  const shared = { secret, now, on_event, unavailable: isOutage }
  const identity = createIdentity({ ...shared, users, throttle, account, ...(theme && { theme }) })
  const { accounts, interactions } = identity
  const provider = createProvider({
    ...{ ...shared, oidc, storage, accounts, interactions, fetch: outbound(config) },
    ...(app_url !== undefined && { app_url }),
  })
  const demo = config.try_out ? await createDemo(config.issuer) : null
  const addressOf = addressReader(trusted_proxies)
  let state: State = 'starting'
  const ticking = ticker(provider, { log, every: tick_every })
  let closed: Promise<void> | null = null
  const parts = { identity, provider, demo, health: opened.parts, state: () => state }

  return {
    async fetch(request, info = {}) {
      const started = performance.now()
      let path = ''
      let request_id: string = crypto.randomUUID()
      let response: Response
      try {
        const { headers } = request
        request_id = saneRequestId(headers.get('x-request-id')) ?? request_id
        const url = new URL(request.url)
        path = url.pathname
        const forwarded = trusted_proxies.length > 0 ? headers.get('x-forwarded-for') : null
        const address = addressOf(info.address, forwarded)
        response = await answer(parts, request, { url, ...(address !== undefined && { address }) })
      } catch (error) {
        log.error('request failed', { request_id, path: shortened(path), ...errorFields(error) })
        response = serverError()
      }
      response.headers.set('x-request-id', request_id)
      const duration_ms = Math.round((performance.now() - started) * 100) / 100
      const { method } = request
      log.info('request', { method, path: shortened(path), status: response.status, duration_ms, request_id })
      return response
    },
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
      closed ??= opened.close()
      await closed
    },
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

interface Parts {
  identity: Identity
  provider: Provider
  demo: Demo | null
  health: HealthParts
  state: () => State
}

async function answer(
  { identity, provider, demo, health, state }: Parts,
  request: Request,
  { url, address }: { url: URL; address?: string },
): Promise<Response> {
  const info = address === undefined ? {} : { address }
  if (url.pathname === '/healthz') return readOnly(request, healthz)
  if (url.pathname === '/readyz') return readOnly(request, () => readyz(state(), health))
  return (
    (await identity.fetch(provider, request, info)) ??
    (await demo?.(request, url)) ??
    provider.fetch(request, info)
  )
}

/** A proxy's id for the request, when it is one that cannot upset a log or a header. */
const saneRequestId = (given: string | null): string | null =>
  given !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(given) ? given : null

const shortened = (path: string): string => (path.length > 256 ? `${path.slice(0, 256)}…` : path)

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
