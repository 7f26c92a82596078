/** Stores whose writes are only planned: what reads after them sees what would be. */

import type { User, UserStore } from '@ostiary/identity'
import { rowsAfter } from '../../roles/memory-store.js'
import { idsOf, isSameRole, type RoleRow, type RoleStore } from '../../roles/role-store.js'
import type { Plan } from './plan.js'

export function plannedUsers(real: UserStore, plan: Plan): UserStore {
  /** Null for a user who would be gone. */
  const changed = new Map<string, User | null>()
  const find = async (sub: string): Promise<User | null> => {
    const user = changed.get(sub)
    return user === undefined ? real.find(sub) : user
  }
  const findByUsername = async (key: string): Promise<User | null> => {
    const stored = await real.findByUsername(key)
    if (stored !== null && !changed.has(stored.sub)) return stored
    return [...changed.values()].find((user) => user?.username_key === key) ?? null
  }
  const set = async (user: User): Promise<true> => {
    plan.set(user.sub, await find(user.sub), user)
    changed.set(user.sub, user)
    return true
  }
  return {
    find,
    findByUsername,
    list: real.list,
    async create(user) {
      const is_taken = (await find(user.sub)) !== null || (await findByUsername(user.username_key)) !== null
      return !is_taken && set(user)
    },
    async update(user, expected_updated_at) {
      const stored = await find(user.sub)
      const owner = await findByUsername(user.username_key)
      const is_free = owner === null || owner.sub === user.sub
      return stored?.updated_at === expected_updated_at && is_free && set(user)
    },
    async delete(sub) {
      const stored = await find(sub)
      if (stored === null) return false
      plan.set(sub, stored, null)
      changed.set(sub, null)
      return true
    },
  }
}

const shown = (row: RoleRow | undefined): object | null =>
  row ? { ...idsOf(row.holder), role: row.role, realms: row.realms } : null

export function plannedRoles(real: RoleStore, plan: Plan): RoleStore {
  let changed: RoleRow[] | null = null
  const list = async (realm: string) => changed ?? (await real.list(realm))
  return {
    list,
    of: async (realm, holder) =>
      changed ? changed.filter((row) => row.holder === holder) : real.of(realm, holder),
    async change(realm, decide) {
      const rows = await list(realm)
      const change = decide(rows)
      if (change === null) return null
      const named = 'put' in change ? change.put : change.remove
      const after = rowsAfter(rows, change)
      const rowIn = (all: readonly RoleRow[]) => shown(all.find((row) => isSameRole(row, named)))
      plan.set('role', rowIn(rows), rowIn(after))
      changed = after
      return change
    },
  }
}
