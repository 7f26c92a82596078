/** A new clone on a machine that has Node, npm and nothing else of ours, and the commands that a page begins with. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from '@ostiary/test-kit/eventually'
import { onTestFinished } from 'vitest'
import { ROOT, sh } from './manifests.ts'

export interface NewClone {
  folder: string
  /** The empty home folder of a new user. */
  home: string
  env: NodeJS.ProcessEnv
}

/** @param bin A folder of programs that are found first. */
export async function newClone(bin = ''): Promise<NewClone> {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  mkdirSync(home)
  await sh(folder, ['git', 'clone', '-q', ROOT, join(folder, 'clone')])
  // The environment of a new user of the machine, and what its network needs.
  const { PATH = '', NODE_EXTRA_CA_CERTS: cafile } = process.env
  const path = bin === '' ? PATH : `${bin}${delimiter}${PATH}`
  const env = {
    PATH: path,
    HOME: home,
    ...(cafile && { NODE_EXTRA_CA_CERTS: cafile, npm_config_cafile: cafile }),
  }
  return { folder: join(folder, 'clone'), home, env }
}

/**
 * Runs a command until the condition holds or it has ended with 0, and ends it as Ctrl-C does.
 * @param isReady Gets what it has printed.
 * @returns What it has printed.
 */
export async function startedIn(
  { folder, env }: NewClone,
  [program = '', ...args]: string[],
  isReady: (output: string) => Promise<boolean> | boolean,
): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const closed = once(child, 'close')
  try {
    await eventually(async () => child.exitCode !== null || (await isReady(output)), { seconds: 600 })
    if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`It ended with ${child.exitCode}`)
  } catch (error) {
    throw new Error(`${[program, ...args].join(' ')}\n${output}`, { cause: error })
  } finally {
    // npx does not pass signals on: its whole group gets this one.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT')
    await closed
  }
  return output
}

/** The folders in which the clone has what is installed. */
export const nodeModules = ({ folder }: NewClone): string[] => {
  const inGroups = ['packages', 'apps', 'examples', 'test'].flatMap((group) =>
    readdirSync(join(folder, group)).map((name) => join(group, name)),
  )
  return ['.', ...inGroups].map((path) => join(folder, path, 'node_modules')).filter(existsSync)
}
