/** The `identity.email_change` key: users change and verify their email address. */

import type { AddressSettings } from '@ostiary/addresses'
import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from '../realms/identity-keys.js'

export const addressKeys = {
  email_change: z
    .boolean()
    .default(false)
    .describe('Whether users change and verify their email address; it needs identity.mail'),
}

interface RealmKeys {
  identity: { email_change: boolean; mail?: object | undefined }
}

/** @returns By realm id, of those in which users change their address. */
export function readAddresses(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>>; account: boolean },
  faults: ConfigFault[],
): Record<string, AddressSettings> {
  const read: Record<string, AddressSettings> = {}
  for (const { id, path, keys } of identityKeys(config)) {
    const { email_change, mail } = keys
    if (!email_change) continue
    const missing = [...(mail ? [] : [`${path}.mail`]), ...(config.account ? [] : ['account true'])]
    for (const key of missing)
      faults.push({
        path: `${path}.email_change`,
        message: `it needs ${key}: set that, or set this key to false`,
      })
    read[id] = { email_change }
  }
  return read
}
