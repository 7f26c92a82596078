import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageConformance } from '@ostiary/storage-conformance'
import { type Executor, migrations, postgresStorage } from '@ostiary/storage-postgres'
import { pgliteExecutor } from '../src/index.js'

const folder = mkdtempSync(join(tmpdir(), 'ostiary-pglite-'))
let executor: Executor

storageConformance({
  name: 'embedded PostgreSQL',
  background: true,
  issue: true,
  async create() {
    executor = await pgliteExecutor(join(folder, 'data'))
    await migrations(executor).migrate()
    return postgresStorage(executor)
  },
  async destroy() {
    await executor.close()
    rmSync(folder, { recursive: true, force: true })
  },
})
