/** The command line of the commands here. */

import { parseArgs } from 'node:util'
import { DEFAULT_RUNTIMES, RUNTIMES, type Runtime } from './run/runtimes.js'
import { PEERS, type Peer, STORAGES, type Storage } from './servers/server-kind.js'
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
  /** Count the statements on PostgreSQL, after the load. */
  statements: boolean
  /** Start "ostiary memory" twice: the difference is the noise. */
  noise: boolean
  /** The commit whose build is compared with this one, instead of the servers with each other. */
  compare?: string
  /** With `pairs`: this build with the audit is compared with itself without it. */
  audit: boolean
  /** With `compare` or `audit`: operations of each build, in turn on one connection, instead of runs under load. */
  pairs?: number
  /** With `audit`: refused requests a second to each server, while it is measured. */
  flood?: number
  /** The folder for bench.json and bench.svg. */
  out: string
  /** Write the tables and the chart into docs/. */
  docs: boolean
  /** The second one is shown beside the first in docs/. */
  sitting: 1 | 2
}

export const USAGE = `Usage: bench [options]

  --short               about a minute: few workloads, one short run of each; fails on errors only
  --only a,b            workloads: ${WORKLOAD_NAMES.join(', ')}
  --peers a,b           ${PEERS.join(', ')}; none
  --storage a,b         ${STORAGES.join(', ')}
  --runtime a,b         of Ostiary's servers: ${RUNTIMES.join(', ')} (${DEFAULT_RUNTIMES.join(',')});
                        node22 and later ones are installed from npm into a cache at first use, 60 MB each
  --runs N              runs of each server, alternating (5)
  --seconds S           measured seconds of a run, after half as many to warm up (5)
  --connections N       1 to 64 (16)
  --no-half             leave out the runs at half of the maximum load
  --no-statements       do not count the statements on PostgreSQL
  --noise               start "ostiary memory" twice: how much two identical servers differ
  --compare COMMIT      build COMMIT in a temporary folder, and compare its servers with those of the working tree;
                        by default memory and PostgreSQL on Node. COMMIT may be HEAD: then the difference is noise
  --audit               compare the servers with audit.enabled with those without, instead of two builds; needs --pairs
  --pairs N             with --compare or --audit: N operations of both builds in turn on one connection, after each of --runs starts,
                        instead of runs under load: tells 2% apart beside other work
  --flood N             with --audit: N refused authorization requests a second to each server meanwhile, of 5,000 addresses
  --out FOLDER          for bench.json and bench.svg (apps/bench/results)
  --docs                write the tables and the chart into docs/, too
  --sitting 1|2         with --docs: 2 is shown beside what an earlier --docs measured (1)
`

const SHORT = {
  runs: 1,
  seconds: 0.5,
  warm_up: 0.2,
  half_load: false,
  keep: true,
  storage: ['memory', 'postgres'] as const,
}
/** How two builds are compared. */
const COMPARE = { half_load: false, storage: ['memory', 'postgres'] as const, runtime: ['node'] as const }

const FLAGS = {
  help: { type: 'boolean' },
  short: { type: 'boolean' },
  docs: { type: 'boolean' },
  noise: { type: 'boolean' },
  'no-half': { type: 'boolean' },
  'no-statements': { type: 'boolean' },
  compare: { type: 'string' },
  audit: { type: 'boolean' },
  pairs: { type: 'string' },
  flood: { type: 'string' },
  only: { type: 'string' },
  peers: { type: 'string' },
  storage: { type: 'string' },
  runtime: { type: 'string' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  out: { type: 'string' },
  sitting: { type: 'string' },
} as const

/** @throws Error that says what is wrong with an argument. */
export function readOptions(args: readonly string[], out: string): Options | 'help' {
  const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true })
  if (values.help) return 'help'
  const base = {
    runs: 5,
    seconds: 5,
    half_load: !values['no-half'],
    keep: false,
    storage: STORAGES as readonly Storage[],
    runtime: DEFAULT_RUNTIMES,
    ...(values.short && SHORT),
    ...((values.compare !== undefined || values.audit) && COMPARE),
  }
  refuseLonely(values)
  const seconds = number('seconds', values.seconds, { otherwise: base.seconds, from: 0.2, to: 60 })
  return {
    warm_up: seconds / 2,
    ...base,
    only: list('only', values.only, { all: WORKLOAD_NAMES, otherwise: WORKLOAD_NAMES }),
    peers: values.peers === 'none' ? [] : list('peers', values.peers, { all: PEERS, otherwise: PEERS }),
    storage: list('storage', values.storage, { all: STORAGES, otherwise: base.storage }),
    runtime: list('runtime', values.runtime, { all: RUNTIMES, otherwise: base.runtime }),
    // A user may try to sign in 20 times in 15 minutes, and signs in once a run.
    runs: number('runs', values.runs, { otherwise: base.runs, from: 1, to: 15 }),
    seconds,
    connections: number('connections', values.connections, { otherwise: 16, from: 1, to: 64 }),
    statements: !values.short && !values['no-statements'],
    noise: values.noise ?? false,
    audit: values.audit ?? false,
    ...(values.compare !== undefined && { compare: values.compare }),
    ...(values.pairs !== undefined && {
      pairs: number('pairs', values.pairs, { otherwise: 0, from: 100, to: 100_000 }),
    }),
    ...(values.flood !== undefined && {
      flood: number('flood', values.flood, { otherwise: 0, from: 1, to: 1000 }),
    }),
    out: values.out ?? out,
    docs: values.docs ?? false,
    sitting: number('sitting', values.sitting, { otherwise: 1, from: 1, to: 2 }) === 2 ? 2 : 1,
  }
}

interface Compared {
  compare?: string | undefined
  audit?: boolean | undefined
  pairs?: string | undefined
  flood?: string | undefined
}

function refuseLonely({ compare, audit, pairs, flood }: Compared): void {
  if (pairs !== undefined && compare === undefined && !audit)
    throw new Error('--pairs: give --compare COMMIT or --audit too')
  if (audit && (pairs === undefined || compare !== undefined))
    throw new Error('--audit: give --pairs N, and no --compare')
  if (flood !== undefined && !audit) throw new Error('--flood: give --audit too')
}

interface Choice<Name> {
  all: readonly Name[]
  otherwise: readonly Name[]
}

/** The chosen names, in the order of all. @throws Error for an unknown name. */
export function list<Name extends string>(
  option: string,
  given: string | undefined,
  { all, otherwise }: Choice<Name>,
): readonly Name[] {
  if (given === undefined) return otherwise
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
