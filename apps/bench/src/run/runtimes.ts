/** The runtimes of the servers: the Node that runs the benchmark, the newest of other Node lines, and Bun. */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The newest release of each line. The packages `node-<platform>-<arch>` on npm contain the programs. */
const NODE_LINES = { node22: '22.23.3', node24: '24.21.0', node26: '26.10.0' } as const
type NodeLine = keyof typeof NODE_LINES

export const RUNTIMES = ['node', 'node22', 'node24', 'node26', 'bun'] as const
export type Runtime = (typeof RUNTIMES)[number]
/** What is measured when no option says which. */
export const DEFAULT_RUNTIMES: readonly Runtime[] = ['node', 'bun']

const PACKAGE = `node-${process.platform}-${process.arch}`
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ostiary-bench')

const isLine = (runtime: Runtime): runtime is NodeLine => runtime in NODE_LINES
/** A line takes 60 MB to load and 200 MB on the disk, so that it is not a dependency of this package. */
const folderOf = (line: NodeLine): string => join(CACHE, `node-${NODE_LINES[line]}`)

/** The program of a Node line. It exists after `installRuntimes`. */
export function nodeProgram(runtime: Exclude<Runtime, 'bun'>): string {
  return isLine(runtime) ? join(folderOf(runtime), 'node_modules', PACKAGE, 'bin/node') : process.execPath
}

/** As names of servers have it: ` (Node 22)`, ` (Bun)`; nothing for the Node that runs the benchmark. */
export function runtimeTitle(runtime: Runtime): string {
  if (runtime === 'bun') return ' (Bun)'
  return isLine(runtime) ? ` (Node ${NODE_LINES[runtime].split('.')[0]})` : ''
}

/** The versions of the runtimes that are not the Node that runs the benchmark. */
export function versionsOf(runtimes: readonly Runtime[]): string[] {
  return runtimes.filter(isLine).map((line) => `Node ${NODE_LINES[line]}`)
}

/**
 * Installs the missing Node lines from npm into a cache folder of the user.
 * @throws Error when npm cannot install one.
 */
export async function installRuntimes(
  runtimes: readonly Runtime[],
  say: (line: string) => void,
): Promise<void> {
  for (const line of runtimes.filter(isLine)) {
    if (existsSync(nodeProgram(line))) continue
    const wanted = `${PACKAGE}@${NODE_LINES[line]}`
    const folder = folderOf(line)
    say(`installing ${wanted} into ${folder}`)
    await mkdir(folder, { recursive: true })
    try {
      execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', folder, wanted], { stdio: 'pipe' })
    } catch (error) {
      throw new Error(`--runtime: npm could not install ${wanted}: ${error}`)
    }
  }
}
