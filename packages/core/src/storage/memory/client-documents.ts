/** The documents of clients whose id is a URL, of one realm, in memory. */

import type { ClientDocument, ClientDocumentStore } from '../storage.js'
import { copied, copyOf, firstOf, type Purgeable } from './maps.js'

export function clientDocumentStore(): ClientDocumentStore & Purgeable {
  const documents = new Map<string, ClientDocument>()
  return {
    find: async (client_id) => copyOf(documents.get(client_id)),
    async put(document) {
      const stored = documents.get(document.client_id)
      if (stored && stored.fetched_at > document.fetched_at) return
      documents.set(document.client_id, copied(document))
    },
    async list({ after, limit }) {
      const listed = [...documents.values()].filter(
        ({ client_id }) => after === undefined || client_id > after,
      )
      return copied(listed.sort((a, b) => (a.client_id < b.client_id ? -1 : 1)).slice(0, limit))
    },
    delete: async (client_id) => documents.delete(client_id),
    purge(now) {
      const expired = firstOf(documents.values(), ({ expires_at }) => expires_at <= now)
      for (const { client_id } of expired) documents.delete(client_id)
      return expired.length
    },
  }
}
