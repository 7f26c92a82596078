/** The key `identity.email_codes`: users sign in with a code that is mailed. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from './identity-keys.js'

export const emailCodesSchema = z
  .boolean()
  .optional()
  .describe('Whether users sign in with mailed codes; it needs identity.mail')

interface RealmKeys {
  identity: { email_codes?: boolean | undefined; mail?: object | undefined }
}

/** @returns The ids of the realms with codes. */
export const readEmailCodes = (
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  faults: ConfigFault[],
): string[] =>
  identityKeys(config).flatMap(({ id, path, keys }) => {
    if (!keys.email_codes) return []
    if (keys.mail === undefined)
      faults.push({
        path: `${path}.email_codes`,
        message: `it needs ${path}.mail: set that, or remove this key`,
      })
    return id
  })
