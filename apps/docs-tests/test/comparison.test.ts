/** docs/comparison.md and comparison-tests.md: the tests exist, its sources are addresses, and its figures are those of performance.md. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { ROOT } from './fences.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/comparison.md')
const [, definitions = ''] = page.split(/\n(?=\[1\]: )/)
const [claims = '', sources = ''] = page.replace(definitions, '').split(/^## Sources$/m)
const tests = read('docs/comparison-tests.md')
const numbers = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, number]) => Number(number))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const sorted = (list: number[]) => [...new Set(list)].sort((a, b) => a - b)

describe('what is said of Ostiary', () => {
  const rows = [...tests.matchAll(/^\| T(\d+) \| (.+) \| (.+) \|$/gm)]
  const named = rows
    .flatMap(([, , , shown = '']) => [...shown.matchAll(/`([^`]+)`/g)])
    .map(([, name = '']) => name)

  it('each test that it names exists', () => {
    expect(named.length).toBeGreaterThan(50)
    expect(named.flatMap((name) => faultOf(name) ?? [])).toEqual([])
  })

  it('the claims are numbered without gaps, each with a test or a figure, and each is cited', () => {
    expect(rows.map(([, number]) => Number(number))).toEqual(upTo(rows.length))
    for (const [row, , , shown = ''] of rows)
      for (const each of shown.split('<br>'))
        expect(each, row).toMatch(/^(?:`[^`]+ › [^`]+`|\[\w+\.md\]\([^)]+\))$/)
    expect(sorted(numbers(claims, /\bT(\d+)\b(?! …)/g))).toEqual(upTo(rows.length))
  })

  it('the rates relative to oidc-provider are those of performance.md', () => {
    const performance = read('docs/performance.md')
    const titles = cells(claims, /^\| +\| (discovery .*) \|$/m)
    expect(titles).toHaveLength(7)
    for (const [label, server] of [
      ['Ostiary in memory', 'ostiary memory'],
      ['Ostiary with PostgreSQL', 'ostiary Postgres'],
    ] as const) {
      const rates = cells(claims, new RegExp(`^\\| ${label} \\|(.*) \\|$`, 'm'))
      const measured = titles.map((title) => rateOf(performance, title, server))
      expect(rates, label).toEqual(measured)
    }
  })

  it.each([
    ['core/test/code.test.ts', 'is not of the form'],
    ['core/test/gone.test.ts › is redeemed for tokens once', 'no such file'],
    ['core/test/code.test.ts › is redeemed for tokens twice', 'no such title'],
    ['core/test/code.test.ts › is redeemed for *twice', 'no such title'],
  ])('the check itself refuses `%s`: %s', (name, fault) => {
    expect(faultOf(name)).toContain(fault)
  })
})

describe('what is said of others', () => {
  const urls = [...definitions.matchAll(/^\[(\d+)\]: (.*)$/gm)]
  const all = upTo(urls.length)

  it('the sources are numbered without gaps, and each is a different https URL', () => {
    expect(urls.length).toBeGreaterThan(50)
    expect(urls.map(([, number]) => Number(number))).toEqual(all)
    for (const [line, , url = ''] of urls) expect(new URL(url).protocol, line).toBe('https:')
    expect(new Set(urls.map(([, , url]) => url)).size).toBe(urls.length)
  })

  it('each is cited and described, and no other is', () => {
    const citation = /(?<!`)\[(\d+)\](?! …)(?![(:])/g
    expect(sorted(numbers(claims, citation))).toEqual(all)
    expect(numbers(sources, citation)).toEqual(all)
  })

  it('has a cell for each column in every row', () => {
    for (const [table] of claims.matchAll(/(?:^\|.*\n)+/gm)) {
      const widths = table
        .trim()
        .split('\n')
        .map((row) => row.split('|').length)
      expect(new Set(widths).size, table).toBe(1)
    }
  })
})

it('has fewer than 200 lines, without the addresses of the sources', () => {
  expect(page.replace(definitions, '').split('\n').length - 1).toBeLessThan(200)
})

/** The cells of the row that the pattern finds, and captures without the first. */
function cells(text: string, pattern: RegExp): string[] {
  const [, row = ''] = pattern.exec(text) ?? []
  return row.split('|').map((cell) => cell.trim())
}

/** The column `× peer` of a server; empty where the server was not measured. */
function rateOf(performance: string, title: string, server: string): string {
  const heading = performance.search(new RegExp(`^### ${title}$`, 'im'))
  expect(heading, title).toBeGreaterThan(0)
  const [section = ''] = performance.slice(heading + 4).split(/^###? /m)
  const row = cells(section, new RegExp(`^\\| ${server} \\|(.*)\\|$`, 'm'))
  const names = cells(section, /^\| {2}\|( per second .*)\|$/m)
  return row[names.indexOf('× peer')] ?? ''
}

/** What is wrong with a name of the form `file › title`, which may have describes between. */
function faultOf(name: string): string | undefined {
  const [file = '', ...path] = name.split(' › ')
  if (path.length === 0) return `\`${name}\` is not of the form \`file › title\``
  const found = ['packages', 'apps', 'test']
    .map((group) => join(group, file))
    .find((at) => existsSync(join(ROOT, at)))
  if (!found) return `\`${name}\`: no such file`
  const texts = textsOf(read(found))
  return path.every((part) => texts.some((text) => isTitle(text, part)))
    ? undefined
    : `\`${name}\`: no such title`
}

/** All strings of a program: titles are also in the rows of `it.each`. `*` stands for an expression in one. */
function textsOf(program: string): string[] {
  const texts: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'Literal' && 'value' in value && typeof value.value === 'string')
      texts.push(value.value)
    if ('type' in value && value.type === 'TemplateLiteral' && 'quasis' in value)
      texts.push((value.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join('*'))
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(program, { lang: 'ts' }))
  return texts
}

/** @param text In the program, with the placeholders of vitest. @param title In the page, where `*` stands for any text. */
function isTitle(text: string, title: string): boolean {
  if (text === title) return true
  if (title.includes('*') && like(title.split('*')).test(text)) return true
  const parts = text.split(/%[sdijfo]|\$[a-z][\w.]*|\*/)
  return parts.length > 1 && parts.join('').length > 10 && like(parts).test(title)
}

const like = (parts: string[]) =>
  new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
