/** Makes a restored database safe: nothing that was spent, revoked or changed since the backup is good again. */

import { BUCKETS, bucketByHash, SealedKeyError } from '@ostiary/core'
import type { BucketRange, EndedAccess, Executor, PersonChange } from '@ostiary/storage-postgres'
import { configuredLog } from '../config/configured-log.js'
import type { Environment } from '../config/environment.js'
import type { HostConfig } from '../config/host-config.js'
import { realmIds } from '../config/realm-ids.js'
import { DATABASE_SUBJECT, lostSecretError, storageError } from '../storage/storage-error.js'
import { bareProvider, readManageableConfig } from './manage.js'
import type { ChangesSince } from './restore-events.js'

/** What is known of the time since the backup. */
export type Since = { kind: 'unknown' } | { kind: 'events'; changes: ChangesSince }

export interface RestoredOptions {
  cwd: string
  write: (line: string) => void
  /** Null: all buckets, with clients and keys. */
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
  const config = await readManageableConfig(env, cwd)
  const executor = await open(config, write)
  try {
    return await makeSafe(config, { executor, buckets, since })
  } catch (cause) {
    if (cause instanceof SealedKeyError) throw lostSecretError(cause, config)
    throw storageError(DATABASE_SUBJECT, cause)
  } finally {
    await executor.close()
  }
}

async function open(config: HostConfig, write: (line: string) => void): Promise<Executor> {
  const { storage } = config
  if (storage.kind === 'memory') throw new Error('a command has no memory of a server')
  const { openDatabase } = await import('../storage/durable-storage.js')
  return openDatabase(storage, configuredLog(config, write))
}

interface Work {
  executor: Executor
  buckets: BucketRange | null
  since: Since
}

async function makeSafe(config: HostConfig, { executor, buckets, since }: Work): Promise<RestoredReport> {
  const { endAccess, removePasswords } = await import('@ostiary/storage-postgres')
  const range = buckets ?? ALL_BUCKETS
  const ended = await endAccess(executor, range)
  const people =
    since.kind === 'unknown'
      ? { passwords: await removePasswords(executor, range), disabled: 0, deleted: 0 }
      : await changeUsers(config, { executor, range, changes: since.changes })
  const ofAll =
    buckets === null ? await changeClientsAndKeys(config, executor, since) : { clients: 0, keys: 0 }
  return { ...ended, ...people, ...ofAll }
}

interface UsersWork {
  executor: Executor
  range: BucketRange
  changes: ChangesSince
}

async function changeUsers(config: HostConfig, { executor, range, changes }: UsersWork) {
  const { changePeople, postgresStores } = await import('@ostiary/storage-postgres')
  const { storage, users } = postgresStores(executor)
  const provider = bareProvider(config, { storage, users })
  const realms = new Set(realmIds(config))
  const own = [...changes.users.values()].filter(({ realm, sub }) => {
    const bucket = bucketByHash(sub)
    return realms.has(realm) && bucket >= range.first && bucket <= range.last
  })
  let deleted = 0
  for (const { realm, sub } of own.filter((change) => change.deleted)) {
    if (await users(realm).delete(sub)) deleted += 1
    const management = await provider.manage(realm)
    await management.users.delete(sub)
  }
  const changesOf = (what: PersonChange['what'], wanted: typeof own) =>
    changePeople(
      executor,
      wanted.map(({ realm, sub }) => ({ realm, sub, what })),
    )
  return {
    passwords: await changesOf(
      'remove password',
      own.filter(({ password }) => password),
    ),
    disabled: await changesOf(
      'disable',
      own.filter(({ disabled }) => disabled),
    ),
    deleted,
  }
}

/** A key that was revoked since, and a secret that was replaced since, would be good again. */
async function changeClientsAndKeys(config: HostConfig, executor: Executor, since: Since) {
  const { postgresStores } = await import('@ostiary/storage-postgres')
  const stores = postgresStores(executor)
  const provider = bareProvider(config, stores)
  const changed = since.kind === 'events' ? [...since.changes.clients.values()] : []
  const counts = { clients: 0, keys: 0 }
  for (const realm of realmIds(config)) {
    const management = await provider.manage(realm)
    for (const { client_id, secret, revoked, deleted } of changed.filter((one) => one.realm === realm)) {
      const stored = await stores.storage(realm).clients.find(client_id)
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
