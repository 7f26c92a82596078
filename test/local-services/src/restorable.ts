/** A PostgreSQL that goes back to a backup of its files, at the same address. */

import { spawnSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from './guarded-server.js'
import { publicTmp, throwAwayFolder, unprivileged } from './machine.js'
import { createCluster, postgresUrl } from './postgres.js'
import { postgresPrograms } from './postgres-programs.js'

export interface RestorablePostgres {
  url: string
  /** Copies its files, while it is stopped for that. */
  backup(): Promise<void>
  /**
   * Replaces its files by the backup.
   * @param to How far the changes since the backup are made again; null: not at all, as with a snapshot of a disk.
   */
  restore(to: RecoveryTarget | null): Promise<void>
  stop(): Promise<void>
}

/** A setting that names where a recovery ends, as `recovery_target_time`. None: at the end of the log, and nothing is lost. */
export type RecoveryTarget = Readonly<Record<string, string>>

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  wal_keep_size: '512MB',
}

export async function startRestorable(): Promise<RestorablePostgres> {
  const programs = postgresPrograms()
  const folder = throwAwayFolder('restorable', unprivileged)
  const [data, backup, old] = ['data', 'backup', 'old'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  try {
    createCluster(programs, data)
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { port, pause, resume, stop } = await startServer({
      name: 'postgres',
      file: join(programs.folder, 'postgres'),
      args: (port) => ['-D', data, '-p', `${port}`, ...settings],
      ready: /ready to accept connections/,
      folder,
      options: unprivileged,
    })
    return {
      url: postgresUrl(port),
      async backup() {
        await pause()
        run('cp', '-a', data, backup)
        await resume()
      },
      async restore(to) {
        await pause()
        rmSync(old, { recursive: true, force: true })
        renameSync(data, old)
        run('cp', '-a', backup, data)
        if (to !== null) recover(data, { ...to, restore_command: `cp "${join(old, 'pg_wal')}/%f" "%p"` })
        await resume()
      },
      stop,
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function recover(data: string, settings: RecoveryTarget): void {
  const all = { ...settings, recovery_target_action: 'promote' }
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(data, 'postgresql.auto.conf'), lines.join(''))
  run('touch', join(data, 'recovery.signal'))
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { ...unprivileged, cwd: publicTmp(), encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} has failed: ${stderr}`)
}
