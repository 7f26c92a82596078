import type { OidcSettings } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { bareProvider, realmOf } from '../management/manage.js'

export interface RealmSettings {
  realm: string
  settings: OidcSettings
}

/** The settings of each realm: with the preset, its overrides and the defaults. */
export function settingsOfRealms(config: HostConfig): Promise<RealmSettings[]> {
  const provider = bareProvider(config, { storage: memoryStorage(), users: memoryUsers() })
  return Promise.all(
    realmIds(config).map(async (realm) => ({ realm, settings: (await realmOf(provider, realm)).settings })),
  )
}
