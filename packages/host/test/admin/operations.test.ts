/** The admin API of a server: links that work, counters of real sign-ins, and stories of real requests. */

import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostStorage } from '../../src/index.ts'
import { inMemory } from '../support.ts'
import { ON, started } from './_server.ts'

const REALM = '/realms/default'

async function inPostgres(): Promise<HostStorage> {
  const records = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => records.close())
  return { ...inMemory(), ...postgresStores(records), records }
}

describe.each([
  ['in memory', async () => inMemory()],
  ['in PostgreSQL', inPostgres],
] as const)('%s', (_, open) => {
  it('a recovery link leads to its page, until a newer one is made', async () => {
    const server = await started(ON, await open())
    const { call, send } = server
    await call(`PUT ${REALM}/users/eve`, { username: 'eve' })
    const page = async (link: string) => (await send(new URL(link).pathname + new URL(link).search)).status
    const first = await call(`POST ${REALM}/users/eve/recovery-link`)
    expect(first.status).toBe(201)
    expect(await page(first.body.link)).toBe(200)
    const invited = await call(`POST ${REALM}/users/eve/invitation`, {})
    expect(await page(invited.body.link)).toBe(200)
    await call(`POST ${REALM}/users/eve/recovery-link`)
    expect(await page(first.body.link)).toBeGreaterThanOrEqual(400)
  })
})

it('links and addresses are there where the configuration has them', async () => {
  const capabilities = async (identity: object) => {
    const { call } = await started({ ...ON, identity })
    await call(`PUT ${REALM}/users/eve`, { username: 'eve' })
    const answers = ['links', 'addresses'].map((path) => call(`GET ${REALM}/users/eve/${path}`))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const hub = { type: 'github', client_id: 'x', client_secret_env: 'DEPLOY_SECRET', name: 'GitHub' }
  expect(await capabilities({})).toEqual([404, 404])
  expect(await capabilities({ upstreams: { hub } })).toEqual([200, 404])
  expect(await capabilities({ sign_in_with: ['username', 'email'] })).toEqual([404, 200])
})
