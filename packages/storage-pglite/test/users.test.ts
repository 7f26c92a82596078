import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations, postgresUsers } from '@ostiary/storage-postgres'
import { userRules } from '@ostiary/test-kit/user-rules'
import { pgliteExecutor } from '../src/index.js'

userRules('users in the embedded database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-users-'))
  const executor = await pgliteExecutor(join(folder, 'data'))
  await migrations(executor).migrate()
  const close = async () => {
    await executor.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { users: postgresUsers(executor), close }
})
