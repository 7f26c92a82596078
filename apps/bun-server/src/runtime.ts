/** Bun: Bun.serve, and processes that share the port. The head of a request is Bun's to limit: 16 KiB and 12 seconds. */

import { spawn } from 'node:child_process'
import { LIMITS, type Listener, malformed, type Runtime, serverError } from '@ostiary/host'

export const bun: Runtime = {
  async listen(handler, { port, host, shared, failed }) {
    const server = named({ port, address: host }, () =>
      Bun.serve({
        ...{ port, hostname: host, reusePort: shared, development: false },
        idleTimeout: LIMITS.idle_ms / 1000,
        // The host refuses far less, with an answer that says why.
        maxRequestBodySize: 8 * LIMITS.body_bytes,
        fetch(request, connections) {
          if (!URL.canParse(request.url)) return malformed()
          return handler(request, { address: connections.requestIP(request)?.address })
        },
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
