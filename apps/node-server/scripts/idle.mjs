/**
 * What a server needs that nobody asks anything: memory, and the time from its start until it is ready.
 * node packages/local-services/dist/with-services.js node apps/node-server/scripts/idle.mjs [rounds]
 *
 * Prints a JSON line for each storage: the median of the rounds. DATABASE_URL names an empty database, or one that this
 * script has filled. On Linux and macOS.
 */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { migrateDatabase } from '@ostiary/host'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** Until everything that the start has left behind is settled. */
const SETTLE_MS = 5000
/** It seals the keys in the database, so it is the same each time. */
const SECRET = 'only-to-measure-only-to-measure-only-to-measure'
const ROUNDS = Number(process.argv[2] ?? 3)

const { DATABASE_URL, REDIS_URL, PATH = '' } = process.env
if (!DATABASE_URL || !REDIS_URL)
  throw new Error('DATABASE_URL and REDIS_URL are needed: see the head of this file')

const cwd = await mkdtemp(join(tmpdir(), 'ostiary-idle-'))
await writeFile(
  join(cwd, 'ostiary.config.json'),
  JSON.stringify({
    app: { url: 'http://localhost:3000' },
    clients: [{ client_id: 'notes', redirect_uris: ['http://localhost:8080/callback'] }],
    users: [{ username: 'ann', password: 'correct horse battery staple' }],
  }),
)
try {
  await migrateDatabase({ DATABASE_URL }, false)
  // The first start writes clients, users and keys; the embedded database makes its folder.
  for (const [storage, env] of [
    ['postgres', { DATABASE_URL }],
    ['postgres and redis', { DATABASE_URL, REDIS_URL }],
    ['embedded', {}],
    ['memory', { OSTIARY_STORAGE: 'memory' }],
  ]) {
    const first = await idle(env)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await idle(env))
    const median = (name) => rounds.map((r) => r[name]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]
    const figures = {
      rss_mb: median('rss_mb'),
      ready_ms: median('ready_ms'),
      ready_cpu_ms: median('ready_cpu_ms'),
      first_ready_ms: first.ready_ms,
      first_ready_cpu_ms: first.ready_cpu_ms,
    }
    console.log(JSON.stringify({ storage, ...figures, node: process.version }))
  }
} finally {
  await rm(cwd, { recursive: true, force: true })
}

async function idle(env) {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    cwd,
    env: { PATH, PORT: String(port), OIDC_SECRET: SECRET, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    while (!(await ready(port))) {
      if (child.exitCode !== null) throw new Error('the server has ended')
      await sleep(5)
    }
    const ready_ms = Math.round(performance.now() - started)
    const ready_cpu_ms = await cpuTime(child.pid)
    await sleep(SETTLE_MS)
    const kilobytes = Number(
      execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }),
    )
    return { ready_ms, ready_cpu_ms, rss_mb: Math.round(kilobytes / 102.4) / 10 }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** What a busy machine does not change. Milliseconds; null where there is no /proc. */
async function cpuTime(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields ? (Number(fields[11]) + Number(fields[12])) * 10 : null
}

async function ready(port) {
  const answer = fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })
  return answer.then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort() {
  const socket = createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
