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
}

/** Before what follows `--`. */
const withServer = (words: Words): readonly string[] => {
  const all = typeof words === 'string' ? words.split(' ') : words
  const end = all.includes('--') ? all.indexOf('--') : all.length
  return [...all.slice(0, end), '--server', SERVER, ...all.slice(end)]
}
const wordsOf = async (line: Line, at: Place): Promise<Words> =>
  typeof line === 'function' ? line(at) : line

/** For `it.each`. */
export const casesOf = (table: Readonly<Record<string, readonly Row[]>>) =>
  Object.entries(table).flatMap(([name, rows]) =>
    rows.map((row, index) => ({ title: `${name}, ${index + 1}`, row })),
  )

export async function compareBoth(row: Row): Promise<void> {
  const { before, lines, codes = [], options, other_words, ...given } = row
  const [here, there] = [await place(options), await place(options)]
  await before?.(here)
  await before?.(there)
  for (const [index, each] of lines.entries()) {
    const line = await wordsOf(each, here)
    const remote = withServer(await wordsOf(each, there))
    const expected = await here.command(line, given)
    const found = await there.command(remote, { ...given, connect: there.connect })
    const same = other_words ? { ...expected, failure: found.failure } : expected
    expect([line, steady(found)]).toEqual([line, steady(same)])
    expect([line, found.failure, found.code]).toEqual([line, found.failure, codes[index] ?? 0])
  }
  expect(await recordsOf(there)).toEqual(await recordsOf(here))
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
