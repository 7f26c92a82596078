/**
 * Builds the JavaScript of a published package into its dist, with esbuild. It reads what to build from package.json:
 * each entry of `exports` and `imports` has its source under the condition `development`; a server has the program in `bin` instead.
 *
 *   node ../../scripts/build.mjs [--compact] [further entries]   in the folder of the package
 *
 * With `--compact` there are no spaces between words: for packages of pages, commands and statements, which are larger than what a
 * reader looks up in them.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build as esbuild, transform } from 'esbuild'
import { pageAssets } from './page-assets.mjs'

/** What a server loads when it uses it: native and optional modules, the embedded database, older hashes, and what few requests or commands need. */
const LOADED_BY_SERVERS = [
  '@ostiary/access-rules',
  '@ostiary/account-deletion',
  '@ostiary/addresses',
  '@ostiary/admin',
  '@ostiary/admin-client',
  '@ostiary/admin-commands',
  '@ostiary/audit',
  '@ostiary/audit-sinks',
  '@ostiary/console',
  '@ostiary/console-activity',
  '@ostiary/console-clients',
  '@ostiary/console-settings',
  '@ostiary/console-setup',
  '@ostiary/email-codes',
  '@ostiary/email-sign-in',
  '@ostiary/explain',
  '@ostiary/password-hashes',
  '@ostiary/password-rules',
  '@ostiary/personal-data',
  '@ostiary/realm-operations',
  '@ostiary/realms',
  '@ostiary/recovery',
  '@ostiary/sign-up',
  '@ostiary/simulation',
  '@ostiary/storage-pglite',
  '@ostiary/terms',
  '@node-rs/argon2',
  '@opentelemetry/api',
  'commander',
  'ioredis',
  'jsonc-parser',
  'nodemailer',
  'openid-client',
  'prom-client',
  'undici',
  'uqr',
]

/** In JavaScript for every runtime, and in Node's own module for these two. */
const NODE_HASHES = join(import.meta.dirname, 'node-hashes.mjs')
const HASHES = { '@noble/hashes/hmac.js': NODE_HASHES, '@noble/hashes/sha2.js': NODE_HASHES }

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Texts in German and French stay as they are read.
  charset: 'utf8',
  logLevel: 'warning',
}

/** Files with the schema of the configuration. */
const SETTINGS = /[\\/]packages[\\/](?:core|host)[\\/]src[\\/](?:config[\\/].*|features[\\/].*settings)\.ts$/
/** What a key is for: docs/configuration.md and the schema for editors have it, which the sources make. */
const DESCRIPTION = /\.describe\(\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*,?\s*\)/g

/** A program checks values, and does not describe them. */
const withoutDescriptions = {
  name: 'descriptions',
  setup: ({ onLoad }) =>
    onLoad({ filter: SETTINGS }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(DESCRIPTION, ''),
      loader: 'ts',
    })),
}

/** Comments go too; licenses stay. Names stay, so that a stack trace tells the function. */
const WITHOUT_SPACES = { minifySyntax: true, minifyWhitespace: true, lineLimit: 185 }

/** In a package, every import of another package stays an import, and so does one that the runtime resolves (`imports`). */
const PACKAGE = {
  ...COMMON,
  packages: 'external',
  external: ['#*'],
  plugins: [pageAssets, withoutDescriptions],
}
const COMPACT_PACKAGE = {
  ...WITHOUT_SPACES,
  plugins: [pageAssets, withoutDescriptions, { name: 'statements', setup: unindent }],
}

/**
 * A server is one program with the code that it uses of our packages, zod, jose, hono and postgres. Unbundled, zod would load
 * its messages in all languages, which take 10 MB of memory. It is made from the sources, so our packages need no build.
 */
export const SERVER = {
  ...COMMON,
  external: LOADED_BY_SERVERS,
  alias: HASHES,
  conditions: ['development'],
  ...WITHOUT_SPACES,
  // The imports of a server are not merged into longer lines.
  lineLimit: 360,
  plugins: [
    pageAssets,
    withoutDescriptions,
    { name: 'unused-parts', setup: leaveOut },
    { name: 'statements', setup: unindent },
    { name: 'short-names-of-libraries', setup: shortenLibraries },
  ],
  // For profiles. The published package leaves the maps out.
  sourcemap: 'external',
}

/**
 * Files that a server does not need, though they are imported in any case. Of `postgres`: subscriptions to a replication slot, and large
 * objects. Of zod: its messages, in whose place core's `readBy` gives its own.
 */
const UNUSED =
  /[\\/]node_modules[\\/](?:postgres[\\/]src[\\/](?:subscribe|large)|zod[\\/]v4[\\/]locales[\\/]en)\.js$/

/** What zod makes JSON Schema with: nothing in a server asks for it. The OpenAPI document is made in `@ostiary/admin`. */
const JSON_SCHEMA =
  /[\\/]node_modules[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/
const EXPORTED = /^export (?:const|function) (\w+)/gm

/** The methods of zod's strings for formats, `z.string().email()` and the like. No schema uses them, and each format is as large as a type. */
const STRINGS = /[\\/]node_modules[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/
const FORMAT_METHOD =
  /^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm

function withoutFormats(path) {
  const source = readFileSync(path, 'utf8')
  const used = source.replace(FORMAT_METHOD, '')
  if (used === source) throw new Error(`${path} has no methods for formats: look at what is to be left out`)
  return withShortNames(path, used)
}

/** The same exports: each throws when it is called, and what makes a method makes one that throws. */
function withoutJsonSchema(source) {
  const names = [...source.matchAll(EXPORTED)].map(([, name]) => name)
  const absent = 'const absent = () => { throw new Error("This build has no JSON Schema") }'
  const exported = names.map((name) => {
    const value = name.startsWith('create') ? '() => absent' : 'absent'
    return `export const ${name} = ${value}`
  })
  return [absent, ...exported].join('\n')
}

/** The adapter of Node. Its end is WebSockets, and functions that listen by themselves: neither is used. Its one error has its name in its constructor. */
const ADAPTER = /[\\/]@hono[\\/]node-server[\\/]dist[\\/]index\.mjs$/
const END_OF_ADAPTER = '//#region src/websocket.ts'

function leaveOut({ onLoad }) {
  onLoad({ filter: UNUSED }, () => ({ contents: 'export default () => ({})', loader: 'js' }))
  onLoad({ filter: JSON_SCHEMA }, ({ path }) => ({
    contents: withoutJsonSchema(readFileSync(path, 'utf8')),
    loader: 'js',
  }))
  onLoad({ filter: STRINGS }, ({ path }) => withoutFormats(path))
  onLoad({ filter: ADAPTER }, ({ path }) => {
    const [used, end] = readFileSync(path, 'utf8').split(END_OF_ADAPTER)
    if (end === undefined) throw new Error(`${path} has no ${END_OF_ADAPTER}: look at what is to be left out`)
    return withShortNames(path, `${used}export { getRequestListener }`)
  })
}

/** Files whose texts of several lines are SQL or Lua. A database has the checksums of its migrations, which stay as they are written. */
const STATEMENTS =
  /[\\/](?:storage-(?:redis[\\/]src|postgres[\\/]src[\\/](?:moving|restores|sharded|stores))[\\/].*|audit[\\/]src[\\/]database-store)\.ts$/

/** As the code around them, statements have no indentation. */
function unindent({ onLoad }) {
  onLoad({ filter: STATEMENTS }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/^ +/gm, ''),
    loader: 'ts',
  }))
}

/** Files of libraries whose errors are named after their class. */
const NAMED_BY_CLASS = /constructor\.name|extends Error/

/** The variables of libraries get short names. What they export, their methods and their errors keep theirs. */
function shortenLibraries({ onLoad }) {
  onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path: sourcefile }) => {
    const source = readFileSync(sourcefile, 'utf8')
    return NAMED_BY_CLASS.test(source) ? null : withShortNames(sourcefile, source)
  })
}

async function withShortNames(sourcefile, source) {
  const { code } = await transform(source, { sourcefile, sourcemap: 'inline', minifyIdentifiers: true })
  return { contents: code, loader: 'js' }
}

/**
 * @typedef {object} BuildOptions
 * @property {string[]} [entries] Entries that package.json does not name.
 * @property {Record<string, string>} [alias] For a server: folders that replace packages, by name.
 * @property {string} [outdir] `dist` when absent.
 * @property {boolean} [compact] No spaces between words; a server has none in any case.
 * @property {boolean} [merged] One import for each module, and tabs, for a package that is published.
 */

/**
 * @param {string} folder The folder of the package.
 * @param {BuildOptions} options
 */
export async function build(folder, options = {}) {
  const { entries = [], alias = {}, outdir = 'dist', compact = false, merged = false } = options
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const exported = Object.values(manifest.exports ?? {}).flatMap(({ development }) => development ?? [])
  // One file for each runtime, and one for all others.
  const chosen = Object.values(manifest.imports ?? {}).flatMap(({ development }) =>
    Object.values(development),
  )
  const isServer = manifest.exports === undefined
  await esbuild({
    ...(isServer ? SERVER : PACKAGE),
    ...(compact && !isServer && COMPACT_PACKAGE),
    absWorkingDir: folder,
    entryPoints: isServer ? ['src/main.ts'] : [...new Set([...exported, ...chosen, ...entries])],
    outbase: 'src',
    outdir,
    alias: isServer ? { ...HASHES, ...alias } : alias,
  })
  const finish = merged && !isServer ? await finishing(compact) : (code) => code
  // A server has source maps, which count its lines.
  const in_place = isServer ? '$1' : ''
  tidy(resolve(folder, outdir), (text) => {
    return finish(text.replace(PATH_COMMENT, in_place).replace(WIDE, escaped))
  })
}

/** What a published package gets. Its modules are development dependencies, which `pnpm start` does not install. */
async function finishing(compact) {
  const { mergeImports } = await import('./merge-imports.mjs')
  if (compact) return (code) => mergeImports(code, true)
  const { tabbedScript } = await import('./indent.mjs')
  return (code) => tabbedScript(mergeImports(code, false))
}

/** esbuild's comment before each module: the path of its source, which a published file does not name. */
const PATH_COMMENT = /^\/\/ \S+\.(?:[cm]?[jt]s|json)$(\n?)/gm

/**
 * What Latin-1 does not have, such as an ellipsis. V8 keeps the source of a module in memory, with two bytes for each of its characters
 * when one of them needs two.
 */
const WIDE = /[^\0-\xFF]/g

/** Each stands in a string, a template or a regular expression. */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @param {(code: string) => string} tidied */
function tidy(outdir, tidied) {
  for (const file of readdirSync(outdir, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(outdir, file)
    writeFileSync(path, tidied(readFileSync(path, 'utf8')))
  }
}

/** @param {string[]} args Of this program. */
function optionsOf(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { compact: { type: 'boolean' } },
    allowPositionals: true,
  })
  return { entries: positionals, ...values }
}

const BUILD = /scripts\/build\.mjs([^&]*)/

/**
 * How the package's own script builds it. With these options the files have the same names: Turbo leaves others beside those that it takes
 * from its cache. Null when another program builds it.
 * @param {string} folder The folder of the package.
 */
export function ownOptions(folder) {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = BUILD.exec(scripts.build ?? '')
  return found && optionsOf(found[1].split(' ').filter((word) => word !== ''))
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  rmSync('dist', { recursive: true, force: true })
  await build(cwd(), { ...optionsOf(argv.slice(2)), merged: true })
}
