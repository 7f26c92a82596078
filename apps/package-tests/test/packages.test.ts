/** Every published package, packed by pnpm as a release packs it: `workspace:` and `catalog:` are only then versions. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Manifest, PNPM, ROOT, readManifest, sh } from './manifests.ts'
import { folderOf, npmName, PUBLISHED, WITHOUT_ADDRESS } from './packages.ts'
import { type Entry, unpack } from './tarball.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-packages-'))
  const filters = Object.keys(PUBLISHED).flatMap((name) => ['--filter', npmName(name)])
  await sh(ROOT, [...PNPM, ...filters, '-r', 'pack', '--pack-destination', folder])
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('every package that is not private is listed', () => {
  const found = ['packages', 'apps', 'examples', 'test'].flatMap((group) =>
    readdirSync(join(ROOT, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ folder: `${group}/${name}`, manifest: readManifest(join(ROOT, group, name)) })),
  )
  const published = found.filter(({ manifest }) => manifest && !manifest.private).map(({ folder }) => folder)
  expect(published.sort()).toEqual(Object.keys(PUBLISHED).map(folderOf).sort())
})

describe.each(Object.entries(PUBLISHED))('%s', (name, meant) => {
  let tarball: Uint8Array<ArrayBuffer>
  let entries: Entry[]
  let manifest: Manifest
  beforeAll(() => {
    const { version } = readManifest(join(ROOT, folderOf(name))) ?? {}
    const file = `${npmName(name).replace('@', '').replace('/', '-')}-${version}.tgz`
    tarball = new Uint8Array(readFileSync(join(folder, file)))
    entries = unpack(tarball)
    manifest = JSON.parse(text('package.json'))
  })
  const text = (path: string) => entries.find((entry) => entry.path === path)?.content.toString('utf8') ?? ''

  it('contains code, types and assets, and no tests, sources or source maps', () => {
    const others = entries.map(({ path }) => path).filter((path) => !CODE.test(path) || TEST.test(path))
    const named = others.map((path) => path.replace(TEMPLATE, '-<version>-<hash>.'))
    expect(named.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...(meant.files ?? [])].sort())
    for (const { path, content } of entries)
      expect(/^\/\/# sourceMappingURL=/m.test(content.toString('latin1')), path).toBe(false)
  })

  it('does not contain the preview of the pages, which belongs to `pnpm dev`', () => {
    for (const { path, content } of entries)
      expect(content.includes('Preview of the pages'), path).toBe(false)
  })

  it('stays within its size limit', () => {
    const later = meant.later === undefined ? [] : loadedLater()
    const bytesOf = (files: readonly Entry[]) => files.reduce((sum, { content }) => sum + content.length, 0)
    const now = entries.filter((entry) => !later.includes(entry))
    for (const [bytes, limit] of [
      [bytesOf(now), meant.limit],
      [bytesOf(later), meant.later ?? 0],
    ] as const) {
      expect(bytes).toBeLessThanOrEqual(limit)
      // A limit far above the size would not limit anything.
      expect(bytes).toBeGreaterThanOrEqual(limit * 0.6)
    }
  })

  /**
   * The JavaScript that the first entry point does not load at once. That of a server loads `program` when it knows the version of Node,
   * which loads `serve` for the command of this name.
   */
  function loadedLater(): Entry[] {
    const programs = entries.map(({ path }) => path).filter((path) => PROGRAM.test(path))
    const reached = new Set(['dist/index.js', 'dist/main.js', ...programs])
    for (const path of reached)
      for (const imported of staticImportsOf(text(path))) reached.add(join(dirname(path), imported))
    return entries.filter(({ path }) => path.endsWith('.js') && !reached.has(path))
  }

  it('has a description, a license and its engines', () => {
    expect(text('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    expect(text('README.md')).toMatch(new RegExp(`^# ${npmName(name)}\\n`))
    expect(manifest).toMatchObject({
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.19.0' },
      description: expect.stringMatching(/^.{20,120}$/),
      publishConfig: { access: 'public' },
    })
    // Installing it runs no script.
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts?.[script]).toBeUndefined()
  })

  it('has keywords, and no address, which the release writes (scripts/addresses.mjs)', () => {
    expect(manifest.keywords?.length).toBeGreaterThan(4)
    expect(ADDRESSES.filter((field) => !(field in manifest))).toEqual(WITHOUT_ADDRESS)
  })

  it('has the listed dependencies, in versions that a registry knows', () => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    expect(Object.keys(dependencies).sort()).toEqual(meant.dependencies)
    const peers = Object.keys(peerDependencies).map((peer) =>
      peerDependenciesMeta[peer]?.optional ? `${peer}?` : peer,
    )
    expect(peers.sort()).toEqual(meant.peers ?? [])
    expect(manifest.optionalDependencies).toBeUndefined()
    for (const range of Object.values({ ...dependencies, ...peerDependencies }))
      expect(range).toMatch(/^(?:\^|>=)?\d+(?:\.\d+){0,2}$/)
  })

  it('has no file of code or types that nothing in it imports', () => {
    const { exports = {}, imports = {}, bin = {} } = manifest
    const targets = (entry: string | Record<string, string>) =>
      typeof entry === 'string' ? [entry] : Object.values(entry)
    const begin = [...Object.values(exports), ...Object.values(imports), ...Object.values(bin)].flatMap(
      targets,
    )
    const reached = new Set(begin.map((target) => target.replace(/^\.\//, '')))
    for (const path of reached)
      for (const imported of importsOf(text(path))) reached.add(join(dirname(path), imported))
    const code = entries.map(({ path }) => path).filter((path) => CODE.test(path))
    expect(code.filter((path) => !reached.has(path))).toEqual([])
  })

  it('has in its README each of its entry points and its program, and no other', () => {
    const readme = text('README.md')
    for (const program of Object.keys(manifest.bin ?? {})) expect(readme).toContain(program)
    const paths = Object.keys(manifest.exports ?? {}).filter((path) => path !== './package.json')
    expect(paths.filter((path) => !namesEntry(readme, `${npmName(name)}${path.slice(1)}`))).toEqual([])
    const own = new RegExp(`from '${npmName(name)}(/[\\w./-]+)?'`, 'g')
    const imported = [...readme.matchAll(own)].map(([, path = '']) => `.${path}`)
    expect(imported.filter((path) => !paths.includes(path))).toEqual([])
  })

  it('has no link in its README that leads out of the package', () => {
    const paths = entries.map(({ path }) => path)
    const targets = [...text('README.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const dead = targets.filter((target) => !/^(?:https:|#)/.test(target) && !paths.includes(target))
    expect(dead).toEqual([])
  })

  it('passes publint', async () => {
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  if (meant.program !== undefined) {
    const { program } = meant
    it('is a program, and has no exports', () => {
      expect(manifest.exports).toBeUndefined()
      const [command, file = ''] = Object.entries(manifest.bin ?? {})[0] ?? []
      expect(command).toBe(program)
      expect(text(file.replace(/^\.\//, ''))).toMatch(/^#!\/usr\/bin\/env node\n/)
    })
    return
  }

  it('has readable JavaScript: Node prints the line that an error comes from', () => {
    const long = entries.flatMap(({ path, content }) =>
      path.startsWith('dist/') && path.endsWith('.js')
        ? content
            .toString('utf8')
            .split('\n')
            .filter((line) => line.length > MAX_LINE)
            .map((line) => `${path}: a line of ${line.length} characters`)
        : [],
    )
    expect(long).toEqual([])
  })

  it('has JavaScript in Latin-1: a module with any other character takes twice its size in memory', () => {
    const wide = entries.flatMap(({ path, content }) =>
      path.startsWith('dist/') && path.endsWith('.js')
        ? [...content.toString('utf8').matchAll(/[^\0-\xFF]/g)].map(([unit]) => `${path}: ${unit}`)
        : [],
    )
    expect(wide).toEqual([])
  })

  it('has the exports of the repository, without the sources', () => {
    const { exports = {} } = readManifest(join(ROOT, folderOf(name))) ?? {}
    const withSources = Object.entries(manifest.exports ?? {}).map(([path, target]) => {
      if (typeof target === 'string') return [path, target]
      const source = target.default?.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts')
      return [path, { development: source, ...target }]
    })
    expect(JSON.stringify(exports)).toBe(JSON.stringify(Object.fromEntries(withSources)))
  })

  it('has the imports of the repository, without the sources', () => {
    const { imports = {} } = readManifest(join(ROOT, folderOf(name))) ?? {}
    const withoutSources = Object.entries(imports).map(([path, { development: _, ...targets }]) => [
      path,
      targets,
    ])
    expect(JSON.stringify(manifest.imports ?? {})).toBe(JSON.stringify(Object.fromEntries(withoutSources)))
    const paths = entries.map(({ path }) => `./${path}`)
    const targets = Object.values(manifest.imports ?? {}).flatMap((conditions) => Object.values(conditions))
    expect(targets.filter((target) => !paths.includes(target))).toEqual([])
  })

  it('its exports exist, and TypeScript finds the types of each (attw, profile esm-only)', async () => {
    const { exports = {} } = manifest
    const targets = Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    )
    const paths = entries.map(({ path }) => `./${path}`)
    expect(targets.filter((target) => !paths.includes(target))).toEqual([])

    const analysis = await checkPackage(createPackageFromTarballData(tarball))
    if (analysis.types === false) expect.fail('it has no types')
    expect(Object.keys(analysis.entrypoints)).toEqual(Object.keys(exports))
    const ours = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem && NOT_OURS.includes(problem.resolutionKind)),
    )
    expect(ours).toEqual([])
    for (const { resolutions } of Object.values(analysis.entrypoints))
      for (const kind of ['node16-esm', 'bundler'] as const)
        expect(resolutions[kind].resolution?.fileName).toMatch(/\.(?:d\.ts|json)$/)
  })
})

/** The relative imports of a file of code or types. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)].flatMap(([, path = '']) => [
    path,
    // Declarations name the JavaScript beside them.
    path.replace(/\.js$/, '.d.ts'),
  ])

/** Without those of `import()`. */
const staticImportsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+)["']/g)].map(([, path = '']) => path)

/** The README may abbreviate: `/express` after the first name. */
const namesEntry = (readme: string, entry: string): boolean =>
  readme.includes(entry) || readme.includes(`\`/${entry.split('/').at(-1)}\``)

const ADDRESSES = ['homepage', 'bugs', 'repository']
/** Characters of a line of JavaScript. */
const MAX_LINE = 500
const PROGRAM = /^dist\/(?:program|serve)-\w+\.js$/
const CODE = /^dist\/[\w/-]+\.(?:js|d\.ts)$/
const TEST = /[./_-]test[./]/
const TEMPLATE = /-\d+\.\d+\.\d+-[\da-f]{8}\./
/** The resolutions that the profile esm-only ignores: TypeScript's `node10`, and `require` in its `node16`. */
const NOT_OURS = ['node10', 'node16-cjs']
