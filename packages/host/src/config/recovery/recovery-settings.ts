/** The `identity.recovery.*` keys: users get in again by mail. */

import type { ConfigFault } from '@ostiary/core'
import type { RecoverySettings } from '@ostiary/recovery'
import * as z from 'zod'
import { given } from '../../values/given.js'
import { identityKeys } from '../realms/identity-keys.js'

export const recoverySchema = z
  .strictObject({
    mail: z
      .boolean()
      .default(false)
      .describe(
        'true: users who have lost their passkeys or codes get in again by mail: at once with a recovery code, else after a delay; it needs identity.mail. false: an operator lets them in',
      ),
    delay: z
      .number()
      .optional()
      .describe(
        'How long a recovery without a recovery code waits, in seconds: 3600 to 2592000; 86400 when absent',
      ),
  })
  .prefault({})

interface RealmKeys {
  identity: {
    recovery: z.output<typeof recoverySchema>
    mail?: object | undefined
    passkeys: { enabled?: boolean | undefined }
    second_factor: 'off' | 'optional' | 'required'
  }
}

/** @returns By realm id, of those in which users get in again by mail. */
export async function readRecovery(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>>; account: boolean },
  faults: ConfigFault[],
): Promise<Record<string, RecoverySettings>> {
  const read: Record<string, RecoverySettings> = {}
  for (const { id, path, keys } of identityKeys(config)) {
    const { mail, delay } = keys.recovery
    if (!mail && delay === undefined) continue
    const base = `${path}.`
    const { recoveryFaults } = await import('@ostiary/recovery')
    const settings = { mail, ...given({ delay }) }
    const found = recoveryFaults(settings, `${base}recovery.`)
    const needs = (key: string, why: string) =>
      found.push({ path: 'mail', message: `it needs ${key}, ${why}: set that, or set this key to false` })
    if (mail && keys.mail === undefined) needs(`${base}mail`, 'which sends the mails')
    if (mail && !config.account) needs('account true', 'since users cancel a recovery there')
    if (mail && keys.passkeys.enabled === false && keys.second_factor === 'off')
      needs(
        `${base}passkeys.enabled or ${base}second_factor`,
        'since users with a password alone set a new one without it',
      )
    faults.push(...found.map((fault) => ({ ...fault, path: `${base}recovery.${fault.path}` })))
    if (mail) read[id] = settings
  }
  return read
}
