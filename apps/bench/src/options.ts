/** The command line of the commands here. */

import { parseArgs } from 'node:util'
import { PEERS, type Peer, RUNTIMES, type Runtime, STORAGES, type Storage } from './servers/catalog.js'
import { WORKLOAD_NAMES, type WorkloadName } from './workloads/index.js'

export interface Options {
  only: readonly WorkloadName[]
  peers: readonly Peer[]
  storage: readonly Storage[]
  runtime: readonly Runtime[]
  runs: number
  seconds: number
  warm_up: number
  connections: number
  /** Half of the maximum load, and what it does to p99. */
  half_load: boolean
  /** Servers stay from one workload to the next. */
  keep: boolean
  /** The folder for bench.json and bench.svg. */
  out: string
  /** Write the table and the chart into docs/. */
  docs: boolean
}

export const USAGE = `Usage: bench [options]

  --short               about a minute: few workloads, one short run of each; fails on errors only
  --only a,b            workloads: ${WORKLOAD_NAMES.join(', ')}
  --peers a,b           ${PEERS.join(', ')}; none
  --storage a,b         ${STORAGES.join(', ')}
  --runtime a,b         ${RUNTIMES.join(', ')}
  --runs N              runs of each server, alternating (5)
  --seconds S           measured seconds of a run, after half as many to warm up (5)
  --connections N       1 to 16 (16)
  --no-half             leave out the runs at half of the maximum load
  --out FOLDER          for bench.json and bench.svg (apps/bench/results)
  --docs                write the table and the chart into docs/, too
`

const SHORT = {
  runs: 1,
  seconds: 0.5,
  warm_up: 0.2,
  half_load: false,
  keep: true,
  storage: ['memory', 'postgres'] as const,
}

/** @throws Error that says what is wrong with an argument. */
export function readOptions(args: readonly string[], out: string): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      short: { type: 'boolean' },
      docs: { type: 'boolean' },
      'no-half': { type: 'boolean' },
      only: { type: 'string' },
      peers: { type: 'string' },
      storage: { type: 'string' },
      runtime: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      out: { type: 'string' },
    },
    strict: true,
  })
  if (values.help) return 'help'
  const base = values.short
    ? SHORT
    : { runs: 5, seconds: 5, half_load: !values['no-half'], keep: false, storage: STORAGES }
  const seconds = number('seconds', values.seconds, { otherwise: base.seconds, from: 0.2, to: 60 })
  return {
    warm_up: seconds / 2,
    ...base,
    only: list('only', values.only, WORKLOAD_NAMES),
    peers: values.peers === 'none' ? [] : list('peers', values.peers, PEERS),
    storage: values.storage === undefined ? base.storage : list('storage', values.storage, STORAGES),
    runtime: list('runtime', values.runtime, RUNTIMES),
    // A user may try to sign in 20 times in 15 minutes, and signs in once a run.
    runs: number('runs', values.runs, { otherwise: base.runs, from: 1, to: 15 }),
    seconds,
    connections: number('connections', values.connections, { otherwise: 16, from: 1, to: 16 }),
    out: values.out ?? out,
    docs: values.docs ?? false,
  }
}

function list<Name extends string>(
  option: string,
  given: string | undefined,
  all: readonly Name[],
): readonly Name[] {
  if (given === undefined) return all
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(all as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Error(`--${option}: there is no ${unknown}; there are ${all.join(', ')}`)
  return all.filter((name) => names.includes(name))
}

interface Range {
  otherwise: number
  from: number
  to: number
}

export function number(option: string, given: string | undefined, { otherwise, from, to }: Range): number {
  if (given === undefined) return otherwise
  const value = Number(given)
  if (!(value >= from && value <= to)) throw new Error(`--${option}: give a number from ${from} to ${to}`)
  return value
}
