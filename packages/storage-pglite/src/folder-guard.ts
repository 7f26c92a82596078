/**
 * Notices that the folder of the database is gone. PGlite keeps files open: without this check it would go on with files that
 * no longer have a name, and lose what it writes.
 * A marker beside the folder says that a database was made. A start without the database, but with the marker, is refused: it
 * would begin with an empty one, and with new signing keys. If the marker is gone too, the process that still runs puts it back.
 */

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folder was removed or replaced while the database was open. With the code of the system, it counts as an outage. */
export class FolderGoneError extends Error {
  readonly code = 'ENOENT'

  constructor(folder: string) {
    super(
      `${folder} was removed or replaced while this process used the database in it: stop the process, put the folder back, ` +
        'and start again',
    )
    this.name = 'FolderGoneError'
  }
}

/** A database was here, and is missing at the start. The message says what to do. */
export class DatabaseMissingError extends Error {
  constructor(folder: string, marker: string) {
    super(
      `${folder} is missing, but ${marker} says that a database was there: put the folder back, for example from a backup. ` +
        'To begin with an empty database and new signing keys instead, remove that file',
    )
    this.name = 'DatabaseMissingError'
  }
}

const markerOf = (folder: string): string => `${resolve(folder)}.created`

/** Every database has this file, and never replaces it. */
const identityFile = (folder: string): string => join(folder, 'PG_VERSION')

export const holdsDatabase = (folder: string): boolean => existsSync(identityFile(folder))

/** To be called before a database is created. @throws DatabaseMissingError */
export function requireNoMarker(folder: string): void {
  const marker = markerOf(folder)
  if (existsSync(marker)) throw new DatabaseMissingError(resolve(folder), marker)
}

export interface FolderGuard {
  /** @throws FolderGoneError */
  check(): void
  /** Whether the folder is still there. Puts the marker back when it is not. */
  isThere(): boolean
}

/** To be called when the database is open: writes the marker. */
export function guardFolder(folder: string): FolderGuard {
  const file = identityFile(folder)
  const opened = statSync(file)
  mark(folder)
  let marked_again = false
  const isThere = () => {
    const now = statSync(file, { throwIfNoEntry: false })
    if (now?.ino === opened.ino && now.dev === opened.dev) return true
    if (!marked_again) mark(folder)
    marked_again = true
    return false
  }
  return {
    isThere,
    check() {
      if (!isThere()) throw new FolderGoneError(resolve(folder))
    },
  }
}

function mark(folder: string): void {
  const marker = markerOf(folder)
  try {
    mkdirSync(dirname(marker), { recursive: true, mode: 0o700 })
    writeFileSync(marker, `${new Date().toISOString()}\n`, { flag: 'wx', mode: 0o600 })
  } catch {
    // It exists, or cannot be written: the database works without it.
  }
}
