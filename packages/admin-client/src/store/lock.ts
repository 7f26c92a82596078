/** A lock between processes: a file that exists while one of them has it. */

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { LoginError } from '../login-error.js'

/** Milliseconds after which its holder counts as gone: longer than what is done meanwhile can take. */
const STALE_MS = 180_000

const POLL_MS = 25

/**
 * Runs while no other process has the lock. A lock that was left behind is removed.
 * @param path Of the file; its folder exists.
 */
export async function withLock<T>(path: string, run: () => Promise<T>): Promise<T> {
  const holder = `${process.pid} ${hostname()} ${randomUUID()}`
  const give_up = Date.now() + 2 * STALE_MS
  while (!(await take(path, holder))) {
    if (Date.now() > give_up)
      throw new LoginError(`Another command has the lock ${path}: if none is running, remove the file`)
    if (!(await removeStale(path))) await pause(POLL_MS)
  }
  try {
    return await run()
  } finally {
    // Not that of another process, which has taken this one for stale.
    if ((await textOf(path)) === holder) await rm(path, { force: true })
  }
}

/** Creates the file; false when it is there. */
async function take(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes a lock whose holder is gone; false when it stays. Of two processes that do so at once, one renames it. */
async function removeStale(path: string): Promise<boolean> {
  const holder = await textOf(path)
  if (holder === null) return true
  if (!(await isStale(path, holder))) return false
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  const is_same = (await textOf(aside)) === holder
  // Another process has removed the stale one, and taken the lock, in between.
  if (is_same) await rm(aside, { force: true })
  else await rename(aside, path)
  return is_same
}

async function isStale(path: string, holder: string): Promise<boolean> {
  const [pid = '', host] = holder.split(' ')
  if (host === hostname() && !isRunning(Number(pid))) return true
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > STALE_MS
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process.
    return codeOf(error) === 'EPERM'
  }
}

/** Null when there is no such file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Of an error of the file system. */
export const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code
