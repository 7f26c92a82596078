/** The roles in the table of `@ostiary/storage-postgres`. */

import type { RoleChange, RoleRow, RoleStore } from './role-store.js'

type Param = string | number | boolean | null

interface Queries {
  query<T>(text: string, params?: readonly Param[]): Promise<T[]>
}

/** What the statements need of an executor of `@ostiary/storage-postgres`. */
export interface RoleDatabase extends Queries {
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>
}

type StoredRow = Omit<RoleRow, 'realms'> & { realms: string }

const ROWS = 'select holder, role, realms from oidc_roles where realm = $1'
/** Others may read meanwhile, and wait with their changes. */
const LOCK = 'lock table oidc_roles in share row exclusive mode'
const PUT = `
  insert into oidc_roles (realm, holder, role, realms) values ($1, $2, $3, $4)
  on conflict (realm, holder, role) do update set realms = excluded.realms`
const REMOVE = 'delete from oidc_roles where realm = $1 and holder = $2 and role = $3'

/** A store in a database that has the tables of `@ostiary/storage-postgres`. */
export function databaseRoleStore(db: RoleDatabase): RoleStore {
  const list = async (queries: Queries, realm: string) =>
    (await queries.query<StoredRow>(`${ROWS} order by holder, role`, [realm])).map(rowOf)
  return {
    of: async (realm, holder) =>
      (await db.query<StoredRow>(`${ROWS} and holder = $2 order by role`, [realm, holder])).map(rowOf),
    list: (realm) => list(db, realm),
    change: (realm, decide) =>
      db.transaction(async (tx) => {
        await tx.query(LOCK)
        const change = decide(await list(tx, realm))
        if (change !== null) await make(tx, realm, change)
        return change
      }),
  }
}

const rowOf = ({ realms, ...row }: StoredRow): RoleRow => ({ ...row, realms: JSON.parse(realms) })

async function make(tx: Queries, realm: string, change: RoleChange): Promise<void> {
  if ('put' in change) {
    const { holder, role, realms } = change.put
    await tx.query(PUT, [realm, holder, role, JSON.stringify(realms)])
  } else await tx.query(REMOVE, [realm, change.remove.holder, change.remove.role])
}
