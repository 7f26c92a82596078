/** The `admin.*` keys. */

import type { AdminSettings } from '@ostiary/admin'
import type { ConfigFault, OidcConfig } from '@ostiary/core'
import * as z from 'zod'
import { listenSchema } from '../server-settings.js'

/** @param range An IP address or a range. */
export const adminSchema = (range: z.ZodString) =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe('Whether administrators use the admin API, /admin/api/v1 (docs/admin-api.md)'),
    realm: z.string().min(1).default('default').describe('The realm whose users and clients administer'),
    allow_client_secrets: z
      .boolean()
      .default(false)
      .describe(
        'Whether a client with a secret alone may use the admin API; else it needs private_key_jwt, or tokens that are bound to a key',
      ),
    allowed_addresses: z
      .array(range)
      .default([])
      .describe('IP addresses and ranges from which the admin API is used; from anywhere when empty'),
    listen: listenSchema(
      'The port of the admin API; when absent, it is on the port of the server',
      'The address of that port',
    ),
  })

/** Where the admin API is, when it is not on the port of the server. */
export interface AdminListen {
  port: number
  host: string
}

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

/** Null when the admin API is off: then nothing of it is loaded. */
export async function readAdmin(
  { admin: { enabled, listen, ...settings }, oidc, app }: AdminKeys,
  faults: ConfigFault[],
): Promise<ReadAdmin | null> {
  if (!enabled) return null
  const { withAdminResource } = await import('@ostiary/admin/resource')
  const keys = oidc as OidcConfig
  const issuer = keys.issuer ?? app.url
  const origin = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  faults.push(...added.faults)
  const { port, host } = listen
  return {
    admin: settings,
    ...(port !== undefined && { admin_listen: { port, host } }),
    oidc: { ...added.oidc },
  }
}
