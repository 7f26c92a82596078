/** The `admin.*` keys. */

import type { AdminSettings } from '@ostiary/admin'
import type { ConfigFault, OidcConfig } from '@ostiary/core'
import * as z from 'zod'

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
        'true: a client may use the admin API with a client secret. false: only one with private_key_jwt or with tokens that are bound to a key',
      ),
    allowed_addresses: z
      .array(range)
      .default([])
      .describe('IP addresses and ranges from which the admin API is used; from anywhere when empty'),
  })

/** The settings, and the `oidc.*` keys with the resource of the admin API. Null when it is off: then nothing of it is loaded. */
export async function readAdmin(
  {
    admin: { enabled, ...settings },
    oidc,
    app,
  }: { admin: z.output<ReturnType<typeof adminSchema>>; oidc: unknown; app: { url?: string | undefined } },
  faults: ConfigFault[],
): Promise<{ admin: AdminSettings; oidc: Record<string, unknown> } | null> {
  if (!enabled) return null
  const { withAdminResource } = await import('@ostiary/admin/resource')
  const keys = oidc as OidcConfig
  const issuer = keys.issuer ?? app.url
  const origin = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer).origin : null
  const added = withAdminResource(keys, settings, origin)
  faults.push(...added.faults)
  return { admin: settings, oidc: { ...added.oidc } }
}
