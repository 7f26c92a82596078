/**
 * with-services [--on-disk] [--only postgres|redis] COMMAND [ARG…]
 *
 * Runs the command with DATABASE_URL and REDIS_URL, and returns its exit code. A service whose variable is set already
 * is used; the others are started for the command, and stopped and deleted after it. The data of PostgreSQL are in memory, where there
 * is enough; with `--on-disk` they never are.
 *
 * with-services [--on-disk] --shared COMMAND [ARG…]
 *
 * Starts one PostgreSQL for each `with-services` that the command runs. The command itself does not get its URL.
 */

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fastTmp, publicTmp, type Service, variable } from './machine.js'
import { startPostgres } from './postgres.js'
import { startRedis } from './redis.js'

const USAGE = 'usage: with-services [--on-disk] [--only postgres|redis | --shared] COMMAND [ARG…]'
/** A PostgreSQL that several commands share: each test has a database of its own in it. */
const SHARED_URL = 'SHARED_DATABASE_URL'
/** Set for a PostgreSQL that was started for the command: databases that nothing drops may stay in it. */
const THROW_AWAY = 'THROW_AWAY_DATABASES'

const services = {
  postgres: { url: 'DATABASE_URL', start: (parent: string) => startPostgres({}, parent) },
  redis: { url: 'REDIS_URL', start: () => startRedis() },
} as const
type ServiceName = keyof typeof services
const isService = (name: string | undefined): name is ServiceName => Object.hasOwn(services, name ?? '')

/** What the command line asks for. */
interface Order {
  names: readonly ServiceName[]
  shared: boolean
  /** In it are the folders with the data. */
  parent: string
  command: string[]
}

function orderOf(args: string[]): Order {
  const on_disk = args[0] === '--on-disk'
  const parent = on_disk ? publicTmp() : fastTmp()
  const words = on_disk ? args.slice(1) : args
  const [flag, only] = words
  if (flag === '--shared') return { names: ['postgres'], shared: true, parent, command: words.slice(1) }
  if (flag !== '--only') return { names: ['postgres', 'redis'], shared: false, parent, command: words }
  if (!isService(only)) throw new Error(USAGE)
  return { names: [only], shared: false, parent, command: words.slice(2) }
}

async function main(args: string[]): Promise<number> {
  const { names, shared, parent, command } = orderOf(args)
  const [file, ...rest] = command
  if (file === undefined) throw new Error(USAGE)
  const env: NodeJS.ProcessEnv = { ...process.env }
  delete env[THROW_AWAY]
  const started: Service[] = []
  const began = performance.now()
  try {
    for (const name of names) {
      const url = services[name].url
      if (variable(url)) continue
      const common = name === 'postgres' ? variable(SHARED_URL) : undefined
      if (name === 'postgres') env[THROW_AWAY] = '1'
      if (common) env[url] = common
      if (common) continue
      const service = await services[name].start(parent)
      started.push(service)
      env[shared ? SHARED_URL : url] = service.url
      console.error(`with-services: ${name} from ${service.source}`)
    }
    if (started.length > 0)
      console.error(`with-services: ready in ${Math.round(performance.now() - began)} ms`)
    return await run(file, rest, env)
  } finally {
    for (const service of started.reverse()) await service.stop()
  }
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    // On Windows a command is a script, which only a shell can start.
    const shell = process.platform === 'win32'
    const child = spawn(command, args, { stdio: 'inherit', env, shell })
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    // Ctrl-C in a terminal also reaches the command; this process only waits for it to exit.
    process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(`with-services: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  },
)
