/** A retired key in the options of an application that embeds core: at the top, in `oidc.realms`, and in a realm that is looked up. */

import { ConfigError, createProvider, RETIRED_KEYS, retiredKeyMessage } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import { ISSUER } from './support.js'

/** The keys below `oidc` of the path; `*` is `mcp`. */
const keysOf = (path: string): object =>
  path
    .replace('*', 'mcp')
    .split('.')
    .slice(1)
    .reduceRight<unknown>((inner, step) => ({ [step]: inner }), true) as object

const provider = (oidc: object, realms?: () => Promise<object>) =>
  createProvider({
    oidc: { issuer: ISSUER, ...oidc },
    ...(realms && { realms }),
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage: memoryStorage(),
    accounts: { find: async () => null },
    interactions: { login: async () => new Response() },
  })

const PATHS = { routes: { realms: 'path' } }

describe.each(Object.keys(RETIRED_KEYS))('%s', (path) => {
  const message = retiredKeyMessage(path)
  const at = (group: string) => path.replace('oidc', group).replace('*', 'mcp')

  it('is an error of createProvider', () => {
    expect(() => provider(keysOf(path))).toThrow(new ConfigError({ path: at('oidc'), message: `${message}` }))
  })

  it('is an error in oidc.realms', () => {
    const realms = { acme: keysOf(path) }
    expect(() => provider({ ...PATHS, realms })).toThrow(`${at('oidc.realms.acme')}: ${message}`)
  })

  it('is an error in a realm that is looked up', async () => {
    const made = provider(PATHS, async () => keysOf(path))
    const request = new Request(made.url('oidc.jwks', { realm: 'acme' }))
    await expect(made.locate(request)).rejects.toThrow(`${at('realms.acme')}: ${message}`)
  })
})
