import type { User } from './user-store.js'

/**
 * The record of a user after a change. `updated_at` grows, so that an update of an outdated copy is refused. `credential_version` grows
 * with a new password, another email address, and when the user is disabled or enabled: a sign-in, a link or a recovery that has begun before
 * does not end well.
 */
export function changedUser(stored: User, changes: Partial<User>, now: number): User {
  const changed = { ...stored, ...changes }
  const is_other =
    changed.password_hash !== stored.password_hash ||
    changed.claims.email !== stored.claims.email ||
    changed.disabled_at !== stored.disabled_at
  return {
    ...changed,
    updated_at: Math.max(now, stored.updated_at + 1),
    credential_version: stored.credential_version + (is_other ? 1 : 0),
  }
}
