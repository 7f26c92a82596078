/**
 * bench:memory: resident memory after each of a mix of workloads. `--runtime a,b` (node), `--connections a,b` (16,64),
 * `--storage` (postgres), `--seconds S` of each workload (5), `--flags "…"` of Node in place of the deployed ones.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { residentBytesOfTree } from '../load/procfs.js'
import { list, number } from '../options.js'
import { runCommand, withServices } from '../run/command.js'
import { putLoad } from '../run/load-process.js'
import { installRuntimes, RUNTIMES } from '../run/runtimes.js'
import { allServers } from '../servers/catalog.js'
import { DEPLOYED_FLAGS } from '../servers/deployed-flags.js'
import { onPostgres, type ServerKind, STORAGES } from '../servers/server-kind.js'
import { start } from '../servers/start.js'
import { PEOPLE } from '../target.js'
import type { WorkloadName } from '../workloads/index.js'

const MIX = [
  'client_credentials',
  'authorization_code',
  'refresh',
  'introspection',
  'userinfo',
  'refresh',
] as const satisfies readonly WorkloadName[]

/** Until the memory of the start has been given back. */
const IDLE_SECONDS = 5

interface MemoryOptions {
  connections: number
  seconds: number
  flags: readonly string[]
}

async function memory(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string' },
      connections: { type: 'string' },
      storage: { type: 'string' },
      seconds: { type: 'string' },
      flags: { type: 'string' },
    },
  })
  const runtimes = list('runtime', values.runtime, { all: RUNTIMES, otherwise: ['node'] })
  const storages = list('storage', values.storage, { all: STORAGES, otherwise: ['postgres'] })
  const connections = list('connections', values.connections, { all: ['16', '64'], otherwise: ['16', '64'] })
  const seconds = number('seconds', values.seconds, { otherwise: 5, from: 1, to: 600 })
  const flags = values.flags?.split(' ').filter((flag) => flag !== '') ?? DEPLOYED_FLAGS
  const code = await withServices(storages.some(onPostgres))
  if (code !== null) return code
  await installRuntimes(runtimes, (line) => process.stderr.write(`${line}\n`))
  const servers = allServers().filter(
    ({ ours, role, runtime, storage }) =>
      ours && role === 'provider' && runtimes.includes(runtime) && storages.some((name) => name === storage),
  )
  process.stdout.write(`| | connections | idle | ${MIX.join(' | ')} |\n`)
  process.stdout.write(`| --- | ---: | ---: | ${MIX.map(() => '---:').join(' | ')} |\n`)
  for (const kind of servers)
    for (const count of connections) {
      const options = { connections: Number(count), seconds, flags: kind.runtime === 'bun' ? [] : flags }
      const megabytes = (await measured(kind, options)).map((bytes) => `${Math.round(bytes / 1e6)} MB`)
      process.stdout.write(`| ${kind.name} | ${count} | ${megabytes.join(' | ')} |\n`)
    }
  return 0
}

/** The resident bytes of a server: idle, and after each workload. @throws Error when an operation fails. */
async function measured(kind: ServerKind, { connections, seconds, flags }: MemoryOptions): Promise<number[]> {
  const server = await start(kind, { people: PEOPLE, flags })
  const { pid } = server.process
  const readings: number[] = []
  const read = () => readings.push(residentBytesOfTree(pid) ?? Number.NaN)
  try {
    await delay(IDLE_SECONDS * 1000)
    read()
    for (const [run, workload] of MIX.entries()) {
      const { target } = server
      const load = { variant: 'real', run, connections, people: PEOPLE, warm_up: 0, seconds } as const
      const { errors, error_samples } = await putLoad({ ...load, workload, target, pid })
      if (errors > 0) throw new Error(`${kind.name}, ${workload}: ${error_samples.join('; ')}`)
      read()
    }
    return readings
  } finally {
    await server.stop()
  }
}

runCommand(memory)
