/** Clients are read by nearly every request and change seldom: each server keeps those it read, for seconds. */

import type { Client, ClientStore } from './storage.js'

/** Records of one realm. */
const KEEP = 1000

interface Entry {
  read_at: number
  client: Promise<Client | null>
}

export interface CachedClients extends ClientStore {
  /** As it is stored now: for who is about to replace it. */
  findStored(client_id: string): Promise<Client | null>
}

export interface ClientCacheOptions {
  /** Until a change that another server made counts here; 0 reads each time. A change made here counts at once. */
  seconds: number
  /** Epoch seconds. */
  now(): number
}

/** Only clients that exist are kept: a new one is known everywhere at once, and unknown names fill nothing. */
export function cachedClients(clients: ClientStore, { seconds, now }: ClientCacheOptions): CachedClients {
  const findStored = (client_id: string) => clients.find(client_id)
  if (seconds === 0) return { ...clients, findStored }
  const entries = new Map<string, Entry>()

  function read(client_id: string): Promise<Client | null> {
    const entry: Entry = { read_at: now(), client: clients.find(client_id).then(frozen) }
    const drop = () => entries.get(client_id) === entry && entries.delete(client_id)
    entries.delete(client_id)
    entries.set(client_id, entry)
    const oldest = entries.keys().next().value
    if (entries.size > KEEP && oldest !== undefined) entries.delete(oldest)
    entry.client.then((client) => client === null && drop(), drop)
    return entry.client
  }

  /** Before, so that nobody reads the old record meanwhile and keeps it; and after, should somebody have done so. */
  async function changing<T>(client_id: string, change: () => Promise<T>): Promise<T> {
    entries.delete(client_id)
    return change().finally(() => entries.delete(client_id))
  }

  return {
    findStored,
    find(client_id) {
      const known = entries.get(client_id)
      const age = known ? now() - known.read_at : seconds
      return known && age >= 0 && age < seconds ? known.client : read(client_id)
    },
    create: (client) => changing(client.client_id, () => clients.create(client)),
    update: (client) => changing(client.client_id, () => clients.update(client)),
    revoke: (client_id, at) => changing(client_id, () => clients.revoke(client_id, at)),
    list: (page) => clients.list(page),
  }
}

/** Many requests share the record. */
function frozen(client: Client | null): Client | null {
  for (const value of Object.values(client ?? {})) Object.freeze(value)
  return Object.freeze(client)
}
