/** The socket beside the folder of the database. A process that may open the socket has the whole database. */

import { type BigIntStats, chmodSync, lstatSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { dirname, resolve } from 'node:path'

/** The longest path of a socket: `sun_path` of the system, without the NUL at its end. A longer one would be cut off. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

export const socketOf = (folder: string): string => `${resolve(folder)}.sock`

/**
 * Undefined when there is nothing. In big integers, because `require` and `import` may take the last status that was asked for in numbers
 * for that of a folder on their path: after the status of a socket, they do not follow the links of packages.
 */
const statusOf = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })

/** Where it is made: in a folder that only this user can enter. */
const asideOf = (folder: string) => {
  const private_folder = `${resolve(folder)}.new`
  return { private_folder, made: `${private_folder}/s` }
}

/** Why there can be no socket beside the folder; null when there can. */
export function placeFault(folder: string): string | null {
  if (process.platform === 'win32') return 'Windows has no such sockets'
  const bytes = Buffer.byteLength(asideOf(folder).made)
  return bytes > MAX_PATH_BYTES
    ? `the path of the folder is too long for a socket beside it, by ${bytes - MAX_PATH_BYTES} bytes`
    : null
}

/**
 * To be called by the owner of the lock. The socket has its mode before it has its name, and replaces one of a process that has died.
 * @returns Removes the socket, but not that of a later owner.
 * @throws what the system says, or Error when something else has the name.
 */
export async function bindBeside(folder: string, server: Server): Promise<() => void> {
  const fault = placeFault(folder)
  if (fault !== null) throw new Error(fault)
  const { private_folder, made } = asideOf(folder)
  const place = socketOf(folder)
  rmSync(private_folder, { recursive: true, force: true })
  mkdirSync(private_folder, { mode: 0o700 })
  try {
    await listening(server, made)
    chmodSync(made, 0o600)
    const own = statusOf(made)
    if (!own || !isPrivate(own)) throw new Error(`${place} would be open to other users`)
    const there = statusOf(place)
    if (there && !there.isSocket()) throw new Error(`${place} is not a socket`)
    renameSync(made, place)
    return () => {
      const now = statusOf(place)
      if (now?.ino === own.ino && now.dev === own.dev) unlinkSync(place)
    }
  } finally {
    rmSync(private_folder, { recursive: true, force: true })
    // `rmSync` may have asked for the status of a socket in numbers: see `statusOf`.
    lstatSync(dirname(private_folder))
  }
}

const isPrivate = (own: BigIntStats): boolean =>
  own.isSocket() && (own.mode & 0o777n) === 0o600n && own.uid === userId()

const userId = (): bigint => BigInt(process.geteuid?.() ?? -1)

/** Not by the primary of a cluster, which would make it with a mode of its own. */
const listening = (server: Server, path: string): Promise<void> =>
  new Promise((listens, failed) => {
    server.once('error', failed)
    server.listen({ path, exclusive: true }, () => {
      server.off('error', failed)
      listens()
    })
  })

/**
 * Why a command does not connect to what is there; null when it does. What another user has put there, or a link, would get what the
 * command sends.
 */
export function socketFault(folder: string): string | null {
  const fault = placeFault(folder)
  if (fault !== null) return fault
  const place = socketOf(folder)
  const there = statusOf(place)
  if (there === undefined) return `it does not listen at ${place}`
  if (!there.isSocket()) return `${place} is not a socket`
  return isTrusted(there, folder) ? null : `${place} belongs to another user`
}

/** The administrator may run commands for the user of the server. */
function isTrusted({ uid }: BigIntStats, folder: string): boolean {
  const own = userId()
  return uid === own || (own === 0n && uid === statusOf(folder)?.uid)
}
