/** The build of another commit, in a temporary folder that is removed when this process ends. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOAD_CORE, pinning, ROOT, SERVER_CORE } from './processes.js'

export interface Checkout {
  /** Its root folder. */
  root: string
  /** Abbreviated. */
  commit: string
  subject: string
}

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** @throws Error when there is no such commit. */
export function commitOf(name: string): Omit<Checkout, 'root'> {
  try {
    const commit = git('rev-parse', '--verify', '--quiet', '--short', '--end-of-options', `${name}^{commit}`)
    return { commit, subject: git('log', '-1', '--format=%s', commit) }
  } catch {
    throw new Error(`--compare: there is no commit ${name} in this repository`)
  }
}

/** What the build of this checkout was made from, in words. */
export function workingTree(): string {
  const changed = git('status', '--porcelain') === '' ? '' : ', with changes that are not committed'
  return `the working tree at ${commitOf('HEAD').commit}${changed}`
}

/**
 * Checks the commit out, installs and builds it. The folder is removed when this process exits, also after an error or a
 * signal.
 * @param bun Builds the server for Bun, too.
 */
export async function buildCommit(
  name: string,
  { bun, say }: { bun: boolean; say: (line: string) => void },
): Promise<Checkout> {
  const { commit, subject } = commitOf(name)
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-compare-'))
  const root = join(folder, 'checkout')
  let running: ChildProcess | undefined
  process.once('exit', () => {
    stopGroup(running)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    git('worktree', 'prune')
  })
  say(`building ${commit} (${subject}) in ${root}`)
  git('worktree', 'add', '--detach', root, commit)
  const run = async (...command: string[]) => {
    const step = spawnGroup(command, root)
    running = step.child
    return step.failure()
  }
  const install = ['pnpm', 'install', '--frozen-lockfile']
  // The store has what it needs, unless the commit is older than the last change of the dependencies.
  if ((await run(...install, '--offline')) !== null) refuse(name, await run(...install))
  const packages = ['@ostiary/bench...', ...(bun ? ['@ostiary/bun-server...'] : [])]
  const filters = packages.map((wanted) => `--filter=${wanted}`)
  refuse(name, await run('pnpm', 'exec', 'turbo', 'run', 'build', '--output-logs=errors-only', ...filters))
  return { root, commit, subject }
}

function refuse(name: string, failure: string | null): void {
  if (failure !== null) throw new Error(`--compare: ${name} cannot be built: ${failure}`)
}

/** A command with its own process group, on both cores, so that all of its processes can be ended. */
function spawnGroup(command: readonly string[], cwd: string) {
  const cores = `${SERVER_CORE},${LOAD_CORE}`
  const [program = '', ...args] = pinning() ? ['taskset', '-c', cores, ...command] : command
  const child = spawn(program, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000)
    })
  return {
    child,
    /** @returns Its last output when it fails, null when it succeeds. */
    async failure(): Promise<string | null> {
      const [code] = await once(child, 'close')
      return code === 0 ? null : `${command.join(' ')} ended with ${code}\n${output}`
    },
  }
}

function stopGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
