/** node:http around a fetch function, as apps/node-server has it. */

import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'

type Fetch = (request: Request, info: { address?: string | undefined }) => Response | Promise<Response>

export function serve(fetch: Fetch): void {
  const listener = getRequestListener((request, { incoming }) =>
    fetch(request, { address: incoming.socket.remoteAddress }),
  )
  const server = createServer({ keepAliveTimeout: 65_000 }, listener)
  server.listen(Number(process.env.PORT), process.env.HOST)
  process.once('SIGTERM', () => process.exit(0))
}
