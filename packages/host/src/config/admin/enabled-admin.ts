/** Reads the `admin.*` keys of a server that has the admin API. Loaded then. */

import { withAdminResource } from '@ostiary/admin/resource'
import { addCliClient } from '@ostiary/admin-client/client'
import type { OidcConfig } from '@ostiary/core'
import type { AdminKeys, ReadAdmin, ReadContext } from './read-admin.js'

/** The keys, with the resource of the admin API in `oidc`. The entries of the admin realm get the client of the command line. */
export function readEnabledAdmin(
  { admin: { enabled: _, listen, ...settings }, oidc, app }: AdminKeys,
  context: ReadContext,
): ReadAdmin {
  const keys = oidc as OidcConfig
  const issuer = String(keys.issuer ?? app.url)
  const origin = URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  context.faults.push(...added.faults)
  if (added.api !== null) addCliClient({ oidc: keys, realm: settings.realm, ...added.api }, context)
  const { port, host } = listen
  return {
    admin: settings,
    ...(port !== undefined && { admin_listen: { port, host } }),
    oidc: { ...added.oidc },
  }
}
