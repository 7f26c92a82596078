/**
 * pnpm mutate [PACKAGE…] [--check] [--only TEXT]
 *
 * A mutant is one change of a security-relevant line that a test must notice. Each list, test/mutants/*.mjs of a package, has
 * mutants and the tests that should fail with them. The change is made in what Vite loads: no file is written, no build is
 * needed.
 *
 * --check looks only whether each mutant can be made. --only TEXT takes the mutants whose id has it.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MAX_MUTANTS, matchFaults, ROOT, readLists } from './lists.mjs'

const MAX_SURVIVOR_RATE = 0.03
/** The longest list and the others take about as long as each other. */
const PARALLEL_WORKERS = 2
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
const WITH_SERVICES = ['--import', 'tsx', join(ROOT, 'test/local-services/src/with-services.ts')]

process.exitCode = await main()

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const { only } = values
  const lists = await readLists(positionals, only)
  const faults = lists.flatMap(({ mutants }) => mutants.flatMap(matchFaults))
  for (const fault of faults) console.error(fault)
  const count = lists.reduce((sum, { mutants }) => sum + mutants.length, 0)
  console.log(`${count} mutants, ${faults.length} do not match`)
  if (count > MAX_MUTANTS) console.error(`at most ${MAX_MUTANTS} are allowed`)
  if (values.check) return faults.length > 0 || count === 0 || count > MAX_MUTANTS ? 1 : 0

  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  try {
    const waiting = lists.filter(({ mutants }) => mutants.length > 0)
    waiting.sort((a, b) => b.mutants.length - a.mutants.length)
    const runWaiting = async () => {
      for (let list = waiting.shift(); list; list = waiting.shift()) await runWorker(list, { only, folder })
    }
    await Promise.all(Array.from({ length: PARALLEL_WORKERS }, runWaiting))
    return summarize(lists.map((list) => ({ list, results: resultsOf(resultsFile(folder, list.name)) })))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resultsFile(folder, name) {
  return join(folder, name.replace('/', '-'))
}

/** A process of its own, with the databases that its tests need. */
function runWorker({ name, services }, { only, folder }) {
  const worker = [WORKER, name, resultsFile(folder, name), only]
  const chosen = services === 'all' ? [] : ['--only', services]
  const args = services ? [...WITH_SERVICES, ...chosen, process.execPath, ...worker] : worker
  return new Promise((ended, failed) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', failed)
    child.once('exit', ended)
  })
}

/** A worker writes a line after each mutant. */
function resultsOf(file) {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

function summarize(runs) {
  const all = runs.flatMap(({ results }) => results)
  const of = (outcome) => all.filter((result) => result.outcome === outcome)
  const missing = runs.reduce((sum, { list, results }) => sum + list.mutants.length - results.length, 0)
  const survived = of('survived')
  const unjudged = ['no match', 'not loaded', 'tests fail without it'].flatMap(of).length
  const faults = unjudged + missing
  console.log(`\n${of('killed').length} killed, ${survived.length} survived, ${faults} could not be judged`)
  for (const { id } of survived) console.log(`survived: ${id}`)
  return faults > 0 || survived.length > MAX_SURVIVOR_RATE * all.length ? 1 : 0
}
