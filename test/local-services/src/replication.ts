/** A PostgreSQL with a standby that receives its changes by streaming replication. */

import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
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
  kill(): Promise<void>
  /** Makes a standby the primary; resolves when it accepts writes. */
  promote(): Promise<void>
  /** From now on a standby receives nothing more. */
  disconnect(): Promise<void>
  /** Ends it; `resume` starts it again with its data. */
  pause(): Promise<void>
  resume(): Promise<void>
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
    follow(primary, standbyFolder)
    const standby = await startMember(programs, standbyFolder, {})
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

function follow({ port }: ReplicationMember, folder: string): void {
  const address = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
  // In the file of ALTER SYSTEM: `disconnect` changes it.
  appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
}

async function command(port: number, text: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(postgresUrl(port), { max: 1 })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end()
  }
}

const isReceiving = async (port: number): Promise<boolean> =>
  (await command(port, 'select pid from pg_stat_wal_receiver')).length > 0

async function startMember(
  { folder: programs }: Programs,
  folder: string,
  more: Record<string, string>,
): Promise<ReplicationMember> {
  const data = join(folder, 'data')
  const settings = Object.entries({ ...SETTINGS, ...more })
  const { port, pause, resume, kill, stop } = await startServer({
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
      await command(port, 'select pg_promote()')
    },
    async disconnect() {
      await command(port, "alter system set primary_conninfo = ''")
      await command(port, 'select pg_reload_conf()')
      while (await isReceiving(port));
    },
    kill,
    pause,
    resume,
    stop,
  }
}
