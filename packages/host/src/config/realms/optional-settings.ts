/** The settings of what a server loads only where its configuration asks for it. */

import type { ConfigFault } from '@ostiary/core'
import { readAddresses } from '../addresses/address-settings.js'
import { readSinks } from '../audit/read-sinks.js'
import type { Environment } from '../environment.js'
import type { ConfigFile } from '../file-schema.js'
import type { HostConfig } from '../host-config.js'
import { readPasswordSettings } from '../password-settings.js'
import { readRecovery } from '../recovery/recovery-settings.js'
import { readSignUp } from '../sign-up/sign-up-settings.js'
import { readTerms } from '../terms/terms-settings.js'
import { readUpstreams } from '../upstreams/read-upstreams.js'
import { readAccess } from './access.js'
import { readAccountDeletion } from './account-deletion.js'
import { readEmailCodes } from './email-codes.js'
import { readSignInWith } from './sign-in-with.js'

interface ReadContext {
  /** The folder that relative paths start from. */
  folder: string
  env: Environment
  /** Takes the faults. */
  faults: ConfigFault[]
  entry_secrets: boolean
}

/** By the names that `HostConfig` has for them; without those that no realm asks for. */
export async function readOptional(
  config: ConfigFile,
  { folder, env, faults, entry_secrets }: ReadContext,
): Promise<Partial<HostConfig>> {
  return turnedOn({
    password_rules: await readPasswordSettings(config, { folder, faults }),
    upstreams: await readUpstreams(config, { env, faults, entry_secrets }),
    sign_up: await readSignUp(config, faults),
    recovery: await readRecovery(config, faults),
    addresses: readAddresses(config, faults),
    email_codes: readEmailCodes(config, faults),
    sign_in_with: await readSignInWith(config, faults),
    terms: await readTerms(config, faults),
    access: await readAccess(config, faults),
    account_deletion: readAccountDeletion(config, faults),
    audit_sinks: await readSinks(config, { env, faults, entry_secrets }),
  })
}

/** Those of some realm: what none has is not loaded. */
export const turnedOn = <Parts extends Record<string, object>>(parts: Parts): Partial<Parts> =>
  Object.fromEntries(
    Object.entries(parts).filter(([, realms]) => Object.keys(realms).length > 0),
  ) as Partial<Parts>
