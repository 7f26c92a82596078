/** The `admin.*` keys. */

import * as z from 'zod'
import { listenSchema } from '../server-settings.js'

/** The key that adds the client of the pages. */
export const CONSOLE_KEY = 'admin.console'

/** @param range An IP address or a range. */
export const adminSchema = (range: z.ZodString) =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe('Whether administrators use the admin API, /admin/api/v1 (docs/admin-api.md)'),
    console: z
      .boolean()
      .optional()
      .describe(
        'Whether administrators also have pages, /admin (docs/console.md); when absent, they have them unless the realm cannot have their client',
      ),
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
