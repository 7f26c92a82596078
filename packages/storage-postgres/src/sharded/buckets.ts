/** Work on many buckets, with a statement for each. */

import { BUCKETS } from '@ostiary/core'

/** Statements at a time: requests keep the other connections. */
const PARALLEL = 4

/** After so many failures the rest is left for the next time: each may have taken as long as a statement may take. */
const MAX_FAILURES = PARALLEL

export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

/** Runs the work in buckets, in their order and some at a time, until `enough` says so. @throws The first error. */
export async function inBuckets<T>(
  buckets: readonly number[],
  run: (bucket: number) => Promise<T>,
  enough: (results: readonly T[]) => boolean = () => false,
): Promise<T[]> {
  const results: T[] = []
  for (let start = 0; start < buckets.length && !enough(results); start += PARALLEL)
    results.push(...(await Promise.all(buckets.slice(start, start + PARALLEL).map(run))))
  return results
}

/** The first rows, in the order of the buckets. */
export async function firstInBuckets<T>(
  buckets: readonly number[],
  limit: number,
  read: (bucket: number) => Promise<T[]>,
): Promise<T[]> {
  const found = await inBuckets(buckets, read, (rows) => rows.flat().length >= limit)
  return found.flat().slice(0, limit)
}

/** A part of a list that has the order of the buckets, and then of an id. */
interface Page {
  /** The id before the first one; absent: from the beginning. */
  after?: string | undefined
  limit: number
}

/** @param read The rows of the bucket whose ids are after this one. */
export function pageInBuckets<T>(
  { after = '', limit }: Page,
  bucketOf: (id: string) => number,
  read: (bucket: number, after: string) => Promise<T[]>,
): Promise<T[]> {
  const start = after === '' ? 0 : bucketOf(after)
  return firstInBuckets(ALL_BUCKETS.slice(start), limit, (bucket) =>
    read(bucket, bucket === start ? after : ''),
  )
}

/**
 * Runs the work in buckets, also when it fails in some: a database that is down delays the work of its own people alone.
 * @throws The first error, when all have failed.
 */
export async function inBucketsThatAnswer<T>(
  buckets: readonly number[],
  run: (bucket: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  const failures: unknown[] = []
  const attempt = (bucket: number) =>
    run(bucket).then(
      (result) => void results.push(result),
      (cause) => void failures.push(cause),
    )
  await inBuckets(buckets, attempt, () => failures.length >= MAX_FAILURES)
  if (results.length === 0 && failures.length > 0) throw failures[0]
  return results
}
