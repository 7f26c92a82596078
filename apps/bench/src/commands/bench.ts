/** bench: measures, prints a table, and writes bench.json and bench.svg. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Options, readOptions, USAGE } from '../options.js'
import { chart } from '../report/chart.js'
import { comparison } from '../report/comparison.js'
import { writePage } from '../report/page.js'
import { pairsTable } from '../report/pairs.js'
import { tables } from '../report/table.js'
import { buildCommit, commitOf, workingTree } from '../run/checkout.js'
import { runCommand, withServices } from '../run/command.js'
import { compareBuilds } from '../run/compare.js'
import { measure } from '../run/measure.js'
import { comparePairs } from '../run/pairs.js'
import { HOME, ROOT } from '../run/processes.js'
import { faults } from '../run/result.js'
import { installRuntimes } from '../run/runtimes.js'
import { onPostgres } from '../servers/server-kind.js'

const say = (line: string): void => void process.stderr.write(`${line}\n`)

async function bench(): Promise<number> {
  const options = readOptions(process.argv.slice(2), join(HOME, 'results'))
  if (options === 'help') {
    process.stdout.write(USAGE)
    return 0
  }
  const { compare } = options
  if (compare !== undefined) commitOf(compare)
  const code = await withServices(options.storage.some(onPostgres))
  if (code !== null) return code
  await installRuntimes(options.runtime, say)
  if (options.audit) return compareAudit(options)
  if (compare !== undefined) return compareWith(compare, options)

  const result = await measure(options, say)
  const text = tables(result)
  process.stdout.write(`${text}\n`)
  await mkdir(options.out, { recursive: true })
  await writeFile(join(options.out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`)
  await writeFile(join(options.out, 'bench.svg'), chart(result))
  if (options.docs) await writePage(result, options)
  const wrong = faults(result)
  for (const fault of wrong) say(fault)
  return wrong.length === 0 ? 0 : 1
}

async function compareAudit({ pairs = 0, ...options }: Options): Promise<number> {
  const paired = await comparePairs(ROOT, { ...options, pairs }, say)
  process.stdout.write(
    `${pairsTable(paired, `Before: ${workingTree()}. After: the same with audit.enabled.`)}\n`,
  )
  return 0
}

async function compareWith(name: string, options: Options): Promise<number> {
  const build = await buildCommit(name, { bun: options.runtime.includes('bun'), say })
  const about = `Before: ${build.commit} (${build.subject}). After: ${workingTree()}.`
  const { pairs } = options
  if (pairs !== undefined) {
    const paired = await comparePairs(build.root, { ...options, pairs }, say)
    process.stdout.write(`${pairsTable(paired, about)}\n`)
    return 0
  }
  const compared = await compareBuilds(build.root, options, say)
  process.stdout.write(`${comparison(compared, about)}\n`)
  const wrong = compared.filter(({ errors }) => errors.length > 0)
  for (const { workload, server, errors } of wrong) say(`${workload}, ${server}: such as ${errors[0]}`)
  return wrong.length === 0 ? 0 : 1
}

runCommand(bench)
