import { MAX_REALMS, type RealmRecord, type RealmStore } from './realm-store.js'

interface StoredRealm extends RealmRecord {
  /** The number of its last change. */
  change: number
  purged: boolean
}

/** A store in memory, for tests. */
export function memoryRealms(): RealmStore {
  const realms = new Map<string, StoredRealm>()
  let last = 0
  const put = (realm: RealmRecord): RealmRecord => {
    last += 1
    realms.set(realm.id, { ...structuredClone(realm), change: last, purged: false })
    return structuredClone(realm)
  }
  /** The live realm with this version. */
  const current = (id: string, version: number): RealmRecord | null => {
    const realm = realms.get(id)
    return realm && realm.disabled_at === null && realm.version === version ? recordOf(realm) : null
  }
  const live = () => [...realms.values()].filter(({ disabled_at }) => disabled_at === null)
  return {
    async find(id) {
      const realm = realms.get(id)
      return realm ? recordOf(realm) : null
    },
    list: async ({ limit, after = '' }) =>
      live()
        .filter(({ id }) => id > after)
        .sort(byId)
        .slice(0, limit)
        .map(recordOf),
    async create({ id, settings }, now) {
      if (realms.has(id)) return 'exists'
      if (realms.size >= MAX_REALMS && live().length >= MAX_REALMS) return 'full'
      return put({ id, settings, created_at: now, updated_at: now, disabled_at: null, version: 1 })
    },
    async replace(id, { settings, version }, now) {
      const realm = current(id, version)
      return realm && put({ ...realm, settings, updated_at: now, version: version + 1 })
    },
    async remove(id, { version }, now) {
      const realm = current(id, version)
      return realm && put({ ...realm, updated_at: now, disabled_at: now, version: version + 1 })
    },
    deleted: async ({ before, limit }) =>
      [...realms.values()]
        .filter(({ disabled_at, purged }) => disabled_at !== null && disabled_at < before && !purged)
        .sort((one, other) => (one.disabled_at ?? 0) - (other.disabled_at ?? 0) || byId(one, other))
        .slice(0, limit)
        .map(recordOf),
    async purged(id) {
      const realm = realms.get(id)
      if (realm && realm.disabled_at !== null) realms.set(id, { ...realm, settings: {}, purged: true })
    },
    changes: async (after) => ({
      last,
      realms: [...realms.values()]
        .filter(({ change }) => after > last || change > after)
        .map(({ id, version, disabled_at }) => ({ id, version, disabled_at })),
    }),
  }
}

const recordOf = ({ change: _change, purged: _purged, ...realm }: StoredRealm): RealmRecord =>
  structuredClone(realm)

/** By bytes, as in a database: an id has no other characters than those of ASCII. */
const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)
