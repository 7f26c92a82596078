/** The keys `identity.access`: the page for users who may not use an application, and the list of those that they may use. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { given } from '../../values/given.js'
import { identityKeys } from './identity-keys.js'

export const accessSchema = z
  .strictObject({
    help_text: z
      .string()
      .optional()
      .describe('With whom a user asks who may not use an application (`allowed_groups` of the client)'),
    applications: z
      .boolean()
      .optional()
      .describe('Whether the account page lists the applications with a `client_uri` that the user may use'),
  })
  .optional()

/** Of a realm. */
export interface AccessSettings {
  help_text?: string
  applications?: boolean
}

interface RealmKeys {
  identity: { access?: z.output<typeof accessSchema> }
}

/** @returns By realm id, of those that have some. */
export async function readAccess(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): Promise<Record<string, AccessSettings>> {
  const read: Record<string, AccessSettings> = {}
  for (const { id, path, keys } of identityKeys(config)) {
    if (keys.access === undefined) continue
    const { help_text } = keys.access
    const { helpFault } = await import('@ostiary/access-rules')
    const message = help_text === undefined ? null : helpFault(help_text)
    if (message !== null) faults.push({ path: `${path}.access.help_text`, message })
    read[id] = given(keys.access)
  }
  return read
}
