/** The table "Where to look" of docs/architecture.md: each file has the symbols that are named with it. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './fences.ts'

interface Place {
  /** The text of the link. */
  label: string
  /** Below the root. */
  file: string
  symbols: string[]
}

/** The rows of the table, without the first two lines: the answer of each. */
function answersOf(page: string): string[] {
  const [, section = ''] = page.split('\n## Where to look\n')
  const rows = section.split('\n## ', 1)[0]?.match(/^\|.*\|$/gm) ?? []
  return rows.slice(2).map((row) => row.split(' | ').slice(1).join(' | '))
}

/** A link to a file, and after a colon the symbols in it, with commas between them. */
const PLACE = /\[`([^`]+)`\]\(\.\.\/([^)]+)\)(?:: (`\w+`(?:, `\w+`)*))?/g

const placesOf = (answer: string): Place[] =>
  [...answer.matchAll(PLACE)].map(([, label = '', file = '', symbols = '']) => ({
    label,
    file,
    symbols: symbols.match(/\w+/g) ?? [],
  }))

/** Whether the text declares the symbol itself, outside of every function. An import or a re-export is no declaration. */
const declares = (text: string, symbol: string): boolean =>
  new RegExp(`^(?:export )?(?:async )?(?:function|const|interface|type|class) ${symbol}\\b`, 'm').test(text)

/** What is wrong with the place. */
function faultsOf({ label, file, symbols }: Place): string[] {
  if (!existsSync(join(ROOT, file))) return [`${file} does not exist`]
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [
    ...(`/${file}`.endsWith(`/${label}`) ? [] : [`${label} is the name of another file than ${file}`]),
    ...(symbols.length > 0 ? [] : [`${file} has no symbol`]),
    ...symbols
      .filter((symbol) => !declares(text, symbol))
      .map((symbol) => `${file} does not declare ${symbol}`),
  ]
}

/** What is wrong with the answer. */
function faultsOfAnswer(answer: string): string[] {
  const places = placesOf(answer)
  // A file that is named without a link is not found by the pattern above.
  const unlinked = answer.replace(PLACE, '').match(/`[\w./-]+\.ts`/g) ?? []
  return [
    ...(places.length > 0 ? [] : [`no file: ${answer}`]),
    ...unlinked.map((name) => `${name} is no link`),
    ...places.flatMap(faultsOf),
  ]
}

it('each answer of architecture.md names files, and symbols that they declare', () => {
  const answers = answersOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'))
  expect(answers.length).toBeGreaterThan(10)
  expect(answers.flatMap(faultsOfAnswer)).toEqual([])
})

describe('the check itself', () => {
  const PATHS = 'packages/core/src/http/paths.ts'

  it.each([
    [
      'a symbol of another file',
      '[`core/src/http/paths.ts`](../packages/core/src/http/paths.ts): `FEATURES`',
      `${PATHS} does not declare FEATURES`,
    ],
    [
      'the second of two symbols',
      '[`paths.ts`](../packages/core/src/http/paths.ts): `PATHS`, `NONE`',
      `${PATHS} does not declare NONE`,
    ],
    [
      'the beginning of a symbol',
      '[`paths.ts`](../packages/core/src/http/paths.ts): `PATH`',
      `${PATHS} does not declare PATH`,
    ],
    [
      'a symbol that is only exported again',
      '[`index.ts`](../packages/core/src/index.ts): `createProvider`',
      'packages/core/src/index.ts does not declare createProvider',
    ],
    ['no symbol', '[`paths.ts`](../packages/core/src/http/paths.ts)', `${PATHS} has no symbol`],
    [
      'a file that is gone',
      '[`gone.ts`](../packages/core/src/gone.ts): `PATHS`',
      'packages/core/src/gone.ts does not exist',
    ],
    [
      'the name of another file',
      '[`urls.ts`](../packages/core/src/http/paths.ts): `PATHS`',
      `urls.ts is the name of another file than ${PATHS}`,
    ],
    [
      'no link',
      '[`paths.ts`](../packages/core/src/http/paths.ts): `PATHS`, beside `urls.ts`',
      '`urls.ts` is no link',
    ],
    ['no file', 'it depends', 'no file: it depends'],
  ])('refuses %s', (_, answer, fault) => {
    expect(faultsOfAnswer(answer)).toEqual([fault])
  })

  it('takes a symbol that the file declares', () => {
    expect(faultsOfAnswer('[`paths.ts`](../packages/core/src/http/paths.ts): `PATHS`, once')).toEqual([])
  })
})
