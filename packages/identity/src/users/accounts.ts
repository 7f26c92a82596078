import type { Accounts } from '@ostiary/core'
import type { Users } from './user-store.js'

/** The users as the provider's accounts. A disabled user is not found. */
export function createAccounts(users: Users): Accounts {
  return {
    async find(sub, realm, record) {
      const user = await users(realm.id).find(sub, record)
      if (!user || user.disabled_at !== null) return null
      const { username, updated_at, claims, groups } = user
      return {
        sub: user.sub,
        claims: { preferred_username: username, updated_at, ...claims, sub: user.sub },
        attributes: { ...user.attributes, ...(groups && { groups }) },
      }
    },
  }
}
