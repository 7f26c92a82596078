/** Runs a command on two equal databases, here and over the admin API of a server, and compares all that it does. */

import { expect } from 'vitest'
import { type Given, type Place, type PlaceOptions, place, SERVER, steady } from './_places.ts'

type Words = string | readonly string[]
export type Line = Words | ((place: Place) => Promise<Words>)

export interface Row extends Given {
  /** On both databases. */
  before?: (place: Place) => Promise<unknown>
  /** Run one after the other. */
  lines: readonly Line[]
  /** Of each line; 0 when absent. */
  codes?: readonly number[]
  options?: PlaceOptions
  /** The command fails both here and there, in words of their own. */
  other_words?: true
  /** The lines change nothing: rows that begin with the same records share two databases and a server. */
  unchanged?: true
}

/** Before what follows `--`. */
const withServer = (words: Words): readonly string[] => {
  const all = typeof words === 'string' ? words.split(' ') : words
  const end = all.includes('--') ? all.indexOf('--') : all.length
  return [...all.slice(0, end), '--server', SERVER, ...all.slice(end)]
}
const wordsOf = async (line: Line, at: Place): Promise<Words> =>
  typeof line === 'function' ? line(at) : line

interface Case {
  title: string
  rows: [Row, ...Row[]]
}

const beginAlike = (one: Row, other: Row): boolean =>
  one.before === other.before &&
  one.options?.config === other.options?.config &&
  one.options?.role === other.options?.role

/** For `it.each`. */
export function casesOf(table: Readonly<Record<string, readonly Row[]>>): Case[] {
  const cases: Case[] = []
  for (const [name, rows] of Object.entries(table))
    for (const [index, row] of rows.entries()) {
      const title = `${name}, ${index + 1}`
      const shared = cases.find(({ rows: [first] }) => first.unchanged && beginAlike(first, row))
      if (!row.unchanged || shared === undefined) cases.push({ title, rows: [row] })
      else {
        shared.title += `; ${title}`
        shared.rows.push(row)
      }
    }
  return cases
}

export async function compareBoth({ rows }: Case): Promise<void> {
  const [{ before, options }] = rows
  const places = { here: await place(options), there: await place(options) }
  await before?.(places.here)
  await before?.(places.there)
  const untouched = await recordsOf(places.here)
  for (const row of rows) {
    await compareLines(row, places)
    const left = await recordsOf(places.here)
    if (row.unchanged) expect(left).toEqual(untouched)
    expect(await recordsOf(places.there)).toEqual(left)
  }
}

async function compareLines(row: Row, { here, there }: Record<'here' | 'there', Place>): Promise<void> {
  const { lines, codes = [], other_words, ...given } = row
  for (const [index, each] of lines.entries()) {
    const line = await wordsOf(each, here)
    const remote = withServer(await wordsOf(each, there))
    const expected = await here.command(line, given)
    const found = await there.command(remote, { ...given, connect: there.connect })
    const same = other_words ? { ...expected, failure: found.failure } : expected
    expect([line, steady(found)]).toEqual([line, steady(same)])
    expect([line, found.failure, found.code]).toEqual([line, found.failure, codes[index] ?? 0])
  }
}

/** What is stored afterwards; ids may be random. */
async function recordsOf({ executor }: Place): Promise<unknown[]> {
  const rows = ['oidc_clients', 'oidc_users', 'oidc_factors', 'oidc_grants', 'oidc_sessions'].map((table) =>
    executor.query(`select count(*)::int from ${table}`),
  )
  const realms = executor.query(
    'select realm, settings, version, disabled_at is null as is_live from oidc_realms order by 1',
  )
  return Promise.all([...rows, realms])
}
