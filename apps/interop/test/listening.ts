import { once } from 'node:events'
import { serve } from '@hono/node-server'

type Fetch = (request: Request) => Response | Promise<Response>

/** Serves on this port of the loopback. @returns What ends it. */
export async function listen(fetch: Fetch, port: number): Promise<() => Promise<unknown>> {
  const server = serve({ fetch, port, hostname: 'localhost' })
  await once(server, 'listening')
  return async () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
