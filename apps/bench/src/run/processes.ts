/** Starts and ends processes, each bound to a core. */

import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, whether this file runs from `src` or from `dist`. */
export const HOME = folderWith('package.json', dirname(fileURLToPath(import.meta.url)))
/** The root folder of the repository. */
export const ROOT = folderWith('pnpm-workspace.yaml', HOME)
/** A built file of this package. */
export const built = (path: string): string => join(HOME, 'dist', path)

function folderWith(file: string, from: string): string {
  return existsSync(join(from, file)) ? from : folderWith(file, dirname(from))
}

export const SERVER_CORE = '0'
export const LOAD_CORE = '1'

let can_pin: boolean | undefined

/** Whether processes can be bound to cores: `taskset`, and two cores or more. */
export function pinning(): boolean {
  can_pin ??= availableCores() >= 2 && succeeds('taskset', ['-c', SERVER_CORE, 'true'])
  return can_pin
}

/** The cores of the machine, even if this process may not use all of them. */
function availableCores(): number {
  try {
    return Number(execFileSync('nproc', ['--all'], { encoding: 'utf8' }))
  } catch {
    return availableParallelism()
  }
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The children that this process kills when it exits. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** @param cores Such as `0` or `0,1`; ignored when processes cannot be bound to cores. */
export function spawnOn(cores: string, command: readonly string[], options: SpawnOptions): ChildProcess {
  const [program = '', ...args] = pinning() ? ['taskset', '-c', cores, ...command] : command
  const child = spawn(program, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** SIGTERM, then SIGKILL after a few seconds. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 8000)
  await ended
  clearTimeout(timer)
}

export async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = socket.address()
  socket.close()
  await once(socket, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
