/** Node: node:http, and node:cluster for more than one process. */

import cluster from 'node:cluster'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  isAmbiguousPath,
  LIMITS,
  type Listener,
  type ListenOptions,
  malformed,
  type Runtime,
  serverError,
} from '@ostiary/host'

export const node: Runtime = {
  async listen(handler, options) {
    const { head_ms, idle_ms } = options.limits ?? LIMITS
    const listener = getRequestListener(
      (request, { incoming, outgoing }) =>
        handler(request, {
          address: incoming.socket.remoteAddress,
          ambiguous_path: (outgoing as Answer).ambiguous_path,
          header: (name, value) => (outgoing as Answer).add(name, value),
        }),
      { errorHandler: notARequest(options) },
    )
    const server = createServer({
      ServerResponse: Answer as typeof ServerResponse,
      maxHeaderSize: LIMITS.head_bytes,
      headersTimeout: head_ms,
      // The host's own limits come first, and answer.
      requestTimeout: LIMITS.answer_ms,
      connectionsCheckingInterval: Math.min(1000, head_ms),
      keepAliveTimeout: idle_ms,
      // `checkHost` refuses it, with a body.
      requireHostHeader: false,
    }).on('request', (incoming, outgoing) => {
      checkHost(incoming)
      if (isAmbiguousPath(incoming.url ?? '')) {
        // The adapter would refuse a backslash by itself, as a malformed request.
        ;(outgoing as Answer).ambiguous_path = true
        incoming.url = '/'
      }
      return listener(incoming, outgoing)
    })
    await listening(server, options)
    return stoppable(server)
  },
  fork(env) {
    return cluster.fork(env).process
  },
}

/** An answer that gets headers besides its own. `setHeader` would cost a fifth of a request for a document. */
class Answer extends ServerResponse {
  readonly #headers: OutgoingHttpHeaders = {}
  /** Of the request that it answers. */
  ambiguous_path = false

  add(name: string, value: string): void {
    this.#headers[name] = value
  }

  /** As the adapter calls it. */
  override writeHead(status: number, headers?: unknown): this {
    return super.writeHead(status, Object.assign(this.#headers, headers))
  }
}

/** HTTP/1.0 may leave the Host out, as health checks do; HTTP/1.1 has exactly one (RFC 9112 §3.2). */
function checkHost(incoming: IncomingMessage): void {
  const { headers, headersDistinct, httpVersion } = incoming
  const { host = [] } = headersDistinct
  if (host.length === 0 && httpVersion === '1.0') headers.host = 'localhost'
  // The adapter refuses a request without a Host as malformed.
  if (host.length > 1) delete headers.host
}

/** What could not even become a Request: a bad Host header or target. */
const notARequest =
  ({ failed }: ListenOptions) =>
  (error: unknown): Response => {
    if (error instanceof Error && error.name === 'RequestError') return malformed()
    failed(error)
    return serverError()
  }

const listening = (server: Server, { port, host }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: false }, () => {
      server.off('error', reject)
      resolve()
    })
  })

const stoppable = (server: Server): Listener => ({
  async close() {
    const closed = new Promise((done) => server.close(done))
    // A connection that is kept alive becomes idle once its request is answered, and would stay for a minute.
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    await closed
    clearInterval(idle)
  },
  cut() {
    server.close()
    server.closeAllConnections()
  },
})
