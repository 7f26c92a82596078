/** A real Redis for the tests, on a free port and in a temporary folder. */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { type RunningServer, startServer } from './guarded-server.js'
import { type Service, throwAwayFolder } from './machine.js'
import { freePort } from './ports.js'
import { type Program, redisProgram, succeeds } from './redis-programs.js'

const IMAGE = 'redis:7-alpine'

export async function startRedis(): Promise<Service> {
  const program = redisProgram()
  if (program) {
    const { port, ...controls } = await startProgram(program, { args: plain })
    return { url: `redis://127.0.0.1:${port}`, source: program.source, ...controls }
  }
  const service = await startContainer()
  if (service) return service
  throw new Error(NO_REDIS)
}

const NO_REDIS =
  'no Redis: set REDIS_URL, or install redis-server or valkey-server ' +
  '(brew install redis, apt-get install redis-server), or start Docker'

/** It keeps no data when it stops. */
const plain = (port: number, folder: string): string[] =>
  `--port ${port} --bind 127.0.0.1 --dir ${folder} --save  --appendonly no`.split(' ')

export type { RunningServer }

/** A `redis-server` with arguments of its own: a node of a cluster, a replica, a sentinel. */
export async function startRedisProgram(start: RedisStart): Promise<RunningServer> {
  const program = redisProgram()
  if (program === null) throw new Error(NO_REDIS)
  return startProgram(program, start)
}

export interface RedisStart {
  /** All arguments of the program. @param folder A temporary folder. */
  args: (port: number, folder: string) => string[]
  /** What the server logs once it takes connections. */
  ready?: RegExp
}

const READY = /ready to accept connections/i

async function startProgram(
  { file, env }: Program,
  { args, ready = READY }: RedisStart,
): Promise<RunningServer> {
  const folder = throwAwayFolder('redis')
  try {
    return await startServer({
      name: 'redis-server',
      file,
      args: (port) => args(port, folder),
      ready,
      folder,
      options: { env },
    })
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
