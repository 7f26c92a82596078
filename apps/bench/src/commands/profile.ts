/** bench:profile: where a server's CPU time goes, by package and by function. */

import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { number } from '../options.js'
import { type CpuProfile, type Share, sharesOf } from '../report/profile.js'
import { runCommand, withServices } from '../run/command.js'
import { putLoad } from '../run/load-process.js'
import { allServers } from '../servers/catalog.js'
import { onPostgres, type ServerKind } from '../servers/server-kind.js'
import { canDo, start } from '../servers/start.js'
import { PEOPLE } from '../target.js'
import { isEs256, WORKLOAD_NAMES, type WorkloadName, workloads } from '../workloads/index.js'
import type { Workload } from '../workloads/workload.js'

const SERVERS = allServers().filter(({ runtime, role }) => runtime === 'node' && role !== 'bare')

const USAGE = `Usage: bench:profile [options]

  --only WORKLOAD   ${WORKLOAD_NAMES.join(', ')} (client_credentials)
  --server NAME     ${SERVERS.map(({ name }) => name).join(', ')} (ostiary memory)
  --realms N        ask so many realms in turn (one provider without realms)
  --seconds S       of load (6)
  --top N           functions to list (40)
  --audit           with audit.enabled
  --out FILE        keeps the profile, which Chrome's developer tools open (.cpuprofile)
`

async function profile(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      only: { type: 'string' },
      server: { type: 'string' },
      seconds: { type: 'string' },
      top: { type: 'string' },
      out: { type: 'string' },
      realms: { type: 'string' },
      audit: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const workload = WORKLOAD_NAMES.find((name) => name === (values.only ?? 'client_credentials'))
  const kind = SERVERS.find(({ name }) => name === (values.server ?? 'ostiary memory'))
  if (workload === undefined || kind === undefined || !able(kind, workload))
    throw new Error(`There is no such workload or server.\n${USAGE}`)
  const code = await withServices(onPostgres(kind.storage))
  if (code !== null) return code

  const seconds = number('seconds', values.seconds, { otherwise: 6, from: 1, to: 60 })
  const realms =
    values.realms === undefined
      ? undefined
      : number('realms', values.realms, { otherwise: 1, from: 1, to: 10_000 })
  const top = number('top', values.top, { otherwise: 40, from: 1, to: 1000 })
  const { out, audit = false } = values
  const { profile, span } = await profiled(kind, { workload, seconds, realms, out, audit })
  const { packages, functions } = sharesOf(profile, span)
  process.stdout.write(`${kind.name}, ${workload}: ${span.operations} operations; microseconds of each\n\n`)
  process.stdout.write(`${table(packages.slice(0, 20))}\n\n${table(functions.slice(0, top))}\n`)
  return 0
}

const able = (kind: ServerKind, workload: WorkloadName): boolean =>
  canDo(kind, workload, (workloads[workload] as Workload).needs)

const WARM_UP = 2

interface Wish {
  workload: WorkloadName
  seconds: number
  realms: number | undefined
  /** A file for the profile. */
  out: string | undefined
  audit: boolean
}

async function profiled(kind: ServerKind, { workload, seconds, realms, out, audit }: Wish) {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-profile-'))
  try {
    const server = await start(kind, {
      people: realms === undefined ? PEOPLE : 1,
      es256: isEs256(workload),
      audit,
      ...(realms !== undefined && { realms }),
      flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'],
    })
    const target = realms === undefined ? server.target : { ...server.target, realms }
    const load = await putLoad({
      workload,
      variant: 'real',
      target,
      pid: server.process.pid,
      run: 0,
      connections: PEOPLE,
      people: PEOPLE,
      warm_up: WARM_UP,
      seconds,
    }).finally(() => server.stop())
    if (load.errors > 0) throw new Error(`${load.errors} errors, such as ${load.error_samples[0]}`)
    const [file] = await readdir(folder)
    if (file === undefined) throw new Error('The server left no profile')
    if (out !== undefined) await copyFile(join(folder, file), out)
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
    const { ended, operations } = load
    return { profile, span: { from: ended - load.seconds * 1e6, to: ended, operations } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const table = (shares: readonly Share[]): string =>
  shares.map(({ name, self }) => `${self.toFixed(2).padStart(9)}  ${name}`).join('\n')

runCommand(profile)
