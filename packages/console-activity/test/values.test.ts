/** Times of forms, values of rows, and the counting of reasons. */

import { expect, it } from 'vitest'
import { writtenValue } from '../src/audit/changes.ts'
import { secondsOf } from '../src/audit/list.ts'
import { countedReasons } from '../src/home/refusals.ts'
import { idsIn } from '../src/rows/names.ts'
import type { ShownRow } from '../src/rows/row.ts'

it.each([
  ['2026-11-29T22:13', '1795990380'],
  ['2026-11-29T22:13:30', '1795990410'],
  ['2026-11-29', '1795910400'],
  ['1969-12-31', ''],
  ['2026-13-01T00:00', ''],
  ['2026-11-29T22:13Z', ''],
  ['99999-01-01', ''],
  ["2026-11-29' or 1=1", ''],
  ['', ''],
])('a time of a form is UTC: %s', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds)
})

it.each([
  ['a "text"', 'a "text"'],
  [['one', 'two'], 'one\ntwo'],
  [[], '[]'],
  [['one', 2], '[\n  "one",\n  2\n]'],
  [{ email: 'a@b.example' }, '{\n  "email": "a@b.example"\n}'],
  [null, 'null'],
  [true, 'true'],
])('a value of a row is written as it is read: %j', (value, written) => {
  expect(writtenValue(value)).toBe(written)
})

it('refusals are counted by their reason, each as often as its row says', () => {
  const row = (type: string, reason: string | undefined, count: number) =>
    ({ type, count, data: reason === undefined ? {} : { reason } }) as ShownRow
  const rows = [
    row('login.refused', 'password', 2),
    row('request.refused', 'unknown_client', 4),
    row('login.refused', 'password', 3),
    row('login.refused', undefined, 9),
  ]
  expect(countedReasons(rows)).toEqual([
    { type: 'login.refused', reason: 'password', count: 5 },
    { type: 'request.refused', reason: 'unknown_client', count: 4 },
  ])
})

it('a page names the users that act and those that rows are about, each once, a hundred at most', () => {
  const rows = [
    { actor: 'sub:ann', sub: 'bob', client_id: null },
    { actor: 'client:bot', sub: 'ann', client_id: 'app' },
    { actor: 'cli:bob@host', sub: null },
    {},
  ]
  expect(idsIn(rows, 'sub')).toEqual(['ann', 'bob'])
  expect(idsIn(rows, 'client_id')).toEqual(['bot', 'app'])
  const many = Array.from({ length: 101 }, (_, n) => ({ sub: `s-${n}` }))
  expect(idsIn(many.slice(1), 'sub').at(-1)).toBe('s-100')
  expect(idsIn(many, 'sub').at(-1)).toBe('s-99')
})
