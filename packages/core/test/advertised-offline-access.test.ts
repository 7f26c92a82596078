/** `offline_access` where it is advertised: who is granted it, and what the pages say. */

import { describe, expect, it } from 'vitest'
import { client, redeem, type World, type WorldOptions, world } from './support.js'

type Oidc = NonNullable<WorldOptions['oidc']>

const ADVERTISED: Oidc = { scopes: { offline_access: { hidden: false } } }
/** The documents of clients need a function that reads them. */
const MCP = { preset: 'mcp', clients: { metadata_documents: { enabled: false } } } as const
const ASKED = 'openid offline_access'

async function granted(w: World): Promise<unknown> {
  const { code } = await w.browser().code({ scope: ASKED })
  return (await redeem(w, code)).body.scope
}

const advertised = async (oidc: Oidc): Promise<boolean> => {
  const w = await world({ oidc })
  const response = await w.provider.fetch(new Request(`${w.issuer}/.well-known/openid-configuration`))
  const { scopes_supported } = (await response.json()) as { scopes_supported: string[] }
  return scopes_supported.includes('offline_access')
}

const signedOutPage = async (oidc: Oidc): Promise<string> => {
  const w = await world({ oidc })
  const browser = w.browser()
  const { code } = await browser.code({ scope: 'openid' })
  const { id_token } = (await redeem(w, code)).body
  const response = await browser.get(`${w.issuer}/oauth/logout?id_token_hint=${String(id_token)}`)
  return response.text()
}

describe('discovery', () => {
  it.each<[string, Oidc, boolean]>([
    ['by default', {}, false],
    ['with another key of the scope', { scopes: { offline_access: { description: 'Stay' } } }, false],
    ['with hidden true', { scopes: { offline_access: { hidden: true } } }, false],
    ['with hidden false', ADVERTISED, true],
    ['with the preset', { ...MCP }, true],
    ['with the preset and scopes', { ...MCP, scopes: { notes: {} } }, true],
    ['with the preset and hidden true', { ...MCP, scopes: { offline_access: { hidden: true } } }, false],
  ])('%s', async (_, oidc, expected) => {
    expect(await advertised(oidc)).toBe(expected)
  })
})

describe('is granted', () => {
  const trusted = { trusted: true }
  const unasked = { consent_required: false }
  const named = { optional_scopes: ['openid', 'offline_access'] }
  const star = { optional_scopes: ['*'] }
  it.each<[string, Parameters<typeof client>[0], boolean]>([
    ['a client that registered itself, through the view', { origin: 'registered', ...star }, true],
    [
      'a client that registered itself and skips the view',
      { origin: 'registered', ...unasked, ...named },
      false,
    ],
    ['an operator’s client, through the view', star, true],
    ['an operator’s trusted client with *', { ...trusted, ...star }, false],
    ['an operator’s trusted client by name', { ...trusted, ...named }, true],
    [
      'an operator’s trusted client by name as default',
      { ...trusted, default_scopes: ['offline_access'] },
      true,
    ],
    ['an operator’s client without consent with *', { ...unasked, ...star }, false],
    ['an operator’s client without consent by name', { ...unasked, ...named }, true],
  ])('%s', async (_, changes, is_granted) => {
    const w = await world({ oidc: ADVERTISED, clients: [await client(changes)] })
    expect(await granted(w)).toBe(is_granted ? ASKED : 'openid')
    const hidden = await world({ clients: [await client(changes)] })
    expect(await granted(hidden)).toBe(ASKED)
  })
})

it('the consent view lists it, so that every view says what it means', async () => {
  const w = await world({ oidc: ADVERTISED })
  await w.browser().code({ scope: ASKED })
  expect(w.consents[0]).toMatchObject({
    offline_access: true,
    scopes: [
      { value: 'openid' },
      { value: 'offline_access', description: 'Keep access after you sign out', severity: 'normal' },
    ],
  })
})

it('the plain signed-out page says that applications may keep access', async () => {
  const kept = 'Applications that you allowed to stay connected may keep their access.'
  expect(await signedOutPage(ADVERTISED)).toContain(kept)
  expect(await signedOutPage({})).not.toContain(kept)
})
