/** The command `serve`, on any runtime: starts, serves, and stops cleanly. */

import { configuredLog } from '../config/configured-log.js'
import type { HostConfig } from '../config/host-config.js'
import { type ReadOptions, readConfig } from '../config/read-config.js'
import { readReloadedConfig } from '../config/reloaded-config.js'
import { lineWriter } from '../log/line-writer.js'
import { errorFields } from '../log/log.js'
import { logOutput } from '../log/log-output.js'
import { type SwitchableLog, switchableLog } from '../log/switchable-log.js'
import { type App, createApp } from '../server/app.js'
import { type MetricsServer, metricsServer } from '../server/metrics-server.js'
import type { Handler, Listener, ListenOptions, Runtime } from '../server/runtime.js'
import { restored, starting } from '../server/starting.js'
import { failureText } from './failure.js'
import { portTaken } from './port-taken.js'
import { type ReloadRequests, reloadRequests } from './reloading.js'
import { announce, logSync, warnOfOtherPort } from './start-up.js'
import { finish, type StopCause, stopCauses } from './stopping.js'
import { supervise } from './supervise.js'
import { whenSafe } from './when-safe.js'
import { asWorker } from './worker.js'

/**
 * Serves until SIGTERM or SIGINT; SIGHUP reloads the configuration. Workers get the same command line, and so the same options.
 * @returns The exit code: 0, or 1 when the server could not start.
 *
 * @example
 * ```ts
 * import { type Runtime, serve } from '@ostiary/host'
 *
 * // It opens sockets and starts processes. apps/node-server/src/runtime.ts is the one for Node.
 * declare const runtime: Runtime
 * process.exitCode = await serve(runtime)
 * ```
 */
export async function serve(runtime: Runtime, options: ReadOptions = {}): Promise<number> {
  // When the reader of the log has closed its end, the server goes on.
  process.stdout.on('error', () => {})
  const lines = lineWriter((text) => process.stdout.write(text))
  process.on('exit', lines.flush)
  try {
    const config = await readConfig(process.env, process.cwd(), options)
    const write = logOutput(lines.write, {
      format: config.server.log_format,
      stream: process.stdout,
      env: process.env,
    })
    const log = switchableLog(configuredLog(config, write))
    if (asWorker === null) warnOfOtherPort(config, log)
    const reloads = reloadRequests(log)
    const context = { config, log, reloads, write }
    if (config.server.workers > 1 && asWorker === null) return await supervise(runtime, context)
    await serveHere(runtime, context)
    return 0
  } catch (error) {
    process.stderr.write(failureText(error))
    return 1
  } finally {
    lines.flush()
  }
}

interface ServeContext {
  config: HostConfig
  log: SwitchableLog
  reloads: ReloadRequests
  /** Writes a line of the log. */
  write: (line: string) => void
}

async function serveHere(runtime: Runtime, context: ServeContext): Promise<void> {
  const { config, log } = context
  const { handler, metrics_of, refuseAll, open } = entrance()
  let app: App | null = null
  let metrics: MetricsServer | null = null
  let listener: Listener | null = null
  const causes = stopCauses()
  try {
    // The ports first: a start that fails because of them has made no database and no key. A worker listens when it can answer,
    // as its neighbors have the port already.
    if (asWorker === null) listener = await listen(runtime, handler, context)
    if (asWorker === null) metrics = await metricsServer(runtime, { config, log, snapshots: metrics_of })
    // One worker measures the database for all of them.
    const create = () => createApp(config, { log, measures_database: (asWorker?.number ?? 1) === 1 })
    app = await whenSafe(create, {
      async refuse(message) {
        log.error('the database is not used', { reason: message })
        refuseAll()
        listener ??= await listen(runtime, handler, context)
      },
      stopped: causes.first,
    })
    if (app === null) return
    const synced = await app.start()
    open(app)
    // The process that started the workers asks for their metrics and shows them together.
    asWorker?.answerMetrics(app.metrics)
    listener ??= await listen(runtime, handler, context)
    await announce(config, { log, synced, print: (text) => process.stderr.write(text) })
    asWorker?.listening()
    reloadOnRequest(app, context)
    const cause = await causes.first
    await stop({ ...context, app, listener, cause, hurry: causes.hurry })
  } finally {
    metrics?.cut()
    listener?.cut()
    await app?.stop()
    asWorker?.leave()
  }
}

/** Answers from the moment when the port is bound: with 503 until the app is there. */
function entrance() {
  let app: App | null = null
  let without = starting
  const handler: Handler = (request, connection) =>
    app === null ? without(request, connection) : app.answer(request, connection)
  return {
    handler,
    refuseAll() {
      without = restored
    },
    metrics_of: async () => (app === null ? [] : [await app.metrics()]),
    open(started: App) {
      app = started
    },
  }
}

function reloadOnRequest(app: App, { config, log, reloads, write }: ServeContext): void {
  let running = config
  reloads.answerWith(async () => {
    const next = await readReloadedConfig(running, { env: process.env, cwd: process.cwd() })
    log.use(configuredLog(next, write))
    const synced = await app.reload(next).catch((error: unknown) => {
      log.use(configuredLog(running, write))
      throw error
    })
    running = next
    logSync(next, { log, synced })
    log.info('the configuration is reloaded', { file: next.file })
  })
}

/** On the port of the server, and on that of the admin API where it has one. */
async function listen(runtime: Runtime, handler: Handler, { config, log }: ServeContext): Promise<Listener> {
  const failed = (error: unknown) => log.error('request failed', errorFields(error))
  const options = { shared: config.server.workers > 1, failed }
  const listener = await listenToRequests(runtime, handler, { config, ...options })
  const { admin_listen } = config
  if (admin_listen === undefined) return listener
  try {
    const { adminListener, both } = await import('../server/admin/admin-listener.js')
    return both(listener, await adminListener(runtime, handler, { admin_listen, log, ...options }))
  } catch (error) {
    listener.cut()
    throw error
  }
}

async function listenToRequests(
  runtime: Runtime,
  handler: Handler,
  { config, ...options }: { config: HostConfig } & Pick<ListenOptions, 'shared' | 'failed'>,
): Promise<Listener> {
  const { port, host } = config
  try {
    return await runtime.listen(handler, { port, host, ...options })
  } catch (error) {
    const { env, argv, platform } = process
    throw await portTaken(error, config, { env, cwd: process.cwd(), argv, platform })
  }
}

interface StopContext extends ServeContext {
  app: App
  listener: Listener
  cause: StopCause
  hurry: Promise<unknown>
}

async function stop({ app, listener, cause, hurry, config, log }: StopContext): Promise<void> {
  app.drain()
  log.info('stopping', { cause })
  const left = await finish(listener, { cause, hurry, settings: config.server, cut: app.cut })
  await app.stop(left)
  log.info('stopped')
}
