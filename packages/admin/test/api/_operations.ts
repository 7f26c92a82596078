/** All operations of a server: those of the API, and those that other packages bring. */

import { type AuditStore, memoryAuditStore } from '@ostiary/audit'
import * as core from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUserStores, passkeysFor } from '@ostiary/identity'
import { type RealmSources, realmOperations } from '@ostiary/realm-operations'
import { simulationOperations } from '@ostiary/simulation'
import { auditOperations } from '../../../admin-commands/src/api.ts'
import { type RealmAdministrationOptions, realmAdministration } from '../../../realms/src/api.ts'
import { memoryRealms, type SettingsRules, settingsFaults } from '../../../realms/src/index.ts'
import type { Operation } from '../../src/api/operation.ts'
import { allOperations, type Further } from '../../src/api/operations.ts'
import type { UserStores } from '../../src/api/parts.ts'

/** The longest time of a timer. */
export const UNLIMITED_MS = 2 ** 31 - 1

/** @param provider What is asked about. */
export const furtherOperations = (
  provider: core.ProviderOptions,
  store: AuditStore | null,
  stores: UserStores = memoryUserStores(),
) => [
  ...simulationOperations({
    core: { ...core, memoryStorage },
    provider,
    within_ms: UNLIMITED_MS,
    extensions: [],
    passkeysFor,
  }),
  ...auditOperations({ core, store, stores }),
]

const UNUSED: core.ProviderOptions = {
  secret: '',
  storage: memoryStorage(),
  accounts: { find: async () => null },
  interactions: { login: async () => new Response() },
}

/** What the operations of a realm read, beside a database and mails. */
export const SERVER: Omit<RealmSources, 'throttle' | 'mail' | 'records'> = {
  version: '1.2.3',
  readiness: async () => ({ ready: true, parts: { database: 'ok' } }),
  schema: 12,
}

const UNREAD: RealmSources = {
  ...SERVER,
  records: undefined,
  mail: null,
  throttle: () => ({ hit: async () => 0 }),
}

/** Each key is allowed, with each value. */
const ANY_SETTINGS: SettingsRules<null> = {
  oidcFaults: () => [],
  identity_keys: [],
  readIdentity: () => ({ faults: [], identity: null }),
}

/** Realms at run time, beside those of a configuration. */
export const runTimeRealms = (
  configured: readonly string[],
  store = memoryRealms(),
): RealmAdministrationOptions => ({
  realms: {
    store,
    check: async (id, settings) => settingsFaults(ANY_SETTINGS, id, settings),
    configured: (id) =>
      configured.includes(id) ? { file: 'ostiary.config.json', key: `oidc.realms.${id}` } : null,
    changed: () => {},
    ids: async () => [...configured],
  },
  count: async () => ({ clients: 1, users: 2, sessions: 3, grants: 4, consents: null, keys: 1 }),
})

const FURTHER = [
  ...(furtherOperations(UNUSED, memoryAuditStore()) as Operation[]),
  ...realmOperations(UNREAD),
]

/** Those of a server without realms at run time. */
export const PLAIN_OPERATIONS = allOperations(FURTHER)

export const OPERATIONS = allOperations([
  ...FURTHER,
  realmAdministration(runTimeRealms([])) as unknown as Further,
])
