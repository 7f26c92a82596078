/**
 * Locks a folder for one process. PGlite does not notice a second process, and both would lose data.
 * The lock is a file beside the folder that names its owner. An owner in the same process space is looked up by its
 * process number. An owner in another container or on another machine counts as alive while it updates the file's time.
 */

import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import { processSpace, startOf } from './process-identity.js'

/** The owner updates the file every `interval_ms`. After `timeout_ms` without that, a remote owner counts as dead. */
const HEARTBEAT = { interval_ms: 2_000, timeout_ms: 10_000 }

interface Owner {
  pid: number
  /** When the process started. */
  started: string | null
  /** The space in which the process number is unique; see `processSpace`. */
  space: string
  host: string
  since: string
}

/** Another process has locked the folder. The message names it, and says what to do. */
export class FolderInUseError extends Error {
  /** Names that process, as `process 7 on host, since 2026-01-31T12:00:00Z`. */
  readonly owner: string
  readonly #folder: string
  readonly #file: string

  /** @internal */
  constructor({ folder, file, owner }: { folder: string; file: string; owner: string }, advice?: string) {
    super(`${folder} is in use by ${owner}. ${advice ?? `${ALONE} ${stopIt(file)}`}`)
    this.name = 'FolderInUseError'
    this.owner = owner
    this.#folder = folder
    this.#file = file
  }

  /** @internal For a command that cannot use the database of that process for this reason. */
  unreachable(reason: string): FolderInUseError {
    return this.advising(`This command cannot reach it: ${reason}. ${stopIt(this.#file)}`)
  }

  /** @internal */
  advising(advice: string): FolderInUseError {
    return new FolderInUseError({ folder: this.#folder, file: this.#file, owner: this.owner }, advice)
  }
}

const ALONE = 'A second server, and a command that needs the embedded database alone, are refused.'

const stopIt = (file: string): string =>
  'Stop that process, or set DATABASE_URL to a PostgreSQL server. ' +
  `If that process does not use this database, remove ${file}.`

/**
 * @param heartbeat Tests use shorter times.
 * @returns Releases the lock.
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, heartbeat = HEARTBEAT): Promise<() => Promise<void>> {
  const file = `${resolve(folder)}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const mine = JSON.stringify(self())
  while (!create(file, mine)) {
    const content = read(file)
    if (content === null) continue
    const owner = parse(content)
    if (await isAlive(file, owner, heartbeat.timeout_ms))
      throw new FolderInUseError({ folder, file, owner: nameOf(owner) })
    remove(file, content)
  }
  const timer = setInterval(() => touch(file), heartbeat.interval_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    if (read(file) === mine) rmSync(file, { force: true })
  }
}

const nameOf = (owner: Owner | null): string =>
  owner ? `process ${owner.pid} on ${owner.host}, since ${owner.since}` : 'another process'

function self(): Owner {
  const { pid } = process
  const since = new Date().toISOString()
  return { pid, started: startOf(pid), space: processSpace(), host: hostname(), since }
}

async function isAlive(file: string, owner: Owner | null, timeout_ms: number): Promise<boolean> {
  if (owner && owner.space === processSpace()) return owner.started === startOf(owner.pid)
  const before = lastUpdate(file)
  for (let checks = 0; checks < 20; checks += 1) {
    await new Promise((wake) => setTimeout(wake, timeout_ms / 20))
    const now = lastUpdate(file)
    if (now === null) return false
    if (now !== before) return true
  }
  return false
}

/** Removes the file of a dead owner, but not the new lock of another process that has removed the same file. */
function remove(file: string, content: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') !== content) linkSync(aside, file)
  } catch {
    // The file is already removed, or locked again: the next attempt finds out.
  }
  rmSync(aside, { force: true })
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Null for an incomplete file, whose owner was killed while writing it. */
function parse(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner
  } catch {
    return null
  }
}

function lastUpdate(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // The file was removed by hand; there is no lock to keep.
  }
}
