import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Executor, migrations, postgresStores, postgresUsers } from '@ostiary/storage-postgres'
import { factorRules } from '@ostiary/test-kit/factor-rules'
import { ADDRESS_REALMS, addressRules } from '@ostiary/test-kit/factors/address-rules'
import { rememberedDeviceRules } from '@ostiary/test-kit/factors/remembered-device-rules'
import { mailQueueRules } from '@ostiary/test-kit/mail/mail-queue-rules'
import { ticketRules } from '@ostiary/test-kit/ticket-rules'
import { userChanges } from '@ostiary/test-kit/user-changes'
import { userRules } from '@ostiary/test-kit/user-rules'
import { afterAll, beforeAll } from 'vitest'
import { createEmailSignIn } from '../../email-sign-in/src/index.js'
import { pgliteExecutor } from '../src/index.js'

const folder = mkdtempSync(join(tmpdir(), 'ostiary-users-'))
let executor: Executor
beforeAll(async () => {
  executor = await pgliteExecutor(join(folder, 'data'))
  await migrations(executor).migrate()
})
afterAll(async () => {
  await executor.close()
  rmSync(folder, { recursive: true, force: true })
})
const close = async () => {}

userRules('users in the embedded database', async () => ({ users: postgresUsers(executor), close }))

factorRules('factors in the embedded database', async () => ({ ...postgresStores(executor), close }))

ticketRules('tickets in the embedded database', async () => ({ ...postgresStores(executor), close }))

rememberedDeviceRules('remembered devices in the embedded database', async () => ({
  ...postgresStores(executor),
  close,
}))

addressRules('addresses in the embedded database', async () => {
  const { users: stored, addresses } = postgresStores(executor)
  const by_email = createEmailSignIn({ realms: ADDRESS_REALMS, users: stored, addresses })
  const find = async (realm: string, key: string) =>
    (await by_email.extension.names?.(realm)?.find(key)) ?? null
  return { ...by_email, stored, addresses, find, close }
})

mailQueueRules('mails in the embedded database', async () => ({ ...postgresStores(executor), close }))

userChanges('records and users of the embedded database', async () => ({
  ...postgresStores(executor),
  close,
}))
