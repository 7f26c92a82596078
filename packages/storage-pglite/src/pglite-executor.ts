/** The executor of the embedded database: PGlite, in this process, in one folder. */

import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import type { Executor, Param, Queries } from '@ostiary/storage-postgres'
import { type FolderGuard, guardFolder, holdsDatabase, requireNoMarker } from './folder-guard.js'
import { FolderInUseError, lockFolder } from './folder-lock.js'

/** PGlite then takes a third of its default memory at the same speed, and its write-ahead log stays below 1 GB. */
const SETTINGS = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
const VACUUM_INTERVAL_MS = 3_600_000

/** How other processes may use the database at the same time. */
export interface PgliteOptions {
  /**
   * `listen`, for a server: commands of the same user and release use the database through a socket beside the folder,
   * `<folder>.sock`, which is made where the system can. `connect`, for such a command: while a process that listens has the folder,
   * its database is used, and nothing of PGlite is loaded; else the command opens it as when absent. Absent: no other process uses it.
   */
  socket?: 'listen' | 'connect'
}

/**
 * Keeps the database in `dataDir`, which it locks until `close()`. The lock is a file beside the folder: with a mounted
 * volume, name a folder inside the volume.
 * A marker beside it says that a database was made: when the folder is gone at the next start, no empty one is made instead.
 * @throws DatabaseMissingError for that; FolderInUseError when another process, or another executor of this process, has locked it and
 * cannot be asked. Through the socket, a statement also rejects with SharedFolderError: when that process stops, and when a transaction
 * takes longer than ten seconds, or is idle for five.
 *
 * @example
 * ```ts
 * import { pgliteExecutor } from '@ostiary/storage-pglite'
 * import { migrations, postgresStorage } from '@ostiary/storage-postgres'
 *
 * const executor = await pgliteExecutor('data/pglite')
 * await migrations(executor).migrate()
 * export const storage = postgresStorage(executor)
 * // When the server stops:
 * await executor.close()
 * ```
 */
export async function pgliteExecutor(dataDir: string, { socket }: PgliteOptions = {}): Promise<Executor> {
  const release = await lockFolder(dataDir).catch((error: unknown) => {
    if (socket === 'connect' && error instanceof FolderInUseError) return error
    throw error
  })
  if (release instanceof FolderInUseError) {
    const { connectBeside } = await import('./socket/connect.js')
    return connectBeside(dataDir, release)
  }
  try {
    return await openedExecutor(dataDir, { listens: socket === 'listen', release })
  } catch (error) {
    await release()
    throw error
  }
}

interface Opening {
  listens: boolean
  release(): Promise<void>
}

async function openedExecutor(dataDir: string, { listens, release }: Opening): Promise<Executor> {
  const db = await open(dataDir)
  // PGlite has no autovacuum. An error is ignored here, because requests get and report the same error.
  const vacuum = setInterval(() => void db.exec('vacuum analyze').catch(() => {}), VACUUM_INTERVAL_MS)
  vacuum.unref()
  const guard = guardFolder(dataDir)
  const executor = guarded(executorOf(db), guard)
  const endSessions = listens ? await listen(dataDir, executor) : async () => {}
  const close = async () => {
    clearInterval(vacuum)
    await endSessions()
    await executor.close()
    await release()
  }
  return { ...executor, close }
}

/** The server works without a socket too. A command beside it says that there is none. */
async function listen(dataDir: string, executor: Executor): Promise<() => Promise<void>> {
  const { listenBeside } = await import('./socket/listen.js')
  return listenBeside(dataDir, executor).catch(() => async () => {})
}

/** Answers nothing from the files of a folder that is gone. */
const guarded = (executor: Executor, { check, isThere }: FolderGuard): Executor => ({
  async query<T>(text: string, params: readonly Param[] = []) {
    check()
    const rows = await executor.query<T>(text, params)
    // It may have been removed meanwhile.
    check()
    return rows
  },
  async transaction(run) {
    check()
    const result = await executor.transaction(run)
    check()
    return result
  },
  close: () =>
    executor.close().catch((error: unknown) => {
      if (isThere()) throw error
    }),
})

/** The common interface of `PGlite` and its transactions. It keeps PGlite's types out of this package's declarations. */
interface PgliteQueries {
  query<T>(text: string, params: Param[]): Promise<{ rows: T[] }>
  exec(text: string): Promise<{ rows: unknown[] }[]>
}
interface PgliteDatabase extends PgliteQueries {
  transaction<T>(run: (tx: PgliteQueries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function executorOf(db: PgliteDatabase): Executor {
  return {
    ...queries(db),
    transaction: (run) => db.transaction((tx) => run(queries(tx))),
    close: () => db.close(),
  }
}

/** The module is large, so it is loaded here, with the first embedded database. */
async function open(dataDir: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  if (!holdsDatabase(dataDir)) {
    requireNoMarker(dataDir)
    const { unpackTemplate } = await import('./template.js')
    // The folder is renamed to `dataDir` when it is complete, so that a killed process leaves no incomplete database there.
    const aside = `${dataDir}.new`
    rmSync(aside, { recursive: true, force: true })
    // PGlite would create the folder readable for every user of the machine.
    mkdirSync(aside, { mode: 0o700 })
    if (!(await unpackTemplate(aside))) await (await PGlite.create(aside)).close()
    removeEmpty(dataDir)
    renameSync(aside, dataDir)
  }
  const startParams = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])]
  return PGlite.create(dataDir, { startParams })
}

function removeEmpty(folder: string): void {
  mkdirSync(folder, { recursive: true })
  try {
    rmdirSync(folder)
  } catch (cause) {
    const reason =
      'holds no database, but is not empty or cannot be replaced: name a folder that does not exist yet'
    throw new Error(`${folder} ${reason}`, { cause })
  }
}

function queries(db: PgliteQueries): Queries {
  return {
    query: async <T>(text: string, params: readonly Param[] = []) =>
      params.length > 0
        ? (await db.query<T>(text, [...params])).rows
        : (((await db.exec(text)).at(-1)?.rows ?? []) as T[]),
  }
}
