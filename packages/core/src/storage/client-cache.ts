/** Caches client records for some seconds: nearly every request reads one, and they rarely change. */

import type { Client, ClientStore } from './storage.js'

/** Records of one realm, and separately, unknown client ids of one realm. */
const MAX_CLIENTS = 1000

interface ClientCacheEntry {
  read_at: number
  client: Promise<Client | null>
}

export interface CachedClients extends ClientStore {
  /** For how long another server may still use the record that a change here has replaced. */
  seconds: number
  /** Reads the record from storage, for a caller that replaces it. */
  findStored(client_id: string): Promise<Client | null>
}

export interface ClientCacheOptions {
  /** How long a record is kept; 0 disables the cache. A change by another server takes effect here after at most this time. */
  seconds: number
  /** Epoch seconds. */
  now(): number
}

/**
 * Keeps the records that were read, and also unknown ids, so that the duration of a look-up does not tell which clients
 * exist. A client that was never used is not found after its `expires_at`, even before it is purged.
 */
export function cachedClients(clients: ClientStore, { seconds, now }: ClientCacheOptions): CachedClients {
  const existing = rememberedClients()
  /** Kept apart, so that invented ids cannot displace the records of clients. */
  const missing = rememberedClients()

  const findStored = async (client_id: string) => {
    const client = await clients.find(client_id)
    return client !== null && hasEnded(client, now()) ? null : client
  }

  function known(client_id: string): ClientCacheEntry | undefined {
    const entry = existing.get(client_id) ?? missing.get(client_id)
    const age = entry ? now() - entry.read_at : seconds
    return age >= 0 && age < seconds ? entry : undefined
  }

  function forget(client_id: string): void {
    existing.delete(client_id)
    missing.delete(client_id)
  }

  function read(client_id: string): Promise<Client | null> {
    const entry: ClientCacheEntry = { read_at: now(), client: clients.find(client_id).then(frozen) }
    forget(client_id)
    existing.set(client_id, entry)
    const isCurrent = () => existing.get(client_id) === entry
    const settled = (client: Client | null) => {
      if (client !== null || !isCurrent()) return
      existing.delete(client_id)
      missing.set(client_id, entry)
    }
    entry.client.then(settled, () => isCurrent() && existing.delete(client_id))
    return entry.client
  }

  /** Drops the record before the change, and again after it, since another request may have read the old one in between. */
  async function applyChange<T>(client_id: string, change: () => Promise<T>): Promise<T> {
    forget(client_id)
    return change().finally(() => forget(client_id))
  }

  return {
    findStored,
    async find(client_id) {
      if (seconds === 0) return findStored(client_id)
      const client = await (known(client_id)?.client ?? read(client_id))
      return client !== null && hasEnded(client, now()) ? null : client
    },
    create: (client) => applyChange(client.client_id, () => clients.create(client)),
    update: (client, expected) => applyChange(client.client_id, () => clients.update(client, expected)),
    setSecret: (client_id, hash) => applyChange(client_id, () => clients.setSecret(client_id, hash)),
    keep: (client_id) => applyChange(client_id, () => clients.keep(client_id)),
    revoke: (client_id, at) => applyChange(client_id, () => clients.revoke(client_id, at)),
    list: (page) => clients.list(page),
    delete: (tombstone) => applyChange(tombstone.client_id, () => clients.delete(tombstone)),
    deleted: (at, limit) => clients.deleted(at, limit),
    forget: (client_id, at) => applyChange(client_id, () => clients.forget(client_id, at)),
    seconds,
  }
}

const hasEnded = ({ expires_at }: Client, now: number): boolean => expires_at !== null && expires_at <= now

/** At most MAX_CLIENTS entries; the oldest is deleted first. */
function rememberedClients() {
  const entries = new Map<string, ClientCacheEntry>()
  return {
    get: (client_id: string) => entries.get(client_id),
    delete: (client_id: string) => entries.delete(client_id),
    set(client_id: string, entry: ClientCacheEntry): void {
      entries.delete(client_id)
      entries.set(client_id, entry)
      const oldest = entries.keys().next().value
      if (entries.size > MAX_CLIENTS && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** Frozen, because many requests share the record. */
function frozen(client: Client | null): Client | null {
  for (const value of Object.values(client ?? {})) Object.freeze(value)
  return Object.freeze(client)
}
