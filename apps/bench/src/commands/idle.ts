/** bench:idle: startup time and resident memory of an idle server. */

import { runCommand, withServices } from '../run/command.js'
import { allServers } from '../servers/catalog.js'
import { migrate, newDatabase } from '../servers/databases.js'
import { start } from '../servers/start.js'
import { median } from '../statistics.js'

const STARTS = 3

async function idle(): Promise<number> {
  const code = withServices(true)
  if (code !== null) return code
  const providers = allServers().filter(({ role }) => role === 'provider')
  const rows: string[] = []
  for (const kind of providers) {
    // Ostiary starts on a database with its records; a peer creates its records each time.
    const kept = kind.ours && (kind.storage === 'postgres' || kind.storage === 'mix')
    const database_url = kept ? await newDatabase() : undefined
    if (database_url !== undefined) migrate(database_url)
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
