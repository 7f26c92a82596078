/** The links of the pages to files of the repository, and to the headings in them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fences.ts'

interface Link {
  page: string
  /** The file below the root. */
  file: string
  /** The part after `#`. */
  heading: string | undefined
}

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const readmesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .map((name) => join(folder, name, 'README.md'))
    .filter((path) => existsSync(join(ROOT, path)))

const PAGES = [
  ...pagesIn('.'),
  ...pagesIn('docs'),
  ...pagesIn('docs/frameworks'),
  ...pagesIn('examples'),
  ...['packages', 'apps', 'examples', 'test'].flatMap(readmesIn),
]

/** Without code blocks: they contain brackets and lines that begin with `#`. */
const prose = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '')

const LINKS: Link[] = PAGES.flatMap((page) =>
  [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', heading]) => ({
      page,
      file: target === '' ? page : join(page, '..', target),
      heading,
    }),
  ),
)

/** The anchors that GitHub makes of the headings of a page: a heading that is there twice gets a number. */
function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}

const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

const shown = ({ page, file, heading }: Link): string =>
  heading === undefined ? `${page}: ${file}` : `${page}: ${file}#${heading}`

it('every file that a page links to exists', () => {
  expect(LINKS.length).toBeGreaterThan(200)
  expect(LINKS.filter(({ file }) => !existsSync(join(ROOT, file))).map(shown)).toEqual([])
})

it('every heading that a page links to exists', () => {
  const links = LINKS.filter(({ file, heading }) => heading !== undefined && file.endsWith('.md'))
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ file, heading }) => !anchorsOf(file).has(heading ?? '')).map(shown)).toEqual([])
})
