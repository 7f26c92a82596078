/**
 * bench:scale: what an operation costs with many rows, and with many realms, as a multiple of what it costs with few.
 * `--only rows|realms|made-realms`, `--rows N` (1000000), `--realms N` (1000), `--runs N` (5), `--seconds S` (3).
 */

import { parseArgs } from 'node:util'
import type { LoadResult } from '../load/load-job.js'
import { number } from '../options.js'
import { runCommand, withServices } from '../run/command.js'
import { putLoad } from '../run/load-process.js'
import { withMadeRealms } from '../run/made-realms.js'
import { allServers } from '../servers/catalog.js'
import { migrate, newDatabase } from '../servers/databases.js'
import { fill } from '../servers/fill.js'
import type { ServerKind } from '../servers/server-kind.js'
import { type StartedServer, type StartOptions, start } from '../servers/start.js'
import { median } from '../statistics.js'
import { PEOPLE } from '../target.js'
import type { WorkloadName } from '../workloads/index.js'

const FLOWS = ['client_credentials', 'authorization_code', 'refresh', 'introspection', 'userinfo'] as const
const IN_REALMS = ['discovery', 'jwks', 'client_credentials', 'introspection'] as const
const FEW_ROWS = 10
const PARTS = ['rows', 'realms', 'made-realms']
/** Made at run time. */
const [FEW_REALMS, MANY_REALMS] = [1000, 10_000]

interface Size {
  runs: number
  seconds: number
}

async function scale(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      realms: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
    },
  })
  const rows = number('rows', values.rows, { otherwise: 1_000_000, from: 1, to: 10_000_000 })
  const realms = number('realms', values.realms, { otherwise: 1000, from: 1, to: 10_000 })
  const size = {
    runs: number('runs', values.runs, { otherwise: 5, from: 1, to: 15 }),
    seconds: number('seconds', values.seconds, { otherwise: 3, from: 0.2, to: 60 }),
  }
  const { only } = values
  if (only !== undefined && !PARTS.includes(only)) throw new Error(`--only: ${PARTS.join(', ')}`)
  const code = await withServices(true)
  if (code !== null) return code

  const kinds = allServers().filter(({ ours, runtime }) => ours && runtime === 'node')
  const postgres = kinds.find(({ storage }) => storage === 'postgres')
  const memory = kinds.find(({ storage }) => storage === 'memory')
  if (!postgres || !memory) throw new Error('The servers to measure do not exist')
  if (only === undefined || only === 'rows')
    print([`${FEW_ROWS} rows`, `${rows} rows`], await withRows(postgres, rows, size))
  if (only === undefined || only === 'realms') {
    const lines = [...(await withRealms(memory, realms, size)), ...(await withRealms(postgres, realms, size))]
    print(['1 realm', `${realms} realms`], lines)
  }
  if (only === undefined || only === 'made-realms') {
    const lines = await withMadeRealms(postgres, [FEW_REALMS, MANY_REALMS], size.runs)
    process.stdout.write(
      `| | ${FEW_REALMS} realms | ${MANY_REALMS} realms | cost |\n| --- |${' ---: |'.repeat(3)}\n`,
    )
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

function print([few, many]: readonly [string, string], lines: readonly string[]): void {
  const head = `| | ${few} | ${many} | cost | CPU, ${few} | CPU, ${many} | cost |`
  process.stdout.write(`${head}\n| --- |${' ---: |'.repeat(6)}\n${lines.join('\n')}\n\n`)
}

async function withRows(kind: ServerKind, rows: number, size: Size): Promise<string[]> {
  const databases = [await newDatabase(), await newDatabase()] as const
  const servers: StartedServer[] = []
  try {
    for (const [index, database_url] of databases.entries()) {
      migrate(kind.command, database_url)
      const server = await start(kind, { people: PEOPLE, database_url })
      servers.push(server)
      // A grant with a refresh token, to be copied.
      await load(server, 'refresh', { run: size.runs, seconds: 0.2 })
      const counts = await fill(database_url, index === 0 ? FEW_ROWS : rows)
      process.stderr.write(`${JSON.stringify(counts)}\n`)
    }
    return await compare(kind.name, servers, { flows: FLOWS, size })
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function withRealms(kind: ServerKind, realms: number, size: Size): Promise<string[]> {
  const servers: StartedServer[] = []
  try {
    for (const count of [1, realms]) {
      const options: StartOptions = { people: 1, realms: count }
      const server = await start(kind, options)
      process.stderr.write(
        `${kind.name}: ${count} realms, ready in ${Math.round(server.process.ready_ms)} ms\n`,
      )
      servers.push({ ...server, target: { ...server.target, realms: count } })
    }
    return await compare(kind.name, servers, { flows: IN_REALMS, size })
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Runs alternate; the costs are those of an operation in time and in CPU of the server, by the medians. */
async function compare(
  name: string,
  servers: readonly StartedServer[],
  { flows, size }: { flows: readonly WorkloadName[]; size: Size },
): Promise<string[]> {
  const lines: string[] = []
  for (const flow of flows) {
    const rates = servers.map((): number[] => [])
    const costs = servers.map((): number[] => [])
    for (let run = 0; run < size.runs; run++)
      for (const [index, server] of servers.entries()) {
        const result = await load(server, flow, { run, seconds: size.seconds })
        rates[index]?.push(result.operations / result.seconds)
        costs[index]?.push(((result.cpu_seconds ?? 0) * 1000) / result.operations)
      }
    const [few = 0, many = 0] = rates.map(median)
    const [before = 0, after = 0] = costs.map(median)
    const time = `${Math.round(few)}/s | ${Math.round(many)}/s | ${(few / many).toFixed(2)}`
    const cpu = `${before.toFixed(3)} ms | ${after.toFixed(3)} ms | ${(after / before).toFixed(2)}`
    const line = `| ${name}: ${flow} | ${time} | ${cpu} |`
    process.stderr.write(`${line}\n`)
    lines.push(line)
  }
  return lines
}

async function load(
  { target, process }: StartedServer,
  workload: WorkloadName,
  { run, seconds }: { run: number; seconds: number },
): Promise<LoadResult> {
  const result = await putLoad({
    workload,
    variant: 'real',
    target,
    pid: process.pid,
    run,
    connections: PEOPLE,
    people: PEOPLE,
    warm_up: seconds / 2,
    seconds,
  })
  if (result.errors > 0)
    throw new Error(`${workload}: ${result.errors} errors, such as ${result.error_samples[0]}`)
  return result
}

runCommand(scale)
