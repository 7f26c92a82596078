/** docs/sender-constrained.md: its configurations are accepted, and its table says what the profile sets. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProvider } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { expect, it } from 'vitest'
import { fencesOf, ROOT } from './fences.ts'

const PAGE = 'docs/sender-constrained.md'

const configurations = fencesOf(PAGE)
  .filter(({ language }) => language === 'json')
  .map(({ code }) => JSON.parse(code))

/** The settings and the metadata of a provider with the configuration. */
async function provided({ app = { url: 'http://localhost:3000' }, oidc }: (typeof configurations)[number]) {
  const provider = createProvider({
    oidc,
    app_url: app.url,
    secret: 'a secret for a provider that seals one key alone',
    storage: memoryStorage(),
    accounts: { find: async () => null },
    interactions: { login: async () => new Response(null) },
  })
  const request = new Request(provider.url('oidc.discovery'))
  const located = await provider.locate(request)
  return { settings: located?.realm.settings, metadata: await (await provider.fetch(request)).json() }
}

it('the configuration for DPoP offers it', async () => {
  const { settings, metadata } = await provided(configurations[0])
  expect(metadata.dpop_signing_alg_values_supported).toContain('ES256')
  expect(settings?.resources).toMatchObject({ 'http://localhost:4001/notes': { dpop: 'required' } })
})

it('the configuration for FAPI 2.0 demands it', async () => {
  const { metadata } = await provided(configurations[1])
  expect(metadata).toMatchObject({
    require_pushed_authorization_requests: true,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    id_token_signing_alg_values_supported: ['ES256'],
  })
})

it('the table has the keys that the profile sets, with their values', async () => {
  const { settings } = await provided(configurations[1])
  const rows = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^\| `oidc\.([\w.]+)` \| `([^`]+)` \|/gm)]
  expect(rows).toHaveLength(4)
  for (const [, key = '', value = ''] of rows) {
    const found = key.split('.').reduce<unknown>((group, name) => Reflect.get(Object(group), name), settings)
    expect(JSON.stringify(found), key).toBe(JSON.stringify(JSON.parse(value)))
  }
  expect(Object.values(settings?.resources ?? {}).map(({ dpop }) => dpop)).toEqual(['required'])
})
