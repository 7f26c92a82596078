/** Reads the `admin.*` keys. */

import type { AdminSettings } from '@ostiary/admin'
import type { OidcConfig } from '@ostiary/core'
import type * as z from 'zod'
import type { AdminListen, adminSchema } from './admin-settings.js'
import { addCliClient, type EntryPlace } from './cli-client.js'

interface AdminKeys {
  admin: z.output<ReturnType<typeof adminSchema>>
  oidc: unknown
  app: { url?: string | undefined }
}

interface ReadAdmin {
  admin: AdminSettings
  admin_listen?: AdminListen
  /** With the resource of the admin API. */
  oidc: Record<string, unknown>
}

/** Null when the admin API is off: then nothing of it is loaded. The entries get the client of the command line. */
export async function readAdmin(
  { admin: { enabled, listen, ...settings }, oidc, app }: AdminKeys,
  { realms, faults }: EntryPlace,
): Promise<ReadAdmin | null> {
  if (!enabled) return null
  const { ADMIN_SCOPES: scopes, adminResource, withAdminResource } = await import('@ostiary/admin/resource')
  const keys = oidc as OidcConfig
  const issuer = keys.issuer ?? app.url
  const origin = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  faults.push(...added.faults)
  if (added.faults.length === 0 && origin !== null) {
    const api = { oidc: keys, realm: settings.realm, resource: adminResource(origin), scopes }
    await addCliClient(api, { realms, faults })
  }
  const { port, host } = listen
  return {
    admin: settings,
    ...(port !== undefined && { admin_listen: { port, host } }),
    oidc: { ...added.oidc },
  }
}
