/** Runs the launcher with a command. */

import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export const LAUNCHER = fileURLToPath(new URL('../dist/with-services.js', import.meta.url))
export const SHOW = 'console.log(process.env.DATABASE_URL); console.log(process.env.REDIS_URL)'

export interface LaunchedCommand {
  launcher: ChildProcess
  /** What the command has printed so far. */
  lines: () => string[]
  /** The exit code. */
  ended: Promise<number | null>
}

export function launch(args: string[], env: NodeJS.ProcessEnv = {}): LaunchedCommand {
  const unset = { DATABASE_URL: '', REDIS_URL: '', SHARED_DATABASE_URL: '' }
  const launcher = spawn(process.execPath, [LAUNCHER, ...args], { env: { ...process.env, ...unset, ...env } })
  let text = ''
  launcher.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const ended = new Promise<number | null>((done) => launcher.once('close', done))
  return { launcher, ended, lines: () => text.split('\n').filter(Boolean) }
}

export const answers = (url: string) =>
  new Promise<boolean>((done) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

export async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await what()) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error('it does not come')
}
