/**
 * What `pnpm start` does before the server runs: installs what the server needs to be built and run, and builds it. Where nothing has
 * changed since, it does neither.
 *
 *   node scripts/start.mjs [folder of the server]
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt, noteBuild } from './built-from.mjs'
import { exitCode, install, ROOT, step } from './steps.mjs'

const EMBEDDED = join(ROOT, 'packages/storage-pglite')
const SERVER = process.argv[2] ?? 'apps/node-server'

const made = process.env.DATABASE_URL ? 'without the embedded database' : 'with the embedded database'
if (isBuilt(SERVER, made)) console.log('Nothing has changed since the last build.')
else {
  await step('Installing the packages of the server', () => install('@ostiary/server'))
  await step('Building the server', build)
  if (!process.env.DATABASE_URL) await step('Preparing the embedded database', makeTemplate)
  noteBuild(SERVER, made)
}
// An image or an installation builds without a start.
if (process.env.npm_lifecycle_event?.startsWith('start')) console.log('Starting the server …\n')

/** The JavaScript alone. `pnpm build` makes the type declarations too. */
async function build() {
  // esbuild is there after the installation.
  const { build, ownOptions } = await import('./build.mjs')
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name))
  await Promise.all(
    [...packages, join(ROOT, SERVER)].map(async (folder) => {
      // A package with another build is no part of a server.
      const options = existsSync(join(folder, 'package.json')) ? ownOptions(folder) : null
      if (options !== null) await build(folder, options)
    }),
  )
}

/** Takes some seconds the first time. Without it, the server would take them, and 850 MB of memory. */
async function makeTemplate() {
  const program = spawn(process.execPath, ['dist/make-template.js'], { cwd: EMBEDDED, stdio: 'inherit' })
  const code = await exitCode(program)
  if (code !== 0) process.exit(code ?? 1)
}
