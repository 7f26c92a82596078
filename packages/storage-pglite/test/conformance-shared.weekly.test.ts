/** The rules of the stores, for a command beside the process that has the database open. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageConformance } from '@ostiary/storage-conformance'
import {
  type Executor,
  migrations,
  postgresStorage,
  postgresStores,
  postgresUsers,
} from '@ostiary/storage-postgres'
import { userChanges } from '@ostiary/test-kit/user-changes'
import { userRules } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll } from 'vitest'
import { pgliteExecutor } from '../src/index.js'

const parent = mkdtempSync(join(tmpdir(), 'ostiary-shared-'))
const open: Executor[] = []
let executor: Executor
beforeAll(async () => {
  for (const socket of ['listen', 'connect'] as const)
    open.push(await pgliteExecutor(join(parent, 'data'), { socket }))
  executor = open[1] as Executor
  await migrations(executor).migrate()
})
afterAll(async () => {
  for (const one of open.toReversed()) await one.close()
  rmSync(parent, { recursive: true, force: true })
})
const close = async () => {}

storageConformance({
  name: 'embedded PostgreSQL of another process',
  background: true,
  issue: true,
  create: async () => postgresStorage(executor),
  destroy: close,
})

userRules('users of another process', async () => ({ users: postgresUsers(executor), close }))

userChanges('records and users of another process', async () => ({ ...postgresStores(executor), close }))
