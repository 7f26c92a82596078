/** Starts the services of a command, and sets its exit code. */

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { LOAD_CORE, pinning } from './processes.js'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs this command again with PostgreSQL and Redis beside it, on the load generator's core: the database's work
 * must not count as the server's. @returns Its exit code; null when nothing has to be started.
 */
export async function withServices(needed: boolean): Promise<number | null> {
  if (!needed || (process.env.DATABASE_URL && process.env.REDIS_URL)) return null
  const services = createRequire(import.meta.url).resolve('@ostiary/local-services/package.json')
  const launcher = join(dirname(services), 'dist/with-services.js')
  const command = [process.execPath, launcher, '--on-disk', process.execPath, ...process.argv.slice(1)]
  const [program = '', ...args] = pinning() ? ['taskset', '-c', LOAD_CORE, ...command] : command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    // The command removes what it has made, and then exits.
    process.removeAllListeners('SIGTERM').on('SIGTERM', () => child.kill('SIGTERM'))
    // Ctrl-C in a terminal reaches the command, too.
    process.removeAllListeners('SIGINT').on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}

/** Runs the command, and exits with its code; with 1 after an error or a signal. */
export function runCommand(command: () => Promise<number>): void {
  for (const signal of SIGNALS) process.once(signal, () => process.exit(1))
  command().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
      process.exit(1)
    },
  )
}
