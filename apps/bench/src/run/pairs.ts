/**
 * Measures two builds of our servers, or one with and without the audit, by pairs: each operation runs once on both, on one connection each, in alternating order. What the
 * machine does besides affects both alike, so that two percent can be told apart where runs under load differ by ten.
 */

import { openConnection } from '../load/connection.js'
import type { Flood } from '../load/flood.js'
import { cpuSecondsOfTree } from '../load/procfs.js'
import type { Options } from '../options.js'
import { ourServers } from '../servers/ours.js'
import type { ServerKind } from '../servers/server-kind.js'
import { type StartedServer, start } from '../servers/start.js'
import { median } from '../statistics.js'
import type { Target } from '../target.js'
import { isEs256, type WorkloadName, workloads } from '../workloads/index.js'
import { peopleFor, type Say, SIGN_INS_OF_A_PERSON, servesWorkload } from './measure.js'
import { built, end, LOAD_CORE, ROOT, spawnOn } from './processes.js'

/** One workload on one kind of server, of two builds. */
export interface PairedServer {
  /** The workload's title. */
  workload: string
  server: string
  /** Milliseconds: medians of all starts. */
  latency: { before: number; after: number }
  /** Milliseconds of CPU time for one operation. Null where it cannot be read. */
  cpu_ms: { before: number; after: number } | null
  /** By start: the median latency after, divided by the one before. */
  ratios: number[]
  /** The same of the CPU time. Empty where it cannot be read. */
  cpu_ratios: number[]
}

/** What one start of both servers has measured: first before, then after. */
interface Start {
  latencies: readonly [number, number]
  cpu: readonly [number, number] | null
}

type Pair<Of> = readonly [before: Of, after: Of]

/** The first operations compile code and open connections. */
const WARM_UP = 300

/** @param root The root folder of the other build. @param pairs Pairs of operations after each start. */
export async function comparePairs(
  root: string,
  { pairs, ...options }: Options & { pairs: number },
  say: Say,
): Promise<PairedServer[]> {
  const compared: PairedServer[] = []
  for (const name of options.only) {
    const [before = [], after = []] = [root, ROOT].map((build) =>
      ourServers(build).filter((kind) => servesWorkload(kind, name, options)),
    )
    for (const [index, kind] of after.entries()) {
      const other = before[index]
      if (other?.name !== kind.name) throw new Error(`--compare: the commit has no ${kind.name}`)
      say(`${workloads[name].title}, ${kind.name}`)
      const starts: Start[] = []
      for (let number = 0; number < options.runs; number++) {
        const measured = await measureStart([other, kind], { name, number, pairs, options })
        say(`  ${number + 1}/${options.runs}: ${ratioOf(measured.latencies).toFixed(3)}`)
        starts.push(measured)
      }
      compared.push(summaryOf(starts, { workload: workloads[name].title, server: kind.name }))
    }
  }
  return compared
}

interface How {
  name: WorkloadName
  /** Of the start, from 0. */
  number: number
  pairs: number
  options: Options
}

/** The server that starts first is the other one at each start. */
async function measureStart(kinds: Pair<ServerKind>, { name, number, pairs, options }: How): Promise<Start> {
  const sign_ins = Math.ceil((WARM_UP + pairs) / SIGN_INS_OF_A_PERSON)
  const people = peopleFor(name, options) + (name === 'password_login' ? sign_ins : 0)
  const order = number % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
  const servers: StartedServer[] = []
  try {
    const es256 = isEs256(name)
    for (const at of order)
      servers[at] = await start(kinds[at], { people, es256, audit: options.audit && at === 1 })
    const [before, after] = servers
    if (before === undefined || after === undefined) throw new Error('A server is missing')
    const { target } = before
    return await whileRefusing([target, after.target], options.flood, () =>
      measurePairs([before, after], { name, people, pairs }),
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** @param rate Refused requests a second to each server meanwhile; none when absent. */
async function whileRefusing<T>(
  targets: readonly Target[],
  rate: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (rate === undefined) return work()
  const child = spawnOn(LOAD_CORE, [process.execPath, built('load/flood.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const flood: Flood = { targets, rate }
    child.send(flood)
    const result = await work()
    if (child.exitCode !== null) throw new Error('--flood: its process has ended')
    return result
  } finally {
    await end(child)
  }
}

async function measurePairs(
  servers: Pair<StartedServer>,
  { name, people, pairs }: { name: WorkloadName; people: number; pairs: number },
): Promise<Start> {
  const connections = await Promise.all(servers.map(({ process }) => openConnection(process.origin)))
  try {
    const operations = await Promise.all(
      connections.map((connection, at) => {
        const { target } = servers[at === 0 ? 0 : 1]
        return workloads[name].prepare(connection, 0, { target, run: 0, connections: 1, people })
      }),
    )
    const times: Pair<number[]> = [[], []]
    const run = async (turn: number) => {
      for (const at of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const started = performance.now()
        await operations[at]?.()
        times[at].push(performance.now() - started)
      }
    }
    for (let turn = 0; turn < WARM_UP; turn++) await run(turn)
    const cpu_before = servers.map(cpuOfServer)
    for (const list of times) list.length = 0
    for (let turn = 0; turn < pairs; turn++) await run(turn)
    const cpu = servers.map((server, at) => perOperation(cpu_before[at], cpuOfServer(server), pairs))
    return { latencies: [median(times[0]), median(times[1])], cpu: bothOf(cpu) }
  } finally {
    for (const connection of connections) connection.close()
  }
}

const cpuOfServer = ({ process }: StartedServer): number | null => cpuSecondsOfTree(process.pid)

/** Milliseconds. */
const perOperation = (before: number | null | undefined, after: number | null, pairs: number) =>
  before === null || before === undefined || after === null ? null : ((after - before) * 1000) / pairs

const bothOf = ([before, after]: readonly (number | null)[]): Pair<number> | null =>
  typeof before === 'number' && typeof after === 'number' ? [before, after] : null

const ratioOf = ([before, after]: Pair<number>): number => after / before

function summaryOf(starts: readonly Start[], names: Pick<PairedServer, 'workload' | 'server'>): PairedServer {
  const cpu = starts.map((measured) => measured.cpu).filter((pair) => pair !== null)
  const medians = (of: readonly Pair<number>[]) => ({
    before: median(of.map(([before]) => before)),
    after: median(of.map(([, after]) => after)),
  })
  return {
    ...names,
    latency: medians(starts.map(({ latencies }) => latencies)),
    cpu_ms: cpu.length === starts.length ? medians(cpu) : null,
    ratios: starts.map(({ latencies }) => ratioOf(latencies)),
    cpu_ratios: cpu.map(ratioOf),
  }
}
