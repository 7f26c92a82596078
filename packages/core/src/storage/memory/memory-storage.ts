/**
 * The reference implementation of `Storage`, in the memory of this process: for tests, for first steps, and as an example
 * for adapters. Everything is lost when the process ends. An operation is atomic because it does not await between its check
 * and its write. Records are copied when they are stored and when they are returned.
 */

import type {
  KeyStore,
  LogoutStore,
  Pending,
  PendingStore,
  RealmStorage,
  ReplayStore,
  RevokedTokenStore,
  Session,
  SessionStore,
  SigningKey,
  Storage,
  Throttle,
  ThrottleWindow,
} from '../storage.js'
import { background, type MemoryRealm } from './background.js'
import { clientDocumentStore } from './client-documents.js'
import { clientStore } from './clients.js'
import { consentStore } from './consents.js'
import { grantStore } from './grants.js'
import { logoutStore } from './logouts.js'
import { copied, copyOf, firstOf, multimap, nameOf, type Purgeable } from './maps.js'

export { copied } from './maps.js'

/**
 * A storage in the memory of this process, for tests and demos: the reference for adapters.
 *
 * @example
 * ```ts
 * import { createProvider, type ProviderOptions } from '@ostiary/core'
 * import { memoryStorage } from '@ostiary/core/memory'
 *
 * export const create = (options: Omit<ProviderOptions, 'storage'>) =>
 *   createProvider({ ...options, storage: memoryStorage() })
 * ```
 */
export function memoryStorage(): Storage {
  const realms = new Map<string, MemoryRealm>()
  const storesOf = (id: string): RealmStorage => {
    const realm = realms.get(id) ?? memoryRealm()
    realms.set(id, realm)
    return realm.stores
  }
  return Object.assign(storesOf, { background: background(realms) })
}

function memoryRealm(): MemoryRealm {
  const { hasDue, ...logouts } = logoutStore()
  return { stores: realmStorage(logouts), delivers: hasDue }
}

function realmStorage(logouts: LogoutStore): RealmStorage {
  const clients = clientStore()
  const grants = grantStore()
  const revoked_tokens = revokedTokenStore()
  const pending = pendingStore()
  const throttle = throttleStore()
  const replays = replayStore()
  const client_documents = clientDocumentStore()
  return {
    clients,
    consents: consentStore(),
    grants,
    revoked_tokens,
    sessions: sessionStore(),
    pending,
    keys: keyStore(),
    logouts,
    throttle,
    replays,
    client_documents,
    purge: async (now) =>
      grants.purge(now) +
      revoked_tokens.purge(now) +
      pending.purge(now) +
      throttle.purge(now) +
      replays.purge(now) +
      client_documents.purge(now) +
      clients.purge(now),
  }
}

function revokedTokenStore(): RevokedTokenStore & Purgeable {
  const expiries = new Map<string, number>()
  return {
    add: async (jti, expires_at) => void expiries.set(jti, expires_at),
    has: async (jti) => expiries.has(jti),
    purge(now) {
      const expired = firstOf(expiries, ([, expires_at]) => expires_at <= now)
      for (const [jti] of expired) expiries.delete(jti)
      return expired.length
    },
  }
}

function replayStore(): ReplayStore & Purgeable {
  const expiries = new Map<string, number>()
  return {
    async claim(key_hash, expires_at, now) {
      if ((expiries.get(key_hash) ?? now) > now) return false
      expiries.set(key_hash, expires_at)
      return true
    },
    purge(now) {
      const expired = firstOf(expiries, ([, expires_at]) => expires_at <= now)
      for (const [key_hash] of expired) expiries.delete(key_hash)
      return expired.length
    },
  }
}

function sessionStore(): SessionStore {
  const bySid = new Map<string, Session>()
  const byHash = new Map<string, Session>()
  const byUser = multimap<Session>()
  /** Sessions that have ended and are not forgotten: until when their caller has the lease. */
  const leases = new Map<string, number>()
  const waiting = ({ sid, expires_at }: Session, now: number) => (leases.get(sid) ?? expires_at) <= now
  return {
    async create(session) {
      const created = copied(session)
      bySid.set(session.sid, created)
      byHash.set(session.session_hash, created)
      byUser.add(session.sub, created)
    },
    find: async (session_hash) => copyOf(byHash.get(session_hash)),
    async join(sid, client_id) {
      const session = bySid.get(sid)
      if (!session || leases.has(sid)) return false
      if (!session.client_ids.includes(client_id)) session.client_ids.push(client_id)
      return true
    },
    async touch(sid, used_at) {
      const session = bySid.get(sid)
      if (!session || leases.has(sid)) return
      session.last_used_at = Math.max(session.last_used_at ?? used_at, used_at)
    },
    async raise(sid, raised, expected_session_hash) {
      const session = byHash.get(expected_session_hash)
      if (session?.sid !== sid) return false
      byHash.delete(expected_session_hash)
      byHash.set(raised.session_hash, Object.assign(session, copied(raised)))
      return true
    },
    async end(sid, now, lease) {
      const session = bySid.get(sid)
      if (!session || (leases.has(sid) && !waiting(session, now))) return null
      leases.set(sid, now + lease)
      byHash.delete(session.session_hash)
      byUser.delete(session.sub, session)
      return copied(session)
    },
    async forget(sid) {
      if (leases.delete(sid)) bySid.delete(sid)
    },
    expired: async (now, limit) => copied(firstOf(bySid.values(), (session) => waiting(session, now), limit)),
    list: async (sub) => copied(byUser.get(sub)),
  }
}

function pendingStore(): PendingStore & Purgeable {
  const pending = new Map<string, Pending>()
  return {
    async put(record) {
      if (pending.has(record.pending_hash)) return false
      pending.set(record.pending_hash, copied(record))
      return true
    },
    find: async (pending_hash) => copyOf(pending.get(pending_hash)),
    async take(pending_hash) {
      const taken = pending.get(pending_hash) ?? null
      pending.delete(pending_hash)
      return taken
    },
    purge(now) {
      const expired = firstOf(pending.values(), ({ expires_at }) => expires_at <= now)
      for (const { pending_hash } of expired) pending.delete(pending_hash)
      return expired.length
    },
  }
}

function keyStore(): KeyStore {
  const keys = new Map<string, SigningKey>()
  const list = () => copied([...keys.values()]).sort((a, b) => a.signs_from - b.signs_from)
  return {
    list: async () => list(),
    async ensure(first) {
      const has_one = [...keys.values()].some(({ alg }) => alg === first.alg)
      if (!has_one) keys.set(first.kid, copied(first))
      return list()
    },
    add: async (key) => void keys.set(key.kid, copied(key)),
    async reseal(kid, sealed_private_key) {
      const key = keys.get(kid)
      if (key !== undefined) key.sealed_private_key = sealed_private_key
      return key !== undefined
    },
    drop: async (kid) => void keys.delete(kid),
  }
}

function throttleStore(): Throttle & Purgeable {
  const windows = new Map<string, ThrottleWindow>()
  const nameIn = (key: string, window_seconds: number, now: number) =>
    nameOf(key, window_seconds, Math.floor(now / window_seconds))
  const hit = (key: string, window_seconds: number, now: number): number => {
    // Windows that have ended are deleted at each hit, so that many different keys cannot fill the memory.
    for (const [name, { ends_at }] of windows) {
      if (ends_at > now) break
      windows.delete(name)
    }
    const name = nameIn(key, window_seconds, now)
    const ends_at = (Math.floor(now / window_seconds) + 1) * window_seconds
    const window = windows.get(name) ?? { key, hits: 0, ends_at }
    window.hits += 1
    windows.set(name, window)
    return window.hits
  }
  return {
    hit: async (key, window_seconds, now) => hit(key, window_seconds, now),
    async hitBoth({ first, max, second }, window_seconds, now) {
      const hits = hit(first, window_seconds, now)
      return { first: hits, second: hits > max ? 0 : hit(second, window_seconds, now) }
    },
    async release(key, window_seconds, now) {
      const window = windows.get(nameIn(key, window_seconds, now))
      if (window && window.hits > 0) window.hits -= 1
    },
    async list(prefix, now) {
      const found = firstOf(windows.values(), ({ key, ends_at }) => key.startsWith(prefix) && ends_at > now)
      return copied(found)
    },
    async reset(prefix) {
      const matching = [...windows].filter(([, { key }]) => key.startsWith(prefix))
      for (const [name] of matching) windows.delete(name)
      return matching.length
    },
    purge(now) {
      const expired = firstOf(windows, ([, { ends_at }]) => ends_at <= now)
      for (const [name] of expired) windows.delete(name)
      return expired.length
    },
  }
}
