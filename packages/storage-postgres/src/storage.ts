import type { RealmStorage, Storage } from '@ostiary/core'
import type { Factors, Links, RememberedDevices, Tickets, Users } from '@ostiary/identity'
import type { MailQueue } from '@ostiary/identity/mail'
import type { Executor } from './connection/executor.js'
import { type Database, withRowFinder } from './connection/row-finder.js'
import { withOwnRates } from './ranges/counters.js'
import { isRanged } from './ranges/ranged-executor.js'
import { backgroundInBuckets } from './sharded/background.js'
import { dueSessions } from './sharded/due-sessions.js'
import { factorStoreInBuckets } from './sharded/factors.js'
import { realmStorageInBuckets } from './sharded/storage-in-buckets.js'
import { ticketStoreInBuckets } from './sharded/tickets.js'
import { userStoreInBuckets } from './sharded/users.js'
import { type AddressIndex, addressIndex } from './stores/addresses.js'
import { backgroundStorage } from './stores/background.js'
import { clientDocumentStore } from './stores/client-documents.js'
import { clientStore } from './stores/clients.js'
import { consentStore } from './stores/consents.js'
import { grantStore } from './stores/grants.js'
import { issueGrant } from './stores/issue.js'
import { keyStore } from './stores/keys.js'
import { freeLinks, linkStore } from './stores/links.js'
import { logoutStore } from './stores/logouts.js'
import { mailQueue } from './stores/mails.js'
import { pendingStore } from './stores/pending.js'
import { createPurge } from './stores/purge.js'
import { rememberedDeviceStore } from './stores/remembered-devices.js'
import { replayStore } from './stores/replays.js'
import { revokedTokenStore } from './stores/revoked-tokens.js'
import { sessionStore } from './stores/sessions.js'
import { throttle } from './stores/throttle.js'
import { ticketStore } from './stores/tickets.js'
import { type StoresWithUsers, storesWithUsers } from './stores/with-users.js'

/** Options of `postgresStorage` and `postgresStores`. */
export interface StorageOptions {
  /**
   * Whether the tables of people are divided by their bucket among several PostgreSQL. Then each statement about people names one bucket,
   * and work on all people goes bucket by bucket. Default: whether the executor is a `rangedExecutor`.
   */
  sharded?: boolean
}

/**
 * Every store, in a database with the schema of this version; see `migrations`. The caller closes the executor.
 *
 * @example
 * ```ts
 * import { migrations, postgresExecutor, postgresStorage } from '@ostiary/storage-postgres'
 *
 * const executor = postgresExecutor(process.env.DATABASE_URL ?? '')
 * await migrations(executor).setUp()
 * export const storage = postgresStorage(executor)
 * // When the server stops:
 * await executor.close()
 * ```
 */
export function postgresStorage(executor: Executor, options: StorageOptions = {}): Storage {
  const parts = databaseOf(executor, options)
  const { db } = parts
  return storageOf({
    ...parts,
    grants: (realm) => grantStore(db, realm),
    sessions: (realm) => sessionStore(db, realm),
  })
}

/** What `postgresStores` returns. */
export interface PostgresStores {
  storage: Storage
  users: Users
  factors: Factors
  links: Links
  /** For `createEmailSignIn`. */
  addresses: (realm: string) => AddressIndex
  tickets: Tickets
  remembered_devices: RememberedDevices
  /** Of all realms. */
  mails: MailQueue
}

/**
 * Every store, and the users of `@ostiary/identity` with what belongs to them, in one database. A grant, a session or a passkey is read
 * with its user, in one statement; `postgresStorage` and `postgresUsers` need two.
 *
 * @example
 * ```ts
 * import { createIdentity } from '@ostiary/identity'
 * import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
 *
 * const { storage, users } = postgresStores(postgresExecutor(process.env.DATABASE_URL ?? ''))
 * const secret = process.env.OIDC_SECRET ?? ''
 * export const identity = createIdentity({ users, throttle: (realm) => storage(realm).throttle, secret })
 * ```
 */
export function postgresStores(executor: Executor, options: StorageOptions = {}): PostgresStores {
  const parts = databaseOf(executor, options)
  const { users, factors, ...stores } = storesWithUsers(
    parts.db,
    parts.sharded ? { users: userStoreInBuckets, factors: factorStoreInBuckets } : undefined,
  )
  const ticketsOf = parts.sharded ? ticketStoreInBuckets : ticketStore
  const tickets: Tickets = (realm) => ticketsOf(parts.db, realm)
  const links: Links = (realm) => linkStore(parts.db, realm)
  const remembered_devices: RememberedDevices = (realm) => rememberedDeviceStore(parts.db, realm)
  return {
    storage: storageOf({ ...parts, ...stores }),
    users: withLinks(users, { db: parts.db, links }),
    factors,
    links,
    addresses: (realm) => addressIndex(parts.db, realm, parts.sharded ? null : executor),
    tickets,
    remembered_devices,
    mails: mailQueue(parts.db),
  }
}

/** A deletion frees what the user was linked to. A server that dies before that leaves claims, which can be taken over. */
const withLinks =
  (users: Users, { db, links }: { db: Database; links: Links }): Users =>
  (realm) => {
    const store = users(realm)
    return {
      ...store,
      async delete(sub) {
        const linked = await links(realm).list(sub)
        const is_deleted = await store.delete(sub)
        if (is_deleted) await freeLinks(db, realm, linked)
        return is_deleted
      },
    }
  }

interface DatabaseParts {
  db: Database
  sharded: boolean
  /** Whether its ranges may be unavailable one by one. */
  has_ranges: boolean
}

function databaseOf(executor: Executor, { sharded = isRanged(executor) }: StorageOptions): DatabaseParts {
  const db = withRowFinder(executor, { one_by_one: sharded })
  if (!isRanged(executor)) return { db, sharded, has_ranges: false }
  return { db: executor.withPlaces(db), sharded, has_ranges: true }
}

interface Parts extends Omit<StoresWithUsers, 'users' | 'factors'>, DatabaseParts {}

function storageOf({ db, sharded, has_ranges, grants, sessions }: Parts): Storage {
  const undivided = (realm: string): RealmStorage => ({
    clients: clientStore(db, realm),
    consents: consentStore(db, realm),
    grants: grants(realm),
    revoked_tokens: revokedTokenStore(db, realm),
    sessions: sessions(realm),
    pending: pendingStore(db, realm),
    keys: keyStore(db, realm),
    logouts: logoutStore(db, realm),
    throttle: has_ranges ? withOwnRates(throttle(db, realm)) : throttle(db, realm),
    replays: replayStore(db, realm),
    client_documents: clientDocumentStore(db, realm),
    purge: createPurge(db, realm),
  })
  const issue = (realm: string) => issueGrant(db, realm)
  if (!sharded) return Object.assign(undivided, { background: backgroundStorage(db), issue })
  const due = dueSessions()
  const divided = (realm: string) => realmStorageInBuckets(db, { realm, due }, undivided(realm))
  return Object.assign(divided, { background: backgroundInBuckets(db, due), issue })
}
