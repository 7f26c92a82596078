/** Realms that are made over the admin API of a server: they work at once, and end at once. */

import { openRoleStore } from '@ostiary/admin'
import { openAuditStore } from '@ostiary/audit'
import { type Executor, postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { eventually } from '@ostiary/test-kit/eventually'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configuredLog, createApp } from '../../src/index.ts'
import { configure, inMemory } from '../support.ts'
import { ISSUER, ON, RESOURCE } from './_server.ts'

const SECRET = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
const SETTINGS = { oidc: { claims_supported: ['sub', 'name'] } }
const AREAS = ['clients', 'users', 'keys', 'audit', 'realms', 'roles']
const [, DEPLOY] = ON.clients
const FILE = {
  ...ON,
  clients: [{ ...DEPLOY, optional_scopes: AREAS.map((area) => `${RESOURCE} admin.${area}:write`) }],
  users: [],
  oidc: { ...ON.oidc, routes: { realms: 'path' }, realms: { default: {}, fixed: {} } },
  realms_at_run_time: true,
}

/** A server on a database, with a token of an owner of all realms. */
async function serverOn(records: Executor, file: object = FILE) {
  const config = await configure(file, {
    DEPLOY_SECRET: SECRET,
    DATABASE_URL: 'postgres://unused.example.com',
  })
  const storage = { ...inMemory(), ...postgresStores(records), records }
  const log = configuredLog(config, () => {})
  const app = await createApp(config, { log, storage })
  onTestFinished(() => app.stop())
  await app.start()
  const send = (path: string, init: RequestInit = {}) =>
    app.fetch(new Request(ISSUER + path, init), { address: '192.0.2.77' })
  const tokenOf = async (realm: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form })
    return (await send(`/realms/${realm}/oauth/token`, { method: 'POST', body })).json()
  }
  const scope = AREAS.map((area) => `admin.${area}:write`).join(' ')
  const asked = { client_id: 'deploy', client_secret: SECRET, resource: RESOURCE, scope }
  const { access_token } = await tokenOf('default', asked)
  const call = async (line: string, body?: object, token: string = access_token) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && {
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      }),
    }
    const response = await send(`/admin/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const documentOf = (realm: string) => send(`/realms/${realm}/.well-known/openid-configuration`)
  const discovery = async (realm: string) => (await documentOf(realm)).status
  const claimsOf = async (realm: string) => (await (await documentOf(realm)).json()).claims_supported
  return { app, send, call, tokenOf, discovery, claimsOf }
}

async function started(file: object = FILE) {
  const records = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => records.close())
  await openRoleStore({ records }).change('default', () => ({
    put: { holder: 'client:deploy', role: 'owner', realms: ['*'] },
  }))
  return { records, ...(await serverOn(records, file)) }
}

const MACHINE = {
  client_secret: 'a-secret-of-the-tenant-that-is-long',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials'],
}

describe('a realm that is made over the API', () => {
  it('works at once: its endpoints, its clients, its users and its roles', async () => {
    const { call, discovery, tokenOf, claimsOf } = await started()
    expect(await discovery('tenant')).toBe(404)
    expect((await call('PUT /realms/tenant', SETTINGS)).status).toBe(201)
    expect(await discovery('tenant')).toBe(200)
    expect((await call('PUT /realms/tenant/clients/worker', MACHINE)).status).toBe(201)
    expect((await call('PUT /realms/tenant/users/eve', { username: 'eve' })).status).toBe(201)
    const role = await call('PUT /realms/default/roles/clients/deploy/manager', { realms: ['tenant'] })
    expect(role).toMatchObject({ status: 200, body: { realms: ['tenant'] } })
    const { client_secret } = MACHINE
    const tokens = await tokenOf('tenant', { client_id: 'worker', client_secret })
    expect(tokens).toMatchObject({ token_type: 'Bearer' })
    expect(await claimsOf('tenant')).toEqual(['sub', 'name'])
    const oidc = { claims_supported: ['sub', 'email'] }
    expect((await call('PATCH /realms/tenant?overwrite=true', { oidc })).status).toBe(200)
    expect(await claimsOf('tenant')).toEqual(oidc.claims_supported)
    const { body } = await call('GET /realms')
    expect(body.items.map(({ id, source }: { id: string; source: string }) => `${id} ${source}`)).toEqual([
      'default configuration',
      'fixed configuration',
      'tenant run_time',
    ])
  })

  it('is counted before it is deleted, and then everything in it is 404 at once', async () => {
    const { call, discovery, tokenOf, records } = await started()
    await call('PUT /realms/tenant', SETTINGS)
    await call('PUT /realms/tenant/clients/worker', MACHINE)
    for (const sub of ['eve', 'bob']) await call(`PUT /realms/tenant/users/${sub}`, { username: sub })
    const { client_secret } = MACHINE
    const { access_token } = await tokenOf('tenant', { client_id: 'worker', client_secret })
    expect(access_token).toEqual(expect.any(String))
    const plan = await call('DELETE /realms/tenant?overwrite=true&dry_run=true')
    const counts = { clients: 1, users: 2, sessions: 0, grants: 0, consents: 0, keys: 1 }
    expect(plan).toMatchObject({ status: 200, body: { effects: counts } })
    expect(await discovery('tenant')).toBe(200)
    // Requests run in the realm while it is deleted: each ends, and none answers later as if it were there.
    const running = Array.from({ length: 10 }, () => call('GET /realms/tenant/users'))
    expect((await call('DELETE /realms/tenant?overwrite=true')).status).toBe(200)
    for (const { status } of await Promise.all(running)) expect([200, 404]).toContain(status)
    for (const line of [
      'GET /realms/tenant',
      'GET /realms/tenant/users',
      'GET /realms/tenant/clients/worker',
    ])
      expect([line, (await call(line)).status]).toEqual([line, 404])
    expect(await discovery('tenant')).toBe(404)
    expect((await call('PUT /realms/tenant/users/new', { username: 'new' })).status).toBe(404)
    expect((await call('GET /realms', undefined, access_token)).status).toBe(401)
    expect((await call('PUT /realms/tenant', SETTINGS)).status).toBe(409)
    const role = await call('PUT /realms/default/roles/clients/deploy/manager', { realms: ['tenant'] })
    expect(role.status).toBe(400)
    const rows = await openAuditStore({ records }).page('default', { limit: 100 })
    expect(
      rows
        .filter(({ type }) => /^realm\.(?:create|delete)$/.test(type))
        .map(({ type, outcome }) => `${type} ${outcome}`),
    ).toEqual(['realm.create done', 'realm.delete done'])
  })

  it('is there on another server at its first request, and gone there too', async () => {
    const one = await started()
    const other = await serverOn(one.records)
    expect((await other.call('GET /realms/tenant/users')).status).toBe(404)
    await one.call('PUT /realms/tenant', {})
    expect((await other.call('GET /realms/tenant/users')).status).toBe(200)
    await one.call('DELETE /realms/tenant?overwrite=true')
    expect((await other.call('GET /realms/tenant/users')).status).toBe(404)
    await eventually(async () => expect(await other.discovery('tenant')).toBe(404))
  })

  it('no token of it administers', async () => {
    const { call, tokenOf } = await started()
    await call('PUT /realms/tenant', {})
    const entries = AREAS.map((area) => `${RESOURCE} admin.${area}:write`)
    await call('PUT /realms/tenant/clients/deploy', { ...MACHINE, optional_scopes: entries })
    const { client_secret } = MACHINE
    const named = await tokenOf('tenant', { client_id: 'deploy', client_secret, resource: RESOURCE })
    expect(named.access_token).toBeUndefined()
    await call('PUT /realms/tenant/clients/worker', MACHINE)
    const { access_token } = await tokenOf('tenant', { client_id: 'worker', client_secret })
    expect(access_token).toEqual(expect.any(String))
    expect((await call('GET /realms', undefined, access_token)).status).toBe(401)
    expect((await call('DELETE /realms/tenant?overwrite=true', undefined, access_token)).status).toBe(401)
  })

  it('settings that a realm cannot have are refused with their pointers', async () => {
    const { call } = await started()
    const refused = await call('PUT /realms/tenant', {
      oidc: { tokens: { acess_token: 300 } },
      identity: { mail: { from: 'id@example.com' }, second_factor: 'sometimes' },
    })
    expect(refused.status).toBe(400)
    const errors = refused.body.errors as { pointer: string; suggestion?: string }[]
    expect(errors.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/oidc/tokens/acess_token', '/identity/mail', '/identity/second_factor']),
    )
    expect(errors.find(({ pointer }) => pointer.endsWith('acess_token'))?.suggestion).toBe('access_token')
    const issuer = await call('PUT /realms/tenant', { oidc: { issuer: 'https://other.example.com' } })
    expect(issuer.body.errors).toMatchObject([{ pointer: '/oidc/issuer' }])
    const proto = '{"oidc":{"__proto__":{"tokens":{}}}}'
    expect((await call('PUT /realms/tenant', JSON.parse(proto))).status).toBe(400)
    expect((await call('GET /realms/tenant')).status).toBe(404)
    for (const id of ['default', 'fixed']) {
      const { status, body } = await call(`PUT /realms/${id}`, {})
      expect([status, body.type]).toEqual([409, 'urn:ostiary:problem:owned_by_configuration'])
      expect(body.detail).toContain(`oidc.realms.${id}`)
    }
  })
})

it('without realms_at_run_time, the API has no operations on realms', async () => {
  const { realms_at_run_time: _, ...without } = FILE
  const { call, send } = await started(without)
  for (const line of ['GET /realms', 'GET /realms/fixed', 'DELETE /realms/fixed'])
    expect((await call(line)).status).toBe(404)
  const document = await (await send('/admin/api/v1/openapi.json')).json()
  expect(Object.keys(document.paths)).not.toContain('/realms')
  expect(Object.keys(document.components.schemas.DryRun.properties.effects.properties)).toEqual([
    'sessions',
    'grants',
    'consents',
    'keys',
  ])
})
