/** The house rules of core: imports point one way, files stay small, and no runtime is named. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Each layer may import itself (unless it is `apart`) and those before it. */
const LAYERS: { name: string; files: RegExp; apart?: true }[] = [
  {
    name: 'ground',
    files:
      /^(errors|records|storage|client-cache|config|urls|realm|create-realm|realms|ports|events|responses|static-document|error-page)$|^protocol\//,
  },
  { name: 'tokens', files: /^tokens\// },
  { name: 'context', files: /^context$/ },
  { name: 'steps', files: /^steps\// },
  { name: 'grants', files: /^grants\// },
  { name: 'endpoints', files: /^endpoints\//, apart: true },
  { name: 'jobs', files: /^jobs\// },
  { name: 'routes', files: /^routes$/ },
  { name: 'management', files: /^management$/ },
  { name: 'provider', files: /^(provider(-interface)?|realm-contexts|dispatch)$/ },
  { name: 'index', files: /^index$/ },
]
/** An adapter: it knows the storage interface and nothing else. */
const ADAPTER = /^memory-/

interface SourceFile {
  /** Without the extension, e.g. `steps/login`. */
  name: string
  text: string
  /** Own files that it imports, types included. */
  imports: string[]
  /** Own files that it imports at run time. */
  value_imports: string[]
}

function sourcesOf(packageName: string): SourceFile[] {
  const root = fileURLToPath(new URL(`../../${packageName}/src`, import.meta.url))
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const name = path.replaceAll('\\', '/').replace(/\.ts$/, '')
      const resolve = (target = '') => relative(root, join(root, dirname(path), target)).replaceAll('\\', '/')
      const clauses = [...text.matchAll(/^(?:import|export) ([^'\n]*(?:\n[^'\n]*)*?) from '(\.[^']+)\.js'/gm)]
      const imports = clauses.map(([, , target]) => resolve(target))
      const values = clauses.filter(([, names = '']) => !isTypeOnly(names))
      return { name, text, imports, value_imports: values.map(([, , target]) => resolve(target)) }
    })
}

/** `type { A }`, or `{ type A, type B }`. */
const isTypeOnly = (names: string): boolean =>
  names.startsWith('type ') || names.split(',').every((name) => /^[{\s]*(?:type |[}\s]*$)/.test(name))

const core = sourcesOf('core')
const layerOf = (name: string): number => LAYERS.findIndex(({ files }) => files.test(name))

describe('core', () => {
  it('has a layer for every file', () => {
    expect(core.length).toBeGreaterThan(40)
    expect(
      core.filter(({ name }) => layerOf(name) < 0 && !ADAPTER.test(name)).map(({ name }) => name),
    ).toEqual([])
  })

  it('imports in one direction, and an endpoint never imports an endpoint', () => {
    const wrong = core.flatMap(({ name, imports }) =>
      imports
        .filter((target) => {
          if (ADAPTER.test(name)) return target !== 'storage' && !ADAPTER.test(target)
          const from = layerOf(name)
          const to = layerOf(target)
          return to > from || (to === from && LAYERS[from]?.apart === true) || ADAPTER.test(target)
        })
        .map((target) => `${name} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no circle of imports, types included', () => {
    const imports = new Map(core.map((file) => [file.name, file.imports]))
    const done = new Set<string>()
    const walk = (name: string, path: string[]): string[] | null => {
      if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
      if (done.has(name)) return null
      for (const target of imports.get(name) ?? []) {
        const circle = walk(target, [...path, name])
        if (circle) return circle
      }
      done.add(name)
      return null
    }
    expect(core.map(({ name }) => walk(name, [])).find((circle) => circle !== null)).toBeUndefined()
  })

  it('the token path has at most 26 files and 1,800 lines', () => {
    const files = new Map(core.map((file) => [file.name, file]))
    const path = new Set(['endpoints/token'])
    for (const name of path) for (const target of files.get(name)?.value_imports ?? []) path.add(target)
    const lines = [...path].map((name) => (files.get(name)?.text.split('\n').length ?? 0) - 1)
    expect(path.size).toBeLessThanOrEqual(26)
    expect(lines.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(1800)
    expect(path).toContain('steps/signing-keys')
  })

  it('builds absolute URLs in urls.ts alone', () => {
    const builders = core.filter(({ text }) =>
      /['"`][^'"`\n]*\/(?:oauth|\.well-known)\//.test(stripComments(text)),
    )
    expect(builders.map(({ name }) => name).sort()).toEqual(['routes', 'urls'])
  })

  it('makes a RedirectTarget in redirect-target.ts alone', () => {
    const makers = core.filter(({ text }) => /\bas RedirectTarget\b/.test(text))
    expect(makers.map(({ name }) => name)).toEqual(['steps/redirect-target'])
  })
})

describe.each(['core', 'resource-server'])('%s', (packageName) => {
  const sources = sourcesOf(packageName)

  it('names no runtime: Web APIs only', () => {
    const named = /from '(?:node|bun|deno|cloudflare):|\b(?:process|Buffer|Deno|Bun)\.|\brequire\(/
    expect(sources.filter(({ text }) => named.test(stripComments(text))).map(({ name }) => name)).toEqual([])
  })

  it('keeps every file at 300 lines or fewer', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ name }) => name)).toEqual([])
  })

  it('exports by name, and has no class but errors', () => {
    const classes = /\bexport default\b|\bclass (?!\w+ extends Error\b)/
    expect(sources.filter(({ text }) => classes.test(stripComments(text))).map(({ name }) => name)).toEqual(
      [],
    )
  })
})

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
