/** Before the long run: the runtimes that are not installed here, from the npm registry; npm keeps them in its cache. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const WORKERD = '1.20261117.1'
/** The oldest line that is supported, the one that the conformance tool needs, and the newest. */
const NODE = { node20: '20.20.2', node22: '22.23.3', newest: '26.10.0' }

export interface Runtimes {
  node20: string
  node22: string
  newest: string
  workerd: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The program file of each runtime; only in the long run. */
    runtimes: Runtimes
  }
}

// Once, and before the files run side by side: two npx must not fill the same folder at once.
export async function setup({ provide }: TestProject): Promise<void> {
  const [node20, node22, newest, workerd] = await Promise.all([
    node(NODE.node20),
    node(NODE.node22),
    node(NODE.newest),
    fetched(`workerd@${WORKERD}`, 'workerd'),
  ])
  provide('runtimes', { node20, node22, newest, workerd })
}

/** This Node when it is of the same line. */
function node(version: string): Promise<string> | string {
  const line = (of: string) => of.split('.')[0]
  if (line(version) === line(process.versions.node)) return process.execPath
  return fetched(`node-${process.platform}-${process.arch}@${version}`, 'node')
}

async function fetched(name: string, program: string): Promise<string> {
  const args = ['--yes', '--prefer-offline', '--package', name, '--call', `command -v ${program}`]
  const { stdout } = await promisify(execFile)('npx', args, { timeout: 240_000 }).catch((cause: unknown) => {
    throw new Error(`The tests need ${program}, and ${name} could not be fetched from the npm registry`, {
      cause,
    })
  })
  return stdout.trim()
}
