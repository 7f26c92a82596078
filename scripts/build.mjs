/**
 * Builds the JavaScript of a published package into its dist, with esbuild. It reads what to build from package.json:
 * each entry of `exports` and `imports` has its source under the condition `development`; a server has the program in `bin` instead.
 *
 *   node ../../scripts/build.mjs [further entries]   in the folder of the package
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { build as esbuild } from 'esbuild'

/** What a server loads when it uses it: native and optional modules, the embedded database, the client of Redis. */
const LOADED_BY_SERVERS = [
  '@ostiary/storage-pglite',
  '@node-rs/argon2',
  '@opentelemetry/api',
  'ioredis',
  'prom-client',
  'undici',
]

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
}

/** In a package, every import of another package stays an import, and so does one that the runtime resolves (`imports`). */
const PACKAGE = { ...COMMON, packages: 'external', external: ['#*'] }

/**
 * A server is one program with the code that it uses of our packages, zod, jose, hono and postgres. Unbundled, zod would load
 * its messages in all languages, which take 10 MB of memory. It is made from the sources, so our packages need no build.
 */
export const SERVER = {
  ...COMMON,
  external: LOADED_BY_SERVERS,
  conditions: ['development'],
  // The CommonJS of jsonc-parser cannot be bundled.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Comments go too; licenses stay. Names stay, so that a stack trace tells the function.
  minifyWhitespace: true,
  lineLimit: 160,
  // For profiles. The published package leaves the maps out.
  sourcemap: 'external',
  // commander is CommonJS, and loads modules of Node with `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
}

/**
 * @typedef {object} BuildOptions
 * @property {string[]} [entries] Entries that package.json does not name.
 * @property {Record<string, string>} [alias] For a server: folders that replace packages, by name.
 * @property {string} [outdir] `dist` when absent.
 */

/**
 * @param {string} folder The folder of the package.
 * @param {BuildOptions} options
 */
export async function build(folder, { entries = [], alias = {}, outdir = 'dist' } = {}) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const exported = Object.values(manifest.exports ?? {}).flatMap(({ development }) => development ?? [])
  // One file for each runtime, and one for all others.
  const chosen = Object.values(manifest.imports ?? {}).flatMap(({ development }) =>
    Object.values(development),
  )
  const isServer = manifest.exports === undefined
  await esbuild({
    ...(isServer ? SERVER : PACKAGE),
    absWorkingDir: folder,
    entryPoints: isServer ? ['src/main.ts'] : [...new Set([...exported, ...chosen, ...entries])],
    outbase: 'src',
    outdir,
    alias,
  })
  dropPaths(resolve(folder, outdir))
}

/** esbuild's comment before each module: the path of its source. */
const PATH_COMMENT = /^\/\/ \S+\.(?:[cm]?[jt]s|json)$/gm

/** A published file does not name the folders of the machine that built it. The line stays, for source maps. */
function dropPaths(outdir) {
  for (const file of readdirSync(outdir, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(outdir, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(PATH_COMMENT, ''))
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  rmSync('dist', { recursive: true, force: true })
  await build(cwd(), { entries: argv.slice(2) })
}
