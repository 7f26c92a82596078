/** The consents of one realm, in memory. */

import type { Consent, ConsentStore } from '../storage.js'
import { copied, copyOf, nameOf } from './maps.js'

export function consentStore(): ConsentStore {
  const users = new Map<string, Map<string, Consent>>()
  const rowsOf = (sub: string) => users.get(sub) ?? new Map<string, Consent>()
  const deleteRows = (sub: string, isDeleted: (row: Consent) => boolean): number => {
    const rows = rowsOf(sub)
    const names = [...rows].flatMap(([name, row]) => (isDeleted(row) ? name : []))
    for (const name of names) rows.delete(name)
    if (rows.size === 0) users.delete(sub)
    return names.length
  }
  return {
    async find(sub, client_id, resources) {
      const rows = rowsOf(sub)
      return [...new Set(resources)].flatMap(
        (resource) => copyOf(rows.get(nameOf(client_id, resource))) ?? [],
      )
    },
    async merge({ sub, client_id, approved }, now) {
      const rows = rowsOf(sub)
      users.set(sub, rows)
      for (const { resource, scopes } of approved) {
        const row = rows.get(nameOf(client_id, resource))
        const kept = row && row.revoked_at === null ? row.scopes : []
        rows.set(nameOf(client_id, resource), {
          sub,
          client_id,
          resource,
          scopes: [...new Set([...kept, ...scopes])],
          created_at: row?.created_at ?? now,
          updated_at: now,
          revoked_at: null,
        })
      }
    },
    async revoke({ sub, client_id, resource }, now) {
      const revoked = [...rowsOf(sub).values()].filter(
        (row) =>
          row.client_id === client_id &&
          (resource === undefined || row.resource === resource) &&
          row.revoked_at === null,
      )
      for (const row of revoked) row.revoked_at = now
      return revoked.length
    },
    list: async (sub) => copied([...rowsOf(sub).values()]),
    delete: async ({ sub, client_id }) =>
      deleteRows(sub, (row) => client_id === undefined || row.client_id === client_id),
    async deleteOfClient({ client_id, before }) {
      const isSwept = (row: Consent) => row.client_id === client_id && row.updated_at < before
      const counts = [...users.keys()].map((sub) => deleteRows(sub, isSwept))
      return { count: counts.reduce((sum, count) => sum + count, 0), next: null }
    },
  }
}
