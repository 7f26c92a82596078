/** Measures workloads, one after the other; the servers of one take turns. */

import type { LoadJob, LoadResult } from '../load/load-job.js'
import { machine, signaturesPerSecond } from '../machine.js'
import type { Options } from '../options.js'
import { allServers, bareServer, type ServerKind } from '../servers/catalog.js'
import { canDo, type Started, start, startBare } from '../servers/start.js'
import { median } from '../statistics.js'
import { PEOPLE } from '../target.js'
import { type WorkloadName, workloads } from '../workloads/index.js'
import type { Workload } from '../workloads/workload.js'
import { putLoad } from './load-process.js'
import { type BenchResult, compared, type ServerResult, summary, type WorkloadResult } from './result.js'

export type Say = (line: string) => void

export async function measure(options: Options, say: Say): Promise<BenchResult> {
  const { runs, seconds, warm_up, connections } = options
  const result: BenchResult = {
    ...{ date: new Date().toISOString(), machine: machine(), workloads: [] },
    options: { runs, seconds, warm_up, connections },
  }
  for (const name of options.only) {
    const kinds = serversFor(name, options)
    if (kinds.length > 0) result.workloads.push(await measureWorkload(name, kinds, { options, say }))
  }
  return result
}

export function serversFor(name: WorkloadName, { peers, storage, runtime }: Options): ServerKind[] {
  const { needs }: Workload = workloads[name]
  return allServers().filter(
    (kind) =>
      canDo(kind, name, needs) &&
      (kind.peer === undefined || peers.includes(kind.peer)) &&
      (kind.storage === undefined || storage.includes(kind.storage)) &&
      runtime.includes(kind.runtime),
  )
}

interface How {
  options: Options
  say: Say
}

async function measureWorkload(
  name: WorkloadName,
  kinds: readonly ServerKind[],
  { options, say }: How,
): Promise<WorkloadResult> {
  const workload: Workload = workloads[name]
  const people = peopleFor(name, options)
  say(`${workload.title}: ${kinds.map((kind) => kind.name).join(', ')}`)
  const started: Started[] = []
  try {
    for (const kind of kinds) started.push(await start(kind, { people }))
    const bare = await startBare(documentOf(name, started))
    started.unshift(bare)
    const { runs, limits } = await takeTurns(name, started, { options, say, people })
    const servers: ServerResult[] = []
    for (const server of started) {
      const own = runs.get(server) ?? []
      const rss_idle = server.process.idle_rss
      const first = summary(server.kind.name, own, { rss_idle, half: null })
      const half = options.half_load
        ? await putLoad({
            ...jobFor(name, server, { options, run: options.runs, people }),
            rate: first.per_second / 2,
          })
        : null
      servers.push({ ...summary(server.kind.name, own, { rss_idle, half }) })
    }
    const peer = kinds.find((kind) => kind.peer !== undefined)?.name ?? null
    const { title, requests, signatures } = workload
    const yardsticks = { bare: bareServer.name, peer, limit: median(limits), signatures }
    return {
      ...{ name, title, requests, signatures, limit: yardsticks.limit, peer },
      servers: compared(servers, yardsticks),
    }
  } finally {
    for (const server of started.reverse()) await server.stop()
  }
}

/** A B A B, so that what changes on the machine meanwhile changes for all of them. */
async function takeTurns(name: WorkloadName, servers: readonly Started[], how: How & { people: number }) {
  const { options, say, people } = how
  const runs = new Map<Started, LoadResult[]>(servers.map((server) => [server, []]))
  const limits: number[] = []
  for (let run = 0; run < options.runs; run++) {
    limits.push(signaturesPerSecond(Math.min(1, options.seconds)))
    for (const server of servers) {
      const result = await putLoad(jobFor(name, server, { options, run, people }))
      runs.get(server)?.push(result)
      const rate = Math.round(result.operations / result.seconds)
      const wrong = result.errors > 0 ? `, ${result.errors} errors: ${result.error_samples[0]}` : ''
      say(
        `  ${run + 1}/${options.runs} ${server.kind.name}: ${rate}/s, p99 ${result.p99.toFixed(2)} ms${wrong}`,
      )
    }
  }
  return { runs, limits }
}

function jobFor(
  workload: WorkloadName,
  { kind, target, process }: Started,
  { options, run, people }: { options: Options; run: number; people: number },
): LoadJob {
  const { warm_up, seconds, connections } = options
  const document = workload === 'discovery' || workload === 'jwks'
  const variant = kind.role === 'bare' ? (document ? 'bytes' : 'bare') : 'real'
  return { ...{ workload, variant, target, pid: process.pid, run, connections, people }, warm_up, seconds }
}

/** What the bare server shall answer: our document. */
function documentOf(name: WorkloadName, started: readonly Started[]) {
  const ours = started.find(({ kind }) => kind.ours) ?? started[0]
  if (name !== 'discovery' && name !== 'jwks') return undefined
  const path = ours?.target.paths[name]
  return ours && path !== undefined ? { origin: ours.target.origin, path } : undefined
}

/** Everybody may try to sign in twenty times; no core checks more than sixty passwords a second. */
function peopleFor(name: WorkloadName, { runs, seconds, warm_up }: Options): number {
  const { sign_in }: Workload = workloads[name]
  if (!sign_in) return 1
  if (name !== 'password_login') return PEOPLE
  return PEOPLE + Math.ceil(((runs + 1) * (seconds + warm_up) * 60) / 20)
}
