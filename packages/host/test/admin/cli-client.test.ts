/** The client `ostiary-cli`: an entry of the admin realm that `admin.enabled` adds. */

import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { configuredLog, createApp, type HostConfig } from '../../src/index.ts'
import { configure, FILE, faults, inMemory } from '../support.ts'
import { ON, RESOURCE, started } from './_server.ts'

const ADMIN = { ...FILE, oidc: { acr: 'require' }, admin: { enabled: true } }
const withOidc = (oidc: object, more: object = {}) =>
  configure({ ...ADMIN, oidc: { acr: 'require', ...oidc }, ...more })

const cliIn = ({ realms }: HostConfig, realm = 'default') =>
  realms[realm]?.clients.find(({ metadata }) => metadata.client_id === 'ostiary-cli')

describe('the client of the command line', () => {
  it('is there where the admin API is on, and nowhere else', async () => {
    expect(cliIn(await configure(FILE))).toBeUndefined()
    expect(cliIn(await configure({ ...FILE, admin: { realm: 'default' } }))).toBeUndefined()
    const entry = cliIn(await configure(ADMIN))
    expect(entry).toMatchObject({ path: 'admin.enabled', client_secret: null })
    expect(entry?.metadata).toMatchObject({
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      default_scopes: [],
      consent_required: true,
      trusted: false,
    })
    expect(entry?.metadata).not.toHaveProperty('dpop_bound_access_tokens')
    expect(entry?.metadata.optional_scopes).toHaveLength(18)
    expect(entry?.metadata.optional_scopes).toContain(`${RESOURCE} admin.keys:write`)
  })

  it('has the device grant where the realm has it, and bound tokens where the realm has DPoP', async () => {
    const { metadata } =
      cliIn(await withOidc({ dpop: 'nonce', clients: { device_authorization: 'operator' } })) ?? {}
    expect(metadata?.grant_types).toHaveLength(3)
    expect(metadata?.dpop_bound_access_tokens).toBe(true)
    const staff = { dpop: 'on', clients: { device_authorization: 'documents' } }
    const by_path = await withOidc(
      { routes: { realms: 'path' }, realms: { default: {}, staff } },
      { admin: { enabled: true, realm: 'staff' } },
    )
    expect(cliIn(by_path)).toBeUndefined()
    expect(cliIn(by_path, 'staff')?.metadata).toMatchObject({ dpop_bound_access_tokens: true })
    expect(cliIn(by_path, 'staff')?.metadata.grant_types).toHaveLength(3)
  })

  it('is not in a realm of the profile fapi2, which has confidential clients alone', async () => {
    const file = { ...ADMIN, clients: [], oidc: { acr: 'require', profile: 'fapi2' } }
    expect(cliIn(await configure(file))).toBeUndefined()
  })

  it('is no other client: one of the configuration with its id is a fault', async () => {
    const own = { client_id: 'ostiary-cli', redirect_uris: ['https://app.example.com/cb'] }
    expect(await faults({ ...ADMIN, clients: [own] })).toEqual([
      'clients.0.client_id: admin.enabled adds a client with this id: take another one',
    ])
    expect(await faults({ ...FILE, clients: [own] })).toEqual([])
  })

  it('is no other client: a stored one with its id keeps the server from starting, and stays as it is', async () => {
    const storage = inMemory()
    const { clients } = storage.storage('default')
    const other = clientRecord({ client_id: 'ostiary-cli', redirect_uris: ['https://app.example.com/cb'] })
    await clients.create(other)
    const config = await configure(ADMIN)
    const app = await createApp(config, { log: configuredLog(config, () => {}), storage })
    await expect(app.start()).rejects.toThrow(
      'admin.enabled: it adds the client ostiary-cli, and another one',
    )
    expect(await clients.find('ostiary-cli')).toEqual(other)
    expect(await clients.find('app')).toBeNull()
    await app.stop()
  })

  it('is stored at each start, and stays the same', async () => {
    const { storage, app } = await started()
    const { clients } = storage.storage('default')
    const stored = await clients.find('ostiary-cli')
    expect(stored).toMatchObject({ token_endpoint_auth_method: 'none', refresh_token_grace: 30 })
    await app.reload({
      ...(await configure(ON, { DEPLOY_SECRET: 'x'.repeat(40) })),
      issuer: 'http://localhost:4000',
    })
    expect(await clients.find('ostiary-cli')).toEqual(stored)
  })
})
