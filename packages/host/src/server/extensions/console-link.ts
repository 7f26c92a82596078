/** The link to the console on the account page of administrators. */

import type { Extension } from '@ostiary/identity'
import { hasConsole } from '../../config/admin/has-console.js'
import type { HostConfig } from '../../config/host-config.js'
import type { HostStorage } from '../../storage/host-storage.js'

/** Null without the console. */
export async function consoleLinkOf(config: HostConfig, storage: HostStorage): Promise<Extension | null> {
  const { admin, admin_console } = config
  if (admin === undefined || !admin_console) return null
  const { consoleLink } = await import('@ostiary/console/client')
  const { openRoleStore } = await import('@ostiary/admin/roles')
  const { realm } = admin
  const roles = openRoleStore(storage)
  return consoleLink({
    realm,
    administers: async (sub) => hasConsole(config) && (await roles.of(realm, `sub:${sub}`)).length > 0,
  })
}
