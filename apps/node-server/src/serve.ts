/** Ostiary behind node:http: starts, serves, and stops cleanly. */

import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  type App,
  announce,
  configuredLog,
  createApp,
  errorFields,
  failureText,
  type HostConfig,
  type Log,
  readConfig,
} from '@ostiary/host'

/** Milliseconds that requests get to finish when the server is told to stop. */
const PATIENCE = 5000

/** Serves until SIGTERM or SIGINT. @returns The exit code: 0, or 1 when the server could not start. */
export async function serve(): Promise<number> {
  // Nobody reads the log any more: that is no reason to stop serving.
  process.stdout.on('error', () => {})
  let opened: App | null = null
  try {
    const config = await readConfig(process.env, process.cwd())
    const log = configuredLog(config, (line) => process.stdout.write(`${line}\n`))
    const app = await createApp(config, { log })
    opened = app
    const synced = await app.start()
    const server = nodeServer(app, log)
    const stopped = stopSignal(app, server)
    await listen(server, config)
    await announce(config, { log, synced, print: (text) => process.stderr.write(text) })
    await stopped
    log.info('stopped')
    return 0
  } catch (error) {
    process.stderr.write(failureText(error))
    return 1
  } finally {
    await opened?.stop()
  }
}

function nodeServer(app: App, log: Log): Server {
  const listener = getRequestListener(
    (request, { incoming }) => app.fetch(request, { address: incoming.socket.remoteAddress }),
    { errorHandler: badRequest(log) },
  )
  return createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    // Longer than the minute after which balancers drop an idle connection, so that it is never ours that closes first.
    keepAliveTimeout: 65_000,
  }).on('request', listener)
}

/** What could not even become a Request: a bad Host header or target. */
const badRequest = (log: Log) => (error: unknown) => {
  const { name } = error instanceof Error ? error : { name: '' }
  const ours = name !== 'RequestError'
  if (ours) log.error('request failed', errorFields(error))
  const body = ours
    ? { error: 'server_error', error_description: 'Something went wrong on our side. Try again later.' }
    : { error: 'invalid_request', error_description: 'The request line or the Host header is malformed' }
  return Response.json(body, { status: ours ? 500 : 400, headers: { 'cache-control': 'no-store' } })
}

const listen = (server: Server, { port, host }: HostConfig): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Resolves when, after a signal, the requests under way are answered (or out of time) and the work has ended. */
function stopSignal(app: App, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const stop = async () => {
      // Ctrl-C often arrives twice: from the terminal, and passed on by a package manager.
      if (stopping) return
      stopping = true
      app.drain()
      const closed = new Promise((done) => server.close(done))
      // A connection that is kept alive becomes idle once its request is answered, and would stay for a minute.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const patience = setTimeout(() => server.closeAllConnections(), PATIENCE)
      await closed
      clearInterval(idle)
      clearTimeout(patience)
      await app.stop()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => void stop().then(resolve, reject))
  })
}
