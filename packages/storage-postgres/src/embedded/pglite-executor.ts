/** The embedded database: PGlite, in this process, in one folder. */

import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Executor, Param, Queries } from '../connection/executor.js'
import { lockFolder } from './folder-lock.js'
import { unpackTemplate } from './template.js'

/** A third of the memory, and as fast for what one process asks; a folder that does not grow to a gigabyte of log. */
const SETTINGS = ['shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB']
const HOUR = 3_600_000

/**
 * Keeps everything in `dataDir`, which this process has to itself until `close()`. The lock stands beside the folder,
 * so of a mounted volume the folder must be a part, not the whole.
 * @throws FolderInUseError when another process, or another executor of this one, has it.
 */
export async function pgliteExecutor(dataDir: string): Promise<Executor> {
  const release = await lockFolder(dataDir)
  try {
    const db = await open(dataDir)
    // A single process has no autovacuum. What fails here fails again, and tells, in a request.
    const vacuum = setInterval(() => void db.exec('vacuum analyze').catch(() => {}), HOUR)
    vacuum.unref()
    const executor = executorOf(db)
    const close = async () => {
      clearInterval(vacuum)
      await executor.close()
      await release()
    }
    return { ...executor, close }
  } catch (error) {
    await release()
    throw error
  }
}

/** What a database and a transaction of it have in common; PGlite's own types stay out of this package's. */
interface Session {
  query<T>(text: string, params: Param[]): Promise<{ rows: T[] }>
  exec(text: string): Promise<{ rows: unknown[] }[]>
}
interface Database extends Session {
  transaction<T>(run: (tx: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function executorOf(db: Database): Executor {
  return {
    ...queries(db),
    transaction: (run) => db.transaction((tx) => run(queries(tx))),
    close: () => db.close(),
  }
}

/** The module is large, and loaded by those who use it only. */
async function open(dataDir: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    // A new folder is made aside: whoever kills us half-way leaves no half of a database behind.
    const aside = `${dataDir}.new`
    rmSync(aside, { recursive: true, force: true })
    // PGlite itself would let every user of the machine read it.
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
    const why =
      'holds no database, but is not empty or cannot be replaced: name a folder that does not exist yet'
    throw new Error(`${folder} ${why}`, { cause })
  }
}

function queries(db: Session): Queries {
  return {
    query: async <T>(text: string, params: readonly Param[] = []) =>
      params.length > 0
        ? (await db.query<T>(text, [...params])).rows
        : (((await db.exec(text)).at(-1)?.rows ?? []) as T[]),
  }
}
