/** The `identity.email_change` key: users change and verify their email address. */

import type { AddressSettings } from '@ostiary/addresses'
import type { ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { identityKeys } from '../realms/identity-keys.js'

export const addressKeys = {
  email_change: z
    .boolean()
    .default(false)
    .describe(
      'Whether users change and verify their email address on the account page; it needs identity.mail. The former address is told, and may undo the change for 7 days',
    ),
}

interface RealmKeys {
  identity: { email_change: boolean; mail?: object | undefined }
}

/** @returns By realm id, of those in which users change their address. */
export function readAddresses(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>>; account: boolean },
  faults: ConfigFault[],
): Record<string, AddressSettings> {
  const on = identityKeys(config).filter(({ keys }) => keys.email_change)
  for (const { path, keys } of on) {
    const needs = (key: string, why: string) =>
      faults.push({
        path: `${path}.email_change`,
        message: `it needs ${key}, ${why}: set that, or set this key to false`,
      })
    if (keys.mail === undefined) needs(`${path}.mail`, 'which sends the links')
    if (!config.account) needs('account true', 'where users change it')
  }
  return Object.fromEntries(on.map(({ id }) => [id, { email_change: true }]))
}
