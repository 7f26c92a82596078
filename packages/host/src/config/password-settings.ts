/** The `identity.password.*` keys. */

import { resolve } from 'node:path'
import type { ConfigError, ConfigFault } from '@ostiary/core'
import * as z from 'zod'
import { given } from '../values/given.js'
import { identityKeys } from './realms/identity-keys.js'

const LENGTH = 'give a whole number from 8 to 64'

export const passwordSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe(
      'Whether users sign in with passwords; true when absent. false: with passkeys alone, which must be enabled, and no stored password is accepted',
    ),
  rules: z
    .boolean()
    .default(false)
    .describe(
      'true: a new password needs 15 characters, or 8 where second_factor is required, and must not be a common one, a name of the account or of the site, or have fewer than five different characters (NIST SP 800-63B). Stored passwords stay valid',
    ),
  min_length: z
    .int({ error: LENGTH })
    .min(8, { error: LENGTH })
    .max(64, { error: LENGTH })
    .optional()
    .describe('The fewest characters of a new password, in place of 15 or 8: 8 to 64. Needs rules'),
  blocklist_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A text file of further passwords that are refused, one a line, in UTF-8, at most 1 MiB; relative to the folder of this file. Needs rules',
    ),
})

type PasswordKeys = z.output<typeof passwordSchema>

interface RealmKeys {
  identity: { password: PasswordKeys }
}

/** The rules of a realm. */
export interface PasswordSettings {
  /** When absent: 15, or 8 where a second factor is required. */
  min_length?: number
  /** The lines of `blocklist_file`. */
  also_refused: string[]
}

/** Keys that have no effect together. @param path Of the keys. */
export function passwordKeyFaults(
  { enabled, rules, min_length, blocklist_file }: PasswordKeys,
  path: string,
) {
  const faults: ConfigFault[] = []
  for (const [key, value] of Object.entries({ min_length, blocklist_file }))
    if (value !== undefined && !rules)
      faults.push({
        path: `${path}.${key}`,
        message: `it has no effect without ${path}.rules: set that to true, or remove this key`,
      })
  if (rules && enabled === false)
    faults.push({
      path: `${path}.rules`,
      message: `there are no passwords, since ${path}.enabled is false: remove one of the two`,
    })
  return faults
}

/** Reads the blocklists of all realms. @returns The rules by realm id, of those that have rules. */
export async function readPasswordSettings(
  config: RealmKeys & { realms: Readonly<Record<string, RealmKeys>> },
  { folder, faults }: { folder: string; faults: ConfigFault[] },
): Promise<Record<string, PasswordSettings>> {
  const settings: Record<string, PasswordSettings> = {}
  for (const { id, path: above, keys: identity } of identityKeys(config)) {
    const path = `${above}.password`
    const keys = identity.password
    faults.push(...passwordKeyFaults(keys, path))
    if (!keys.rules) continue
    const { min_length, blocklist_file } = keys
    settings[id] = {
      ...given({ min_length }),
      also_refused:
        blocklist_file === undefined ? [] : await linesOf(resolve(folder, blocklist_file), { path, faults }),
    }
  }
  return settings
}

async function linesOf(
  file: string,
  { path, faults }: { path: string; faults: ConfigFault[] },
): Promise<string[]> {
  const { blocklistLines } = await import('@ostiary/password-rules')
  try {
    return await blocklistLines(file)
  } catch (error) {
    // By its name: a server has a copy of core, and with it another class.
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error
    const { faults: found } = error as ConfigError
    faults.push(...found.map(({ message }) => ({ path: `${path}.blocklist_file`, message })))
    return []
  }
}
