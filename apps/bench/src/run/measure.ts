/** Measures workloads, one after the other; the servers of one take turns. */

import type { LoadJob, LoadResult } from '../load/load-job.js'
import { machine, signaturesPerSecond } from '../machine.js'
import type { Options } from '../options.js'
import { allServers, bareServer } from '../servers/catalog.js'
import { oursOnMemory, TWIN } from '../servers/ours.js'
import { onPostgres, type ServerKind } from '../servers/server-kind.js'
import { canDo, type StartedServer } from '../servers/start.js'
import { median, spread } from '../statistics.js'
import { PEOPLE } from '../target.js'
import { isEs256, type WorkloadName, workloads } from '../workloads/index.js'
import type { Workload } from '../workloads/workload.js'
import { putLoad } from './load-process.js'
import { type BenchResult, compared, type ServerResult, summary, type WorkloadResult } from './result.js'
import { versionsOf } from './runtimes.js'
import { createServers, type Servers } from './servers.js'
import { statementsPerOperation } from './statements.js'

export type Say = (line: string) => void

export async function measure(options: Options, say: Say): Promise<BenchResult> {
  const { runs, seconds, warm_up, connections } = options
  const result: BenchResult = {
    date: new Date().toISOString(),
    machine: machine(),
    node_lines: versionsOf(options.runtime),
    workloads: [],
    options: { runs, seconds, warm_up, connections },
  }
  const servers = createServers(options.keep)
  try {
    for (const name of options.only) {
      const kinds = chosenServers(name, options)
      if (kinds.length > 0)
        result.workloads.push(await measureWorkload(name, kinds, { options, say, servers }))
      await servers.done()
    }
    return result
  } finally {
    await servers.stop()
  }
}

function chosenServers(name: WorkloadName, options: Options): ServerKind[] {
  const kinds = allServers().filter((kind) => servesWorkload(kind, name, options))
  return kinds.flatMap((kind) =>
    options.noise && kind.name === oursOnMemory.name ? [kind, { ...kind, name: TWIN }] : [kind],
  )
}

/** Whether the options choose this server for the workload, which it must be able to do. */
export function servesWorkload(
  kind: ServerKind,
  name: WorkloadName,
  { peers, storage, runtime }: Options,
): boolean {
  const { needs }: Workload = workloads[name]
  const isChosen = kind.peer === undefined ? runtime.includes(kind.runtime) : peers.includes(kind.peer)
  return (
    isChosen &&
    canDo(kind, name, needs) &&
    (kind.storage === undefined || storage.includes(kind.storage)) &&
    // A document comes from memory, wherever the records are.
    !(isDocument(name) && kind.storage !== 'memory')
  )
}

interface How {
  options: Options
  say: Say
  servers: Servers
}

async function measureWorkload(
  name: WorkloadName,
  kinds: readonly ServerKind[],
  how: How,
): Promise<WorkloadResult> {
  const { options, say, servers } = how
  const { title, requests, signatures, es256_signatures = 0 }: Workload = workloads[name]
  const people = peopleFor(name, options)
  say(`${title}: ${kinds.map((kind) => kind.name).join(', ')}`)
  const started: StartedServer[] = []
  for (const kind of kinds) started.push(await servers.get(kind, { people, es256: isEs256(name) }))
  started.unshift(await servers.bare(documentOf(name, started)))
  const { runs, limits } = await takeTurns(name, started, { ...how, people })
  const results: ServerResult[] = []
  for (const server of started) {
    const own = runs.get(server) ?? []
    const { rss_idle, ...at_most } = { rss_idle: server.process.idle_rss, ...summary(server.kind.name, own) }
    const half = options.half_load ? await atHalf(name, server, { options, people, at_most }) : null
    const counts = options.statements && onPostgres(server.kind.storage)
    const statements = counts ? await statementsPerOperation(server.kind, name, options.connections) : null
    results.push({ ...at_most, rss_idle, half, statements, errors: at_most.errors + (half?.errors ?? 0) })
  }
  const peer = kinds.find((kind) => kind.peer !== undefined)?.name ?? null
  const baselines = { bare: bareServer.name, peer, limit: median(limits), signatures }
  return {
    name,
    title,
    requests,
    signatures,
    es256_signatures,
    limit: baselines.limit,
    limit_spread: spread(limits),
    peer,
    servers: compared(results, baselines),
  }
}

/** At least three runs: with one, a single stall of the machine would decide the p99. */
async function atHalf(
  name: WorkloadName,
  server: StartedServer,
  { options, people, at_most }: { options: Options; people: number; at_most: { per_second: number } },
) {
  const runs: LoadResult[] = []
  for (let i = 0; i < Math.min(3, options.runs); i++) {
    const job = jobFor(name, server, { options, run: options.runs + i, people })
    runs.push(await putLoad({ ...job, rate: at_most.per_second / 2 }))
  }
  const { p50, p99, errors } = summary(server.kind.name, runs)
  return { runs, p50, p99, errors }
}

/** Alternating (A B A B), so that a change of the machine affects all of them. */
export async function takeTurns(
  name: WorkloadName,
  servers: readonly StartedServer[],
  how: Omit<How, 'servers'> & { people: number },
) {
  const { options, say, people } = how
  const runs = new Map<StartedServer, LoadResult[]>(servers.map((server) => [server, []]))
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
  { kind, target, process, database_pid }: StartedServer,
  { options, run, people }: { options: Options; run: number; people: number },
): LoadJob {
  const { warm_up, seconds, connections } = options
  const variant = kind.role === 'bare' ? bareVariant(workload) : 'real'
  const job: LoadJob = {
    workload,
    variant,
    target,
    pid: process.pid,
    run,
    connections,
    people,
    warm_up,
    seconds,
  }
  return database_pid === null ? job : { ...job, database_pid }
}

const bareVariant = (workload: WorkloadName) => (isDocument(workload) ? 'bytes' : 'bare')

/** The document of ours that the bare server answers with. */
function documentOf(name: WorkloadName, started: readonly StartedServer[]) {
  const ours = started.find(({ kind }) => kind.ours) ?? started[0]
  if (!isDocument(name)) return undefined
  const path = ours?.target.paths[name]
  return ours && path !== undefined ? { origin: ours.target.origin, path } : undefined
}

const isDocument = (name: WorkloadName): name is 'discovery' | 'jwks' =>
  name === 'discovery' || name === 'jwks'

/** Servers that are kept get all their users at the start. */
const signsEveryoneIn = ({ only }: Options) => only.includes('password_login')

/** How often each user may try to sign in. */
export const SIGN_INS_OF_A_PERSON = 20

/** A core checks at most 200 passwords a second. */
export function peopleFor(name: WorkloadName, options: Options): number {
  const { sign_in }: Workload = workloads[name]
  const { keep, runs, seconds, warm_up } = options
  if (!sign_in && !keep) return 1
  if (name !== 'password_login' && !(keep && signsEveryoneIn(options))) return PEOPLE
  return PEOPLE + Math.ceil(((runs + 3) * (seconds + warm_up) * 200) / SIGN_INS_OF_A_PERSON)
}
