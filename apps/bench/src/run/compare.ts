/** Measures two builds of our servers in turn: A B A B. */

import type { LoadResult } from '../load/load-job.js'
import type { Options } from '../options.js'
import { ourServers } from '../servers/ours.js'
import type { StartedServer } from '../servers/start.js'
import { type Difference, difference } from '../statistics.js'
import { isEs256, workloads } from '../workloads/index.js'
import { peopleFor, type Say, servesWorkload, takeTurns } from './measure.js'
import { ROOT } from './processes.js'
import { cpuOf, rateOf } from './result.js'
import { createServers } from './servers.js'

export interface ComparedServer {
  /** The workload's title. */
  workload: string
  server: string
  per_second: Difference
  /** Milliseconds of CPU time for one operation. Null where it cannot be read. */
  cpu_ms: Difference | null
  errors: string[]
}

/** @param root The root folder of the other build, which comes first in each pair. */
export async function compareBuilds(root: string, options: Options, say: Say): Promise<ComparedServer[]> {
  const compared: ComparedServer[] = []
  // In the first round the servers compile their code: it does not count.
  const longer = { ...options, runs: options.runs + 1 }
  const servers = createServers(false)
  try {
    for (const name of options.only) {
      const [before, after] = [root, ROOT].map((build) =>
        ourServers(build).filter((kind) => servesWorkload(kind, name, options)),
      )
      const people = peopleFor(name, longer)
      const pairs: (readonly [StartedServer, StartedServer])[] = []
      for (const [index, kind] of (after ?? []).entries()) {
        const other = before?.[index]
        if (other?.name !== kind.name) throw new Error(`--compare: the commit has no ${kind.name}`)
        const get = (of: typeof kind, build: string) =>
          servers.get({ ...of, name: `${build}: ${of.name}` }, { people, es256: isEs256(name) })
        pairs.push([await get(other, 'commit'), await get(kind, 'working tree')])
      }
      if (pairs.length === 0) continue
      say(workloads[name].title)
      const { runs } = await takeTurns(name, pairs.flat(), { options: longer, say, people })
      for (const [index, pair] of pairs.entries()) {
        const [a = [], b = []] = pair.map((server) => (runs.get(server) ?? []).slice(1))
        compared.push({
          workload: workloads[name].title,
          server: after?.[index]?.name ?? '',
          per_second: difference(a.map(rateOf), b.map(rateOf)),
          cpu_ms: cpuDifference(a, b),
          errors: [...a, ...b].flatMap(({ error_samples }) => error_samples),
        })
      }
      await servers.done()
    }
    return compared
  } finally {
    await servers.stop()
  }
}

function cpuDifference(before: readonly LoadResult[], after: readonly LoadResult[]): Difference | null {
  const [a, b] = [before, after].map((runs) => runs.map(cpuOf).filter((cpu) => cpu !== null))
  return a?.length === before.length && b?.length === after.length ? difference(a, b) : null
}
