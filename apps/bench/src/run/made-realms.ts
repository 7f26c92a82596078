/** A server with realms at run time: its start, a round of its background work, and the first request in a realm. */

import postgres from 'postgres'
import { cpuSecondsOfTree } from '../load/procfs.js'
import { migrate, newDatabase } from '../servers/databases.js'
import { realmId } from '../servers/realms.js'
import type { ServerKind } from '../servers/server-kind.js'
import { start } from '../servers/start.js'
import { median } from '../statistics.js'

/** In milliseconds. */
interface Measured {
  ready: number
  /** CPU of a second without a request. */
  idle: number
  cold: number
}

/** Realms that get a first request. */
const COLD_REQUESTS = 200
const IDLE_SECONDS = 20
const DISCOVERY = '/.well-known/openid-configuration'

/** Each with settings, a client and a session that is not due. */
const FILL = `
  with made as (select i, 'realm-' || i as realm from generate_series(0, $1::int - 1) as i), realms as (
    insert into oidc_realms (realm, settings, created_at, updated_at, version, change)
      select realm, '{"oidc":{"claims_supported":["sub","name"]}}', 1, 1, 1, i + 1 from made
  ), clients as (
    insert into oidc_clients (realm, client_id, client_name, token_endpoint_auth_method, redirect_uris,
      post_logout_redirect_uris, grant_types, response_types, backchannel_logout_session_required,
      allowed_exchange_audiences, consent_required, trusted, self_registered, client_id_issued_at)
      select realm, 'app', 'App', 'none', '[]', '[]', '[]', '[]', true, '[]', true, false, false, 1 from made
  )
  insert into oidc_sessions (realm, sid, session_hash, sub, bucket, auth_time, amr, created_at, expires_at)
    select realm, 'sid', 'hash', 'ann', 0, 1, '["pwd"]', 1, 9999999999 from made`

/** Lines of a table: what many realms cost, as a multiple of what few do. */
export async function withMadeRealms(
  kind: ServerKind,
  counts: readonly [few: number, many: number],
  runs: number,
): Promise<string[]> {
  const databases = await Promise.all(counts.map((count) => filled(kind, count)))
  const found: Measured[][] = counts.map(() => [])
  for (let run = 0; run < runs; run += 1)
    for (const [index, database_url] of databases.entries()) {
      const measured = await measure(kind, database_url, counts[index] ?? 0)
      process.stderr.write(`${counts[index]} realms: ${JSON.stringify(measured)}\n`)
      found[index]?.push(measured)
    }
  return (['ready', 'idle', 'cold'] as const).map((name) => {
    const [few = 0, many = 0] = found.map((each) => median(each.map((measured) => measured[name])))
    return `| ${NAMES[name]} | ${few.toFixed(2)} ms | ${many.toFixed(2)} ms | ${(many / few).toFixed(2)} |`
  })
}

const NAMES: Readonly<Record<keyof Measured, string>> = {
  ready: 'start until the first answer',
  idle: 'CPU of a second without a request',
  cold: 'first request in a realm',
}

async function filled(kind: ServerKind, count: number): Promise<string> {
  const url = await newDatabase()
  migrate(kind.command, url)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(FILL, [count])
  await sql.unsafe('analyze')
  await sql.end()
  return url
}

async function measure(kind: ServerKind, database_url: string, count: number): Promise<Measured> {
  const server = await start(kind, { people: 0, database_url, made_realms: true, audit: true })
  const { pid, ready_ms: ready, origin } = server.process
  try {
    const cold: number[] = []
    const step = Math.floor(count / COLD_REQUESTS)
    for (let n = 0; n < COLD_REQUESTS; n += 1) {
      const began = performance.now()
      const response = await fetch(`${origin}/realms/${realmId(n * step)}${DISCOVERY}`)
      await response.arrayBuffer()
      cold.push(performance.now() - began)
      if (response.status !== 200) throw new Error(`${realmId(n * step)} answers ${response.status}`)
    }
    const before = cpuSecondsOfTree(pid) ?? 0
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000))
    const idle = (((cpuSecondsOfTree(pid) ?? 0) - before) * 1000) / IDLE_SECONDS
    return { ready, idle, cold: median(cold) }
  } finally {
    await server.stop()
  }
}
