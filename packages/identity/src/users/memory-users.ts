/** A user store in memory: the reference for adapters. */

import { copied } from '@ostiary/core/memory'
import type { User, UserStore, Users } from './user-store.js'

/** Users in the memory of this process, for tests and demos. */
export function memoryUsers(): Users {
  const realms = new Map<string, UserStore>()
  return (realm) => {
    const store = realms.get(realm) ?? memoryUserStore()
    realms.set(realm, store)
    return store
  }
}

function memoryUserStore(): UserStore {
  const bySub = new Map<string, User>()
  const byKey = new Map<string, User>()
  const deleted_subs = new Set<string>()
  // Copied on reads and writes: a caller that changes its record must not change the stored one.
  const put = (user: User) => {
    const stored = copied(user)
    bySub.set(user.sub, stored)
    byKey.set(user.username_key, stored)
    return true
  }
  const copy = (user: User | undefined) => (user ? copied(user) : null)
  return {
    find: async (sub) => copy(bySub.get(sub)),
    findByUsername: async (username_key) => copy(byKey.get(username_key)),
    async create(user) {
      const taken = bySub.has(user.sub) || byKey.has(user.username_key) || deleted_subs.has(user.sub)
      return !taken && put(user)
    },
    async update(user, expected_updated_at) {
      const stored = bySub.get(user.sub)
      const owner = byKey.get(user.username_key)
      if (stored?.updated_at !== expected_updated_at || (owner && owner !== stored)) return false
      byKey.delete(stored.username_key)
      return put(user)
    },
    async delete(sub) {
      const stored = bySub.get(sub)
      if (!stored) return false
      byKey.delete(stored.username_key)
      bySub.delete(sub)
      deleted_subs.add(sub)
      return true
    },
    list: async ({ after = '', limit }) =>
      [...bySub.values()]
        .filter(({ sub }) => sub > after)
        .sort((a, b) => (a.sub < b.sub ? -1 : 1))
        .slice(0, limit)
        .map((user) => copied(user)),
  }
}
