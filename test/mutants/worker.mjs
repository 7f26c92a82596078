/** worker.mjs LIST RESULTS ONLY: runs the tests of one list against its mutants, and appends a line for each to RESULTS. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { matchFaults, ROOT, readLists, sourceOf } from './lists.mjs'
import { changed } from './operators.mjs'

/** A run that takes longer than this, and than ten runs without the mutant, hangs. */
const MIN_DEADLINE_MS = 20_000

const [name = '', resultsFile = '', only = ''] = process.argv.slice(2)
const [list] = await readLists([name], only)
process.chdir(join(ROOT, list.folder))
// A database that a mutant has filled is no content for the next tests.
delete process.env.THROW_AWAY_DATABASES

/** What Vite loads instead of the file, and whether it has. */
let mutated = { file: '', text: '', is_loaded: false }
const plugin = {
  name: 'mutant',
  enforce: 'pre',
  load(id) {
    if (id.split('?')[0] !== mutated.file) return undefined
    mutated.is_loaded = true
    return mutated.text
  },
}
let vitest = await start()
/** By the tests' names: whether they pass without a mutant. */
const healthy = new Map()
for (const mutant of list.mutants) {
  const since = performance.now()
  const { outcome, by } = await judge(mutant)
  appendFileSync(resultsFile, `${JSON.stringify({ id: mutant.id, outcome })}\n`)
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${outcome.padEnd(8)} ${name} ${mutant.id} (${seconds} s)${by ? ` | ${by}` : ''}`)
}
await vitest.close()
// A test that was cut off may still hold something open.
process.exit(0)

function start() {
  // The cache of compiled modules knows a file by its text on the disk, and would give the tests that one.
  const experimental = { fsModuleCache: false }
  const own = list.config === undefined ? {} : { config: list.config }
  const options = { ...own, watch: false, reporters: [{}], bail: 0, silent: true, experimental }
  return createVitest('test', options, { plugins: [plugin] })
}

async function judge(mutant) {
  if (matchFaults(mutant).length > 0) return { outcome: 'no match' }
  const key = JSON.stringify([mutant.tests, mutant.title])
  if (!healthy.has(key)) healthy.set(key, await runWithoutMutant(mutant))
  const { passed, failed, milliseconds } = healthy.get(key)
  if (failed !== null || passed === 0)
    return { outcome: 'tests fail without it', by: failed ?? 'no test ran' }

  const { text } = changed(sourceOf(mutant.file), mutant)
  await mutate({ file: join(ROOT, mutant.file), text })
  const result = await run(mutant, Math.max(MIN_DEADLINE_MS, 10 * milliseconds))
  const { is_loaded } = mutated
  await mutate({ file: '', text: '' })
  if (!is_loaded) return { outcome: 'not loaded', by: 'the tests did not load the changed file' }
  return { outcome: result.failed === null ? 'survived' : 'killed', by: result.failed }
}

/** Twice if it fails: on a busy machine a test may exceed its time limit. */
async function runWithoutMutant(mutant) {
  const first = await run(mutant, 600_000)
  return first.failed === null ? first : run(mutant, 600_000)
}

async function mutate(next) {
  const files = [mutated.file, next.file].filter(Boolean)
  mutated = { ...next, is_loaded: false }
  for (const file of files) vitest.invalidateFile(file)
}

/**
 * `failed` is the name of the first test that failed.
 * @returns {Promise<{ passed: number, failed: string | null, milliseconds: number }>}
 */
async function run({ tests, title }, deadline_ms) {
  const since = performance.now()
  if (title === undefined) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(title)
  const specifications = vitest.projects.flatMap((project) =>
    tests.map((file) => project.createSpecification(join(ROOT, list.folder, file))),
  )
  let timer
  const late = new Promise((done) => {
    timer = setTimeout(done, deadline_ms, null)
  })
  const result = await Promise.race([vitest.runTestSpecifications(specifications, false), late])
  clearTimeout(timer)
  const milliseconds = performance.now() - since
  if (result === null) {
    // The run cannot be cancelled while a test holds its thread.
    void vitest.close().catch(() => undefined)
    vitest = await start()
    return { passed: 0, failed: `no end after ${deadline_ms} ms`, milliseconds }
  }
  // Vitest reports the files of earlier runs too.
  const files = specifications.map(({ moduleId }) => moduleId)
  const modules = result.testModules.filter(({ moduleId }) => files.includes(moduleId))
  return { ...verdict(modules, result.unhandledErrors), milliseconds }
}

function verdict(testModules, unhandledErrors) {
  const tests = testModules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.find((test) => test.result().state === 'failed')?.fullName
  const broken = testModules.find((module) => module.errors().length > 0)?.errors()[0]?.message
  const unhandled = unhandledErrors[0]
  const fault = failed ?? broken ?? (unhandled === undefined ? null : String(unhandled))
  return { passed: tests.filter((test) => test.result().state === 'passed').length, failed: fault ?? null }
}
