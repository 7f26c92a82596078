/** The keys `admin.*`, the resource that they add, and that nothing changes without them. */

import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import type { HostConfig } from '../../src/index.ts'
import { configure, FILE, faults, SECRET, startApp } from '../support.ts'

const ON = { ...FILE, oidc: { acr: 'require' }, admin: { enabled: true } }
const RESOURCE = 'http://localhost:4000/admin/api/v1'
const BY_PATH = { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: {} } }

const providerOf = ({ oidc, app_url }: HostConfig) =>
  createProvider({
    oidc,
    ...(app_url !== undefined && { app_url }),
    secret: SECRET,
    storage: memoryStorage(),
    accounts: { find: async () => null },
    interactions: { login: async () => new Response('') },
  })

async function realmOf(config: HostConfig, realm = 'default') {
  const provider = providerOf(config)
  const located = await provider.locate(new Request(provider.url('oidc.jwks', { realm })))
  if (located === null) throw new Error(`no realm ${realm}`)
  return located.realm
}

describe('admin', () => {
  it('is off without the key, and the keys of oidc are as they were', async () => {
    for (const file of [
      FILE,
      { ...FILE, admin: {} },
      { ...FILE, admin: { enabled: false, realm: 'nowhere' } },
    ]) {
      const config = await configure(file)
      expect(config).not.toHaveProperty('admin')
      expect(config.oidc).toEqual((await configure(FILE)).oidc)
    }
  })

  it('has defaults', async () => {
    expect((await configure(ON)).admin).toEqual({
      realm: 'default',
      allow_client_secrets: false,
      allowed_addresses: [],
    })
  })

  it('has a port of its own where one is given', async () => {
    const listening = (listen: object, more: object = {}) => ({
      ...ON,
      ...more,
      admin: { enabled: true, listen },
    })
    expect(await configure(ON)).not.toHaveProperty('admin_listen')
    expect(await configure({ ...FILE, admin: { listen: { port: 4002 } } })).not.toHaveProperty('admin_listen')
    const config = await configure(listening({ port: 4002 }))
    expect(config.admin_listen).toEqual({ port: 4002, host: '127.0.0.1' })
    expect(config.admin).toEqual((await configure(ON)).admin)
    const variables = { OSTIARY_ADMIN__LISTEN__PORT: '4003', OSTIARY_ADMIN__LISTEN__HOST: '::1' }
    expect((await configure(ON, variables)).admin_listen).toEqual({ port: 4003, host: '::1' })
  })

  it.each([{ port: 4002 }, { server: { metrics: { port: 4002 } } }])(
    'has another port than %j',
    async (more) => {
      const file = { ...ON, ...more, admin: { enabled: true, listen: { port: 4002 } } }
      const fault = 'admin.listen.port: the server listens on 4002 too; set another port'
      expect(await faults(file)).toEqual([fault])
    },
  )

  it('adds a closed resource to the admin realm, with descriptions that the consent page marks', async () => {
    const { resources, scopes } = await realmOf(await configure(ON))
    const [resource] = resources.filter(({ uri }) => uri === RESOURCE)
    expect(resource).toMatchObject({ external: false, admit: expect.any(Function), bound_tokens_only: false })
    expect(resource?.scopes).toHaveLength(16)
    expect(scopes.descriptions.get('admin.users:write')).toBe(
      'As an administrator: see and change users and how they sign in',
    )
    for (const scope of resource?.scopes ?? []) expect(scopes.high.has(scope)).toBe(true)
    // No scope of it belongs to the realm: a request without the resource does not get it.
    for (const scope of resource?.scopes ?? []) expect(scopes.realm.has(scope)).toBe(false)
  })

  it('wants tokens that are bound to a key where DPoP is on', async () => {
    for (const [dpop, bound] of [
      ['on', true],
      ['nonce', true],
      ['off', false],
    ] as const) {
      const { resources } = await realmOf(await configure({ ...ON, oidc: { acr: 'tell', dpop } }))
      expect(resources.find(({ uri }) => uri === RESOURCE)?.bound_tokens_only).toBe(bound)
    }
  })

  it('in realms by path, only the admin realm has it, beside the resources that it had', async () => {
    const api = { 'https://api.example.com': { scopes: ['read'] } }
    const oidc = { ...BY_PATH, resources: api }
    const config = await configure({
      ...FILE,
      clients: [],
      users: [],
      oidc,
      admin: { enabled: true, realm: 'staff' },
    })
    const uris = async (realm: string) => (await realmOf(config, realm)).resources.map(({ uri }) => uri)
    expect(await uris('staff')).toEqual(['https://api.example.com', RESOURCE])
    expect(await uris('default')).toEqual(['https://api.example.com'])
  })

  it.each<[string, object, string]>([
    [
      'without oidc.acr',
      { ...ON, oidc: {} },
      'admin.enabled: it needs oidc.acr, so that tokens say how an administrator has signed in: set oidc.acr to "require"',
    ],
    [
      'a realm that does not exist',
      { ...ON, admin: { enabled: true, realm: 'staff' } },
      'admin.realm: there is no realm "staff": name one of default',
    ],
    [
      'a realm that does not exist, by path',
      { ...ON, oidc: BY_PATH, admin: { enabled: true, realm: 'nobody' } },
      'admin.realm: there is no realm "nobody": name one of default, staff',
    ],
    [
      'the resource is there already',
      { ...ON, oidc: { acr: 'tell', resources: { 'admin/api/v1': {} } } },
      `oidc.resources: ${RESOURCE} is the resource of the admin API: remove it here`,
    ],
    [
      'an address that is none',
      { ...ON, admin: { enabled: true, allowed_addresses: ['10.0.0'] } },
      'admin.allowed_addresses.0: give',
    ],
  ])('%s is a fault that says what to do', async (...[, file, expected]) => {
    expect(await faults(file)).toEqual([expect.stringContaining(expected)])
  })

  it('a client of the configuration may have its scopes, and no realm gives them to every client', async () => {
    const entry = `${RESOURCE} admin.users:read`
    const client = {
      client_id: 'ops',
      redirect_uris: ['http://localhost:8080/callback'],
      optional_scopes: [entry],
    }
    expect(await faults({ ...ON, clients: [client] })).toEqual([])
    expect(await faults({ ...FILE, clients: [client] })).toEqual([
      expect.stringContaining('there is no resource'),
    ])
    const clients = { optional_scopes: [entry] }
    expect(await faults({ ...ON, oidc: { acr: 'tell', clients } })).toEqual([
      expect.stringContaining('is closed: assign its scopes in the clients'),
    ])
  })
})

describe('the documents of a server', () => {
  const PATHS = [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/admin/api/v1',
    '/admin/api/v1',
    '/admin/api/v1/openapi.json',
    '/admin',
  ]
  const documents = async (file: object) => {
    const { get } = await startApp(file)
    return Promise.all(
      PATHS.map(async (path) => {
        const answer = await get(path)
        return [path, answer.status, answer.headers.get('content-type'), await answer.text()]
      }),
    )
  }

  it('are the same, byte for byte, while it is off', async () => {
    const file = { ...FILE, oidc: { acr: 'require' } }
    const off = await documents({ ...file, admin: { enabled: false, allow_client_secrets: true } })
    expect(off).toEqual(await documents(file))
    expect(off.find(([path]) => path === '/admin/api/v1')?.[1]).toBe(404)
  })
})
