/** `provider.document`: what it answers at once is what `fetch` answers, and it answers nothing that has to be read first. */

import type { ProviderOptions, RealmConfig } from '@ostiary/core'
import { expect, it } from 'vitest'
import { ISSUER, type World, world } from './support.js'

const DISCOVERY = '/.well-known/openid-configuration'
const JWKS = '/.well-known/jwks.json'
const METADATA = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

const oidc = { resources: { mcp: {} }, dpop: 'on' as const, par: 'allowed' as const }

const request = (path: string, init: RequestInit = {}) => new Request(ISSUER + path, init)

const shown = async (response: Response) => ({
  status: response.status,
  headers: [...response.headers],
  body: await response.text(),
})

/** Reads the keys, and makes the realm's context. */
const warmUp = (w: World) => w.provider.fetch(new Request(`${w.issuer}${JWKS}`))

const HEADERS: Record<string, Record<string, string>> = {
  'no header': {},
  'a browser that navigates': { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
  'an ETag that does not match': { 'if-none-match': '"other"' },
  'any ETag': { 'if-none-match': '"other", *' },
  'a page of another origin': { origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
}

it.each(['single', 'path'] as const)(
  'answers GET of a document as fetch does (realms by %s)',
  async (routing) => {
    const w = await world({ routing, oidc })
    await warmUp(w)
    const realm = routing === 'path' ? '/realms/acme' : ''
    for (const path of [
      realm + DISCOVERY,
      `${realm}${DISCOVERY}?a=b`,
      DISCOVERY + realm,
      METADATA + realm,
      `${METADATA}${realm}/any/path`,
      realm + JWKS,
      `${RESOURCE}${realm}/mcp`,
      `${RESOURCE}${realm}/mcp/`,
    ]) {
      const { etag = '' } = Object.fromEntries((await w.provider.fetch(request(path))).headers)
      for (const headers of [...Object.values(HEADERS), { 'if-none-match': `W/${etag}` }]) {
        const atOnce = w.provider.document(request(path, { headers }))
        expect(atOnce).toBeInstanceOf(Response)
        expect(await shown(atOnce as Response)).toEqual(
          await shown(await w.provider.fetch(request(path, { headers }))),
        )
      }
    }
  },
)

it.each(['single', 'path'] as const)(
  'leaves every other request to fetch (realms by %s)',
  async (routing) => {
    const w = await world({ routing, oidc })
    await warmUp(w)
    const realm = routing === 'path' ? '/realms/acme' : ''
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE'])
      for (const path of [realm + DISCOVERY, realm + JWKS, METADATA + realm, `${RESOURCE}${realm}/mcp`])
        expect(w.provider.document(request(path, { method }))).toBeNull()
    for (const path of [
      `${RESOURCE}${realm}/unknown`,
      `${realm}/oauth/token`,
      `${realm}/oauth/userinfo`,
      `${realm}/oauth/authorize?client_id=app`,
      `${realm}${JWKS}/`,
      `/realms/unknown${DISCOVERY}`,
      '/realms/',
      '/',
    ])
      expect(w.provider.document(request(path))).toBeNull()
  },
)

it('answers nothing before the realm is used, and no keys before they are read', async () => {
  const w = await world()
  expect(w.provider.document(request(DISCOVERY))).toBeNull()
  await w.provider.fetch(request(DISCOVERY))
  expect(w.provider.document(request(DISCOVERY))).not.toBeNull()
  expect(w.provider.document(request(JWKS))).toBeNull()
})

it('answers nothing for a realm whose context cannot be made: fetch answers 500', async () => {
  const w = await world({
    guards: {
      broken: () => {
        throw new Error('broken')
      },
    },
    oidc: { auth: { api_guard: 'broken' } },
  })
  expect((await w.provider.fetch(request(DISCOVERY))).status).toBe(500)
  expect(w.provider.document(request(DISCOVERY))).toBeNull()
})

it('answers no keys that are due to be read again, and those of a rotation at once', async () => {
  const w = await world()
  await warmUp(w)
  const first = await w.provider.document(request(JWKS))?.text()
  w.clock.now += 31
  expect(w.provider.document(request(JWKS))).toBeNull()
  await warmUp(w)
  expect(await w.provider.document(request(JWKS))?.text()).toBe(first)
  const { keys } = await w.provider.manage()
  const { kid } = await keys.rotate()
  expect(await w.provider.document(request(JWKS))?.text()).toContain(kid)
  await keys.revoke(kid)
  expect(await w.provider.document(request(JWKS))?.text()).toBe(first)
})

it('answers nothing for a realm that is due to be looked up again, and the changed document after that', async () => {
  const known: Record<string, RealmConfig> = { blue: { claims_supported: ['sub'] } }
  const realms: ProviderOptions['realms'] = async (id) => known[id] ?? null
  const w = await world({ oidc: { routes: { realms: 'path' } }, realms })
  const blue = () => request(`/realms/blue${DISCOVERY}`)
  await w.provider.fetch(blue())
  known.blue = { claims_supported: ['sub', 'color'] }
  w.clock.now += 9
  expect(await w.provider.document(blue())?.json()).toMatchObject({ claims_supported: ['sub'] })
  w.clock.now += 1
  expect(w.provider.document(blue())).toBeNull()
  await w.provider.fetch(blue())
  expect(await w.provider.document(blue())?.json()).toMatchObject({ claims_supported: ['sub', 'color'] })
  delete known.blue
  w.clock.now += 10
  expect((await w.provider.fetch(blue())).status).toBe(404)
  expect(w.provider.document(blue())).toBeNull()
})
