import { isSameRole, type RoleChange, type RoleRow, type RoleStore } from './role-store.js'

/** A store in memory, for tests and servers without a database. */
export function memoryRoleStore(): RoleStore {
  const realms = new Map<string, RoleRow[]>()
  const rowsOf = (realm: string): RoleRow[] => realms.get(realm) ?? []
  return {
    of: async (realm, holder) => rowsOf(realm).filter((row) => row.holder === holder),
    list: async (realm) => [...rowsOf(realm)],
    async change(realm, decide) {
      const rows = rowsOf(realm)
      const change = decide(rows)
      if (change === null) return null
      realms.set(realm, rowsAfter(rows, change))
      return change
    },
  }
}

/** The rows with a change. */
export function rowsAfter(rows: readonly RoleRow[], change: RoleChange): RoleRow[] {
  const changed = 'put' in change ? change.put : change.remove
  const others = rows.filter((row) => !isSameRole(row, changed))
  const added = 'put' in change ? [change.put] : []
  return [...others, ...added].sort(byHolder)
}

/** By bytes, as in a database. */
function byHolder(one: RoleRow, other: RoleRow): number {
  const [a, b] = [`${one.holder}\0${one.role}`, `${other.holder}\0${other.role}`]
  return a < b ? -1 : 1
}
