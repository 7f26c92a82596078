/** Clients are read by nearly every request and change seldom: each server keeps those it read, for seconds. */

import type { Client, ClientStore } from './storage.js'

/** Records of one realm, and ids of none. */
const MAX_CLIENTS = 1000

interface ClientCacheEntry {
  read_at: number
  client: Promise<Client | null>
}

export interface CachedClients extends ClientStore {
  /** As it is stored now: for a caller that replaces it. */
  findStored(client_id: string): Promise<Client | null>
}

export interface ClientCacheOptions {
  /** Until a change that another server made counts here; 0 reads each time. A change made here counts at once. */
  seconds: number
  /** Epoch seconds. */
  now(): number
}

/**
 * Clients that were read, and ids that name none: a look-up takes as long for the one as for the other. A client that
 * was never used is not found after its `expires_at`, whether it is purged yet or not.
 */
export function cachedClients(clients: ClientStore, { seconds, now }: ClientCacheOptions): CachedClients {
  const found = rememberedClients()
  const missing = rememberedClients()

  const findStored = async (client_id: string) => {
    const client = await clients.find(client_id)
    return client !== null && hasEnded(client, now()) ? null : client
  }

  function known(client_id: string): ClientCacheEntry | undefined {
    const entry = found.get(client_id) ?? missing.get(client_id)
    const age = entry ? now() - entry.read_at : seconds
    return age >= 0 && age < seconds ? entry : undefined
  }

  function forget(client_id: string): void {
    found.delete(client_id)
    missing.delete(client_id)
  }

  function read(client_id: string): Promise<Client | null> {
    const entry: ClientCacheEntry = { read_at: now(), client: clients.find(client_id).then(frozen) }
    forget(client_id)
    found.set(client_id, entry)
    const isCurrent = () => found.get(client_id) === entry
    const settled = (client: Client | null) => {
      if (client !== null || !isCurrent()) return
      found.delete(client_id)
      missing.set(client_id, entry)
    }
    entry.client.then(settled, () => isCurrent() && found.delete(client_id))
    return entry.client
  }

  /** Before the change, so that no reader keeps the old record meanwhile; and after it, for those that did. */
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

/** At most MAX_CLIENTS entries, the oldest forgotten first: ids that clients make up cannot push out those that exist. */
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

/** Many requests share the record. */
function frozen(client: Client | null): Client | null {
  for (const value of Object.values(client ?? {})) Object.freeze(value)
  return Object.freeze(client)
}
