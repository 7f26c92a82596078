/** The background work of all realms, in memory. */

import type { BackgroundStorage, RealmStorage } from '../storage.js'

/** The stores of a realm, and what they do not say by themselves: `claim` would change the deliveries. */
export interface MemoryRealm {
  stores: RealmStorage
  /** Whether a delivery is due. */
  delivers(now: number): boolean
}

export function background(realms: ReadonlyMap<string, MemoryRealm>): BackgroundStorage {
  const idsWhere = async (isDue: (realm: MemoryRealm) => Promise<boolean>): Promise<string[]> => {
    const ids: string[] = []
    for (const [id, realm] of realms) if (await isDue(realm)) ids.push(id)
    return ids
  }
  return {
    due: async ({ now, keys_before }) => ({
      sessions: await idsWhere(async ({ stores }) => (await stores.sessions.expired(now, 1)).length > 0),
      deliveries: await idsWhere(async ({ delivers }) => delivers(now)),
      deletions: await idsWhere(async ({ stores }) => (await stores.clients.deleted(now, 1)).length > 0),
      keys: await idsWhere(async ({ stores }) => {
        const keys = await stores.keys.list()
        return keys.some(
          (key, i) =>
            key.signs_from <= keys_before && keys.slice(0, i).some((earlier) => earlier.alg === key.alg),
        )
      }),
      expired: true,
    }),
    async purge(now) {
      let deleted = 0
      for (const { stores } of realms.values()) deleted += await stores.purge(now)
      return deleted
    },
  }
}
