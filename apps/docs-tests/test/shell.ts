/** Runs a block of a page in a shell, with the page's ports and folders replaced. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ROOT } from './fences.ts'

export type Environment = Record<string, string>

/** A folder that is removed after the test; `apps` in it is the repository's. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-docs-'))
  await symlink(join(ROOT, 'apps'), join(folder, 'apps'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface ShellProcess {
  child: ChildProcess
  /** Resolves when a line of its standard output has this text; rejects when it ends before. */
  says(text: string): Promise<void>
  /** Ends it with SIGTERM and waits for it. */
  stop(): Promise<number | null>
}

/** Starts bash with the block in a new process group, which ends with the test. */
export function start(block: string, { cwd, env = {} }: { cwd: string; env?: Environment }): ShellProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
    cwd,
    env: { PATH, HOME, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const closed = once(child, 'close')
  const exited = closed.then(([code]) => {
    throw new Error(`It ended with ${code}: ${output}`)
  })
  exited.catch(() => {})
  const end = (signal: NodeJS.Signals) => {
    // It may have ended before the signal.
    const runs = child.exitCode === null && child.signalCode === null
    if (child.pid !== undefined && runs) process.kill(-child.pid, signal)
  }
  const stop = async () => {
    end('SIGTERM')
    const [code] = await closed
    return code
  }
  onTestFinished(async () => void (await stop()))
  return {
    child,
    stop,
    async says(text) {
      while (!output.includes(text)) await Promise.race([once(child.stdout, 'data'), exited])
    },
  }
}

/** Runs the block to its end. @returns What it printed. */
export async function run(
  block: string,
  { cwd, env = {} }: { cwd: string; env?: Environment },
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', block], { cwd, env: { PATH, HOME, ...env } })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${block}\nended with ${code}: ${output.stdout}${output.stderr}`)
  return output.stdout
}

/** The script `start` without the build, which exists already; static.test.ts compares it with package.json. */
export const SERVE = 'node apps/node-server/dist/main.js serve'
export const served = (block: string): string => block.replace(/npx -y pnpm@[\d.]+ start\b/, `exec ${SERVE}`)

/** The pages' ports, and the free ports that replace them. */
export const withPorts = (text: string, ports: Record<number, number>): string =>
  Object.entries(ports).reduce((changed, [told, taken]) => changed.replaceAll(told, `${taken}`), text)
