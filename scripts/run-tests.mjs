/**
 * After a build: runs the scripts of these names in every package that has them, a few at once and the longest first, so that no core
 * waits at the end for one package. It fails when one of them fails, and runs the others nevertheless.
 *
 *   node scripts/run-tests.mjs AT_ONCE SCRIPT…
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from './steps.mjs'

/** In the order in which they begin; the others take less, and follow. */
const LONGEST = [
  '@ostiary/server-tests',
  '@ostiary/fault-tests',
  '@ostiary/storage-postgres',
  '@ostiary/host',
  '@ostiary/core',
  '@ostiary/docs',
  '@ostiary/docs-tests',
  '@ostiary/interop',
  '@ostiary/registry-tests',
  '@ostiary/storage-contract',
  '@ostiary/storage-pglite',
  '@ostiary/identity',
]
/** What a script gets of the environment, beside what turbo.json names for it: a setting of a server would change what is tested. */
const ENVIRONMENT =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TZ|LANG|LC_\w+|TERM|COLORTERM|CI|GITHUB_\w+|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|TMPDIR|TMP|TEMP|XDG_\w+|LD_\w+|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMFILES)$/i

const [at_once, ...names] = process.argv.slice(2)
const { tasks } = JSON.parse(readFileSync(join(ROOT, 'turbo.json'), 'utf8'))

const folders = ['packages', 'apps', 'examples', 'test'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
)
const waiting = [ROOT, ...folders].flatMap(scriptsOf).sort((one, other) => rank(one) - rank(other))
const running = new Set()
const failed = []
process.on('SIGTERM', () => stop('SIGTERM'))
// Ctrl-C in a terminal reaches the scripts too.
process.on('SIGINT', () => process.stdin.isTTY || stop('SIGINT'))

await Promise.all(Array.from({ length: Number(at_once) }, runWaiting))
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 || names.length === 0 ? 1 : 0

function scriptsOf(folder) {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return []
  const { name, scripts = {} } = JSON.parse(readFileSync(file, 'utf8'))
  const label = (script) => (folder === ROOT ? `//:${script}` : `${name}:${script}`)
  return (
    names
      // The root's own scripts run the packages' ones.
      .filter((script) => script in scripts && (folder !== ROOT || `//#${script}` in tasks))
      .map((script) => ({ name, script, folder, label: label(script), command: scripts[script] }))
  )
}

function rank({ name }) {
  const place = LONGEST.indexOf(name)
  return place === -1 ? LONGEST.length : place
}

async function runWaiting() {
  for (let next = waiting.shift(); next; next = waiting.shift())
    if (!(await passes(next))) failed.push(next.label)
}

function passes({ script, folder, label, command }) {
  const named = tasks[folder === ROOT ? `//#${script}` : script]?.passThroughEnv ?? []
  const isGiven = (name) => ENVIRONMENT.test(name) || named.includes(name)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isGiven(name)))
  const bins = [folder, ROOT].map((place) => join(place, 'node_modules/.bin'))
  // See vitest.shared.ts.
  env.OSTIARY_BUILT = '1'
  env.PATH = [...bins, process.env.PATH].join(delimiter)
  console.log(`${label}: $ ${command}`)
  const child = spawn(command, { cwd: folder, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(`${label}: ${line}`))
  return new Promise((ended) => {
    child.once('close', (code) => {
      running.delete(child)
      ended(code === 0)
    })
  })
}

function stop(signal) {
  waiting.length = 0
  for (const child of running) child.kill(signal)
}
