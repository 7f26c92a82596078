/** Brings a realm's stored clients and users in line with the configuration. */

import { isDeepStrictEqual } from 'node:util'
import {
  type Client,
  type ClientStore,
  ConfigError,
  type ConfigFault,
  clientRecord,
  inParallel,
  sha256,
} from '@ostiary/core'
import {
  argon2Passwords,
  type FactorStore,
  type PasswordRules,
  passkeysFor,
  passwordRulesFault,
  type SignInSettings,
  setPassword,
  type UpsertResult,
  type User,
  UserError,
  type UserInput,
  type UserStore,
  upsertUser,
  userConflict,
  usernameKey,
} from '@ostiary/identity'
import { withOlderHashes } from '@ostiary/password-hashes'
import type { ClientEntry, RealmEntries, UserEntry } from '../config/entries.js'

/** Realms that are read and written at the same time. */
const MAX_PARALLEL_REALMS = 8

interface Stores {
  clients: ClientStore
  users: UserStore
  factors: FactorStore
  /** Those that work in the realm. */
  passkeys: SignInSettings['passkeys']
  /** Of passwords that users get now. A password that the user has already stays. */
  password_rules?: PasswordRules | null
}

/** What `syncRealms` changed in one realm. */
export interface SyncReport {
  clients: Record<'created' | 'updated' | 'unchanged', number>
  users: Record<'created' | 'updated' | 'unchanged', number>
  /** client_ids of configured clients that were revoked: they stay revoked. */
  revoked: string[]
  /** Paths of users whose stored password differs from the configured one. The stored password stays. */
  other_passwords: string[]
  /** Why optional clients were left out of the entries; absent where none was. */
  left_out?: ConfigFault[]
}

/**
 * Creates missing records and updates different ones. A client keeps its `client_id_issued_at`. A revoked client stays
 * revoked, a disabled user stays disabled, and a changed password stays as it is. A user who has removed it, and has a passkey that works
 * in the realm, does not get it again. Clients and users that the
 * configuration no longer names are not deleted.
 * @param now Epoch seconds.
 * @returns What changed, by realm id.
 * @throws ConfigError when entries contradict stored records; then nothing was written.
 */
export async function syncRealms(
  realms: Readonly<Record<string, RealmEntries>>,
  storesOf: (realm: string) => Stores,
  now: () => number,
): Promise<Record<string, SyncReport>> {
  const all = Object.entries(realms)
  const left_out = await inParallel(all, MAX_PARALLEL_REALMS, ([realm, entries]) =>
    leaveOut(storesOf(realm), entries),
  )
  const faults = await inParallel(all, MAX_PARALLEL_REALMS, ([realm, entries]) =>
    conflicts(storesOf(realm), entries),
  )
  if (faults.flat().length > 0) throw new ConfigError(faults.flat())
  const reports = await inParallel(
    all,
    MAX_PARALLEL_REALMS,
    async ([realm, entries]) => [realm, await syncRealm(storesOf(realm), entries, now)] as const,
  )
  return Object.fromEntries(
    reports.map(([realm, report], place) => [realm, withLeftOut(report, left_out[place])]),
  )
}

const withLeftOut = (report: SyncReport, left_out: ConfigFault[] = []): SyncReport =>
  left_out.length > 0 ? { ...report, left_out } : report

/** Takes optional clients out that contradict a stored record: then the configuration does not own the record. */
async function leaveOut(stores: Stores, configured: RealmEntries): Promise<ConfigFault[]> {
  const found: ConfigFault[] = []
  for (const entry of configured.clients.filter(({ is_optional }) => is_optional)) {
    const faults = await clientConflicts(stores, entry)
    if (faults.length > 0) configured.clients.splice(configured.clients.indexOf(entry), 1)
    found.push(...faults)
  }
  return found
}

async function clientConflicts(
  { clients, users }: Stores,
  { path, metadata, storedFault }: ClientEntry,
): Promise<ConfigFault[]> {
  const faults: ConfigFault[] = []
  if (await users.find(metadata.client_id))
    faults.push({
      path: `${path}.client_id`,
      message: 'it is the sub of a stored user; take another one',
    })
  const message = await storedFault?.(clients)
  if (message) faults.push({ path, message })
  return faults
}

async function syncRealm(stores: Stores, configured: RealmEntries, now: () => number): Promise<SyncReport> {
  const report: SyncReport = {
    clients: { created: 0, updated: 0, unchanged: 0 },
    users: { created: 0, updated: 0, unchanged: 0 },
    revoked: [],
    other_passwords: [],
  }
  for (const entry of configured.clients) {
    const { outcome, client } = await syncClient(stores.clients, entry, now())
    report.clients[outcome]++
    if (client.revoked_at !== null) report.revoked.push(client.client_id)
  }
  for (const entry of configured.users) {
    const { outcome, other_password } = await syncUser(stores, entry, now)
    report.users[outcome]++
    if (other_password) report.other_passwords.push(entry.path)
  }
  return report
}

/** What contradicts a stored record. A client's own token has its client_id as `sub`: it would count as the user's token. */
async function conflicts(stores: Stores, configured: RealmEntries): Promise<ConfigFault[]> {
  const { clients, users, password_rules } = stores
  const faults: ConfigFault[] = []
  for (const entry of configured.clients) faults.push(...(await clientConflicts(stores, entry)))
  for (const { path, user, unset_variable } of configured.users) {
    if (user.sub !== undefined && (await clients.find(user.sub)))
      faults.push({
        path: `${path}.sub`,
        message: 'it is the client_id of a stored client; take another one',
      })
    const conflict = await userConflict(users, user)
    if (conflict !== null) faults.push({ path, message: conflict })
    else if (password_rules && user.password !== undefined && !(await signsIn(stores, user)))
      faults.push(...(await ruleFaults(password_rules, { path, user })))
    else if (unset_variable !== undefined && !(await signsIn(stores, user)))
      faults.push({
        path: `${path}.password_env`,
        message: `the variable ${unset_variable} is not set, and user ${JSON.stringify(user.username)} has no password yet: set it for the first start`,
      })
  }
  return faults
}

/** An operator overrules them with the command, before the start: then the user has a password. */
async function ruleFaults(
  rules: PasswordRules,
  { path, user: { username, password = '', email } }: UserEntry,
): Promise<ConfigFault[]> {
  const fault = await passwordRulesFault(rules, { password, username, email })
  if (fault === null) return []
  const message = `${fault}, and identity.password.rules is true: choose another one, or create the user with ostiary user create --force`
  return [{ path: `${path}.password`, message }]
}

/** Without the password of the configuration. */
async function signsIn(stores: Stores, { sub, username }: UserInput): Promise<boolean> {
  const { users } = stores
  const key = usernameKey(username)
  const bySub = sub === undefined ? null : await users.find(sub)
  const stored = bySub ?? (key === null ? null : await users.findByUsername(key))
  return stored !== null && (stored.password_hash !== null || (await hasPasskey(stores, stored)))
}

/**
 * Then a user without a password does not get that of the configuration: the user may have removed it. A passkey of another RP ID is no
 * way in.
 */
export async function hasPasskey(
  { factors, passkeys }: Pick<Stores, 'factors' | 'passkeys'>,
  { sub }: User,
): Promise<boolean> {
  return passkeysFor(passkeys, await factors.list(sub)).length > 0
}

async function syncClient(
  store: ClientStore,
  { metadata, client_secret }: ClientEntry,
  now: number,
): Promise<{ outcome: 'created' | 'updated' | 'unchanged'; client: Client }> {
  const client_secret_hash = client_secret === null ? null : sha256(client_secret)
  const configured = clientRecord(metadata, { client_secret_hash, now })
  if (await store.create(configured)) return { outcome: 'created', client: configured }
  const stored = await store.find(configured.client_id)
  if (stored === null) throw new Error(`The client ${configured.client_id} was created and removed just now`)
  const { client_id_issued_at, revoked_at, not_before } = stored
  const client = { ...configured, client_id_issued_at, revoked_at, not_before }
  if (isDeepStrictEqual(client, stored)) return { outcome: 'unchanged', client }
  await store.update(client)
  return { outcome: 'updated', client }
}

/** A user of the configuration may have come from another system first. */
const passwords = withOlderHashes(argon2Passwords())

async function syncUser(
  stores: Stores,
  { path, user, resets_password }: UserEntry,
  now: () => number,
): Promise<UpsertResult> {
  const { users: store } = stores
  try {
    const upserted = await upsertUser(store, user, {
      now,
      passwords,
      sets_password: async (stored) => !(await hasPasskey(stores, stored)),
    })
    if (!upserted.other_password || !resets_password || user.password === undefined) return upserted
    await setPassword(store, { sub: upserted.sub, password: user.password }, { now })
    return { ...upserted, outcome: 'updated', other_password: false }
  } catch (error) {
    if (error instanceof UserError) throw new ConfigError({ path, message: error.message })
    throw error
  }
}
