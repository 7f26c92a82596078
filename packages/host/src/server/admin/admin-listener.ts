/** The admin API on a port of its own, for a network that the public does not reach. */

import type { AdminListen } from '../../config/admin/admin-settings.js'
import type { Log } from '../../log/log.js'
import { ADMIN_SETTINGS, ListenError } from '../listen-error.js'
import type { Handler, Listener, ListenOptions, Runtime } from '../runtime.js'

/** @throws ListenError */
export async function adminListener(
  runtime: Runtime,
  handler: Handler,
  {
    admin_listen,
    log,
    ...options
  }: { admin_listen: AdminListen; log: Log } & Pick<ListenOptions, 'shared' | 'failed'>,
): Promise<Listener> {
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
