/** The admin API of a server: a program uses it, with the audit, the addresses that are allowed, and a reload. */

import { openRoleStore } from '@ostiary/admin'
import { describe, expect, it } from 'vitest'
import { configure, FILE } from '../support.ts'
import { ISSUER, ON, RESOURCE, started } from './_server.ts'

describe('a server with the admin API', () => {
  it('takes a client and a user, who are there at once, with rows that name the caller and the request', async () => {
    const { call, send, rows } = await started()
    const NEW = { redirect_uris: ['https://new.example.com/cb'] }
    const made = await call('PUT /realms/default/clients/new', NEW)
    expect(made).toMatchObject({ status: 201, body: { client_id: 'new' } })
    const query = new URLSearchParams({ client_id: 'new', redirect_uri: 'https://new.example.com/cb' })
    const authorize = await send(`/oauth/authorize?${query}`)
    expect(authorize.headers.get('location')).toContain('https://new.example.com/cb')
    expect(await call('PUT /realms/default/users/eve', { username: 'eve' })).toMatchObject({ status: 201 })
    const request_id = made.headers.get('x-request-id')
    const all = await rows()
    const row = all.find(({ type, client_id }) => type === 'client.create' && client_id === 'new')
    expect(row).toMatchObject({ outcome: 'done', actor: 'client:deploy', refs: [expect.any(String)] })
    expect(JSON.parse(row?.data ?? '')).toMatchObject({ request_id })
    expect(JSON.parse(row?.private ?? '')).toMatchObject({ address: '192.0.2.0/24' })
    expect(all.find(({ type, sub }) => type === 'user.create' && sub === 'eve')).toMatchObject({
      outcome: 'done',
      actor: 'client:deploy',
      refs: [expect.any(String)],
    })
  })

  it('leaves what the configuration has to the configuration', async () => {
    const { call, storage } = await started()
    const refused = await call('PUT /realms/default/clients/app', {
      redirect_uris: ['https://evil.example.com/'],
    })
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('clients.0') } })
    const ann = await storage.users('default').findByUsername('ann')
    const user = await call(`PUT /realms/default/users/${ann?.sub}`, { username: 'ann' })
    expect(user).toMatchObject({ status: 409, body: { detail: expect.stringContaining('users.0') } })
  })

  it('answers only the addresses that are allowed, and others as an address that is not there', async () => {
    const { call, send } = await started({
      ...ON,
      admin: { ...ON.admin, allowed_addresses: ['192.0.2.0/24'] },
    })
    expect(await call('GET /realms/default/clients')).toMatchObject({ status: 200 })
    const refused = await call('GET /realms/default/clients', undefined, '198.51.100.7')
    expect(refused).toMatchObject({ status: 404, body: { error: 'not_found' } })
    // An address that a peer claims for itself is none of them.
    const headers = { 'x-forwarded-for': '192.0.2.77' }
    expect((await send('/admin/api/v1/openapi.json', { headers }, '10.0.0.1')).status).toBe(404)
    expect((await send('/admin/api/v1/openapi.json')).status).toBe(200)
  })

  it('has its metadata, and nothing beside its paths', async () => {
    const { send } = await started()
    const metadata = await send('/.well-known/oauth-protected-resource/admin/api/v1')
    expect(await metadata.json()).toMatchObject({ resource: RESOURCE, authorization_servers: [ISSUER] })
    expect((await send('/admin/api/v1')).status).toBe(401)
    for (const path of [
      '/administrator',
      '/admin/api',
      '/admin/api/',
      '/admin/api/v1x',
      '/admin/api/v2/realms',
    ])
      expect((await send(path)).status).toBe(404)
  })

  it('is on its own port alone where it has one, and nothing else is there', async () => {
    const { app, send, call, access_token } = await started({
      ...ON,
      admin: { ...ON.admin, listen: { port: 4002 } },
    })
    const METADATA = '/.well-known/oauth-protected-resource/admin/api/v1'
    for (const path of [
      '/admin/api/v1',
      '/admin/api/v1/openapi.json',
      '/admin/api/v1/realms/default/clients',
    ])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    expect(await call('GET /realms/default/clients')).toMatchObject({ status: 404 })
    expect((await send(METADATA)).status).toBe(200)
    const there = async (path: string, headers: Record<string, string> = {}) => {
      const request = new Request(ISSUER + path, { headers })
      return (await app.fetch(request, { address: '192.0.2.77', admin_port: true })).status
    }
    const authorization = `Bearer ${access_token}`
    expect(await there('/admin/api/v1/realms/default/clients', { authorization })).toBe(200)
    expect(await there('/admin/api/v1/realms/default/clients')).toBe(401)
    for (const path of ['/admin/api/v1/openapi.json', '/healthz', '/readyz'])
      expect([path, await there(path)]).toEqual([path, 200])
    for (const path of [
      '/',
      '/login',
      '/oauth/authorize',
      '/oauth/token',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/.well-known/jwks.json',
      METADATA,
    ])
      expect([path, await there(path)]).toEqual([path, 404])
  })

  it('is gone after a reload that turns it off, and keeps the roles', async () => {
    const { app, call, storage } = await started()
    const off = await configure({ ...ON, clients: FILE.clients, admin: { enabled: false } })
    await app.reload({ ...off, issuer: ISSUER })
    expect((await call('GET /realms/default/clients')).status).toBe(404)
    expect(await openRoleStore(storage).list('default')).toHaveLength(1)
  })

  it('logs an event for a role, and none of its requests has a secret', async () => {
    const { call, lines } = await started()
    const body = { token_endpoint_auth_method: 'client_secret_post', grant_types: ['client_credentials'] }
    const { body: made } = await call('PUT /realms/default/clients/service', body)
    expect(made.client_secret).toEqual(expect.any(String))
    expect(lines.join('\n')).toContain('"event":"client.created"')
    expect(lines.join('\n')).not.toContain(made.client_secret)
  })
})
