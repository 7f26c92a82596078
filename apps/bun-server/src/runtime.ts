/** Bun: Bun.serve, and processes that share the port. The head of a request is Bun's to limit: 16 KiB and 12 seconds. */

import { spawn } from 'node:child_process'
import {
  type Handler,
  isAmbiguousPath,
  LIMITS,
  type Listener,
  malformed,
  type Runtime,
  serverError,
} from '@ostiary/host'

export const bun: Runtime = {
  async listen(handler, { port, host, shared, failed, limits = LIMITS }) {
    const server = named({ port, address: host }, () =>
      Bun.serve({
        port,
        hostname: host,
        reusePort: shared,
        development: false,
        idleTimeout: limits.idle_ms / 1000,
        // The host refuses far less, with an answer that says why.
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

/** Deeper paths are none of ours but those of resources. */
const MAX_SEGMENTS = 20

/**
 * `Request.url` is a parsed URL, which hides a dot segment and a backslash. The router of Bun sees the path as it was sent:
 * so each number of segments has a route, whose parameters are the segments, decoded.
 */
function byPath(handler: Handler) {
  const answer = (request: Request, server: Server, isAmbiguous: (url: string) => boolean) => {
    const host = request.headers.get('host')
    // HTTP/1.0 may leave the Host out; HTTP/1.1 without it is refused by Bun. Two are joined by a comma.
    const url = host === null ? `http://localhost${request.url}` : request.url
    if (host?.includes(',') || !URL.canParse(url)) return malformed()
    const named = host === null ? new Request(url, request) : request
    const address = server.requestIP(request)?.address
    return handler(named, { address, ambiguous_path: isAmbiguous(url) })
  }
  const segments = (request: Bun.BunRequest, server: Server) =>
    answer(request, server, () => isAmbiguousPath(Object.values(request.params).join('/')))
  const patterns = Array.from({ length: MAX_SEGMENTS }, (_, last) =>
    Array.from({ length: last + 1 }, (_, i) => `/:p${i}`).join(''),
  )
  return {
    routes: {
      '/': (request: Request, server: Server) => answer(request, server, () => false),
      ...Object.fromEntries(patterns.map((pattern) => [pattern, segments])),
    },
    /** An empty segment, or too many. Where parsing has made a path of it that has a route, it was sent in another form. */
    fetch: (request: Request, server: Server) => answer(request, server, hasRoute),
  }
}

function hasRoute(url: string): boolean {
  const { pathname } = new URL(url)
  const segments = pathname.slice(1).split('/')
  return pathname === '/' || (segments.length <= MAX_SEGMENTS && !segments.includes(''))
}

/** Bun says which port is taken in words alone. */
function named<T>(where: { port: number; address: string }, listen: () => T): T {
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
