/** The `identity.terms` keys: terms of service that users accept. */

import type { ConfigFault } from '@ostiary/core'
import type { TermsSettings } from '@ostiary/terms'
import * as z from 'zod'
import { given } from '../../values/given.js'
import { identityKeys } from '../realms/identity-keys.js'

export const termsSchema = z
  .strictObject({
    version: z
      .string()
      .describe(
        'The name of the version, such as 2026-11-01: who has not accepted it is asked at the next sign-in',
      ),
    url: z
      .string()
      .describe('Where the terms of service are: an https URL, or a path of the origin of oidc.issuer'),
    privacy_url: z.string().optional().describe('Where the privacy notice is, likewise: users are shown it'),
  })
  .optional()

interface RealmKeys {
  identity: { terms?: z.output<typeof termsSchema> }
}

/** @returns By realm id, of those that have terms. */
export async function readTerms(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): Promise<Record<string, TermsSettings>> {
  const read: Record<string, TermsSettings> = {}
  for (const { id, path, keys } of identityKeys(config)) {
    if (keys.terms === undefined) continue
    const { termsFaults } = await import('@ostiary/terms')
    const { version, url, privacy_url } = keys.terms
    const settings = { version, url, ...given({ privacy_url }) }
    read[id] = settings
    faults.push(...termsFaults(settings).map((fault) => ({ ...fault, path: `${path}.terms.${fault.path}` })))
  }
  return read
}
