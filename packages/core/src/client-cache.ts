/** A cache of client records for some seconds: nearly every request reads one, and they rarely change. */

import type { Client, ClientStore } from './storage.js'

/** Records of one realm; and as many ids that name no client. */
const MAX_CLIENTS = 1000

interface ClientCacheEntry {
  read_at: number
  client: Promise<Client | null>
}

export interface CachedClients extends ClientStore {
  /** Reads the record from storage, for a caller that replaces it. */
  findStored(client_id: string): Promise<Client | null>
}

export interface ClientCacheOptions {
  /** Until a change made by another server takes effect here; 0 reads each time. A change made here takes effect at once. */
  seconds: number
  /** Epoch seconds. */
  now(): number
}

/**
 * Keeps records that were read, and also ids that name no client, so that the duration of a look-up does not tell which
 * clients exist. A client that was never used is not found after its `expires_at`, even before it is purged.
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

  /** Forgets the record before the change, and again after it for a reader that has read the old record meanwhile. */
  async function changing<T>(client_id: string, change: () => Promise<T>): Promise<T> {
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
    create: (client) => changing(client.client_id, () => clients.create(client)),
    update: (client) => changing(client.client_id, () => clients.update(client)),
    setSecret: (client_id, hash) => changing(client_id, () => clients.setSecret(client_id, hash)),
    keep: (client_id) => changing(client_id, () => clients.keep(client_id)),
    revoke: (client_id, at) => changing(client_id, () => clients.revoke(client_id, at)),
    list: (page) => clients.list(page),
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
