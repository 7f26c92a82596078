/** bench:cores: one worker on one core beside two workers on two. `--runs N` (5), `--seconds S` (5). */

import { parseArgs } from 'node:util'
import { number } from '../options.js'
import { runCommand, withServices } from '../run/command.js'
import { putLoad } from '../run/load-process.js'
import { LOAD_CORE, SERVER_CORE } from '../run/processes.js'
import { summary } from '../run/result.js'
import { allServers } from '../servers/catalog.js'
import { migrate, newDatabase } from '../servers/databases.js'
import { type StartedServer, start } from '../servers/start.js'
import { PEOPLE } from '../target.js'

const WORKERS = [1, 2] as const
const BOTH = `${SERVER_CORE},${LOAD_CORE}`

async function cores(): Promise<number> {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seconds: { type: 'string' } } })
  const runs = number('runs', values.runs, { otherwise: 5, from: 1, to: 15 })
  const seconds = number('seconds', values.seconds, { otherwise: 5, from: 0.2, to: 60 })
  const code = await withServices(true)
  if (code !== null) return code

  const kind = allServers().find(({ name }) => name === 'ostiary Postgres')
  if (kind === undefined) throw new Error('There is no server on PostgreSQL')
  const servers: StartedServer[] = []
  try {
    for (const workers of WORKERS) {
      const database_url = await newDatabase()
      migrate(kind.command, database_url)
      const where = workers === 1 ? SERVER_CORE : BOTH
      servers.push(await start(kind, { people: 1, workers, database_url, cores: where }))
    }
    const results = servers.map((): Awaited<ReturnType<typeof putLoad>>[] => [])
    for (let run = 0; run < runs; run++)
      for (const [index, { target, process }] of servers.entries())
        results[index]?.push(
          await putLoad({
            workload: 'client_credentials',
            variant: 'real',
            target,
            pid: process.pid,
            run,
            connections: PEOPLE,
            people: 1,
            warm_up: seconds / 2,
            seconds,
          }),
        )
    const [one, two] = results.map((of, index) =>
      summary(WORKERS[index] === 1 ? '1 worker' : `${WORKERS[index]} workers`, of),
    )
    if (!one || !two) throw new Error('nothing was measured')
    // The load generator uses one of the two cores.
    const left = 2 - two.generator_busy
    const rows = [
      '| | client credentials per second | CPU ms per request | errors |',
      '| --- | ---: | ---: | ---: |',
      ...[one, two].map(
        ({ name, per_second, cpu_ms, errors }) =>
          `| ${name} | ${Math.round(per_second)} | ${cpu_ms?.toFixed(3) ?? ''} | ${errors} |`,
      ),
      '',
      `Two cores handle ${(two.per_second / one.per_second).toFixed(2)} times as many requests as one. The load generator used`,
      `${two.generator_busy.toFixed(2)} of a core, which leaves ${left.toFixed(2)} for the two workers: ${(two.per_second / one.per_second / left).toFixed(2)} times per core.`,
    ]
    process.stdout.write(`${rows.join('\n')}\n`)
    return one.errors + two.errors === 0 ? 0 : 1
  } finally {
    for (const server of servers) await server.stop()
  }
}

runCommand(cores)
