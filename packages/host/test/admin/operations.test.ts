/** The admin API of a server: links that work, counters of real sign-ins, and stories of real requests. */

import { openRoleStore, type Role } from '@ostiary/admin'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { programVersion } from '../../src/config/version.ts'
import type { HostStorage } from '../../src/index.ts'
import { inMemory } from '../support.ts'
import { ON, started } from './_server.ts'

const REALM = '/realms/default'
const ADDRESS = '192.0.2.1'

async function inPostgres(): Promise<HostStorage> {
  const records = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => records.close())
  return { ...inMemory(), ...postgresStores(records), records }
}

type Server = Awaited<ReturnType<typeof started>>

const roleOf = ({ storage }: Server, holder: 'client:deploy' | `sub:${string}`, role: Role) =>
  openRoleStore(storage).change('default', () => ({ put: { holder, role, realms: ['*'] } }))

/** The program supports users, and ann owns the realm. */
async function supported(server: Server): Promise<string> {
  const ann = await server.storage.users('default').findByUsername('ann')
  const sub = ann?.sub ?? ''
  await roleOf(server, `sub:${sub}`, 'owner')
  await openRoleStore(server.storage).change('default', () => ({
    remove: { holder: 'client:deploy', role: 'owner' },
  }))
  await roleOf(server, 'client:deploy', 'support')
  return sub
}

/** A sign-in with a wrong password, from a new browser. Returns the id of its request. */
async function wrongPassword({ send }: Server, username = 'ann', address = ADDRESS): Promise<string> {
  const page = await send('/login?return_to=%2Faccount')
  const html = await page.text()
  const cookie = page.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ return_to: '/account', csrf_token, username, password: 'wrong' })
  const init = { method: 'POST', headers: { cookie: cookie.join('; ') }, body }
  const answer = await send('/login', init, address)
  expect(answer.status).toBe(422)
  return answer.headers.get('x-request-id') ?? ''
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

  it('the state is that of /readyz, with the version of the program', async () => {
    const storage = await open()
    let is_down = false
    const database = async () => is_down && Promise.reject(new Error('away'))
    const { call, send } = await started(ON, { ...storage, parts: { database } })
    const [status, readyz] = [await call(`GET ${REALM}/status`), await send('/readyz')]
    expect(readyz.status).toBe(200)
    expect(status.body).toMatchObject({
      version: programVersion(),
      ready: true,
      parts: { database: 'ok' },
      storage: storage.records ? 'database' : 'memory',
      keys: [{ alg: 'RS256' }],
      mails: storage.records ? { waiting: 0 } : null,
    })
    is_down = true
    // What was found is remembered for a second.
    await eventually(async () => {
      expect((await send('/readyz')).status).toBe(503)
    })
    expect((await call(`GET ${REALM}/status`)).body).toMatchObject({
      ready: false,
      parts: { database: 'down' },
    })
  })

  it('a realm without mails says what a test mail needs', async () => {
    const { call } = await started(ON, await open())
    expect((await call(`GET ${REALM}/mail`)).body).toEqual({ items: [], next: null })
    const { status, body } = await call(`POST ${REALM}/mail/test`, { to: 'ops@example.com' })
    expect([status, body.detail]).toEqual([409, expect.stringContaining('identity.mail.from')])
  })

  it('counters are listed and reset by account and by address, with a row', async () => {
    const server = await started(ON, await open())
    const { call, rows } = server
    for (let n = 0; n < 3; n += 1) await wrongPassword(server)
    const limitsOf = async (query: string) => {
      const { status, body } = await call(`GET ${REALM}/throttles?${query}`)
      expect(status).toBe(200)
      return Object.fromEntries(
        body.items.map(({ limit, counted }: { limit: string; counted: number }) => [limit, counted]),
      )
    }
    expect(await limitsOf('username=ANN')).toEqual({ account: 3, account_and_address: 3 })
    expect(await limitsOf(`address=${ADDRESS}`)).toMatchObject({ address: 3 })
    expect(await limitsOf('username=eve')).toEqual({})
    expect(await call(`DELETE ${REALM}/throttles?username=ann`)).toMatchObject({
      status: 200,
      body: { reset: 2 },
    })
    expect(await limitsOf('username=ann')).toEqual({})
    expect(await limitsOf(`address=${ADDRESS}`)).toMatchObject({ address: 3 })
    expect((await call(`DELETE ${REALM}/throttles?address=${ADDRESS}`)).status).toBe(200)
    expect(await limitsOf(`address=${ADDRESS}&username=ann`)).toEqual({})
    const ann = await server.storage.users('default').findByUsername('ann')
    const resets = (await rows()).filter(({ type }) => type === 'throttle.reset')
    expect(resets).toMatchObject([
      { outcome: 'done', actor: 'client:deploy', sub: ann?.sub },
      { outcome: 'done', actor: 'client:deploy', sub: null },
    ])
  })

  it('support does not reset the counters of an owner, whose password it could then guess', async () => {
    const server = await started(ON, await open())
    const { call, rows } = server
    await wrongPassword(server)
    await supported(server)
    for (const query of ['username=ann', 'username=%20Ann', `username=ann&address=${ADDRESS}`])
      expect(await call(`DELETE ${REALM}/throttles?${query}`)).toMatchObject({ status: 403 })
    const { body } = await call(`GET ${REALM}/throttles?username=ann`)
    expect(body.items).toHaveLength(2)
    // Of a name that nobody has, and of an address.
    expect((await call(`DELETE ${REALM}/throttles?username=nobody`)).status).toBe(200)
    expect((await rows()).filter(({ type }) => type === 'throttle.reset')).toHaveLength(1)
  })
})

it('counters need an account or an address', async () => {
  const { call } = await started()
  for (const method of ['GET', 'DELETE'])
    for (const query of ['', '?', '?username=', '?address=ann', '?address=192.0.2', '?user=ann'])
      expect([query, (await call(`${method} ${REALM}/throttles${query}`)).status]).toEqual([query, 400])
})

it('a request of the server has its story', async () => {
  const server = await started(ON, await inPostgres())
  const request_id = await wrongPassword(server)
  await server.call(`PUT ${REALM}/users/eve`, { username: 'eve' })
  const rows = await server.call(`GET ${REALM}/audit?type=user.create&actor=client%3Adeploy`)
  expect(rows.body.items).toMatchObject([{ sub: 'eve', outcome: 'done' }])
  const story = async () => server.call(`GET ${REALM}/explain/${request_id}`)
  // Refusals are written within a second.
  await eventually(async () => expect((await story()).status).toBe(200))
  expect((await story()).body.stories).toMatchObject([
    { steps: [{ type: 'login.refused', reason: 'wrong_password', advice: expect.any(String) }] },
  ])
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
