/** Makes a restored database safe: nothing that was spent, revoked or changed since the backup is good again. */

import { randomUUID } from 'node:crypto'
import { BUCKETS, bucketByHash, SealedKeyError } from '@ostiary/core'
import { setDisabled, setPassword, type UserStore, usernameKey } from '@ostiary/identity'
import type { BucketRange, EndedAccess, Executor } from '@ostiary/storage-postgres'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { realmPasskeys } from '../server/realm-of.js'
import { DATABASE_SUBJECT, lostSecretError, storageError } from '../storage/storage-error.js'
import { hasPasskey } from '../storage/sync.js'
import { databaseStores } from './database-stores.js'
import { inDatabase, readManageableConfig } from './manage.js'
import type { ChangesSince } from './restore-events.js'

/** What is known of the time since the backup. */
export type Since = { kind: 'unknown' } | { kind: 'events'; changes: ChangesSince }

interface CommandOptions {
  cwd: string
  write: (line: string) => void
}

export interface RestoredOptions extends CommandOptions {
  /** Null: all buckets, with clients, keys and pending mails. */
  buckets: BucketRange | null
  since: Since
}

/** What the run has done, in numbers. */
export interface RestoredReport extends EndedAccess {
  passwords: number
  disabled: number
  deleted: number
  clients: number
  keys: number
  mails: number
}

const ALL_BUCKETS: BucketRange = { first: 0, last: BUCKETS - 1 }

/**
 * Begins anew when it was interrupted.
 * @throws ConfigError, StorageError
 */
export async function makeRestoredSafe(
  env: Environment,
  { cwd, write, buckets, since }: RestoredOptions,
): Promise<RestoredReport> {
  return withDatabase(env, { cwd, write }, async (executor, config) => {
    const report = await makeSafe(config, { executor, buckets, since })
    // Last: until then, the servers refuse the database. A range is not all of it.
    if (buckets === null) await accept(executor)
    return report
  })
}

/**
 * For a database that was moved or copied while the servers were stopped, and lacks nothing.
 * @throws ConfigError, StorageError
 */
export const acceptDatabase = (env: Environment, options: CommandOptions): Promise<void> =>
  withDatabase(env, options, accept)

/** The servers use the database from now on. They do not watch the embedded one. */
async function accept(executor: Executor): Promise<void> {
  const { isServer, recordLineage } = await import('@ostiary/storage-postgres')
  if (isServer(executor)) await recordLineage(executor)
}

async function withDatabase<T>(
  env: Environment,
  { cwd, write }: CommandOptions,
  run: (executor: Executor, config: HostConfig) => Promise<T>,
): Promise<T> {
  const config = await readManageableConfig(env, cwd)
  try {
    const row = { type: 'database.restored' }
    return await inDatabase(config, { write, env, row, alone: true }, run)
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw lostSecretError(cause, config)
    throw storageError(DATABASE_SUBJECT, cause)
  }
}

interface Work {
  executor: Executor
  buckets: BucketRange | null
  since: Since
}

async function makeSafe(config: HostConfig, { executor, buckets, since }: Work): Promise<RestoredReport> {
  const { deleteMails, endAccess, removePasswords } = await import('@ostiary/storage-postgres')
  const range = buckets ?? ALL_BUCKETS
  const ended = await endAccess(executor, range)
  const people =
    since.kind === 'unknown'
      ? { passwords: await removePasswords(executor, range), disabled: 0, deleted: 0 }
      : await changeUsers(config, { executor, range, changes: since.changes })
  await lockConfigured(config, { executor, range })
  const report = { ...ended, ...people, clients: 0, keys: 0, mails: 0 }
  if (buckets !== null) return report
  const changed = await changeClientsAndKeys(config, executor, since)
  return { ...report, ...changed, mails: await deleteMails(executor) }
}

interface UsersWork {
  executor: Executor
  range: BucketRange
  changes: ChangesSince
}

async function changeUsers(config: HostConfig, { executor, range, changes }: UsersWork) {
  const { users, provider } = await databaseStores(config, executor)
  const realms = new Set(realmIds(config))
  const own = [...changes.users.values()].filter(
    ({ realm, sub }) => realms.has(realm) && isWithin(range, sub),
  )
  let deleted = 0
  for (const { realm, sub } of own.filter((change) => change.deleted)) {
    if (await users(realm).delete(sub)) deleted += 1
    const management = await provider.manage(realm)
    await management.users.delete(sub)
  }
  let [passwords, disabled] = [0, 0]
  for (const { realm, sub, password } of own)
    if (password && (await removePassword(users(realm), sub))) passwords += 1
  for (const change of own) {
    const user = change.disabled ? await users(change.realm).find(change.sub) : null
    if (
      user?.disabled_at === null &&
      (await setDisabled(users(change.realm), { sub: change.sub, disabled: true }))
    )
      disabled += 1
  }
  return { passwords, disabled, deleted }
}

/**
 * The next start would give a user of the configuration without a password that of the file, which may be an old one. So the user gets a
 * random one, which is stored as a hash and shown to no operator. A user with a passkey that works would get none: the account stays without.
 */
async function lockConfigured(
  config: HostConfig,
  { executor, range }: Pick<UsersWork, 'executor' | 'range'>,
) {
  const { users, factors, provider } = await databaseStores(config, executor)
  for (const realm of realmIds(config)) {
    const { users: entries = [] } = config.realms[realm] ?? {}
    const passkeys = await realmPasskeys(config, provider, realm)
    for (const { user } of entries.filter(({ user, resets_password }) => user.password && !resets_password)) {
      const key = usernameKey(user.username)
      const found =
        user.sub === undefined
          ? key && (await users(realm).findByUsername(key))
          : await users(realm).find(user.sub)
      const is_open = found && found.password_hash === null && isWithin(range, found.sub)
      if (is_open && !(await hasPasskey({ factors: factors(realm), passkeys }, found)))
        await setPassword(users(realm), { sub: found.sub, password: randomUUID() })
    }
  }
}

function isWithin({ first, last }: BucketRange, sub: string): boolean {
  const bucket = bucketByHash(sub)
  return bucket >= first && bucket <= last
}

/** @returns Whether there was one. */
async function removePassword(users: UserStore, sub: string): Promise<boolean> {
  for (;;) {
    const user = await users.find(sub)
    if (user === null || user.password_hash === null) return false
    // Another attempt when another command has changed the user at the same time.
    const { updated_at } = user
    if (await users.update({ ...user, password_hash: null, updated_at: updated_at + 1 }, updated_at))
      return true
  }
}

/** A key that was revoked since, and a secret that was replaced since, would be good again. */
async function changeClientsAndKeys(config: HostConfig, executor: Executor, since: Since) {
  const { storage, provider } = await databaseStores(config, executor)
  const changed = since.kind === 'events' ? [...since.changes.clients.values()] : []
  const counts = { clients: 0, keys: 0 }
  for (const realm of realmIds(config)) {
    const management = await provider.manage(realm)
    for (const { client_id, secret, revoked, deleted } of changed.filter((one) => one.realm === realm)) {
      const stored = await storage(realm).clients.find(client_id)
      if (stored === null) continue
      if (deleted) await management.clients.delete(client_id)
      else if (revoked) await management.clients.revoke(client_id)
      // Nobody learns the new secret: the old one is refused, and the operator makes the one that the client gets.
      else if (secret && stored.client_secret_hash !== null) await management.clients.rotateSecret(client_id)
      counts.clients += 1
    }
    for (const { kid } of await management.keys.list())
      if (await management.keys.revoke(kid)) counts.keys += 1
  }
  return counts
}
