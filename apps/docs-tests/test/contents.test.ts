/** The contents at the head of a page name its headings, and each page is near the first one that a newcomer opens. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages, ROOT } from './fences.ts'

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
/** Code may have lines that look like headings. */
const prose = (page: string): string => read(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

/** The sections, without the number that a step has. */
const headings = (page: string): string[] =>
  [...prose(page).matchAll(/^## (?:\d+\. )?(.+)$/gm)].map(([, heading = '']) => heading)

/** The words of the links to sections before the first one. */
function contents(page: string): string[] {
  const [head = ''] = prose(page).split(/^## /m)
  return [...head.matchAll(/\[([^\]]+)\]\(#[^)]+\)/g)].map(([, words = '']) => words.replaceAll(/\s+/g, ' '))
}

/** A list of sections at the head of the page. The list of move-your-users.md has steps. */
const LISTED = pages()
  .filter((page) => /^(?:- |1\. )(?:[\w ,]+: )?\[[^\]]+\]\(#/m.test(prose(page).split(/^## /m)[0] ?? ''))
  .filter((page) => page !== 'docs/move-your-users.md')

it('pages with contents are found', () => {
  expect(LISTED).toEqual(
    expect.arrayContaining(['docs/run-it.md', 'docs/embed-it.md', 'docs/protect-an-api.md']),
  )
})

it.each(LISTED)('the contents of %s name each heading, in order', (page) => {
  const lower = (texts: string[]) => texts.map((text) => text.toLowerCase())
  const all = lower(headings(page))
  // Further links lead to parts of a section.
  expect(lower(contents(page)).filter((words) => all.includes(words))).toEqual(all)
})

describe('two links lead from README.md', () => {
  const linked = (page: string): string[] =>
    [...prose(page).matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => normalize(join(dirname(page), target)))
      .filter((target) => existsSync(join(ROOT, target)))
  const first = linked('README.md')
  const within = new Set(['README.md', ...first, ...first.flatMap(linked)])

  it.each(pages())('to %s', (page) => {
    expect(within).toContain(page)
  })
})
