/** The key `identity.account_deletion`: users delete their own account. */

import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from './identity-keys.js'

export const accountDeletionSchema = z
  .boolean()
  .default(false)
  .describe('Whether users delete their own account on the account page; seven days later it is gone')

interface RealmKeys {
  identity: { account_deletion: boolean }
}

/** @returns The ids of the realms in which users do. */
export function readAccountDeletion(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>>; account: boolean },
  faults: ConfigFault[],
): string[] {
  const found = identityKeys(config).filter(({ keys }) => keys.account_deletion)
  if (!config.account)
    for (const { path } of found)
      faults.push({
        path: `${path}.account_deletion`,
        message: 'it needs account true: set that, or set this key to false',
      })
  return found.map(({ id }) => id)
}
