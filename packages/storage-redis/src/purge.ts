import type { Root } from './keys.js'
import type { RedisConnection } from './script.js'
import { byEndOf, type RealmKeys, type TaggedKind } from './tags.js'
import { walk } from './walk.js'

/** The most records that one script deletes: other commands wait for the script, about a millisecond. */
const BATCH_SIZE = 100
/** The most batches of one kind of record in one purge. */
const MAX_BATCHES = 10

/**
 * Deletes expired records in batches; returns how many.
 * @param deleteExpired Deletes at most `limit` records; returns how many.
 */
export async function inBatches(
  deleteExpired: (limit: number) => Promise<number>,
  most = MAX_BATCHES * BATCH_SIZE,
): Promise<number> {
  let deleted = 0
  while (deleted < most) {
    const limit = Math.min(BATCH_SIZE, most - deleted)
    const count = await deleteExpired(limit)
    deleted += count
    if (count < limit) break
  }
  return deleted
}

/** Deletes at most `limit` expired records of the people with one tag; returns how many. */
export type DeleteExpired = (root: Root, now: number, limit: number) => Promise<number>

/** Deletes expired records of all people; returns how many. */
export function purgePeople(
  redis: RedisConnection,
  realm: RealmKeys,
  { kind, deleteExpired, now }: { kind: TaggedKind; deleteExpired: DeleteExpired; now: number },
): Promise<number> {
  return walk(realm, kind, {
    limit: MAX_BATCHES * BATCH_SIZE,
    count: (root) => redis.zcount(byEndOf(kind, root), '-inf', now),
    work: (root, most) => inBatches((limit) => deleteExpired(root, now, limit), most),
  })
}
