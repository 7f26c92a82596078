/** Reads the `admin.*` keys of a server that has the admin API. Loaded then. */

import type { AdminSettings } from '@ostiary/admin'
import { withAdminResource } from '@ostiary/admin/resource'
import { cliClient } from '@ostiary/admin-client/client'
import type { consoleClient } from '@ostiary/console/client'
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
  admin_console_fault?: ConfigFault
  /** With the resource of the admin API. */
  oidc: Record<string, unknown>
}

/** The keys, with the resource of the admin API in `oidc`. The entries of the admin realm get the client of the command line. */
export async function readEnabledAdmin(
  { admin: { enabled: _, console: wanted, listen, ...settings }, oidc, app }: AdminKeys,
  context: ReadContext,
): Promise<ReadAdmin> {
  const keys = oidc as OidcConfig
  const issuer = String(keys.issuer ?? app.url)
  const origin = URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  context.faults.push(...added.faults)
  const options = added.api && { oidc: keys, realm: settings.realm, ...added.api }
  if (options !== null) context.addClient(cliClient(options), options.realm, context)
  const [fault] = wanted === false || options === null ? [] : await addConsole(options, context, wanted)
  const { port, host } = listen
  return {
    admin: settings,
    ...(wanted !== false && fault === undefined && { admin_console: true }),
    ...(fault !== undefined && { admin_console_fault: fault }),
    ...(port !== undefined && { admin_listen: { port, host } }),
    oidc: { ...added.oidc },
  }
}

/**
 * Adds the client of the console to the entries of the admin realm.
 * @param wanted Undefined where the configuration does not say: a realm that cannot have the client has no console then.
 * @returns Why there is none. Where the configuration wants it, they are faults of the configuration.
 */
async function addConsole(
  options: Parameters<typeof consoleClient>[0],
  context: ReadContext,
  wanted: true | undefined,
): Promise<ConfigFault[]> {
  const { consoleClient } = await import('@ostiary/console/client')
  const faults: ConfigFault[] = []
  const added = consoleClient(options, faults)
  context.addClient(added, options.realm, { ...context, faults, is_optional: wanted === undefined })
  if (wanted === undefined) return faults
  context.faults.push(...faults)
  return []
}
