/** The realms in the table of `@ostiary/storage-postgres`. */

import {
  type DeletedQuestion,
  MAX_REALMS,
  type RealmRecord,
  type RealmStore,
  type RealmVersion,
} from './realm-store.js'

type Param = string | number | boolean | null

interface Queries {
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

/** What the statements need of an executor of `@ostiary/storage-postgres`. */
export interface RealmDatabase extends Queries {
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
}

type StoredRealm = Omit<RealmRecord, 'settings'> & { settings: string }

const COLUMNS = 'realm as id, settings, created_at, updated_at, disabled_at, version'
/** Others may read meanwhile, and wait with their changes: so the changes are numbered in the order in which they are committed. */
const LOCK = 'lock table oidc_realms in share row exclusive mode'
const NEXT_CHANGE = '(select coalesce(max(change), 0) + 1 from oidc_realms)'
const COUNT = 'select count(*) as count from oidc_realms where disabled_at is null'
const CREATE = `
  insert into oidc_realms (realm, settings, created_at, updated_at, version, change)
  values ($1, $2, $3, $3, 1, ${NEXT_CHANGE})
  returning ${COLUMNS}`
const LIVE = 'realm = $1 and version = $2 and disabled_at is null'
const REPLACE = `
  update oidc_realms set settings = $4, updated_at = $3, version = version + 1, change = ${NEXT_CHANGE}
  where ${LIVE} returning ${COLUMNS}`
const REMOVE = `
  update oidc_realms set disabled_at = $3, updated_at = $3, version = version + 1, change = ${NEXT_CHANGE}
  where ${LIVE} returning ${COLUMNS}`
const LIST = `
  select ${COLUMNS} from oidc_realms where realm > $1 and disabled_at is null order by realm limit $2`
const DELETED = `
  select ${COLUMNS} from oidc_realms where disabled_at < $1 and purged_at is null
  order by disabled_at, realm limit $2`
const PURGED = `
  update oidc_realms set settings = '{}', purged_at = $2 where realm = $1 and disabled_at is not null`
const LAST = 'select coalesce(max(change), 0) as last from oidc_realms'
const CHANGED = 'select realm as id, version, disabled_at, change from oidc_realms where change > $1'

/** A store in a database that has the tables of `@ostiary/storage-postgres`. */
export function databaseRealms(db: RealmDatabase): RealmStore {
  const one = async (queries: Queries, text: string, params: readonly Param[]) => {
    const [row] = await queries.query<StoredRealm>(text, params)
    return row ? recordOf(row) : null
  }
  const changed = (text: string, params: readonly Param[]) => inOrder(db, (tx) => one(tx, text, params))
  const find = (queries: Queries, id: string) =>
    one(queries, `select ${COLUMNS} from oidc_realms where realm = $1`, [id])
  return {
    find: (id) => find(db, id),
    list: async ({ limit, after = '' }) => (await db.query<StoredRealm>(LIST, [after, limit])).map(recordOf),
    create: ({ id, settings }, now) =>
      inOrder(db, async (tx) => {
        if ((await find(tx, id)) !== null) return 'exists'
        const [{ count = 0 } = {}] = await tx.query<{ count: number }>(COUNT)
        if (count >= MAX_REALMS) return 'full'
        return (await one(tx, CREATE, [id, JSON.stringify(settings), now])) ?? 'exists'
      }),
    replace: (id, { settings, version }, now) =>
      changed(REPLACE, [id, version, now, JSON.stringify(settings)]),
    remove: (id, { version }, now) => changed(REMOVE, [id, version, now]),
    deleted: async ({ before, limit }: DeletedQuestion) =>
      (await db.query<StoredRealm>(DELETED, [before, limit])).map(recordOf),
    purged: async (id, now) => void (await db.query(PURGED, [id, now])),
    changes: (after) => changesAfter(db, after),
  }
}

/** One change after the other. */
const inOrder = <T>(db: RealmDatabase, change: (tx: Queries) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(LOCK)
    return change(tx)
  })

async function changesAfter(db: Queries, after: number): ReturnType<RealmStore['changes']> {
  const [{ last = 0 } = {}] = await db.query<{ last: number }>(LAST)
  if (last === after) return { last, realms: [] }
  const rows = await db.query<RealmVersion & { change: number }>(CHANGED, [after > last ? 0 : after])
  // A change that was committed between the two statements is among the rows.
  return {
    last: Math.max(last, ...rows.map(({ change }) => change)),
    realms: rows.map(({ id, version, disabled_at }) => ({ id, version, disabled_at })),
  }
}

const recordOf = ({ settings, ...row }: StoredRealm): RealmRecord => ({
  ...row,
  settings: JSON.parse(settings),
})
