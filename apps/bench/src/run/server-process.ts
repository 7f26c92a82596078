/** A server under test as a process. */

import type { ChildProcess } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { residentBytesOfTree } from '../load/procfs.js'
import { end, freePort, SERVER_CORE, spawnOn } from './processes.js'

export interface Program {
  /** The program and its arguments. */
  command: readonly string[]
  env?: Record<string, string>
  /** Written into the folder that it is started in, by name. */
  files?: (port: number) => Record<string, string>
  /** Answers 200 when the server is ready. */
  ready: string
  /** Milliseconds to wait for it. */
  ready_timeout_ms?: number
  cores?: string
}

export interface ServerProcess {
  origin: string
  pid: number
  /** From the start to the first answer, in milliseconds. */
  ready_ms: number
  /** Resident bytes, once it is ready. */
  idle_rss: number | null
  stop(): Promise<void>
}

/** The default of `ready_timeout_ms`. */
const READY_TIMEOUT_MS = 120_000

/** Its output goes to a file: that is what a service manager does with it. */
export async function startServer(program: Program): Promise<ServerProcess> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-bench-'))
  for (const [name, text] of Object.entries(program.files?.(port) ?? {}))
    await writeFile(join(folder, name), text)
  const output = await open(join(folder, 'output.log'), 'w')
  const { PATH = '', HOME = '' } = process.env
  const started = performance.now()
  const child = spawnOn(program.cores ?? SERVER_CORE, program.command, {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: 'production', PORT: `${port}`, HOST: '127.0.0.1', ...program.env },
    stdio: ['ignore', output.fd, output.fd],
  })
  await output.close()
  const origin = `http://127.0.0.1:${port}`
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await untilReady(child, origin + program.ready, started + (program.ready_timeout_ms ?? READY_TIMEOUT_MS))
  } catch (error) {
    const output = (await readFile(join(folder, 'output.log'), 'utf8')).slice(-2000)
    await end(child)
    await remove()
    throw new Error(`${program.command.join(' ')}: ${error}\n${output}`)
  }
  // taskset replaces itself by the program: the pid is the server's.
  const pid = child.pid ?? 0
  return {
    origin,
    pid,
    ready_ms: performance.now() - started,
    idle_rss: residentBytesOfTree(pid),
    async stop() {
      await end(child)
      await remove()
    },
  }
}

async function untilReady(child: ChildProcess, url: string, until: number): Promise<void> {
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`)
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it did not get ready in time')
}
