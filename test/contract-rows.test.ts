/** Each row of the contract's tables has a rule in docs/contract-coverage.md. contract-coverage.test.ts checks that tests show them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './_sources.ts'
import { CONTRACT_ROWS } from './contract-rows.ts'

const page = readFileSync(join(ROOT, 'docs/contract-coverage.md'), 'utf8')

/** The first cells of the tables below a heading. */
function rulesBelow(heading: string, text: string): string[] {
  const [, rest = ''] = text.split(`\n${heading}\n`)
  const [section = ''] = rest.split(/\n#{2,} /)
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/)[1] ?? '')
}

/** The names in code of a row, or its words where it has none. */
const namesOf = (row: string): string[] => {
  const names = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return names.length > 0 ? names : [row]
}

/** The rows without a rule that has their names. */
const missing = (heading: string, rows: readonly string[], text: string): string[] => {
  const rules = rulesBelow(heading, text)
  return rows.filter((row) => !namesOf(row).every((name) => rules.some((rule) => rule.includes(name))))
}

it.each(Object.entries(CONTRACT_ROWS))('%s: each row has a rule', (heading, rows) => {
  expect(rows.length).toBeGreaterThan(0)
  expect(missing(heading, rows, page)).toEqual([])
})

it('a row without a rule, or with a rule below another heading, is found', () => {
  const text =
    '\n## One\n\n| Rule | Shown by |\n| --- | --- |\n| `a` is b | `x` |\n\n## Two\n\n| `c` is d | `y` |\n'
  expect(missing('## One', ['`a`'], text)).toEqual([])
  expect(missing('## One', ['`a`, `c`', 'words'], text)).toEqual(['`a`, `c`', 'words'])
})
