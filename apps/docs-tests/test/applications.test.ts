/**
 * docs/applications.md and docs/frameworks: each entry is a configuration that a server takes, and the lines of the application are for
 * the same client.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configured } from './configured.ts'
import { fencesOf, pages, ROOT } from './fences.ts'

const PAGE = readFileSync(join(ROOT, 'docs/applications.md'), 'utf8')
const [HEAD = '', ...sections] = PAGE.split(/^## /m)

interface Section {
  title: string
  /** The block in the configuration of Ostiary. */
  entry: string
  /** The blocks of the application. */
  lines: string
}

const SECTIONS: Section[] = sections.map((text) => {
  const [title = ''] = text.split('\n', 1)
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const of = (is_entry: boolean) =>
    blocks.filter(([, language]) => (language === 'json') === is_entry).map(([, , code = '']) => code)
  return { title, entry: of(true).join('\n'), lines: of(false).join('\n') }
})

describe.each(SECTIONS)('$title', ({ entry, lines }) => {
  it('the entry is a configuration without faults, and its client stands in the lines of the application', async () => {
    const { realms } = await configured(entry)
    const clients = realms.default?.clients ?? []
    expect(clients).toHaveLength(1)
    for (const { metadata } of clients)
      expect(lines).toMatch(new RegExp(`client[_-]?id\\W*${metadata.client_id}\\b`, 'i'))
  })
})

describe.each(pages().filter((page) => page.startsWith('docs/frameworks/')))('%s', (page) => {
  const blocks = fencesOf(page)
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^```json\n[\s\S]*?^```$/gm, '')

  it('each entry is a configuration without faults, and its client stands in the other lines of the page', async () => {
    const entries = blocks.filter(({ language, code }) => language === 'json' && code.includes('"client_id"'))
    expect(entries.length).toBeGreaterThan(0)
    for (const { code } of entries) {
      const { realms } = await configured(code)
      const clients = realms.default?.clients ?? []
      expect(clients.length).toBeGreaterThan(0)
      for (const { metadata } of clients) expect(text).toMatch(new RegExp(`\\b${metadata.client_id}\\b`))
    }
  })
})

it('the table has a row for each section, in its order, which says whether it was tried', () => {
  const rows = [...HEAD.matchAll(/^\| \[[^\]]+\]\(#([^)]+)\)[^|]* \| ([^|]+) \| [^|]+ \|$/gm)]
  const anchors = SECTIONS.map(({ title }) => title.toLowerCase().replaceAll(' ', '-'))
  expect(anchors.length).toBeGreaterThan(15)
  expect(rows.map(([, anchor]) => anchor)).toEqual(anchors)
  for (const [row, , tried = ''] of rows) expect(tried, row).toMatch(/version|tried|\d/)
})

it.each([
  ['a misspelled key', '{ "clients": [{ "client_id": "a", "redirect_uri": ["https://a.example.com/"] }] }'],
  ['a resource that nobody defines', '{ "clients": [{ "client_id": "a", "default_resource": "api" }] }'],
])('the check itself refuses %s', async (_, entry) => {
  await expect(configured(entry)).rejects.toThrow()
})
