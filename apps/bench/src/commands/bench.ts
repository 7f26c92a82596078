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
import { faults } from '../run/result.js'

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
  if (options.docs) {
    await writeBetween(join(ROOT, 'docs/performance.md'), 'bench', `${IMAGE}\n\n${text}`)
    await writeFile(join(ROOT, 'docs/performance.svg'), chart(result))
  }
  const wrong = faults(result)
  for (const fault of wrong) process.stderr.write(`${fault}\n`)
  return wrong.length === 0 ? 0 : 1
}

runCommand(bench)
