/** bench: measures, prints a table, and writes bench.json and bench.svg. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOptions, USAGE } from '../options.js'
import { chart } from '../report/chart.js'
import { writeBetween } from '../report/docs.js'
import { tables } from '../report/table.js'
import { runCommand, withServices } from '../run/command.js'
import { measure } from '../run/measure.js'
import { HOME, ROOT } from '../run/processes.js'
import { type BenchResult, faults } from '../run/result.js'
import { isEs256 } from '../workloads/index.js'

const IMAGE = '![Operations a second by workload and server](performance.svg)'

async function bench(): Promise<number> {
  const options = readOptions(process.argv.slice(2), join(HOME, 'results'))
  if (options === 'help') {
    process.stdout.write(USAGE)
    return 0
  }
  const code = withServices(options.storage.some((storage) => storage === 'postgres' || storage === 'mix'))
  if (code !== null) return code

  const result = await measure(options, (line) => process.stderr.write(`${line}\n`))
  const text = tables(result)
  process.stdout.write(`${text}\n`)
  await mkdir(options.out, { recursive: true })
  await writeFile(join(options.out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`)
  await writeFile(join(options.out, 'bench.svg'), chart(result))
  if (options.docs) await writeDocs(result)
  const wrong = faults(result)
  for (const fault of wrong) process.stderr.write(`${fault}\n`)
  return wrong.length === 0 ? 0 : 1
}

/** The workloads with ES256 have a place of their own, so that they can be measured alone. */
async function writeDocs(result: BenchResult): Promise<void> {
  const page = join(ROOT, 'docs/performance.md')
  const part = (es256: boolean): BenchResult => ({
    ...result,
    workloads: result.workloads.filter(({ name }) => isEs256(name) === es256),
  })
  const [usual, es256] = [part(false), part(true)]
  if (usual.workloads.length > 0) {
    await writeBetween(page, 'bench', `${IMAGE}\n\n${tables(usual)}`)
    await writeFile(join(ROOT, 'docs/performance.svg'), chart(usual))
  }
  if (es256.workloads.length > 0) await writeBetween(page, 'bench-es256', tables(es256))
}

runCommand(bench)
