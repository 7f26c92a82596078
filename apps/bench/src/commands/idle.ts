/** bench:idle: startup time and resident memory of an idle server. `--runtime a,b` (node,bun), `--storage a,b`. */

import { parseArgs } from 'node:util'
import { list } from '../options.js'
import { runCommand, withServices } from '../run/command.js'
import { DEFAULT_RUNTIMES, installRuntimes, RUNTIMES } from '../run/runtimes.js'
import { allServers } from '../servers/catalog.js'
import { migrate, newDatabase } from '../servers/databases.js'
import { onPostgres, STORAGES } from '../servers/server-kind.js'
import { start } from '../servers/start.js'
import { median } from '../statistics.js'

const STARTS = 3

async function idle(): Promise<number> {
  const { values } = parseArgs({ options: { runtime: { type: 'string' }, storage: { type: 'string' } } })
  const runtimes = list('runtime', values.runtime, { all: RUNTIMES, otherwise: DEFAULT_RUNTIMES })
  const storages = list('storage', values.storage, { all: STORAGES, otherwise: STORAGES })
  const code = await withServices(storages.some(onPostgres))
  if (code !== null) return code
  await installRuntimes(runtimes, (line) => process.stderr.write(`${line}\n`))
  // The peers run on the default Node.
  const providers = allServers().filter(
    ({ role, runtime, storage, peer }) =>
      role === 'provider' &&
      (peer !== undefined || runtimes.includes(runtime)) &&
      storage !== undefined &&
      storages.includes(storage),
  )
  const rows: string[] = []
  for (const kind of providers) {
    // Ostiary starts on a database with its records; a peer creates its records each time.
    const kept = kind.ours && onPostgres(kind.storage)
    const database_url = kept ? await newDatabase() : undefined
    if (database_url !== undefined) migrate(kind.command, database_url)
    const seen: { ready_ms: number; rss: number | null }[] = []
    for (let i = 0; i < STARTS; i++) {
      const server = await start(kind, { people: 0, ...(database_url !== undefined && { database_url }) })
      seen.push({ ready_ms: server.process.ready_ms, rss: server.process.idle_rss })
      await server.stop()
    }
    const ready = Math.round(median(seen.map(({ ready_ms }) => ready_ms)))
    const rss = median(seen.map(({ rss }) => rss ?? Number.NaN))
    rows.push(`| ${kind.name} | ${ready} ms | ${Math.round(rss / 1e6)} MB |`)
    process.stderr.write(`${rows.at(-1)}\n`)
  }
  const head = ['| | start to first response | resident when idle |', '| --- | ---: | ---: |']
  process.stdout.write(`${[...head, ...rows].join('\n')}\n`)
  return 0
}

runCommand(idle)
