/** Brings a realm's stored clients and users in line with the configuration. */

import { isDeepStrictEqual } from 'node:util'
import {
  type Client,
  type ClientStore,
  ConfigError,
  type ConfigFault,
  clientRecord,
  sha256,
} from '@ostiary/core'
import { setPassword, type UpsertedUser, UserError, type UserStore, upsertUser } from '@ostiary/identity'
import type { ClientEntry, RealmEntries, UserEntry } from '../config/entries.js'

interface Stores {
  clients: ClientStore
  users: UserStore
}

/** What `syncRealm` did, in numbers. */
export interface SyncReport {
  clients: Record<'created' | 'updated' | 'unchanged', number>
  users: Record<'created' | 'updated' | 'unchanged', number>
  /** client_ids that are configured, but were revoked: they stay revoked. */
  revoked: string[]
  /** Paths of users whose password is another one by now: it stays. */
  other_passwords: string[]
}

/**
 * Creates what is missing and updates what differs; what is right is not written. A client keeps its
 * `client_id_issued_at`. Revoking a client, disabling a user and choosing another password are decisions about what is
 * stored: a restart does not take them back. Clients and users that the configuration no longer names stay.
 * @param now Epoch seconds.
 * @throws ConfigError when an entry contradicts what is stored.
 */
export async function syncRealm(
  stores: Stores,
  wanted: RealmEntries,
  now: () => number,
): Promise<SyncReport> {
  const report: SyncReport = {
    clients: { created: 0, updated: 0, unchanged: 0 },
    users: { created: 0, updated: 0, unchanged: 0 },
    revoked: [],
    other_passwords: [],
  }
  await refuseSharedIds(stores, wanted)
  for (const entry of wanted.clients) {
    const { outcome, client } = await syncClient(stores.clients, entry, now())
    report.clients[outcome]++
    if (client.revoked_at !== null) report.revoked.push(client.client_id)
  }
  for (const entry of wanted.users) {
    const { outcome, other_password } = await syncUser(stores.users, entry, now)
    report.users[outcome]++
    if (other_password) report.other_passwords.push(entry.path)
  }
  return report
}

/** A client's own token has its id as `sub`: with a user of that `sub`, it would pass for the user's. */
async function refuseSharedIds({ clients, users }: Stores, wanted: RealmEntries): Promise<void> {
  const faults: ConfigFault[] = []
  for (const { path, metadata } of wanted.clients)
    if (await users.find(metadata.client_id))
      faults.push({
        path: `${path}.client_id`,
        message: 'it is the sub of a stored user; take another one',
      })
  for (const { path, user } of wanted.users)
    if (user.sub !== undefined && (await clients.find(user.sub)))
      faults.push({
        path: `${path}.sub`,
        message: 'it is the client_id of a stored client; take another one',
      })
  if (faults.length > 0) throw new ConfigError(faults)
}

async function syncClient(
  store: ClientStore,
  { metadata, client_secret }: ClientEntry,
  now: number,
): Promise<{ outcome: 'created' | 'updated' | 'unchanged'; client: Client }> {
  const client_secret_hash = client_secret === null ? null : await sha256(client_secret)
  const fresh = clientRecord(metadata, { client_secret_hash, now })
  if (await store.create(fresh)) return { outcome: 'created', client: fresh }
  const stored = await store.find(fresh.client_id)
  if (stored === null) throw new Error(`The client ${fresh.client_id} was created and removed just now`)
  const { client_id_issued_at, revoked_at } = stored
  const client = { ...fresh, client_id_issued_at, revoked_at }
  if (isDeepStrictEqual(client, stored)) return { outcome: 'unchanged', client }
  await store.update(client)
  return { outcome: 'updated', client }
}

async function syncUser(
  store: UserStore,
  { path, user, resets_password }: UserEntry,
  now: () => number,
): Promise<UpsertedUser> {
  try {
    const done = await upsertUser(store, user, { now })
    if (!done.other_password || !resets_password || user.password === undefined) return done
    await setPassword(store, { sub: done.sub, password: user.password }, { now })
    return { ...done, outcome: 'updated', other_password: false }
  } catch (error) {
    if (error instanceof UserError) throw new ConfigError({ path, message: error.message })
    throw error
  }
}
