/** The clients of one realm, in memory. */

import { type Client, type ClientStore, isTombstone, requireStorableClient } from '../storage.js'
import { copied, copyOf, firstOf, type Purgeable } from './maps.js'

export function clientStore(): ClientStore & Purgeable {
  const clients = new Map<string, Client>()
  return {
    find: async (client_id) => copyOf(clients.get(client_id)),
    async create(client) {
      requireStorableClient(client)
      if (clients.has(client.client_id)) return false
      clients.set(client.client_id, copied(client))
      return true
    },
    async update(client, expected) {
      requireStorableClient(client)
      const stored = clients.get(client.client_id)
      if (!stored || (expected !== undefined && !sameRecord(stored, expected))) return false
      const { revoked_at, expires_at, not_before } = stored
      clients.set(client.client_id, { ...copied(client), revoked_at, expires_at, not_before })
      return true
    },
    async setSecret(client_id, client_secret_hash) {
      const client = clients.get(client_id)
      if (!client || client.revoked_at !== null) return false
      client.client_secret_hash = client_secret_hash
      return true
    },
    async keep(client_id) {
      const client = clients.get(client_id)
      if (!client || client.revoked_at !== null) return false
      client.expires_at = null
      return true
    },
    async revoke(client_id, now) {
      const client = clients.get(client_id)
      if (!client || client.revoked_at !== null) return false
      client.revoked_at = now
      return true
    },
    async list({ after, limit }) {
      const listed = [...clients.values()].filter((client) => !isTombstone(client))
      return listed
        .filter(({ client_id }) => after === undefined || client_id > after)
        .sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
        .slice(0, limit)
        .map((client) => copied(client))
    },
    async delete(tombstone) {
      const stored = clients.get(tombstone.client_id)
      if (!stored || isTombstone(stored)) return false
      clients.set(tombstone.client_id, copied(tombstone))
      return true
    },
    deleted: async (now, limit) =>
      copied(firstOf(clients.values(), (client) => isTombstone(client) && isOver(client, now), limit)),
    async forget(client_id, now) {
      const stored = clients.get(client_id)
      if (stored && isTombstone(stored) && isOver(stored, now)) clients.delete(client_id)
    },
    purge(now) {
      const expired = firstOf(clients.values(), (client) => !isTombstone(client) && isOver(client, now))
      for (const { client_id } of expired) clients.delete(client_id)
      return expired.length
    },
  }
}

const isOver = ({ expires_at }: Client, now: number): boolean => expires_at !== null && expires_at <= now

/** Whether the fields of both records have the same values, in any order. */
function sameRecord(one: Client, other: Client): boolean {
  const text = (client: Client) => JSON.stringify(Object.entries(client).sort(([a], [b]) => (a < b ? -1 : 1)))
  return text(one) === text(other)
}
