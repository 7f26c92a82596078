/** The runtime port for Node: node:http, and node:cluster for several processes. */

import cluster from 'node:cluster'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
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
    const { head_ms, idle_ms, unread_ms } = options.limits ?? LIMITS
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
      outgoing.on('timeout', closeUnread)
      inOrder([incoming, outgoing], answerInTurns)
    })
    // While a request is in work or its answer is sent; an idle connection has `keepAliveTimeout`.
    server.timeout = unread_ms
    await startListening(server, options)
    return stoppable(server)
  },
  fork(env) {
    return cluster.fork(env).process
  },
}

type Exchange = [incoming: IncomingMessage, outgoing: ServerResponse]

/** By connection: how many of its requests wait for the answers to earlier ones. */
const waiting = new WeakMap<Socket, number>()

/**
 * Answers the requests of one connection one after another (RFC 9112 §9.3.2), so that a client that sends hundreds at once takes
 * turns with other clients. While one waits, nothing more is read: Node has parsed only what came in the same 64 KiB.
 */
function inOrder(exchange: Exchange, answer: (exchange: Exchange) => unknown): void {
  const [{ socket }, outgoing] = exchange
  // Node gives the socket to a response when all earlier ones are written.
  if (outgoing.socket !== null) {
    answer(exchange)
    return
  }
  const before = waiting.get(socket) ?? 0
  waiting.set(socket, before + 1)
  if (before === 0) socket.on('resume', pauseAgain).pause()
  outgoing.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1
    waiting.set(socket, left)
    if (left === 0) socket.off('resume', pauseAgain).resume()
    // The client has left: the rest of its requests need no answer.
    if (!socket.destroyed) answer(exchange)
  })
}

/** Node resumes the socket to read the body of the request in work, which has arrived before the requests that wait. */
function pauseAgain(this: Socket): void {
  this.pause()
}

/** Called when nothing has moved on the connection for `unread_ms`. Without this listener, Node would also cut one whose answer is in work. */
function closeUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/** A response that collects additional headers. `setHeader` would take a fifth of the time of a request for a document. */
class HeaderCollectingResponse extends ServerResponse {
  readonly #additional: OutgoingHttpHeaders = {}
  /** Whether the path of the request was ambiguous. */
  ambiguous_path = false

  add(name: string, value: string | string[]): void {
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
    // Node accepts what waits in the kernel before it runs this: closing the port would reset those connections.
    await new Promise(setImmediate)
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
