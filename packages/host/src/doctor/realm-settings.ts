import type { OidcSettings, Provider, Realm } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUsers } from '@ostiary/identity'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { bareProvider } from '../management/manage.js'
import { realmOf } from '../server/realm-of.js'
import { type Finding, note } from './finding.js'

export interface RealmSettings {
  realm: string
  settings: OidcSettings
  policy: Realm['policy']
}

/** The realms of the configuration, without a record. */
export const emptyProvider = (config: HostConfig): Provider =>
  bareProvider(config, { storage: memoryStorage(), users: memoryUsers() })

/** The settings of each realm: with the preset, its overrides and the defaults. */
export function settingsOfRealms(config: HostConfig): Promise<RealmSettings[]> {
  const provider = emptyProvider(config)
  return Promise.all(
    realmIds(config).map(async (id) => {
      const { settings, policy } = await realmOf(provider, id)
      return { realm: id, settings, policy }
    }),
  )
}

/** What an operator should know about the settings of a realm. */
export interface Remark {
  message: string
  advice: string
}

/** @returns A note for each remark, once, with the realms that it is about. */
export function realmNotes(
  realms: readonly RealmSettings[],
  remarks: (settings: OidcSettings) => Remark[],
): Finding[] {
  const found = new Map<string, { advice: string; ids: string[] }>()
  for (const { realm, settings } of realms)
    for (const { message, advice } of remarks(settings)) {
      const ids = found.get(message)?.ids ?? []
      found.set(message, { advice, ids: [...ids, realm] })
    }
  return [...found].map(([message, { advice, ids }]) =>
    note('configuration', ids.length === realms.length ? message : `${message} (${realmList(ids)})`, advice),
  )
}

const MAX_REALMS_NAMED = 5

function realmList(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_REALMS_NAMED).join(', ')
  const more = ids.length - MAX_REALMS_NAMED
  return more > 0 ? `realms ${named} and ${more} more` : `realm${ids.length > 1 ? 's' : ''} ${named}`
}
