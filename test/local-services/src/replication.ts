/** A PostgreSQL with a standby that receives its changes by streaming replication. */

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { startServer } from './guarded-server.js'
import { publicTmp, throwAwayFolder, unprivileged } from './machine.js'
import { createCluster, postgresUrl } from './postgres.js'
import { type Programs, postgresPrograms } from './postgres-programs.js'

/** One of the two servers. */
export interface ReplicationMember {
  url: string
  port: number
  /** Sends SIGKILL to the postmaster: its backends end by themselves. */
  kill(): void
  /** Makes a standby the primary; resolves when it accepts writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

export interface ReplicatedPostgres {
  primary: ReplicationMember
  standby: ReplicationMember
  /** Where the programs came from, for the log. */
  source: string
  stop(): Promise<void>
}

/** A kill of the processes loses nothing that was written, so these servers need no fsync; they do wait for each commit. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  wal_keep_size: '512MB',
}

/** @param synchronous Whether the primary answers a commit only when the standby has written it. */
export async function startReplication({
  synchronous,
}: {
  synchronous: boolean
}): Promise<ReplicatedPostgres> {
  const programs = postgresPrograms()
  const folders = [
    throwAwayFolder('primary', unprivileged),
    throwAwayFolder('standby', unprivileged),
  ] as const
  const [primaryFolder, standbyFolder] = folders
  try {
    createCluster(programs, join(primaryFolder, 'data'))
    copyCluster(primaryFolder, standbyFolder)
    const primary = await startMember(programs, primaryFolder, {
      ...(synchronous && { synchronous_standby_names: '*' }),
    })
    const standby = await startMember(programs, standbyFolder, {
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
    })
    return {
      primary,
      standby,
      source: programs.source,
      async stop() {
        await Promise.all([primary.stop(), standby.stop()])
      },
    }
  } catch (error) {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** A copy of a cluster that has never run is a base backup of it. */
function copyCluster(from: string, to: string): void {
  const options = { ...unprivileged, cwd: publicTmp() }
  const copied = spawnSync('cp', ['-a', join(from, 'data'), to], options).status
  const marked = spawnSync('touch', [join(to, 'data', 'standby.signal')], options).status
  if (copied !== 0 || marked !== 0) throw new Error(`${from} cannot be copied to ${to}`)
}

async function startMember(
  { folder: programs }: Programs,
  folder: string,
  more: Record<string, string>,
): Promise<ReplicationMember> {
  const data = join(folder, 'data')
  const settings = Object.entries({ ...SETTINGS, ...more })
  const { port, stop } = await startServer({
    name: 'postgres',
    file: join(programs, 'postgres'),
    args: (port) => [
      '-D',
      data,
      '-p',
      `${port}`,
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ready: /ready to accept (?:read-only )?connections/,
    folder,
    options: unprivileged,
  })
  return {
    url: postgresUrl(port),
    port,
    async promote() {
      const sql = postgres(postgresUrl(port), { max: 1 })
      await sql`select pg_promote()`
      await sql.end()
    },
    kill() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    stop,
  }
}
