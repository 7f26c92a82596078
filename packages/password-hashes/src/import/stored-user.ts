/** A user of the file beside the stored one. */

import { isDeepStrictEqual } from 'node:util'
import type { FactorStore, User } from '@ostiary/identity'
import { isOwnHash } from '../passwords.js'
import type { ImportTarget, UserLine } from './target.js'

/** `new`: no user has the username or the sub. `known`: the names of the fields that differ, none when it is identical. */
export type Found =
  | { is: 'new' }
  | { is: 'known'; stored: User; fields: string[] }
  | { is: 'refused'; reason: string }

/** Looks for the user of a line. */
export async function findUser(
  line: UserLine,
  { users, factors, clients, refusal }: ImportTarget,
): Promise<Found> {
  const reason = refusal(line)
  if (reason !== null) return { is: 'refused', reason }
  const { username_key, sub } = line
  const [byName, bySub, client] = await Promise.all([
    users.findByUsername(username_key),
    sub === null ? null : users.find(sub),
    sub === null ? null : clients.find(sub),
  ])
  if (byName !== null && sub !== null && byName.sub !== sub)
    return {
      is: 'refused',
      reason: `the user exists with the sub ${JSON.stringify(byName.sub)}, and a sub is never reassigned: leave sub out, or take another username`,
    }
  const stored = bySub ?? byName
  if (stored !== null) return { is: 'known', stored, fields: await differingFields(line, stored, factors) }
  if (client === null) return { is: 'new' }
  return {
    is: 'refused',
    reason: `sub: ${JSON.stringify(sub)} is the client_id of a client; take another one`,
  }
}

/** The record with what the line has and the stored one has not. What the line does not have stays. */
export function changedFields(line: UserLine, stored: User, now: number): Partial<User> {
  const { username, username_key, claims, attributes, groups, password_hash } = line
  return {
    ...(stored.username !== username && { username, username_key }),
    claims: { ...stored.claims, ...claims },
    ...(attributes !== null && { attributes }),
    ...(groups !== null && { groups }),
    ...(takesHash(line, stored) && { password_hash }),
    // A user who was disabled here stays so.
    ...(line.disabled && stored.disabled_at === null && { disabled_at: now }),
  }
}

/**
 * A password that was set here stays, and so does a hash that the first sign-in has replaced. A user who has changed something, and has no
 * password, has removed it.
 */
function takesHash({ password_hash }: UserLine, stored: User): boolean {
  if (password_hash === null || password_hash === stored.password_hash) return false
  return stored.password_hash === null ? stored.credential_version === 0 : !isOwnHash(stored.password_hash)
}

/** Apps are for users who have changed nothing here yet: a user does not get a removed app again. */
export async function takesApps(
  { totp }: UserLine,
  { sub, credential_version }: User,
  factors: FactorStore,
): Promise<boolean> {
  return totp.length > 0 && credential_version === 0 && (await factors.list(sub)).length === 0
}

async function differingFields(line: UserLine, stored: User, factors: FactorStore): Promise<string[]> {
  const { claims, disabled_at, username_key: _, ...others } = changedFields(line, stored, 0)
  const differs = (name: string, value: unknown, other: unknown): string[] =>
    isDeepStrictEqual(value, other) ? [] : [name]
  return [
    ...Object.entries(claims ?? {}).flatMap(([name, value]) => differs(name, value, stored.claims[name])),
    ...Object.entries(others).flatMap(([name, value]) => differs(name, value, stored[name as keyof User])),
    ...(disabled_at === undefined ? [] : ['disabled']),
    ...((await takesApps(line, stored, factors)) ? ['totp'] : []),
  ]
}
