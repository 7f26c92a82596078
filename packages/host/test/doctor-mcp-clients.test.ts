/** What doctor says about clients that no operator describes, and about the hosts of their documents. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OidcConfig } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { documentServer } from '@ostiary/test-kit/document-server'
import { freePort } from '@ostiary/test-kit/ports'
import { expect, it, onTestFinished } from 'vitest'
import { checkConfiguredHosts, checkHosts, checkStoredHosts } from '../src/doctor/document-hosts.ts'
import { checkMcpClients } from '../src/doctor/mcp-clients.ts'
import { settingsOfRealms } from '../src/doctor/realm-settings.ts'
import { guardedDocuments } from '../src/network/guarded-fetch.ts'
import { configure, FILE } from './support.ts'

const configured = (oidc: OidcConfig) => configure({ app: FILE.app, oidc })

async function remarks(oidc: OidcConfig): Promise<string[]> {
  const findings = checkMcpClients(await settingsOfRealms(await configured(oidc)))
  for (const { check, status } of findings) expect([check, status]).toEqual(['configuration', 'note'])
  return findings.map(({ message }) => message)
}

it.each<[string, OidcConfig]>([
  ['the default', {}],
  ['registration', { clients: { registration: { enabled: true } } }],
  ['the preset for MCP clients', { preset: 'mcp' }],
  [
    'the preset with documents of some hosts',
    { preset: 'mcp', clients: { metadata_documents: { allowed_hosts: ['claude.ai', '*.example.com'] } } },
  ],
  [
    'hosts whose redirect domains are allowed',
    {
      clients: {
        metadata_documents: {
          enabled: true,
          allowed_hosts: ['claude.ai', 'cursor.com', '*.example.com'],
        },
        registration: {
          allowed_redirect_domains: [
            'Claude.ai',
            'www.cursor.com',
            'app.example.com',
            'localhost',
            '127.0.0.1',
          ],
        },
      },
    },
  ],
])('nothing about %s', async (_, oidc) => {
  expect(await remarks(oidc)).toEqual([])
})

it.each<[string, NonNullable<OidcConfig['clients']>, RegExp]>([
  [
    'hosts that the redirect domains exclude',
    {
      registration: {
        allowed_redirect_domains: [
          'chatgpt.com',
          'www.example.org',
          'xexample.com',
          'localhost',
          '127.0.0.1',
        ],
      },
      metadata_documents: {
        enabled: true,
        allowed_hosts: ['claude.ai', 'chatgpt.com', '*.example.com', '*.example.org'],
      },
    },
    /^claude\.ai, \*\.example\.com in oidc\.clients\.metadata_documents\.allowed_hosts: a client there is refused/,
  ],
  [
    'redirect domains without this computer',
    { registration: { enabled: true, allowed_redirect_domains: ['claude.ai'] } },
    /^oidc\.clients\.registration\.allowed_redirect_domains lacks localhost and 127\.0\.0\.1: programs/,
  ],
  [
    'redirect domains of documents with one name of this computer',
    {
      registration: { allowed_redirect_domains: ['claude.ai', 'localhost'] },
      metadata_documents: { enabled: true },
    },
    /^oidc\.clients\.registration\.allowed_redirect_domains lacks 127\.0\.0\.1: programs/,
  ],
])('%s: a note', async (_, clients, message) => {
  expect(await remarks({ clients })).toEqual([expect.stringMatching(message)])
})

it.each<[string, OidcConfig, string[]]>([
  [
    'documents off',
    { clients: { metadata_documents: { enabled: false } } },
    ['oidc.clients.metadata_documents.enabled'],
  ],
  [
    'registration off',
    { clients: { registration: { enabled: false } } },
    ['oidc.clients.registration.enabled'],
  ],
  ['reuse off', { clients: { registration: { reuse: false } } }, ['oidc.clients.registration.reuse']],
  ['private_key_jwt off', { clients: { private_key_jwt: false } }, ['oidc.clients.private_key_jwt']],
  [
    'other schemes',
    { clients: { registration: { allowed_redirect_schemes: ['cursor', 'com.example.app'] } } },
    ['oidc.clients.registration.allowed_redirect_schemes'],
  ],
  [
    'a refresh token without grace',
    { tokens: { refresh_token_grace: 0 } },
    ['oidc.tokens.refresh_token_grace'],
  ],
])('the preset for MCP clients with %s: a note that names the key', async (_, oidc, keys) => {
  const found = await remarks({ preset: 'mcp', ...oidc })
  expect(found.map((message) => message.split(' differs from oidc.preset "mcp": ')[0])).toEqual(keys)
})

it('a note names the realms that it is about, unless it is about all', async () => {
  const clients = { registration: { reuse: false } }
  const realms = { a: {}, b: { clients }, c: { clients } }
  const path = { routes: { realms: 'path' }, preset: 'mcp' } as const
  expect(await remarks({ ...path, realms })).toEqual([
    expect.stringMatching(/one more client \(realms b, c\)$/),
  ])
  expect(await remarks({ ...path, realms: { b: { clients }, c: { clients } } })).toEqual([
    expect.stringMatching(/one more client$/),
  ])
})

async function host(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const read = guardedDocuments({ allow_loopback: true })
const closedHost = async () => `127.0.0.1:${await freePort()}`

it.each<[string, RequestListener]>([
  ['a document', (_, response) => response.end('{}')],
  ['no document', (_, response) => response.writeHead(404).end()],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end()],
  ['a page that is too large', (_, response) => response.end('x'.repeat(10_000))],
  ['a compressed page', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
])('a host that answers with %s can be reached', async (_, listener) => {
  const address = await host(listener)
  expect(await checkHosts([`http://${address}/`], read)).toEqual([
    { check: 'client documents', status: 'ok', message: `their hosts answer: ${address}` },
  ])
})

it('no host that can be reached is a fault; some are a note; none to try is nothing', async () => {
  const closed = await closedHost()
  const open = await host((_, response) => response.end())
  expect(await checkHosts([], read)).toEqual([])
  expect(await checkHosts([`http://${closed}/a`, `http://${closed}/b`], read)).toMatchObject([
    { status: 'fault', message: `no host can be reached: ${closed} (ECONNREFUSED)` },
  ])
  expect(await checkHosts([`http://${closed}/a`, `http://${open}/`], read)).toMatchObject([
    { status: 'note', message: `a host cannot be reached: ${closed} (ECONNREFUSED)` },
  ])
})

const documents = (changes: object) => ({
  clients: { metadata_documents: { enabled: true, ...changes } },
})

it('tries the hosts that the configuration names', async () => {
  const config = await configured(documents({ allowed_hosts: ['*', '*.example.com', 'client.localhost'] }))
  const [finding] = await checkConfiguredHosts(config)
  expect(finding?.message).toMatch(/: client\.localhost\b/)
  expect(await checkConfiguredHosts(await configured(documents({ allowed_hosts: ['*'] })))).toEqual([])
  const off = await configured(documents({ enabled: false, allowed_hosts: ['client.localhost'] }))
  expect(await checkConfiguredHosts(off)).toEqual([])
})

it('where it names none, tries the documents of clients that users have used', async () => {
  const served = await documentServer(['client.localhost'])
  onTestFinished(() => served.close())
  const client_id = served.url('client.localhost', '/client.json')
  const storage = memoryStorage()
  const times = { fetched_at: 1, fresh_until: 1, changed_at: 1, expires_at: 2 }
  await storage('default').client_documents.put({
    client_id,
    document: '{}',
    etag: null,
    last_modified: null,
    ...times,
  })
  // The certificate of the test's server is its own: the request got there.
  expect(await checkStoredHosts(await configured(documents({})), storage)).toMatchObject([
    {
      status: 'fault',
      message: expect.stringMatching(/: client\.localhost:\d+ \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/),
    },
  ])
  const named = await configured(documents({ allowed_hosts: ['client.localhost'] }))
  expect(await checkStoredHosts(named, storage)).toEqual([])
})
