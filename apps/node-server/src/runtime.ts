/** The runtime port for Node: node:http, and node:cluster for several processes. */

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
  inTurns,
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
          ambiguous_path: (outgoing as HeaderCollectingResponse).ambiguous_path,
          header: (name, value) => (outgoing as HeaderCollectingResponse).add(name, value),
        }),
      { errorHandler: errorAnswer(options) },
    )
    const answerInTurns = inTurns(([incoming, outgoing]: Parameters<typeof listener>) =>
      listener(incoming, outgoing),
    )
    const server = createServer({
      ServerResponse: HeaderCollectingResponse as typeof ServerResponse,
      maxHeaderSize: LIMITS.head_bytes,
      headersTimeout: head_ms,
      // The host's limits are shorter, and send an answer.
      requestTimeout: LIMITS.answer_ms,
      connectionsCheckingInterval: Math.min(1000, head_ms),
      keepAliveTimeout: idle_ms,
      // `checkHost` refuses a bad Host header, with a body.
      requireHostHeader: false,
    }).on('request', (incoming, outgoing) => {
      checkHost(incoming)
      if (isAmbiguousPath(incoming.url ?? '')) {
        // The handler refuses the request. The adapter must not see a backslash: it would answer with another error.
        ;(outgoing as HeaderCollectingResponse).ambiguous_path = true
        incoming.url = '/'
      }
      void answerInTurns([incoming, outgoing])
    })
    await startListening(server, options)
    return stoppable(server)
  },
  fork(env) {
    return cluster.fork(env).process
  },
}

/** A response that collects additional headers. `setHeader` would take a fifth of the time of a request for a document. */
class HeaderCollectingResponse extends ServerResponse {
  readonly #additional: OutgoingHttpHeaders = {}
  /** Whether the path of the request was ambiguous. */
  ambiguous_path = false

  add(name: string, value: string): void {
    this.#additional[name] = value
  }

  /** Declares only the arguments that the adapter passes. */
  override writeHead(status: number, headers?: unknown): this {
    return super.writeHead(status, Object.assign(this.#additional, headers))
  }
}

/** An HTTP/1.0 request may have no Host, as in health checks; HTTP/1.1 requires exactly one (RFC 9112 §3.2). */
function checkHost(incoming: IncomingMessage): void {
  const { headers, headersDistinct, httpVersion } = incoming
  const { host = [] } = headersDistinct
  if (host.length === 0 && httpVersion === '1.0') headers.host = 'localhost'
  // Without a Host, the adapter refuses the request as malformed.
  if (host.length > 1) delete headers.host
}

/** The answer when the adapter cannot create a Request, because of a bad Host header or target, or when it fails. */
const errorAnswer =
  ({ failed }: ListenOptions) =>
  (error: unknown): Response => {
    if (error instanceof Error && error.name === 'RequestError') return malformed()
    failed(error)
    return serverError()
  }

const startListening = (server: Server, { port, host }: ListenOptions): Promise<void> =>
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
    // A keep-alive connection becomes idle after its answer, and would stay open until the idle time-out.
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    await closed
    clearInterval(idle)
  },
  cut() {
    server.close()
    server.closeAllConnections()
  },
})
