/** Commands as a user of the machine types them: with a home folder of their own, and nothing of the tests' environment. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'

const MAX_OUTPUT = 16 * 1024 * 1024
const MINUTES = 60_000

/** The environment of a user whose files are in this folder. Node, npm and npx are those of the running Node. */
export const userOf = (home: string): NodeJS.ProcessEnv => {
  const { PATH = '', NODE_EXTRA_CA_CERTS } = process.env
  const path = `${dirname(process.execPath)}:${PATH}`
  return { PATH: path, HOME: home, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) }
}

export interface Place {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** @returns What the command prints. @throws with its output unless it ends with 0. */
export async function sh({ cwd, env }: Place, [command = '', ...args]: string[]): Promise<string> {
  const options = { cwd, env, timeout: 10 * MINUTES, maxBuffer: MAX_OUTPUT }
  return promisify(execFile)(command, args, options).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
    ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => {
      const end = code === null ? 'did not end in time' : `ended with ${code}`
      throw new Error(`${command} ${args.join(' ')} ${end}\n${stdout}\n${stderr}`)
    },
  )
}

export interface Started {
  output(): string
  /** Ends it as Ctrl-C does: npm and npx do not pass signals on, so the whole group gets it. */
  stop(): Promise<void>
}

/** Starts the command and waits until this URL answers. @throws with what it printed, when it ends before. */
export async function started(place: Place, command: string[], url: string): Promise<Started> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...place, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await once(child, 'close')
  }
  try {
    await answers(url, child)
  } catch (error) {
    await stop()
    throw new Error(`${command.join(' ')}\n${output}`, { cause: error })
  }
  return { output: () => output, stop }
}

/** A connection is refused until the program listens. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const isOk = async () => (await fetch(url).catch(() => null))?.ok === true
  await eventually(async () => isOver() || (await isOk()), { seconds: 600 })
  if (isOver()) throw new Error(`It ended with ${child.exitCode ?? child.signalCode}`)
}
