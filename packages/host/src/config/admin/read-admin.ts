/** Reads the `admin.*` keys. */

import type { AdminSettings } from '@ostiary/admin'
import type { ConfigFault } from '@ostiary/core'
import type * as z from 'zod'
import type { RealmEntries, readClient } from '../entries.js'
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
  readClient: typeof readClient
}

export interface ReadAdmin {
  admin: AdminSettings
  admin_listen?: AdminListen
  /** With the resource of the admin API. */
  oidc: Record<string, unknown>
}

/** Null when the admin API is off: then nothing of it is loaded. */
export const readAdmin = async (keys: AdminKeys, context: ReadContext): Promise<ReadAdmin | null> =>
  keys.admin.enabled ? (await import('./enabled-admin.js')).readEnabledAdmin(keys, context) : null
