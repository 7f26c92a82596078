/** Starts a server for a workload: its database, its configuration, its token. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from '../load/connection.js'
import { LOAD_CORE } from '../run/processes.js'
import { type ServerProcess, startServer } from '../run/server-process.js'
import { SCOPE, type Target } from '../target.js'
import { isEs256, type WorkloadName } from '../workloads/index.js'
import { clientCredentials } from '../workloads/machine.js'
import { bareServer, configFile } from './catalog.js'
import { databasePid, migrate, newDatabase, newRedis } from './databases.js'
import { oursOnMemory } from './ours.js'
import { SECRET } from './ours-config.js'
import { onPostgres, type ServerKind } from './server-kind.js'

export interface StartedServer {
  kind: ServerKind
  process: ServerProcess
  /** Null where the server has no PostgreSQL, or that runs elsewhere. */
  database_pid: number | null
  target: Target
  stop(): Promise<void>
}

export interface StartOptions {
  /** How many users can sign in. */
  people: number
  realms?: number
  /** Seconds. */
  lifetime?: number
  /** An existing database, used instead of a new one. */
  database_url?: string
  /** Flags of the runtime, before the program: such as `--cpu-prof`. */
  flags?: readonly string[]
  cores?: string
  /** ES256 signs the access tokens for the API, and DPoP is on. */
  es256?: boolean
  /** Ours: with audit.enabled. */
  audit?: boolean
  /** Ours: the realms are those of the database. */
  made_realms?: boolean
  /** Processes that take requests; ours, on a database. */
  workers?: number
}

/** A thousand realms make a thousand keys before the first answer. */
const MANY_REALMS = 900_000

export async function start(kind: ServerKind, options: StartOptions): Promise<StartedServer> {
  const { people, realms, lifetime, flags = [], cores, es256, audit, made_realms, workers } = options
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-bench-data-'))
  const issuer = kind.role === 'resource' ? await start(oursOnMemory, { people: 1, cores: LOAD_CORE }) : null
  const [program = '', ...args] = kind.command
  const environment = {
    ...(await storageOf(kind, options)),
    ...(kind.ours && { OIDC_SECRET: SECRET, DATA_DIR: folder }),
    ...(issuer && issuerOf(issuer)),
    PEOPLE: `${people}`,
    ...(es256 && !kind.ours && { ES256: '1' }),
    ...(workers !== undefined && { OSTIARY_WORKERS: `${workers}` }),
  }
  try {
    const process = await startServer({
      command: [program, ...flags, ...args],
      env: environment,
      ready: made_realms ? '/readyz' : readyPath(kind, realms),
      ...(kind.ours && { files: configFile({ people, realms, lifetime, es256, audit, made_realms }) }),
      ...(cores !== undefined && { cores }),
      ...(realms !== undefined && { ready_timeout_ms: MANY_REALMS }),
    })
    const stop = async () => {
      await process.stop()
      await issuer?.stop()
      await rm(folder, { recursive: true, force: true })
    }
    const target = { origin: process.origin, ...kind.target(process.origin) }
    const token = await tokenFor(kind, issuer?.target ?? target)
    const database_pid = onPostgres(kind.storage) ? await databasePid() : null
    return {
      kind,
      process,
      database_pid,
      target: { ...target, ...(token !== null && { access_token: token }) },
      stop,
    }
  } catch (error) {
    await issuer?.stop()
    throw error
  }
}

/** In path routing there is no document without a realm, but the process answers. */
const readyPath = ({ ready, ours }: ServerKind, realms?: number): string =>
  ours && realms !== undefined ? '/healthz' : ready

async function storageOf(
  { storage, ours, command }: ServerKind,
  { database_url }: StartOptions,
): Promise<Record<string, string>> {
  if (ours && storage === 'memory') return { OSTIARY_STORAGE: 'memory' }
  if (!onPostgres(storage)) return {}
  const url = database_url ?? (await newDatabase())
  if (ours && database_url === undefined) migrate(command, url)
  return { DATABASE_URL: url, ...(storage === 'mix' && { REDIS_URL: newRedis(), OSTIARY_SESSIONS: 'redis' }) }
}

const issuerOf = ({ target }: StartedServer) => ({
  ISSUER: target.origin,
  AUDIENCE: target.resource ?? '',
  JWKS_URI: `${target.origin}${target.paths.jwks}`,
})

/** For a server that validates: a token of its issuer, for it. */
async function tokenFor({ role }: ServerKind, issuer: Target): Promise<string | null> {
  if (role !== 'guard' && role !== 'resource') return null
  const connection = await openConnection(issuer.origin)
  try {
    const fields = { resource: `${issuer.origin}/api`, scope: SCOPE }
    return `${await clientCredentials(connection, issuer, fields)}`
  } finally {
    connection.close()
  }
}

/** The bare server, with the bytes of another server's document if it answers that. */
export async function startBare(document?: { origin: string; path: string }): Promise<StartedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-bench-bytes-'))
  const env: Record<string, string> = {}
  if (document) {
    const answer = await fetch(document.origin + document.path)
    const headers = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !['connection', 'date', 'keep-alive', 'content-length'].includes(name),
      ),
    )
    env.BYTES = join(folder, 'document')
    env.HEADERS = JSON.stringify(headers)
    await writeFile(env.BYTES, Buffer.from(await answer.arrayBuffer()))
  }
  const { command, ready } = bareServer
  const process = await startServer({ command, ready, env })
  return {
    kind: bareServer,
    process,
    database_pid: null,
    target: { origin: process.origin, paths: {} },
    async stop() {
      await process.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The servers that have all that a workload needs. */
export function canDo(
  { role, target, not, signs_es256 }: ServerKind,
  workload: WorkloadName,
  needs: readonly string[],
): boolean {
  if (not?.includes(workload)) return false
  if (isEs256(workload) && role === 'provider' && !signs_es256) return false
  if (workload === 'guard') return role === 'guard'
  if (workload === 'jwks_validation') return role === 'resource'
  const { paths } = target('')
  return role === 'provider' && needs.every((endpoint) => endpoint in paths)
}
