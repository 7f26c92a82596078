/** A provider with two realms, the admin API over it, and tokens of people and programs. */

import { type AuditStore, createAudit, memoryAuditStore } from '@ostiary/audit'
import type { Accounts, Client, OidcConfig, OidcEvent, RealmStorage, Storage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import {
  createUser,
  memoryUserStores,
  setDisabled,
  setPassword,
  type User,
  updateUser,
  usernameKey,
} from '@ostiary/identity'
import type { MailOptions } from '@ostiary/identity/mail'
import { realmOperations } from '@ostiary/realm-operations'
import { type Executor, postgresStorage, postgresStores } from '@ostiary/storage-postgres'
import { bearer, client, ISSUER, redeem, SECRET, tokens, world } from '@ostiary/test-kit/world'
import { type RealmAdministrationOptions, realmAdministration } from '../../../realms/src/api.ts'
import { memoryRealms } from '../../../realms/src/index.ts'
import {
  ADMIN_SCOPES,
  type AdminOptions,
  type AdminSettings,
  adminResource,
  createAdmin,
  openRoleStore,
  type RoleRow,
  withAdminResource,
} from '../../src/index.ts'
import type { Role } from '../../src/roles/rights.ts'
import { apiClient } from './_api-client.ts'
import { furtherOperations, runTimeRealms, SERVER, UNLIMITED_MS } from './_operations.ts'
import { enteredPeople, openParts } from './_parts.ts'

export const RESOURCE = adminResource(ISSUER)
export const CLIENT_SECRET = 'a-secret-that-is-long-enough-for-anyone'
const ALL = ADMIN_SCOPES.map((scope) => `${RESOURCE} ${scope}`)
const SCOPE = ADMIN_SCOPES.join(' ')

export interface PlaceOptions {
  routing?: 'single' | 'path'
  oidc?: Partial<OidcConfig>
  settings?: Partial<AdminSettings>
  options?: Partial<AdminOptions>
  clients?: Partial<Client & { client_secret: string }>[]
  /** A database with every table, instead of the memory. */
  executor?: Executor
  /** Whether an answer has the time limit of a server: a key, for example, may take longer on a busy machine. */
  is_timed?: boolean
  /** Comes between the API and each store. */
  wrap?: <Store extends object>(store: Store) => Store
  /** Without other providers, sign-in by address and audit of the realms. */
  bare?: boolean
  /** Of the audit; in memory when absent. */
  store?: AuditStore
  /** The realms mail. */
  mail?: MailOptions
  /** How realms are made at run time; null for a server where they are not. */
  run_time?: Partial<RealmAdministrationOptions['realms']> | null
}

/** How a person signs in. */
export interface SignIn {
  acr?: string
  scope?: string
  resource?: string | null
}

/** The client with which people sign in, and programs with a secret. */
const OPS = { client_id: 'ops', trusted: true, optional_scopes: ['openid', 'offline_access', ...ALL] }
const DEPLOY = {
  client_id: 'deploy',
  client_secret: CLIENT_SECRET,
  grant_types: ['client_credentials'],
  optional_scopes: ALL,
}

export async function adminPlace({
  routing = 'path',
  oidc = {},
  settings: given = {},
  options = {},
  clients = [],
  executor,
  is_timed = false,
  wrap = (store) => store,
  bare = false,
  store: rows = memoryAuditStore(),
  mail,
  run_time = {},
}: PlaceOptions = {}) {
  const realm = routing === 'path' ? 'acme' : 'default'
  const settings: AdminSettings = { realm, allow_client_secrets: true, allowed_addresses: [], ...given }
  const realms = routing === 'path' ? ['acme', 'other'] : ['default']
  const base: OidcConfig = {
    issuer: ISSUER,
    acr: 'require',
    ...(routing === 'path' && { routes: { realms: 'path' }, realms: { acme: {}, other: {} } }),
    ...oidc,
  }
  const added = withAdminResource(base, settings, ISSUER)
  if (added.faults.length > 0) throw new Error(JSON.stringify(added.faults))
  const stores = executor ? postgresStores(executor) : memoryUserStores()
  const { users, factors, tickets, links } = stores
  const wrapped = {
    ...stores,
    users: (id: string) => wrap(users(id)),
    factors: (id: string) => wrap(factors(id)),
    tickets: (id: string) => wrap(tickets(id)),
    links: (id: string) => wrap(links(id)),
  }
  const { people, by_email } = await enteredPeople({ realms, people: wrapped, executor, bare })
  const storage = executor ? postgresStorage(executor) : memoryStorage()
  const records = await Promise.all([OPS, DEPLOY, ...clients].map((fields) => client(fields)))
  const accounts: Accounts = {
    async find(sub, { id }) {
      const user = await people.users(id).find(sub)
      return user && user.disabled_at === null ? { sub, claims: {} } : null
    },
  }
  const w = await world({
    routing,
    oidc: added.oidc,
    storage: storageWith(storage, wrap),
    clients: records,
    accounts,
  })
  const audit = createAudit({ store: rows, now: () => w.clock.now })
  const roles = wrap(openRoleStore({ records: executor }))
  const administered = runTimeRealms(realms, wrap(memoryRealms()))
  const run_time_realms = { ...administered.realms, ...run_time }
  const shared = { realms, people, executor, bare, mail: mail ?? null }
  const admin = createAdmin({
    settings,
    origin: ISSUER,
    by_path: routing === 'path',
    realms,
    provider: w.provider,
    roles,
    users: people.users,
    identity: { createUser, updateUser, setDisabled, setPassword, usernameKey },
    passwords: async () => ({ passwords: quickPasswords }),
    audit: {
      store: rows,
      as(actor, request_id) {
        const by = audit.as(actor, request_id)
        return { ...by, users: by.stores(people).users }
      },
    },
    parts: openParts(shared, {
      provider: w.provider,
      storage: w.storage,
      audit,
      by_email,
      now: () => w.clock.now,
      on_event: (event) => void events.push(event as OidcEvent),
    }),
    operations: [
      ...furtherOperations(
        {
          oidc: added.oidc,
          secret: SECRET,
          storage: w.storage,
          accounts,
          interactions: { login: async () => new Response() },
          on_event: (event) => void events.push(event),
          now: () => w.clock.now,
        },
        bare ? null : rows,
        people,
      ),
      ...realmOperations({
        ...SERVER,
        records: executor,
        mail: mail ?? null,
        throttle: (id) => w.storage(id).throttle,
      }),
      ...(run_time === null ? [] : [realmAdministration({ ...administered, realms: run_time_realms })]),
    ],
    configured: () => ({ clients: [], users: [] }),
    throttle: w.storage(realm).throttle,
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    now: () => w.clock.now,
    ...(!is_timed && { answer_ms: UNLIMITED_MS }),
    on_event: (event) => void events.push(event),
    failed: (cause) => void failures.push(cause),
    ...options,
  })
  const events: OidcEvent[] = []
  const failures: unknown[] = []

  const addUser = (sub: string, more: Partial<User> = {}, of = realm) =>
    people.users(of).create({ ...userRecord(sub), ...more })
  const give = (holder: RoleRow['holder'], role: Role, ...in_realms: string[]) =>
    roles.change(realm, () => ({ put: { holder, role, realms: in_realms } }))

  /** Signs a person in, who is created, and returns an access token for the API. */
  async function signIn(sub: string, how: SignIn = {}) {
    await addUser(sub)
    return signInAgain(sub, how)
  }
  async function signInAgain(sub: string, { acr = '2', scope = SCOPE, resource = RESOURCE }: SignIn = {}) {
    const browser = w.browser()
    await browser.authorize({ client_id: 'ops', scope: `openid ${scope}`, resource })
    const { return_to } = w.logins.at(-1) ?? { return_to: '' }
    const request = new Request(`${w.issuer}/login`, {
      method: 'POST',
      headers: { cookie: browser.jar.header() },
    })
    const signed_in = await w.provider.login(request, { sub, amr: ['pwd'], acr, return_to })
    browser.jar.keep(signed_in)
    const redirect = await browser.get(signed_in.headers.get('location') ?? '')
    const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code')
    return (await redeem(w, code, { client_id: 'ops' })).body
  }
  async function program(client_id = 'deploy', form: Record<string, string> = {}) {
    const asked = { grant_type: 'client_credentials', client_id, client_secret: CLIENT_SECRET }
    return (await tokens(w, { ...asked, resource: RESOURCE, scope: SCOPE, ...form })).body
  }
  const send = apiClient(RESOURCE, (request) => admin.fetch(request))
  /** A request to the API. */
  const call = (
    access_token: string | null,
    line: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const [method = 'GET', path = ''] = line.split(' ')
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const sent = {
      ...(access_token !== null && bearer(access_token)),
      ...(body !== undefined && { 'content-type': type }),
      ...headers,
    }
    return send({ method, path, body, headers: sent })
  }
  /** The rows of changes, the oldest first. */
  const changes = async () => (await allRows()).filter(({ type }) => type !== 'admin.refused')
  /** The rows of attempts to climb. */
  const attempts = async () => (await allRows()).filter(({ type }) => type === 'admin.refused')
  const allRows = async () => {
    await audit.flush()
    const all = await Promise.all(realms.map((id) => rows.page(id, { limit: 10_000 })))
    return all.flat()
  }
  return {
    w,
    realm,
    admin,
    audit,
    rows,
    roles,
    people,
    realms: run_time_realms.store,
    events,
    failures,
    addUser,
    give,
    signIn,
    signInAgain,
    program,
    call,
    changes,
    attempts,
  }
}

/** A storage whose stores are wrapped. */
const storageWith = (storage: Storage, wrap: NonNullable<PlaceOptions['wrap']>): Storage =>
  Object.assign((realm: string) => {
    const stores = Object.entries(storage(realm))
    const wrapped = stores.map(([name, store]) => [name, typeof store === 'object' ? wrap(store) : store])
    return Object.fromEntries(wrapped) as RealmStorage
  }, storage)

/** Of the tests: argon2 takes longer than all of them. */
const quickPasswords = {
  hash: async (password: string) => `quick:${password.length}`,
  verify: async () => false,
  stale: () => false,
}

export type Place = Awaited<ReturnType<typeof adminPlace>>

export const userRecord = (sub: string): User => ({
  sub,
  username: sub,
  username_key: sub,
  password_hash: null,
  claims: {},
  attributes: null,
  groups: null,
  created_at: 1,
  updated_at: 1,
  disabled_at: null,
  credential_version: 0,
  second_step: false,
})
