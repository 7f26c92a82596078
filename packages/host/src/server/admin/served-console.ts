/** The pages of administrators, where the configuration has them. Loaded with the first request to one of them. */

import { ADMIN_SCOPES, type Admin, adminResource, decide, type RoleStore } from '@ostiary/admin'
import { type ConsoleOptions, createConsole, usersArea } from '@ostiary/console'
import { withActivity } from '@ostiary/console-activity'
import { clientsArea } from '@ostiary/console-clients'
import { settingsAreas } from '@ostiary/console-settings'
import { setupAreas } from '@ostiary/console-setup'
import { hintOfEvent, type Provider } from '@ostiary/core'
import { html, type Identity } from '@ostiary/identity'
import type { HostConfig } from '../../config/host-config.js'
import { realmIds } from '../../config/realm-ids.js'
import type { HostStorage } from '../../storage/host-storage.js'
import type { HostRealms } from '../../storage/run-time-realms.js'
import { given } from '../../values/given.js'
import { realmOf } from '../realm-of.js'
import type { CheckedRequest } from '../request-handler.js'

export interface ConsoleParts {
  admin: Admin
  roles: RoleStore
  storage: HostStorage
  provider: Provider
  identity: Identity
  common: Pick<ConsoleOptions, 'secret' | 'now' | 'failed' | 'unavailable'>
  /** Null without `realms_at_run_time`. */
  realms: HostRealms | null
}

export async function consoleOf(
  config: HostConfig,
  { admin, roles, storage, provider, identity, common, realms }: ConsoleParts,
): Promise<(checked: CheckedRequest) => Promise<Response>> {
  const { issuer: origin, previous_secret, theme, languages } = config
  const { id, issuer } = await realmOf(provider, config.admin?.realm ?? '')
  const pages = createConsole({
    ...common,
    html,
    origin,
    issuer,
    realmOf: (realm) => realmOf(provider, realm),
    resource: adminResource(origin),
    scopes: ADMIN_SCOPES,
    realms: realms === null ? realmIds(config) : () => listedIds(config, realms),
    theme,
    language: languages?.default,
    previous_secret,
    rows: storage.storage(id).pending,
    areas: [
      ...withActivity([usersArea, clientsArea], { hintOf: hintOfEvent }),
      ...settingsAreas,
      ...setupAreas,
      ...(realms === null ? [] : [(await import('@ostiary/realms/console')).realmsArea]),
    ],
    async rightsOf(sub) {
      const held = { scopes: ADMIN_SCOPES, roles: await roles.of(id, `sub:${sub}`) }
      // The API has roles in the realm of the administrators alone.
      return (area, access, realm) =>
        (area !== 'roles' || realm === id) && decide({ area, access, realm }, held) === 'allowed'
    },
    provider: provider.fetch,
    api: admin.fetch,
    pages: (request) => identity.fetch(provider, request),
  })
  return ({ request, body, request_id, sender }) =>
    pages.fetch(request, { body, request_id, ...given(sender) })
}

/** Those of the configuration first. */
async function listedIds(config: HostConfig, realms: HostRealms): Promise<string[]> {
  return [...new Set([...realmIds(config), ...(await realms.ids()).toSorted()])]
}
