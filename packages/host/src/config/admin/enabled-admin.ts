/** Reads the `admin.*` keys of a server that has the admin API. Loaded then. */

import type { AdminSettings } from '@ostiary/admin'
import { withAdminResource } from '@ostiary/admin/resource'
import { cliClient } from '@ostiary/admin-client/client'
import type { ConfigFault, OidcConfig } from '@ostiary/core'
import type * as z from 'zod'
import type { addClient, RealmEntries } from '../entries.js'
import type { AdminListen, adminSchema } from './admin-settings.js'

export interface AdminKeys {
  admin: z.output<ReturnType<typeof adminSchema>>
  oidc: unknown
  app: { url?: string | undefined }
}

export interface ReadContext {
  /** The entries of the configuration, by realm id. */
  realms: Record<string, RealmEntries>
  faults: ConfigFault[]
  addClient: typeof addClient
}

export interface ReadAdmin {
  admin: AdminSettings
  admin_listen?: AdminListen
  admin_console?: true
  /** With the resource of the admin API. */
  oidc: Record<string, unknown>
}

/** The keys, with the resource of the admin API in `oidc`. The entries of the admin realm get the client of the command line. */
export async function readEnabledAdmin(
  { admin: { enabled: _, console: has_console, listen, ...settings }, oidc, app }: AdminKeys,
  context: ReadContext,
): Promise<ReadAdmin> {
  const keys = oidc as OidcConfig
  const issuer = String(keys.issuer ?? app.url)
  const origin = URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  context.faults.push(...added.faults)
  const options = added.api && { oidc: keys, realm: settings.realm, ...added.api }
  if (options !== null) context.addClient(cliClient(options), options.realm, context)
  if (options !== null && has_console) {
    const { consoleClient } = await import('@ostiary/console/client')
    context.addClient(consoleClient(options, context.faults), options.realm, context)
  }
  const { port, host } = listen
  return {
    admin: settings,
    ...(has_console && { admin_console: true }),
    ...(port !== undefined && { admin_listen: { port, host } }),
    oidc: { ...added.oidc },
  }
}
