/** A real Redis for the tests, on a free port and in a temporary folder. */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { startServer } from './guarded-server.js'
import { freePort, type Service, throwAwayFolder } from './machine.js'
import { type Program, redisProgram, succeeds } from './redis-programs.js'

const IMAGE = 'redis:7-alpine'

export async function startRedis(): Promise<Service> {
  const program = redisProgram()
  const service = program ? await startProgram(program) : await startContainer()
  if (service) return service
  throw new Error(
    'no Redis: set REDIS_URL, or install redis-server or valkey-server ' +
      '(brew install redis, apt-get install redis-server), or start Docker',
  )
}

async function startProgram({ file, source, env }: Program): Promise<Service> {
  const folder = throwAwayFolder('redis')
  const local = ['--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  try {
    const { port, ...controls } = await startServer({
      name: 'redis-server',
      file,
      args: (port) => ['--port', `${port}`, ...local],
      ready: /ready to accept connections/i,
      folder,
      options: { env },
    })
    return { url: `redis://127.0.0.1:${port}`, source, ...controls }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

async function startContainer(): Promise<Service | null> {
  // The client may be installed without an engine.
  if (!succeeds('docker', ['info'])) return null
  const docker = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' })
  const port = await freePort()
  const publish = ['run', '--rm', '-d', '-p', `127.0.0.1:${port}:6379`]
  const run = () => docker(...publish, IMAGE, 'redis-server', '--save', '')
  let { status, stdout: id } = run()
  if (status !== 0) return null
  const stop = async () => void docker('rm', '-f', id.trim())
  const resume = async () => {
    ;({ status, stdout: id } = run())
    if (status !== 0) throw new Error(`docker does not start ${IMAGE} again`)
  }
  return { url: `redis://127.0.0.1:${port}`, source: `docker ${IMAGE}`, pause: stop, resume, stop }
}
