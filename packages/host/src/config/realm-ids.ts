import { DEFAULT_REALM } from './entries.js'
import type { HostConfig } from './host-config.js'

/** The ids of the realms that the configuration names. */
export const realmIds = ({ oidc }: Pick<HostConfig, 'oidc'>): string[] =>
  oidc.routes?.realms === 'path' ? Object.keys(oidc.realms ?? {}) : [DEFAULT_REALM]
