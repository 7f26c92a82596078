/** The admin API on a port of its own, for a network that the public does not reach. */

import type { HostConfig } from '../../config/host-config.js'
import type { Log } from '../../log/log.js'
import { ADMIN_SETTINGS, ListenError } from '../listen-error.js'
import type { Handler, Listener, ListenOptions, Runtime } from '../runtime.js'

/** @returns Null where `admin.listen` names no port. @throws ListenError */
export async function adminListener(
  runtime: Runtime,
  handler: Handler,
  { config, log, ...options }: { config: HostConfig; log: Log } & Pick<ListenOptions, 'shared' | 'failed'>,
): Promise<Listener | null> {
  const { admin_listen } = config
  if (admin_listen === undefined) return null
  const answer: Handler = (request, connection) => handler(request, { ...connection, admin_port: true })
  const listener = await runtime.listen(answer, { ...admin_listen, ...options }).catch((cause) => {
    throw new ListenError(ADMIN_SETTINGS, cause)
  })
  log.info('the admin API is listening', { ...admin_listen })
  return listener
}

/** Two listeners that end together. */
export const both = (first: Listener, second: Listener): Listener => ({
  async close() {
    await Promise.all([first.close(), second.close()])
  },
  cut() {
    first.cut()
    second.cut()
  },
})
