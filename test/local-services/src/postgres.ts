/** A real PostgreSQL for the tests, on a free port and in a temporary folder. */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from './guarded-server.js'
import { publicTmp, type Service, throwAwayFolder, unprivileged } from './machine.js'
import { postgresPrograms } from './postgres-programs.js'

const exe = process.platform === 'win32' ? '.exe' : ''

/** Its data need not survive: a test server trades durability for speed. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

export async function startPostgres(): Promise<Service> {
  const { folder: programs, source } = postgresPrograms()
  const folder = throwAwayFolder('postgres', unprivileged)
  const data = join(folder, 'data')
  try {
    createCluster(join(programs, `initdb${exe}`), data)
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { port, ...controls } = await startServer({
      name: 'postgres',
      file: join(programs, `postgres${exe}`),
      args: (port) => ['-D', data, '-p', `${port}`, ...settings],
      ready: /ready to accept connections/,
      folder,
      options: unprivileged,
    })
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, source, ...controls }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function createCluster(initdb: string, data: string): void {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { error, status, stdout, stderr } = spawnSync(initdb, ['-D', data, ...options], {
    ...unprivileged,
    encoding: 'utf8',
    cwd: publicTmp(),
  })
  if (error) throw error
  if (status !== 0) throw new Error(`initdb has failed: ${stderr || stdout}`)
}
