/**
 * `tags-of-grants`, `tags-of-sessions` and `tags-of-revoked` are sets of a realm: the tags whose people have, or had, such records.
 * Background work goes through them. A tag is added before the first record of its people, so that a process that dies in between leaves
 * a tag too many, and never a record that background work does not see. Only the write of a record adds a tag, never that of an id that
 * a client or a browser has sent.
 *
 * Redis can lose a set, or its last tags in a failover, and keep the records, while processes remember that they have added the tags.
 * So each call of `list` also looks for records at some of the other tags: after 128 calls it has looked at all of them.
 */

import { BUCKETS, bucketByTag, tagOfBucket } from '@ostiary/core'
import { type Root, type Roots, rootsOf } from './keys.js'
import type { RedisConnection } from './script.js'

/** The kinds of records of people that background work has to find. */
export type TaggedKind = 'grants' | 'sessions' | 'revoked'

/** The index by end: each record of the kind is in it. */
export const byEndOf = (kind: TaggedKind, root: Root): string => `${root}${kind}-by-end`

/** The tags of one kind of record in one realm, as buckets. */
interface Tags {
  /** Adds the tag, unless this process has done so before: then Redis is not asked. */
  add(bucket: number): Promise<void>
  /** In order. Tags that the set has lost are added again. */
  list(): Promise<number[]>
  /** The bucket with which background work goes on. */
  position: number
}

/** The names of the keys of one realm, and the tags of its people. */
export interface RealmKeys extends Roots {
  tags: Readonly<Record<TaggedKind, Tags>>
}

/** Realms whose tags a process remembers, one bit for each tag. In a forgotten realm each tag is added once more. */
const MAX_REALMS = 10_000

/** The keys of a realm. The realms that were used last are remembered. */
export function realmKeys(redis: RedisConnection, prefix: string): (realm: string) => RealmKeys {
  const remembered = new Map<string, RealmKeys>()
  return (realm) => {
    const keys = remembered.get(realm) ?? newKeys(redis, rootsOf(prefix, realm))
    remembered.delete(realm)
    remembered.set(realm, keys)
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_REALMS && oldest !== undefined) remembered.delete(oldest)
    return keys
  }
}

function newKeys(redis: RedisConnection, roots: Roots): RealmKeys {
  const tagsOf = (kind: TaggedKind) => newTags(redis, roots, kind)
  return {
    ...roots,
    tags: { grants: tagsOf('grants'), sessions: tagsOf('sessions'), revoked: tagsOf('revoked') },
  }
}

/** Other tags at which one call of `list` looks. */
const LOOKED_AT = 32

function newTags(redis: RedisConnection, roots: Roots, kind: TaggedKind): Tags {
  const key = `${roots.ofRealm}tags-of-${kind}`
  const added = newBits()
  let next = 0
  const hasRecords = async (bucket: number): Promise<boolean> =>
    (await redis.exists(byEndOf(kind, roots.ofBucket(bucket)))) === 1
  /** Tags with records among the next few that are not in the set. One whose slot is away is looked at the next time. */
  const findLost = async (known: ReadonlySet<number>): Promise<number[]> => {
    const others = bucketsFrom(next, LOOKED_AT).filter((bucket) => !known.has(bucket))
    next = (next + LOOKED_AT) % BUCKETS
    const found = await Promise.allSettled(others.map(hasRecords))
    return others.filter((_, n) => found[n]?.status === 'fulfilled' && found[n].value)
  }
  return {
    position: 0,
    async add(bucket) {
      if (added.has(bucket)) return
      await redis.sadd(key, tagOfBucket(bucket))
      added.add(bucket)
    },
    async list() {
      const known = new Set((await redis.smembers(key)).map(bucketByTag))
      const lost = await findLost(known)
      if (lost.length > 0) await redis.sadd(key, ...lost.map(tagOfBucket))
      return [...known, ...lost].sort((a, b) => a - b)
    },
  }
}

/** So many buckets, in order. */
export const bucketsFrom = (first: number, count: number): number[] =>
  Array.from({ length: Math.min(count, BUCKETS - first) }, (_, n) => first + n)

const BITS_OF_BYTE = 8

/** A set of buckets in 512 bytes. */
function newBits(): Pick<Set<number>, 'has'> & { add(bucket: number): void } {
  const bytes = new Uint8Array(BUCKETS / BITS_OF_BYTE)
  const byteOf = (bucket: number) => Math.floor(bucket / BITS_OF_BYTE)
  const bitOf = (bucket: number) => 1 << (bucket % BITS_OF_BYTE)
  return {
    has: (bucket) => ((bytes[byteOf(bucket)] ?? 0) & bitOf(bucket)) !== 0,
    add(bucket) {
      bytes[byteOf(bucket)] = (bytes[byteOf(bucket)] ?? 0) | bitOf(bucket)
    },
  }
}
