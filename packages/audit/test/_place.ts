/** A provider with its sign-in's stores, an audit over them, and a clock. */

import { createProvider, type OidcEvent, type ProviderOptions } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { memoryUserStores, type User } from '@ostiary/identity'
import {
  type AuditOptions,
  type AuditRow,
  type AuditStore,
  createAudit,
  memoryAuditStore,
} from '../src/index.ts'

export const REALM = 'default'
/** The beginning of a minute. */
export const NOW = 1_764_000_000

export interface PlaceOptions extends Partial<AuditOptions> {
  store?: AuditStore
  oidc?: Partial<ProviderOptions['oidc']>
}

export function auditPlace({ store = memoryAuditStore(), oidc = {}, ...options }: PlaceOptions = {}) {
  let now = NOW
  const clock = () => now
  const audit = createAudit({ store, now: clock, ...options })
  const stores = memoryUserStores()
  const audited = audit.stores(stores)
  const storage = memoryStorage()
  const bare = createProvider({
    // A key of RSA takes a hundred times as long to make, and its signatures ten times.
    oidc: { issuer: 'https://id.example.com', keys: { algorithms: ['ES256'] }, ...oidc },
    secret: 'a secret of more than 32 characters, for tests',
    storage,
    accounts: {
      async find(sub) {
        const user = await stores.users(REALM).find(sub)
        return user && { sub, claims: {} }
      },
    },
    interactions: { login: async () => new Response('') },
    on_event: audit.onEvent,
    on_flow: audit.onFlow,
    now: clock,
  })
  return {
    audit,
    clock,
    store,
    stores,
    storage,
    audited,
    users: audited.users(REALM),
    provider: audit.provider(bare),
    bare,
    at(seconds: number) {
      now = NOW + seconds
    },
    emit: (event: Record<string, unknown>) =>
      audit.onEvent({ time: now, realm: REALM, ...event } as unknown as OidcEvent),
    /** The rows, the oldest first. */
    async rows(): Promise<AuditRow[]> {
      await audit.flush()
      return store.page(REALM, { limit: 100_000 })
    },
    keysOf: async (realm: string) => (await bare.manage(realm)).keys,
  }
}

export const userRecord = (more: Partial<User> = {}): User => ({
  sub: 'ann-1',
  username: 'ann',
  username_key: 'ann',
  password_hash: '$argon2id$secret-hash',
  claims: { email: 'ann@example.com' },
  attributes: null,
  groups: null,
  created_at: 1,
  updated_at: 1,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
  ...more,
})

export const dataOf = (row: AuditRow | undefined): Record<string, unknown> => JSON.parse(row?.data ?? '{}')
export const privateOf = (row: AuditRow | undefined): Record<string, unknown> =>
  JSON.parse(row?.private ?? '{}')
