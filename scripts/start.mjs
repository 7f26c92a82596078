/**
 * What `pnpm start` does before the server runs: installs what the server needs to be built and run, and builds it.
 * A clone in which everything is installed, for tests and tools, is brought up to date as a whole instead. Where nothing has changed
 * since, it does neither.
 *
 *   node scripts/start.mjs [folder of the server]
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isBuilt, noteBuild } from './built-from.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const EMBEDDED = join(ROOT, 'packages/storage-pglite')
const SERVER = process.argv[2] ?? 'apps/node-server'
/** The dependencies of the Node server, and the one of the repository: esbuild. No development dependencies. */
const SERVER_ONLY = [
  '--prod',
  '--frozen-lockfile',
  '--filter-prod',
  '@ostiary/server...',
  '--filter-prod',
  '.',
]

const made = process.env.DATABASE_URL ? 'without the embedded database' : 'with the embedded database'
if (isBuilt(SERVER, made)) console.log('Nothing has changed since the last build.')
else {
  await step('Installing the packages of the server', install)
  await step('Building the server', build)
  if (!process.env.DATABASE_URL) await step('Preparing the embedded database', makeTemplate)
  noteBuild(SERVER, made)
}
// An image or an installation builds without a start.
if (process.env.npm_lifecycle_event?.startsWith('start')) console.log('Starting the server …\n')

/** Runs a step between two parts of a line: what is done, and how long it took. */
async function step(name, run) {
  const start = performance.now()
  process.stdout.write(`${name} …\n`)
  await run()
  process.stdout.write(`  done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}

/** Shows pnpm's progress, and all that it says if it fails. */
async function install() {
  const complete = existsSync(join(ROOT, 'node_modules/turbo'))
  const args = ['install', '--reporter=append-only', ...(complete ? [] : SERVER_ONLY)]
  const pnpm = spawn('pnpm', args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const said = []
  for (const output of [pnpm.stdout, pnpm.stderr])
    createInterface(output).on('line', (line) => {
      said.push(line)
      if (/^(?:Progress|Downloading)/.test(line)) console.log(`  ${line}`)
    })
  if ((await exitCode(pnpm)) === 0) return
  console.error(said.join('\n'))
  process.exit(1)
}

/** The JavaScript alone. `pnpm build` makes the type declarations too. */
async function build() {
  // esbuild is there after the installation.
  const { build } = await import('./build.mjs')
  const packages = readdirSync(join(ROOT, 'packages'))
    .map((name) => join(ROOT, 'packages', name))
    .filter(isBuiltByUs)
  const entriesOf = (folder) => (folder === EMBEDDED ? ['src/make-template.ts'] : [])
  await Promise.all(
    [...packages, join(ROOT, SERVER)].map((folder) => build(folder, { entries: entriesOf(folder) })),
  )
}

/** A package with another build is no part of a server. */
function isBuiltByUs(folder) {
  const file = join(folder, 'package.json')
  return (
    existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).scripts.build.includes('scripts/build.mjs')
  )
}

/** Takes some seconds the first time. Without it, the server would take them, and 850 MB of memory. */
async function makeTemplate() {
  const program = spawn(process.execPath, ['dist/make-template.js'], { cwd: EMBEDDED, stdio: 'inherit' })
  const code = await exitCode(program)
  if (code !== 0) process.exit(code ?? 1)
}

function exitCode(child) {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}
