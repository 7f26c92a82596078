import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Param, Queries } from '../src/connection/executor.js'
import { type Database, findRow, withRowFinder } from '../src/connection/row-finder.js'
import { type OwnDatabase, ownDatabase } from './_setup.js'

const FIND = findRow('select id, note from notes where realm = key.realm and id = key.id')
const FIND_NOTE = findRow('select note from notes where realm = key.realm and id = key.id')
/** Fails for the key `bad`. */
const FIND_NUMBER = findRow(
  `select id, case id when 'bad' then id::int else 1 end as number_of from notes where realm = key.realm and id = key.id`,
)

interface Note {
  id: string
  note: string
}

/** What could end the text of an element, or of the array. */
const AWKWARD = ['', ' ', '"', '\\', '","', '}', '{}', '\\"', 'NULL', "'", 'ü€😀', 'a,b', '\n']

let own: OwnDatabase
let db: Database
const sent: (readonly Param[])[] = []
const texts: string[] = []
const recorded: Queries = {
  query: (text, params = []) => {
    sent.push(params)
    texts.push(text)
    return own.executor.query(text, params)
  },
}
const find = (realm: string, id: string) => db.find<Note>(FIND, { realm, id })

beforeAll(async () => {
  own = await ownDatabase()
  await own.executor.query('create table notes (realm text, id text, note text, primary key (realm, id))')
  const ids = ['a', 'b', 'bad', ...AWKWARD, ...Array.from({ length: 70 }, (_, n) => `n${n}`)]
  for (const realm of ['one', 'two', 'a "realm", {}'])
    for (const id of ids)
      await own.executor.query('insert into notes values ($1, $2, $3)', [realm, id, `${id} of ${realm}`])
})
afterAll(() => own.drop())
beforeEach(() => {
  sent.length = 0
  texts.length = 0
  db = withRowFinder(recorded)
})

it('finds the rows of one turn of the event loop with one statement, each for its own caller', async () => {
  const found = await Promise.all([
    find('one', 'a'),
    find('two', 'a'),
    find('one', 'missing'),
    find('one', 'b'),
    find('one', 'a'),
    find('none', 'a'),
  ])
  expect(found).toEqual([
    { id: 'a', note: 'a of one' },
    { id: 'a', note: 'a of two' },
    null,
    { id: 'b', note: 'b of one' },
    { id: 'a', note: 'a of one' },
    null,
  ])
  expect(sent).toHaveLength(1)
})

it('one by one, each row is a statement of its own: those of one turn may be in different databases', async () => {
  db = withRowFinder(recorded, { one_by_one: true })
  const found = await Promise.all([find('one', 'a'), find('two', 'b')])
  expect(found).toEqual([
    { id: 'a', note: 'a of one' },
    { id: 'b', note: 'b of two' },
  ])
  expect(sent).toEqual([
    ['one', 'a'],
    ['two', 'b'],
  ])
})

it('finds one row by a plain statement, which takes half of the time', async () => {
  expect(await find('one', 'b')).toEqual({ id: 'b', note: 'b of one' })
  expect(await find('one', 'missing')).toBeNull()
  expect(texts).toEqual(Array(2).fill('select id, note from notes where realm = $1 and id = $2 limit 1'))
  expect(sent).toEqual([
    ['one', 'b'],
    ['one', 'missing'],
  ])
})

it('names the bucket in between, where the table has buckets', async () => {
  const search = findRow(
    'select id from notes where realm = key.realm and length(note) = key.bucket and id = key.id',
  )
  expect(await db.find(search, { realm: 'one', id: 'b', bucket: 8 })).toEqual({ id: 'b' })
  expect(await db.find(search, { realm: 'one', id: 'b', bucket: 9 })).toBeNull()
  expect(texts[0]).toBe('select id from notes where realm = $1 and length(note) = $2 and id = $3 limit 1')
})

it('gives two callers of the same row an object each', async () => {
  const [one, other] = await Promise.all([find('one', 'a'), find('one', 'a')])
  expect(one).not.toBe(other)
})

it('sends the next turn by itself, and each query by itself', async () => {
  await find('one', 'a')
  await find('one', 'a')
  expect(sent).toHaveLength(2)
  const [row, note] = await Promise.all([find('one', 'a'), db.find(FIND_NOTE, { realm: 'one', id: 'a' })])
  expect([row, note]).toEqual([{ id: 'a', note: 'a of one' }, { note: 'a of one' }])
  expect(sent).toHaveLength(4)
})

it.each([
  [64, 1],
  [65, 2],
])('sends at most 64 keys at a time: %d in %d statements', async (length, statements) => {
  const found = await Promise.all(Array.from({ length }, (_, n) => find('two', `n${n}`)))
  expect(found.map((row) => row?.note)).toEqual(Array.from({ length }, (_, n) => `n${n} of two`))
  expect(sent).toHaveLength(statements)
})

it('finds by any text, and by no part of it', async () => {
  const realm = 'a "realm", {}'
  const found = await Promise.all(AWKWARD.map((id) => find(realm, id)))
  expect(found).toEqual(AWKWARD.map((id) => ({ id, note: `${id} of ${realm}` })))
  expect(await Promise.all([find('one', 'a","b'), find('one', 'b')])).toEqual([
    null,
    { id: 'b', note: 'b of one' },
  ])
})

it('a key that PostgreSQL cannot read fails alone', async () => {
  const [good, zero, bad] = await Promise.allSettled([
    find('one', 'a'),
    find('one', 'a\u0000'),
    db.find(FIND_NUMBER, { realm: 'one', id: 'bad' }),
  ])
  expect(good).toMatchObject({ value: { note: 'a of one' } })
  expect(zero).toMatchObject({ reason: { code: '22021' } })
  expect(bad).toMatchObject({ reason: { code: '22P02' } })
})

it('a failure of the statement is the failure of every key, and the statement is not repeated', async () => {
  const WRONG = findRow('select id from missing_table where id = key.id')
  const found = await Promise.allSettled([
    db.find(WRONG, { realm: 'one', id: 'a' }),
    db.find(WRONG, { realm: 'one', id: 'b' }),
  ])
  for (const one of found) expect(one).toMatchObject({ status: 'rejected', reason: { code: '42P01' } })
  expect(sent).toHaveLength(1)
})
