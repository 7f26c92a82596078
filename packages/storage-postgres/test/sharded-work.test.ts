/** Work on all buckets of a database that is divided by them. */

import { BUCKETS } from '@ostiary/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresStorage } from '../src/index.js'
import { ALL_BUCKETS, inBucketsThatAnswer } from '../src/sharded/buckets.js'
import { NOW } from './_grants.js'
import { migratedDatabase, type OwnDatabase } from './_setup.js'

describe('while some databases do not answer', () => {
  const failingIn = (failing: readonly number[]) => async (bucket: number) => {
    if (failing.includes(bucket)) throw new Error(`no answer in ${bucket}`)
    return bucket
  }

  it('the work goes on in the others, after three failures', async () => {
    const failing = [1, 2, 3]
    const done = await inBucketsThatAnswer(ALL_BUCKETS, failingIn(failing))
    expect(done).toEqual(ALL_BUCKETS.filter((bucket) => !failing.includes(bucket)))
  })

  it('and is left for the next time, after four', async () => {
    expect(await inBucketsThatAnswer(ALL_BUCKETS, failingIn([1, 2, 3, 4]))).toEqual([0, 5, 6, 7])
  })

  it('the error is that of the first, when none answers', async () => {
    await expect(inBucketsThatAnswer(ALL_BUCKETS, failingIn(ALL_BUCKETS))).rejects.toThrow('no answer in 0')
  })
})

describe('the background work', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  /** Answers no statement about these buckets. */
  const without = (isAway: (bucket: number) => boolean): Executor => ({
    ...database.executor,
    query: (text, params) =>
      text.includes('bucket = $1') && isAway(Number(params?.[0]))
        ? Promise.reject(new Error('no answer'))
        : database.executor.query(text, params),
  })
  const QUESTION = { now: NOW, realms: ['default'], keys_before: NOW }

  it('asks each bucket in turn, and again those of a database that has come back', async () => {
    const asked: number[] = []
    let is_away = true
    const executor = without((bucket) => {
      asked.push(bucket)
      return is_away && bucket < 8
    })
    const { background } = postgresStorage(executor, { sharded: true })
    await expect(background?.due(QUESTION)).rejects.toThrow('no answer')
    for (let turn = 1; turn < 16; turn += 1) await background?.due(QUESTION)
    // The turn of the buckets that are away has ended early.
    expect(new Set(asked).size).toBe(BUCKETS - 256 + 4)
    is_away = false
    asked.length = 0
    await background?.due(QUESTION)
    expect(asked).toEqual(ALL_BUCKETS.slice(0, 256))
  })
})

describe('counters', () => {
  let database: OwnDatabase
  beforeAll(async () => {
    database = await migratedDatabase()
  })
  afterAll(() => database.drop())

  it.each([
    ['one database', {}],
    ['a database that is divided by buckets', { sharded: true }],
  ])('of %s: a list has at most a thousand, in the order of their keys', async (name, options) => {
    const { throttle } = postgresStorage(database.executor, options)(name)
    await database.executor.query(
      `insert into oidc_throttles (realm, bucket, key, window_seconds, ends_at, hits)
      select $1, n % 4096, 'key-' || lpad(n::text, 4, '0'), 60, 4000000000, 1 from generate_series(1, 1001) as n`,
      [name],
    )
    const keys = (await throttle.list('key-', NOW)).map(({ key }) => key)
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([1000, 'key-0001', 'key-1000'])
    expect(await throttle.reset('key-')).toBe(1001)
  })
})
