/**
 * The runtime port for Bun: Bun.serve, and processes that share the port. Bun itself limits the head: 16 KiB, 12 seconds. It closes a
 * connection that sends a second request before the first one is answered. It has one time limit for idle connections and for
 * answers that the client does not read: `idle_ms`. (A limit of one request remains in force for the idle connection.)
 */

import { spawn } from 'node:child_process'
import {
  type Handler,
  inTurns,
  isAmbiguousPath,
  LIMITS,
  type Listener,
  malformed,
  type Runtime,
  serverError,
} from '@ostiary/host'

export const bun: Runtime = {
  async listen(handler, { port, host, shared, failed, limits = LIMITS }) {
    const server = withAddress({ port, address: host }, () =>
      Bun.serve({
        port,
        hostname: host,
        reusePort: shared,
        development: false,
        idleTimeout: limits.idle_ms / 1000,
        // The host's limit is lower, and its answer says why.
        maxRequestBodySize: 8 * LIMITS.body_bytes,
        ...byPath(handler),
        error(error) {
          failed(error)
          return serverError()
        },
      }),
    )
    return stoppable(server)
  },
  fork(env) {
    const [program = '', ...args] = [process.execPath, ...process.argv.slice(1)]
    return spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  },
}

type Server = Bun.Server<undefined>

/** `fetch` serves longer paths: only the metadata of a protected resource (RFC 9728 §3.1) has them. */
const MAX_PATH_SEGMENTS = 20

/**
 * `Request.url` is a parsed URL, which hides dot segments and backslashes. Bun's router matches the path as it was sent:
 * each number of segments has a route, whose parameters are the decoded segments.
 */
function byPath(handler: Handler) {
  // With it UserInfo takes 5 to 25% less CPU time, client credentials with ES256 3 to 6%.
  const answerInTurns = inTurns(([request, connection]: Parameters<Handler>) => handler(request, connection))
  const answer = (request: Request, server: Server, isAmbiguous: (url: string) => boolean) => {
    const host = request.headers.get('host')
    // An HTTP/1.0 request may have no Host; Bun refuses HTTP/1.1 without one. Bun joins several with a comma.
    const url = host === null ? `http://localhost${request.url}` : request.url
    if (host?.includes(',') || !URL.canParse(url)) return malformed()
    const withHost = host === null ? new Request(url, request) : request
    const address = server.requestIP(request)?.address
    return answerInTurns([withHost, { address, ambiguous_path: isAmbiguous(url) }])
  }
  const segments = (request: Bun.BunRequest, server: Server) =>
    answer(request, server, () => isAmbiguousPath(Object.values(request.params).join('/')))
  const patterns = Array.from({ length: MAX_PATH_SEGMENTS }, (_, last) =>
    Array.from({ length: last + 1 }, (_, i) => `/:p${i}`).join(''),
  )
  return {
    routes: {
      '/': (request: Request, server: Server) => answer(request, server, () => false),
      ...Object.fromEntries(patterns.map((pattern) => [pattern, segments])),
    },
    /** Gets paths with an empty segment or too many. If the parsed path has a route, parsing has changed it. */
    fetch: (request: Request, server: Server) => answer(request, server, hasRoute),
  }
}

function hasRoute(url: string): boolean {
  const { pathname } = new URL(url)
  const segments = pathname.slice(1).split('/')
  return pathname === '/' || (segments.length <= MAX_PATH_SEGMENTS && !segments.includes(''))
}

/** Adds `port` and `address` to an error of Bun, which has them only in its message. */
function withAddress<T>(where: { port: number; address: string }, listen: () => T): T {
  try {
    return listen()
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, where) : error
  }
}

const stoppable = (server: Bun.Server<undefined>): Listener => ({
  close: () => server.stop(),
  cut: () => void server.stop(true),
})
