import type { User, UserStore } from '@ostiary/identity'
import { MAX_GROUP_VALUES } from '../protocol/oidc.js'
import type { UpstreamAnswer } from '../protocol/trip.js'
import type { UpstreamSettings } from '../settings.js'

/** An attempt fails when the user is changed at the same time. */
const MAX_ATTEMPTS = 5

/** The groups of the map follow the claim; all others are the operator's. @returns The user as it is stored then. */
export async function withGroups(
  users: UserStore,
  user: User,
  { settings, answer, now }: { settings: UpstreamSettings; answer: UpstreamAnswer; now: number },
): Promise<User> {
  const map = settings.groups?.map
  const values = answer.groups
  // A claim that is absent, or too long, says nothing.
  if (map === undefined || values === null || values.length > MAX_GROUP_VALUES) return user
  const mapped = new Set(Object.values(map))
  const given = new Set(values.flatMap((value) => (Object.hasOwn(map, value) ? [map[value] ?? ''] : [])))
  let stored = user
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = stored.groups ?? []
    const kept = before.filter((group) => !mapped.has(group) || given.has(group))
    const groups = [...kept, ...[...given].filter((group) => !before.includes(group))]
    if (groups.length === before.length && kept.length === before.length) return stored
    const changed = { ...stored, groups, updated_at: Math.max(now, stored.updated_at + 1) }
    if (await users.update(changed, stored.updated_at)) return changed
    stored = (await users.find(user.sub)) ?? stored
  }
  return stored
}
