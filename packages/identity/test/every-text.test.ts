/** Every text of the pages comes from the catalog of messages. The sources are parsed: so no branch of a page is missed. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { en } from '@ostiary/messages'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
/** Folders and files that make pages, or texts for them. */
const OF_PAGES = /^(?:pages|account|factors|mail|recovery|sign-in)\/|^(?:identity|routes)\.ts$/
/** The style sheet, and the errors of options and of functions, which are for operators. */
const NOT_SHOWN = [
  'pages/style.ts',
  'pages/factors/style.ts',
  'pages/recovery/style.ts',
  'pages/factors/passkey-script.ts',
  'pages/theme.ts',
  'pages/languages.ts',
  'mail/invite-user.ts',
]

interface Node {
  type: string
  start: number
  end: number
  value?: unknown
  tag?: { name?: string }
  callee?: { name?: string }
  quasi?: Node
  quasis?: { value: { cooked: string } }[]
}

interface Source {
  name: string
  text: string
}

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name): Source => ({ name, text: readFileSync(`${SOURCES}/${name}`, 'utf8') }))

const pages = sources.filter(({ name }) => OF_PAGES.test(name) && !NOT_SHOWN.includes(name))

/** Calls back for each node of the file, parents first; true leaves the parts of a node out. */
function visit(value: unknown, onNode: (node: Node) => boolean): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string' && onNode(value as Node)) return
  for (const child of Object.values(value)) visit(child, onNode)
}

const parsed = ({ text }: Source): unknown => parseAst(text, { lang: 'ts' })

/** The place of a value in a template. */
const VALUE = '\0'

/** The fixed text between the tags of a template, and in attributes that are read out or shown. */
function fixedTexts(template: string): string[] {
  const tags = template.match(/<[^>]*>?/g) ?? []
  const attributes = tags.flatMap((tag) =>
    [...tag.matchAll(/\s(?:aria-label|aria-description|alt|title|placeholder|label)="([^"]*)"/g)].map(
      ([, value = '']) => value,
    ),
  )
  const between = template.replace(/<[^>]*>?/g, VALUE).split(VALUE)
  // A template may be the inside of a tag, such as ` autofocus`.
  const isAttributes = !template.includes('<') && /^ [a-z-]+(?:="|$)/.test(template)
  return [...attributes, ...(isAttributes ? [] : between)].filter((text) => /\p{L}|\p{Nd}/u.test(text))
}

function templatesOf(source: Source): string[] {
  const found: string[] = []
  visit(parsed(source), ({ type, tag, quasi }) => {
    if (type === 'TaggedTemplateExpression' && tag?.name === 'html')
      found.push((quasi?.quasis ?? []).map(({ value }) => value.cooked).join(VALUE))
    return false
  })
  return found
}

/** Texts of two words in a row: sentences, and labels. Errors are for developers. */
function sentencesOf(source: Source): string[] {
  const found: string[] = []
  const markup = new Set<Node>()
  visit(parsed(source), (node) => {
    const { type, quasi, callee, value, quasis = [] } = node
    if (type === 'TaggedTemplateExpression' && quasi) markup.add(quasi)
    if (type === 'NewExpression' && callee?.name === 'Error') return true
    const texts = typeof value === 'string' && type.endsWith('Literal') ? [value] : []
    if (type === 'TemplateLiteral' && !markup.has(node))
      texts.push(...quasis.map((quasi) => quasi.value.cooked))
    found.push(...texts.filter((text) => /\p{L}{2} \p{L}{2}/u.test(text)))
    return false
  })
  return found
}

it('no template of a page has a text of its own', () => {
  const texts = pages.flatMap((source) =>
    templatesOf(source)
      .flatMap(fixedTexts)
      .map((text) => `${source.name}: ${text}`),
  )
  expect(pages.flatMap(templatesOf).length).toBeGreaterThan(60)
  expect(texts).toEqual([])
})

it('no other text of the pages is a sentence', () => {
  expect(pages.flatMap((source) => sentencesOf(source).map((text) => `${source.name}: ${text}`))).toEqual([])
})

it('every message is used', () => {
  const literals = new Set<string>()
  const composed: { start: string; end: string }[] = []
  for (const source of pages)
    visit(parsed(source), ({ type, value, quasis = [] }) => {
      if (typeof value === 'string') literals.add(value)
      const [first, ...others] = quasis.map((quasi) => quasi.value.cooked)
      if (type === 'TemplateLiteral' && first && others.length === 1)
        composed.push({ start: first, end: others[0] ?? '' })
      return false
    })
  const isUsed = (key: string) =>
    literals.has(key) || composed.some(({ start, end }) => key.startsWith(start) && key.endsWith(end))
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([])
})

describe('the check itself', () => {
  /** `#{` stands for the start of a value in a template. */
  const source = (text: string): Source => ({ name: 'x.ts', text: text.replaceAll('#{', '$' + '{') })

  it.each([
    ['html`<p>Hello</p>`', ['Hello']],
    ['html`<p>#{a} and #{b}</p>`', [' and ']],
    ['html`Hello`', ['Hello']],
    ['html`<input aria-label="Hello" name="x">`', ['Hello']],
    ['html`<img src="#{a}" alt="Hello #{b}">`', [`Hello ${VALUE}`]],
    ['html`<ul>#{a.map((b) => html`<li>Hello</li>`)}</ul>`', ['Hello']],
    ['html`<p class="aside" lang="en">#{text("x")}</p>`', []],
    ['html` autofocus`', []],
    ['html` aria-describedby="error"#{a}`', []],
  ])('a text in %s is found', (text, expected) => {
    expect(templatesOf(source(text)).flatMap(fixedTexts)).toEqual(expected)
  })

  it.each([
    ["const a = { error: 'Try again.' }", ['Try again.']],
    ['const a = `Wait for #{b}`', ['Wait for ']],
    ["const a = text('sign_in.title')", []],
    ["throw new Error('Quote the attribute')", []],
  ])('a sentence in %s is found', (text, expected) => {
    expect(sentencesOf(source(text))).toEqual(expected)
  })
})
