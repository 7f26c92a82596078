/** Background work, which concerns all people of a realm: it goes through their tags, at many at once. */

import { BUCKETS, type SweepStep } from '@ostiary/core'
import type { Root } from './keys.js'
import { bucketsFrom, type RealmKeys, type TaggedKind } from './tags.js'

/** Tags that are asked at once. */
const TAGS_AT_ONCE = 256

/** Work on one kind of record. */
export interface TagWork {
  /** The most records. */
  limit: number
  /** The most tags that are visited; absent: all. */
  most_tags?: number
  /** How many records of a tag there are to work on. */
  count(root: Root): Promise<number>
  /** Works on at most `limit` records of a tag; returns on how many. */
  work(root: Root, limit: number): Promise<number>
}

/**
 * Goes through the tags that have such records, once, or until it has worked on `limit` records. Returns on how many. Each call goes on
 * where the last one has ended, so that the work of one tag does not delay that of the others.
 *
 * While a master of a cluster is away, or a slot moves, some tags fail. The call ends there, and the next one begins behind them.
 * @throws The error of such a tag, if there was no other work.
 */
export async function walk({ ofBucket, tags }: RealmKeys, kind: TaggedKind, job: TagWork): Promise<number> {
  const set = tags[kind]
  const order = inTurn(await set.list(), set.position).slice(0, job.most_tags)
  const errors: unknown[] = []
  let done = 0
  let visited = 0
  while (visited < order.length && done < job.limit && errors.length === 0) {
    const roots = order.slice(visited, visited + TAGS_AT_ONCE).map(ofBucket)
    const counts = await settle(roots.map(job.count), errors)
    const shares = sharesOf(counts, job.limit - done)
    const worked = shares.map((share, n) => (share > 0 ? job.work(roots[n] ?? '', share) : 0))
    done += sumOf(await settle(worked, errors))
    visited += shares.length
    set.position = (order[visited - 1] ?? 0) + 1
  }
  if (done === 0 && errors.length > 0) throw errors[0]
  return done
}

/** The results, 0 for each that has failed. @param errors Gets their errors. */
async function settle(results: (number | Promise<number>)[], errors: unknown[]): Promise<number[]> {
  const settled = await Promise.allSettled(results)
  return settled.map((result) => {
    if (result.status === 'fulfilled') return result.value
    errors.push(result.reason)
    return 0
  })
}

/** The buckets in order, beginning with the first one from `position` on. */
function inTurn(buckets: readonly number[], position: number): number[] {
  const first = buckets.findIndex((bucket) => bucket >= position)
  return first === -1 ? [...buckets] : [...buckets.slice(first), ...buckets.slice(0, first)]
}

/** How many records of each tag are worked on, up to the tag with which `limit` is reached. */
function sharesOf(counts: readonly number[], limit: number): number[] {
  const shares: number[] = []
  let room = limit
  for (const count of counts) {
    if (room === 0) break
    const share = Math.min(count, room)
    shares.push(share)
    room -= share
  }
  return shares
}

/** A step of a sweep ends with the tag in which it has read so many records. */
const SWEEP_SIZE = 500

/** What a sweep does in one tag. */
export interface TagSweep {
  /** How many records there are to read. */
  count(root: Root): Promise<number>
  /** Reads all records; returns how many it has changed. */
  sweep(root: Root): Promise<number>
}

/**
 * One step through the records of all people. A sweep is seldom, and must leave no record out: so it asks all 4,096 tags, and
 * not only those in the set.
 * @param after The `next` of the step before, a bucket.
 */
export async function sweepStep(
  { ofBucket }: RealmKeys,
  after: string | undefined,
  tag: TagSweep,
): Promise<SweepStep> {
  let changed = 0
  let read = 0
  let bucket = Number(after ?? 0)
  while (bucket < BUCKETS && read < SWEEP_SIZE) {
    const roots = bucketsFrom(bucket, TAGS_AT_ONCE).map(ofBucket)
    const counts = await Promise.all(roots.map(tag.count))
    const shares = sharesOf(counts, SWEEP_SIZE - read)
    const swept = await Promise.all(shares.map((share, n) => (share > 0 ? tag.sweep(roots[n] ?? '') : 0)))
    changed += sumOf(swept)
    read += sumOf(shares)
    bucket += shares.length
  }
  return { count: changed, next: bucket < BUCKETS ? `${bucket}` : null }
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Calls `read` for each page of an index, until the cursor is back at the beginning. Adds up what it returns. */
export async function eachPage(
  scan: (cursor: string) => Promise<[cursor: string, members: string[]]>,
  read: (members: string[]) => Promise<number>,
): Promise<number> {
  let sum = 0
  let cursor = '0'
  do {
    const page = await scan(cursor)
    cursor = page[0]
    sum += await read(page[1])
  } while (cursor !== '0')
  return sum
}
