import type { HostConfig } from './config.js'
import { DEFAULT_REALM } from './entries.js'

/** The realms of a server. */
export const realmIds = ({ oidc }: Pick<HostConfig, 'oidc'>): string[] =>
  oidc.routes?.realms === 'path' ? Object.keys(oidc.realms ?? {}) : [DEFAULT_REALM]
