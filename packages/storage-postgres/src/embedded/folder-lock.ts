/**
 * One process at a time for a folder. PGlite does not see a second one, and both would lose what they write.
 * The lock is a file beside the folder that names its owner. An owner that this process can see is alive or dead; one
 * in another container or on another machine is alive while it goes on touching the file.
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

/** Milliseconds; `silence` without a beat, and an owner that cannot be seen counts as dead. */
const TIMES = { beat: 2_000, silence: 10_000 }

interface Owner {
  pid: number
  /** When that process started. */
  started: string | null
  /** Where its number is good. */
  space: string
  host: string
  since: string
}

/** Somebody else has the folder. The message says who, and what to do. */
export class FolderInUseError extends Error {
  constructor(folder: string, file: string, owner: Owner | null) {
    const who = owner ? `process ${owner.pid} on ${owner.host}, since ${owner.since}` : 'another process'
    super(
      `${folder} is in use by ${who}. The embedded database takes one process at a time: stop that one, ` +
        `or set DATABASE_URL to a PostgreSQL server. If it is not ours, remove ${file}.`,
    )
    this.name = 'FolderInUseError'
  }
}

/**
 * Returns what gives the folder back.
 * @param times Only a test has others.
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, times = TIMES): Promise<() => Promise<void>> {
  const file = `${resolve(folder)}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const mine = JSON.stringify(self())
  while (!create(file, mine)) {
    const found = read(file)
    if (found === null) continue
    const owner = parse(found)
    if (await isAlive(file, owner, times.silence)) throw new FolderInUseError(folder, file, owner)
    remove(file, found)
  }
  const beat = setInterval(() => touch(file), times.beat)
  beat.unref()
  return async () => {
    clearInterval(beat)
    if (read(file) === mine) rmSync(file, { force: true })
  }
}

function self(): Owner {
  const { pid } = process
  const since = new Date().toISOString()
  return { pid, started: startOf(pid), space: processSpace(), host: hostname(), since }
}

async function isAlive(file: string, owner: Owner | null, silence: number): Promise<boolean> {
  if (owner && owner.space === processSpace()) return owner.started === startOf(owner.pid)
  const before = lastBeat(file)
  for (let look = 0; look < 20; look += 1) {
    await new Promise((wake) => setTimeout(wake, silence / 20))
    const now = lastBeat(file)
    if (now === null) return false
    if (now !== before) return true
  }
  return false
}

/** Removes the dead owner's file. When two do this at once, the slower one must not remove the faster one's new lock. */
function remove(file: string, dead: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') !== dead) linkSync(aside, file)
  } catch {
    // It is gone already, or taken anew: the next round tells.
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

/** Null for a file that its owner was killed while writing. */
function parse(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner
  } catch {
    return null
  }
}

function lastBeat(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // Somebody removed the file; there is nothing to keep alive.
  }
}
