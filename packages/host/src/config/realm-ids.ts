import { DEFAULT_REALM } from './entries.js'
import type { HostConfig } from './host-config.js'

/** The ids of all realms of a server. */
export const realmIds = ({ oidc }: Pick<HostConfig, 'oidc'>): string[] =>
  oidc.routes?.realms === 'path' ? Object.keys(oidc.realms ?? {}) : [DEFAULT_REALM]
