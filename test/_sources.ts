/** The TypeScript sources of a package, and what each imports. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface SourceFile {
  /** Below `src`, without the extension: `authorize/login`. */
  name: string
  /** The folder below `src`, or the file's own name when it is in no folder. */
  room: string
  text: string
  /** Files of the same package, by name. */
  imports: Import[]
}

interface Import {
  name: string
  /** The import disappears when the file is compiled. */
  types_only: boolean
}

interface Node {
  type: string
  importKind?: string
  exportKind?: string
  source?: { value?: unknown } | null
  specifiers?: Node[]
}

/** Every folder with a `src`, as `packages/core`. */
export function sourceFolders(): string[] {
  return ['packages', 'apps', 'test']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, 'src')))
}

/** @param folder e.g. `packages/core` */
export function sourcesOf(folder: string): SourceFile[] {
  const root = join(ROOT, folder, 'src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => sourceFile(root, path.replaceAll('\\', '/')))
}

function sourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const name = withoutExtension(path)
  const imports = importsOf(text).map(({ target, types_only }) => {
    // `#platform` is one of the files that package.json names: `platform` beside it has the same imports and exports.
    const found = target.startsWith('#') ? target.slice(1) : join(dirname(path), target)
    const file = relative(root, join(root, found)).replaceAll('\\', '/')
    return { name: withoutExtension(file), types_only }
  })
  return { name, room: roomOf(name), text, imports }
}

/** What a feature adds to the layers below it is no part of its room: unions of types, the catalog and the schema are made of it. */
export function roomOf(name: string): string {
  if (/^features\/(?:declarations|[^/]+\/(?:events|names|reasons|records|settings))$/.test(name))
    return 'declarations'
  if (/^features\/(?:types|[^/]+\/prompts)$/.test(name)) return 'prompts'
  return name.split('/')[0] ?? name
}

const withoutExtension = (path: string): string => path.replace(/\.[jt]s$/, '')

/** Static and dynamic imports and re-exports of relative paths, and of paths that `imports` of package.json names. */
export function importsOf(text: string): { target: string; types_only: boolean }[] {
  const imports: { target: string; types_only: boolean }[] = []
  visit(parseAst(text, { lang: 'ts' }), (node) => {
    const target = node.source?.value
    if (typeof target === 'string' && /^[.#]/.test(target))
      imports.push({ target, types_only: isTypesOnly(node) })
  })
  return imports
}

/** The packages that it imports, statically or not, without those of Node and those of which it uses types alone. */
export function packagesOf(text: string): string[] {
  const packages: string[] = []
  visit(parseAst(text, { lang: 'ts' }), (node) => {
    const target = node.source?.value
    if (node.type === 'TSImportType' || isTypesOnly(node)) return
    if (typeof target === 'string' && !/^(?:[.#]|node:)/.test(target)) packages.push(target)
  })
  return packages
}

function isTypesOnly({ importKind, exportKind, specifiers = [] }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true
  return specifiers.length > 0 && specifiers.every((each) => (each.importKind ?? each.exportKind) === 'type')
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') onNode(value as Node)
  for (const child of Object.values(value)) visit(child, onNode)
}

/** One circle of imports, types included: the names on it, the first one again at the end. */
export function circleIn(files: SourceFile[]): string[] | undefined {
  const imports = new Map(files.map((file) => [file.name, file.imports]))
  const done = new Set<string>()
  const walk = (name: string, path: string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const target of imports.get(name) ?? []) {
      const circle = walk(target.name, [...path, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const { name } of files) {
    const circle = walk(name, [])
    if (circle) return circle
  }
  return undefined
}

/** The file and all files that it loads, directly or not. */
export function loadedBy(files: SourceFile[], name: string): SourceFile[] {
  const byName = new Map(files.map((file) => [file.name, file]))
  const loaded = new Set<SourceFile>()
  const walk = (current: string): void => {
    const file = byName.get(current)
    if (!file || loaded.has(file)) return
    loaded.add(file)
    for (const target of file.imports) if (!target.types_only) walk(target.name)
  }
  walk(name)
  return [...loaded]
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

export const lineCount = (text: string): number => text.split('\n').length - 1
