/** The steps before a program of a clone runs: what is said of them, and the installation of what one package needs. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Runs a step between two parts of a line: what is done, and how long it took. */
export async function step(name, run) {
  const start = performance.now()
  process.stdout.write(`${name} …\n`)
  await run()
  process.stdout.write(`  done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}

/**
 * Installs what this package needs, and the one dependency of the repository, esbuild: no development dependencies. A clone in which
 * everything is installed, for tests and tools, is brought up to date as a whole instead. It shows pnpm's progress and warnings, and all
 * that pnpm says if it fails.
 */
export async function install(name) {
  if (existsSync(join(ROOT, 'node_modules/turbo'))) return installAll()
  const alone = ['--prod', '--frozen-lockfile', '--filter-prod', `${name}...`, '--filter-prod', '.']
  await run([...INSTALL, ...alone], /^(?:Progress|Downloading)|\bWARN\b/)
}

/**
 * Installs everything. Some tools of tests name a newer Node than the oldest that Ostiary runs on, and no package of Ostiary needs them: pnpm's
 * warnings of that are left out.
 */
export const installAll = () => run(INSTALL, /^(?:Progress|Downloading)|\bWARN\b(?!\W+Unsupported engine)/)

const INSTALL = ['install', '--reporter=append-only']

/** Runs pnpm in the root of the clone. It shows the lines that match, and all that pnpm says if it fails. */
export async function run(args, shown = /^(?!)/) {
  const pnpm = spawn('pnpm', args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  const said = []
  for (const output of [pnpm.stdout, pnpm.stderr])
    createInterface(output).on('line', (line) => {
      said.push(line)
      if (shown.test(line)) console.log(`  ${line}`)
    })
  if ((await exitCode(pnpm)) === 0) return
  console.error(said.join('\n'))
  process.exit(1)
}

export function exitCode(child) {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}
