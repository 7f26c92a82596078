/** Node: node:http, and node:cluster for more than one process. */

import cluster from 'node:cluster'
import { createServer, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import {
  LIMITS,
  type Listener,
  type ListenOptions,
  malformed,
  type Runtime,
  serverError,
} from '@ostiary/host'

export const node: Runtime = {
  async listen(handler, options) {
    const listener = getRequestListener(
      (request, { incoming, outgoing }) =>
        handler(request, {
          address: incoming.socket.remoteAddress,
          header: (name, value) => (outgoing as Answer).add(name, value),
        }),
      { errorHandler: notARequest(options) },
    )
    const server = createServer({
      ServerResponse: Answer as typeof ServerResponse,
      maxHeaderSize: LIMITS.head_bytes,
      headersTimeout: LIMITS.head_ms,
      // The host's own limits come first, and answer.
      requestTimeout: LIMITS.answer_ms,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: LIMITS.idle_ms,
    }).on('request', listener)
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

  add(name: string, value: string): void {
    this.#headers[name] = value
  }

  /** As the adapter calls it. */
  override writeHead(status: number, headers?: unknown): this {
    return super.writeHead(status, Object.assign(this.#headers, headers))
  }
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
