/** A realm as administrators see it, of the configuration or made at run time. */

import type { RealmRecord, RealmSettings } from './realm-store.js'
import type { ConfiguredPlace } from './run-time.js'

/** An entry of a list of realms. Times are epoch seconds; null for a realm of the configuration. */
export interface ListedRealm {
  id: string
  source: 'configuration' | 'run_time'
  created_at: number | null
  updated_at: number | null
  version: number | null
}

/** One realm. Null: the configuration has its settings. */
export interface ShownRealm extends ListedRealm {
  oidc: Record<string, unknown> | null
  identity: Record<string, unknown> | null
  configuration: ConfiguredPlace | null
}

/** Both members, also those without keys. */
export const settingsOf = ({ oidc = {}, identity = {} }: RealmSettings): Required<RealmSettings> => ({
  oidc,
  identity,
})

export const listed = ({ id, created_at, updated_at, version }: RealmRecord): ListedRealm => ({
  id,
  source: 'run_time',
  created_at,
  updated_at,
  version,
})

export const shownRecord = (record: RealmRecord): ShownRealm => ({
  ...listed(record),
  ...settingsOf(record.settings),
  configuration: null,
})

const CONFIGURED = { source: 'configuration', created_at: null, updated_at: null, version: null } as const

export const listedConfigured = (id: string): ListedRealm => ({ id, ...CONFIGURED })

export const shownConfigured = (id: string, configuration: ConfiguredPlace): ShownRealm => ({
  ...listedConfigured(id),
  oidc: null,
  identity: null,
  configuration,
})

/** Each setting by its path, as `oidc.tokens.access_token`: the audit and a plan name those that differ. */
export function leavesOf(settings: RealmSettings): Record<string, unknown> {
  const leaves = new Map<string, unknown>()
  const collect = (members: object, prefix: string) => {
    for (const [name, member] of Object.entries(members)) {
      if (isObject(member) && Object.keys(member).length > 0) collect(member, `${prefix}${name}.`)
      else leaves.set(`${prefix}${name}`, member)
    }
  }
  for (const [name, members] of Object.entries(settingsOf(settings))) collect(members, `${name}.`)
  return Object.fromEntries(leaves)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
