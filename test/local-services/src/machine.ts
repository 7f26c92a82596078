/** Folders and users of this machine. */

import { accessSync, chownSync, constants, mkdtempSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A server that was started for the tests. */
export interface Service {
  url: string
  /** Where its program came from, for the log. */
  source: string
  /** Ends it; `resume` starts it again at the same address, and a PostgreSQL with the same data. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const NOBODY_UID = 65534
/** Postgres refuses to run as root, so root hands it to `nobody`. Spawn options; empty for an ordinary user. */
export const unprivileged: { uid: number; gid: number } | Record<string, never> =
  process.getuid?.() === 0 ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}

/** A temporary folder that an unprivileged user can enter, even where root's TMPDIR is private. */
export function publicTmp(): string {
  const tmp = resolve(tmpdir())
  if (!('uid' in unprivileged)) return tmp
  for (let folder = tmp; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return '/tmp'
  }
  return tmp
}

const MEMORY = '/dev/shm'
const MIN_MEMORY_BYTES = 4 * 1024 ** 3

/** As `publicTmp`, but in memory where there is much of it: making, copying and dropping databases there takes half the time. */
export function fastTmp(): string {
  if (process.platform !== 'linux' || variable('TMPDIR')) return publicTmp()
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : publicTmp()
  } catch {
    return publicTmp()
  }
}

/** A new temporary folder for one service, in `parent`; it belongs to the user that the service runs as. */
export function throwAwayFolder(
  name: string,
  user: typeof unprivileged = {},
  parent: string = publicTmp(),
): string {
  const folder = mkdtempSync(join(parent, `ostiary-${name}-`))
  if ('uid' in user) chownSync(folder, NOBODY_UID, NOBODY_UID)
  return folder
}

/** An empty variable counts as unset. */
export function variable(name: string): string | undefined {
  return process.env[name] || undefined
}
