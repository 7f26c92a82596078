/**
 * bench:soak: memory over time, under a mix of workloads. `--minutes N` (10), `--storage` (memory), `--rate N` a second
 * (100), `--step S`: seconds until the next workload has its turn (10), `--lifetime S`: sign-ins, grants and tokens last
 * so many seconds (30 or more), so that after those as many records end as are made, and what still grows is kept by mistake.
 */

import { parseArgs } from 'node:util'
import { number } from '../options.js'
import { runCommand, withServices } from '../run/command.js'
import { putLoad } from '../run/load-process.js'
import { allServers } from '../servers/catalog.js'
import { DEPLOYED_FLAGS } from '../servers/deployed-flags.js'
import { onPostgres, STORAGES } from '../servers/server-kind.js'
import { start } from '../servers/start.js'
import { PEOPLE } from '../target.js'
import type { WorkloadName } from '../workloads/index.js'

const MIX: readonly WorkloadName[] = [
  ...(['client_credentials', 'authorization_code', 'refresh', 'introspection', 'userinfo'] as const),
]
/** Each step signs in other users, so that the limit on attempts is not reached. */
const CONNECTIONS = 2

async function soak(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      storage: { type: 'string' },
      rate: { type: 'string' },
      step: { type: 'string' },
      lifetime: { type: 'string' },
    },
  })
  const minutes = number('minutes', values.minutes, { otherwise: 10, from: 0.2, to: 600 })
  const rate = number('rate', values.rate, { otherwise: 100, from: 1, to: 10_000 })
  const step_seconds = number('step', values.step, { otherwise: 10, from: 1, to: 60 })
  const lifetime =
    values.lifetime === undefined
      ? undefined
      : number('lifetime', values.lifetime, { otherwise: 30, from: 30, to: 86_400 })
  const storage = STORAGES.find((name) => name === (values.storage ?? 'memory'))
  if (storage === undefined) throw new Error(`--storage: give one of ${STORAGES.join(', ')}`)
  const code = await withServices(onPostgres(storage))
  if (code !== null) return code

  const kind = allServers().find((server) => server.storage === storage && server.role === 'provider')
  if (kind === undefined) throw new Error(`There is no server on ${storage}`)
  const steps = Math.ceil((minutes * 60) / step_seconds)
  const server = await start(kind, {
    people: PEOPLE + Math.ceil((steps * CONNECTIONS) / 10),
    flags: kind.runtime === 'bun' ? [] : DEPLOYED_FLAGS,
    ...(lifetime !== undefined && { lifetime }),
  })
  const readings: number[] = []
  let errors = 0
  try {
    process.stdout.write('second,workload,per_second,errors,rss_mb\n')
    for (let step = 0; step < steps; step++) {
      const workload = MIX[step % MIX.length] ?? 'client_credentials'
      const result = await putLoad({
        workload,
        variant: 'real',
        target: server.target,
        pid: server.process.pid,
        run: step,
        connections: CONNECTIONS,
        people: PEOPLE,
        warm_up: 0,
        seconds: step_seconds,
        rate,
      })
      errors += result.errors
      const rss = Math.round((result.rss ?? 0) / 1e6)
      readings.push(rss)
      const done = Math.round(result.operations / result.seconds)
      process.stdout.write(`${(step + 1) * step_seconds},${workload},${done},${result.errors},${rss}\n`)
    }
  } finally {
    await server.stop()
  }
  // The first third is the warm-up. The highest values of the two halves after it are compared.
  const settled = readings.slice(Math.floor(readings.length / 3))
  const half = Math.ceil(settled.length / 2)
  const [earlier, later] = [settled.slice(0, half), settled.slice(half)].map((list) => Math.max(0, ...list))
  process.stdout.write(
    `highest: ${earlier} MB in the earlier half, ${later} MB in the later; ${errors} errors\n`,
  )
  return errors === 0 ? 0 : 1
}

runCommand(soak)
