/** The tables of people in 16 partitions: a statement of a request touches one. partitioned-rules.long.test.ts has the rules of the stores. */

import { UNLIMITED } from '@ostiary/test-kit/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, postgresExecutor } from '../src/index.js'
import { fillTables } from './_full-tables.js'
import { partitionedDatabase, TABLES_WITH_BUCKETS, touchedPartitions } from './_partitioned.js'
import type { OwnDatabase } from './_setup.js'
import { ROWS, type Statement, statements } from './_statements.js'

/**
 * What concerns all people, in the background or on a page of the operator: it names no bucket. The list may only shrink. What a request
 * of a person waits for may never be here.
 */
const OF_ALL_PEOPLE = [
  'background.due',
  'consents.deleteOfClient',
  'factors.page',
  'grants.revokeOfClient',
  'purge',
  'sessions.expired',
  'tickets.list',
  'users.list',
]

/** Counters, looked at or reset by an operator. */
const OF_ALL_COUNTERS = ['throttle.list', 'throttle.reset']

/** Those of one database, and those of a database that is divided by buckets. */
const UNDIVIDED = statements()
const DIVIDED = statements({ sharded: true })

/** Work on all buckets sends the same text for each of them. */
async function fewOfEachText(all: Promise<Statement[]>): Promise<Statement[]> {
  const times = new Map<string, number>()
  return (await all).filter(({ text }) => {
    times.set(text, (times.get(text) ?? 0) + 1)
    return (times.get(text) ?? 0) <= 3
  })
}

describe('a statement', () => {
  let full: OwnDatabase
  beforeAll(async () => {
    full = await partitionedDatabase()
    // The rows that the statements are about, and some others.
    await fillTables(full.executor, ROWS, { near: 500 })
  })
  afterAll(() => full.drop())

  /** The partitions that the statement reads or writes. It is undone. */
  async function touched(executor: Executor, { text, params }: Statement): Promise<number[]> {
    let parts: number[] = []
    const undone = executor.transaction(async (tx) => {
      parts = await touchedPartitions(tx, () => tx.query(text, params))
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    return parts
  }

  it('of a request touches one partition; of all people, those of all', async () => {
    // Each connection counts for itself.
    const executor = postgresExecutor(full.url, { ...UNLIMITED, connections: 1 })
    const wide = new Set<string>()
    const found = new Set<string>()
    for (const statement of await UNDIVIDED) {
      const parts = await touched(executor, statement)
      if (parts.length > 1) wide.add(statement.name)
      if (parts.length === 1) found.add(statement.name)
      if (parts.length > 1 && !OF_ALL_PEOPLE.includes(statement.name))
        expect({ ...statement, parts }, 'a statement without its bucket').toBeNull()
    }
    await executor.close()
    expect([...wide].sort()).toEqual(OF_ALL_PEOPLE)
    expect(found.size).toBeGreaterThan(25)
  })

  it('of a database that is divided by buckets touches one partition, whatever it is for', async () => {
    const executor = postgresExecutor(full.url, { ...UNLIMITED, connections: 1 })
    const found = new Set<string>()
    for (const statement of await fewOfEachText(DIVIDED)) {
      const parts = await touched(executor, statement)
      if (parts.length > 1) expect({ ...statement, parts }, 'a statement without its bucket').toBeNull()
      if (parts.length === 1) found.add(statement.name)
    }
    await executor.close()
    expect([...found]).toEqual(expect.arrayContaining(OF_ALL_PEOPLE))
  })

  it('with another bucket than its rows finds nothing: the bucket is part of the question', async () => {
    const statement = (await UNDIVIDED).find(({ name }) => name === 'grants.findCode')
    if (statement === undefined) throw new Error('There is no such statement')
    const [realm, id, bucket] = statement.params
    const read = (asked: string) => full.executor.query(statement.text, [realm ?? '', id ?? '', asked])
    expect(await read(String(bucket))).toHaveLength(1)
    expect(await read(`{${(Number(String(bucket).slice(1, -1)) + 1) % 4096}}`)).toEqual([])
  })

  it.each([
    ['of one database', UNDIVIDED, [...OF_ALL_PEOPLE, ...OF_ALL_COUNTERS]],
    ['of a database that is divided by buckets', DIVIDED, [] as string[]],
  ])('%s names the bucket wherever it names a table that has one', async (_, all, excepted) => {
    const mention = new RegExp(`\\b(?:from|into|update|join)\\s+(?:${TABLES_WITH_BUCKETS.join('|')})\\b`, 'g')
    const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
    const without = (await fewOfEachText(all))
      .filter(({ name }) => !excepted.includes(name))
      .filter(({ text }) => count(text, /\bbucket = |\(realm, bucket, /g) < count(text, mention))
    expect(without).toEqual([])
  })

  it('the schema has a bucket in each of these tables, in its primary key, and in no other table', async () => {
    const rows = await full.executor.query<{ name: string; in_key: boolean }>(`
      select c.relname as name, a.attnum = any(i.indkey) as in_key
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'bucket' and a.attnotnull
        join pg_index i on i.indrelid = c.oid and i.indisprimary
      where c.relnamespace = 'public'::regnamespace and c.relname !~ '_p\\d+$'`)
    expect(rows.map(({ name }) => name).sort()).toEqual([...TABLES_WITH_BUCKETS].sort())
    expect(rows.every(({ in_key }) => in_key)).toBe(true)
  })
})
