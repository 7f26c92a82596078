/** Writes what was measured into docs/performance.md: the tables of this sitting, those of the other, and the goals. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOALS } from '../goals.js'
import type { Options } from '../options.js'
import { ROOT } from '../run/processes.js'
import type { BenchResult } from '../run/result.js'
import { isEs256 } from '../workloads/index.js'
import { chart } from './chart.js'
import { textBetween, writeBetween } from './docs.js'
import { goalTable, type Sitting } from './goals.js'
import { bothSittings } from './sittings.js'
import { tables } from './table.js'

const IMAGE = '![Operations a second by workload and server](performance.svg)\n\n'
const SITTINGS = [1, 2] as const

/** The workloads with ES256 have a place of their own, so that they can be measured alone. */
const BLOCKS = [
  { name: 'bench', es256: false },
  { name: 'bench-es256', es256: true },
] as const

/** @throws Error when the second sitting has no first one. */
export async function writePage(result: BenchResult, { out, sitting }: Options): Promise<void> {
  const page = join(ROOT, 'docs/performance.md')
  const file = (block: string, number: number) => join(out, `${block}-${number}.json`)
  for (const { name, es256 } of BLOCKS) {
    const workloads = result.workloads.filter((workload) => isEs256(workload.name) === es256)
    if (workloads.length === 0) continue
    await writeFile(file(name, sitting), JSON.stringify({ ...result, workloads }, null, 2))
    // A first sitting makes an older second one meaningless.
    if (sitting === 1) await rm(file(name, 2), { force: true })
    const first = await resultIn(file(name, 1))
    if (first === null) throw new Error(`--sitting 2: ${out} has no first sitting of these workloads`)
    const again = sitting === 2 ? `\n\n${bothSittings(first, { ...result, workloads })}` : ''
    await writeBetween(page, name, `${es256 ? '' : IMAGE}${tables(first)}${again}`)
    if (!es256) await writeFile(join(ROOT, 'docs/performance.svg'), chart(first))
  }
  const sittings: Sitting[] = []
  for (const number of SITTINGS) {
    const results = await Promise.all(BLOCKS.map(({ name }) => resultIn(file(name, number))))
    sittings.push(results.filter((measured) => measured !== null))
  }
  const before = textBetween(await readFile(page, 'utf8'), 'goals')
  await writeBetween(page, 'goals', goalTable(GOALS, sittings, before))
}

async function resultIn(file: string): Promise<BenchResult | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as BenchResult)
}
