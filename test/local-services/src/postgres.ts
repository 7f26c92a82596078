/** A real PostgreSQL for the tests, on a free port and in a temporary folder. */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from './guarded-server.js'
import { publicTmp, type Service, throwAwayFolder, unprivileged } from './machine.js'
import { type Programs, postgresPrograms } from './postgres-programs.js'

const exe = process.platform === 'win32' ? '.exe' : ''

/** The URL of a server that `createCluster` made. */
export const postgresUrl = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

/** Its data need not survive: a test server trades durability for speed. The tests of several packages connect to it at once. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '500',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/** @param changed Settings of this server, as `{ max_connections: '8' }`. @param parent The folder for the one with its data. */
export async function startPostgres(
  changed: Readonly<Record<string, string>> = {},
  parent: string = publicTmp(),
): Promise<Service> {
  const programs = postgresPrograms()
  const folder = throwAwayFolder('postgres', unprivileged, parent)
  const data = join(folder, 'data')
  try {
    createCluster(programs, data)
    const settings = Object.entries({ ...SETTINGS, ...changed }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const { port, ...controls } = await startServer({
      name: 'postgres',
      file: join(programs.folder, `postgres${exe}`),
      args: (port) => ['-D', data, '-p', `${port}`, ...settings],
      ready: /ready to accept connections/,
      folder,
      options: unprivileged,
    })
    return { url: postgresUrl(port), source: programs.source, ...controls }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** A new cluster in the folder `data`, with a superuser `postgres` whom every local connection may be. */
export function createCluster({ folder }: Programs, data: string): void {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { error, status, stdout, stderr } = spawnSync(
    join(folder, `initdb${exe}`),
    ['-D', data, ...options],
    {
      ...unprivileged,
      encoding: 'utf8',
      cwd: publicTmp(),
    },
  )
  if (error) throw error
  if (status !== 0) throw new Error(`initdb has failed: ${stderr || stdout}`)
}
