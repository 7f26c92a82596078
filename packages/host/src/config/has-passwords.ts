import type { IdentitySettings } from '@ostiary/identity'
import type { HostConfig } from './host-config.js'
import { realmIds } from './realm-ids.js'

/** Whether users of the realm sign in with passwords. */
export const hasPasswords = ({ password }: IdentitySettings): boolean => password?.enabled !== false

/** Whether a realm has passwords. One without a section of its own has. */
export const usesPasswords = (config: Pick<HostConfig, 'oidc' | 'realms' | 'realms_at_run_time'>): boolean =>
  config.realms_at_run_time === true ||
  realmIds(config).some((realm) => hasPasswords(config.realms[realm]?.identity ?? {}))
