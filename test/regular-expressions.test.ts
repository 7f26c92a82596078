/** Every regular expression of the project takes linear time on every text, because other parties choose the texts. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
// The engine in JavaScript: it decides with automata, and requires neither a JVM nor a native program.
import recheck from 'recheck/lib/browser.js'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`)
const FOLDERS = [...PACKAGES, 'apps/node-server/src', 'apps/bun-server/src']

/** Patterns that are composed at run time, by file and expression, with the reason why an attack is impossible. */
const COMPOSED: Record<string, string> = {
  "packages/host/src/log/log.ts: new RegExp([...new Set(literal)].join('|'), flags)":
    'alternatives of escaped literals without a quantifier: each character of a line is tried once per secret',
}

/** Without a time limit, so that a busy machine gives the same verdict. Repeat counts up to 300 are decided, not sampled. */
const PARAMETERS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  maxRepeatCount: 300,
}

interface Expression {
  /** File and source text. */
  at: string
  /** Null when it is composed at run time. */
  pattern: string | null
  flags: string
}

interface Node {
  type: string
  start: number
  end: number
  value?: unknown
  regex?: { pattern: string; flags: string }
  callee?: { name?: string; property?: { name?: string } }
  arguments?: Node[]
}

function regularExpressionsOf(file: string, text: string): Expression[] {
  const found: Expression[] = []
  visit(parseAst(text, { lang: 'ts' }), (node) => {
    const at = `${file}: ${text.slice(node.start, node.end)}`
    if (node.regex) found.push({ at, ...node.regex })
    if (isConstructor(node)) found.push({ at, ...literalArguments(node) })
  })
  return found
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') onNode(value as Node)
  for (const child of Object.values(value)) visit(child, onNode)
}

/** `RegExp(…)`, `new RegExp(…)` and `globalThis.RegExp(…)`. */
function isConstructor({ type, callee }: Node): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false
  return callee?.name === 'RegExp' || callee?.property?.name === 'RegExp'
}

function literalArguments(node: Node): Pick<Expression, 'pattern' | 'flags'> {
  const given = (node.arguments ?? []).map(({ value }) => value)
  const literal = given.every((value) => typeof value === 'string')
  return literal
    ? { pattern: String(given[0] ?? ''), flags: String(given[1] ?? '') }
    : { pattern: null, flags: '' }
}

/** What is wrong with the pattern, or null. */
function faultOf({ pattern, flags }: { pattern: string; flags: string }): string | null {
  const verdict = recheck.checkSync(pattern, flags, PARAMETERS)
  if (verdict.status === 'vulnerable') return `${verdict.complexity.summary} on ${verdict.attack.pattern}`
  if (verdict.status === 'unknown') return `recheck cannot read it (${verdict.error.kind})`
  return verdict.checker === 'automaton' ? null : 'recheck could only sample it: write it without look-around'
}

interface Literal extends Expression {
  pattern: string
}

/** Those that are not composed, by their text; of equal ones the first. */
function distinct(expressions: readonly Expression[]): Map<string, Literal> {
  const found = new Map<string, Literal>()
  for (const { at, pattern, flags } of expressions) {
    const text = `/${pattern}/${flags}`
    if (pattern !== null && !found.has(text)) found.set(text, { at, pattern, flags })
  }
  return found
}

function sourceFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
}

describe('the regular expressions of the packages and the servers', () => {
  const all = sourceFiles().flatMap((file) =>
    regularExpressionsOf(file, readFileSync(join(ROOT, file), 'utf8')),
  )

  it('are found', () => expect(all.length).toBeGreaterThan(100))

  // One test each: all of them take 20 s on a quiet machine, and many times as long on a busy one.
  it.each([...distinct(all)])('%s takes linear time, as an automaton shows', (_, { at, ...expression }) => {
    expect([at, faultOf(expression)]).toEqual([at, null])
  })

  it('are composed at run time only where the list gives the reason', () => {
    const composed = all.filter(({ pattern }) => pattern === null).map(({ at }) => at)
    expect(composed.sort()).toEqual(Object.keys(COMPOSED).sort())
  })
})

describe('the check itself', () => {
  const SOURCE = `
    const trim = (path: string): string => path.replace(/^\\/+|\\/+$/g, '')
    const words = new RegExp('^(a+)+$', 'i')
    const named = (name: string) => globalThis.RegExp(name)
    // A comment is not code: /(b+)+$/
    const division = 4 / 2 / 1
  `

  it('finds literals and constructors, and no division or comment', () => {
    expect(regularExpressionsOf('a.ts', SOURCE)).toEqual([
      { at: 'a.ts: /^\\/+|\\/+$/g', pattern: '^\\/+|\\/+$', flags: 'g' },
      { at: "a.ts: new RegExp('^(a+)+$', 'i')", pattern: '^(a+)+$', flags: 'i' },
      { at: 'a.ts: globalThis.RegExp(name)', pattern: null, flags: '' },
    ])
  })

  it.each([
    ['^\\/+|\\/+$', '2nd degree polynomial'],
    ['%.*$', '2nd degree polynomial'],
    ['^\\s*\\w*\\s*$', '2nd degree polynomial'],
    ['^\\s*\\w+\\s*$', null],
    ['\\s+$', '2nd degree polynomial'],
    ['^(a+)+$', 'exponential'],
    ['^[a-z]{1,255}$', null],
  ])('judges %s: %s', (pattern, expected) => {
    const fault = faultOf({ pattern, flags: '' })
    if (expected === null) expect(fault).toBeNull()
    else expect(fault).toContain(expected)
  })
})
