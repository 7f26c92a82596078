/** What a simulation says about tokens is what the tokens of a real flow have; it gives no token away. */

import type { Client, OidcConfig, ProviderOptions } from '@ostiary/core'
import { bearer, CODE_CHALLENGE, client, payload, redeem, type World } from '@ostiary/test-kit/world'
import { describe, expect, it, vi } from 'vitest'
import { createSimulation, type ShownToken, type TokensInput, type TokensOutcome } from '../src/index.ts'
import { CORE, place, stateOf, UNLIMITED_MS } from './_place.ts'

const API = 'https://id.example.com/api'
const OIDC: Partial<OidcConfig> = {
  resources: { api: { scopes: ['notes.read'] } },
  scopes: { groups: { description: 'Your groups' } },
  claims: {
    department: { scopes: ['profile'], targets: ['id_token', 'userinfo', 'access_token'] },
    nickname: { attribute: 'nick', scopes: ['profile'], targets: ['userinfo'] },
    level: { attribute: 'clearance', scopes: ['api notes.read'], targets: ['access_token'] },
    cost_center: { scopes: ['profile'], targets: ['id_token'] },
  },
}
const USER = {
  sub: 'alice',
  claims: { name: 'Alice', nickname: 'Al', email: 'alice@example.com', email_verified: true, shoe_size: 38 },
  attributes: { department: 'R&D', nick: 'A', clearance: 3, hired: 2020, groups: ['staff'] },
}
const ALICE = { sub: 'alice', level: 1, age: 0 } as const

async function opened(fields: Partial<Client> = {}, options: Partial<Parameters<typeof place>[0]> = {}) {
  const made = await place({ oidc: OIDC, ...options, clients: [await client(fields)] })
  made.w.accounts.set('alice', USER)
  const tokens = (input: Partial<TokensInput> = {}) =>
    made.simulate((from) =>
      from.tokens('default', {
        client_id: 'app',
        user: ALICE,
        scopes: ['openid', 'profile', 'email'],
        resource: null,
        ...input,
      }),
    )
  return { ...made, tokens }
}

function issued(outcome: TokensOutcome) {
  if (outcome.result !== 'tokens') throw new Error(JSON.stringify(outcome))
  return outcome
}
const values = (token: ShownToken | null) =>
  Object.fromEntries((token?.claims ?? []).map(({ name, value }) => [name, value]))
const sources = (token: ShownToken | null) =>
  Object.fromEntries((token?.claims ?? []).map(({ name, from }) => [name, from]))
const reasons = (token: ShownToken | null) =>
  Object.fromEntries((token?.withheld ?? []).map(({ name, why }) => [name, why]))

/** They are of one token alone. */
const OF_ONE_TOKEN = { sid: '', at_hash: '', jti: '', auth_time: 0, iat: 0, nbf: 0, exp: 0 }
const comparable = (claims: Record<string, unknown>) => ({
  ...claims,
  ...Object.fromEntries(Object.entries(OF_ONE_TOKEN).filter(([name]) => name in claims)),
})

async function realTokens(w: World, changes: Record<string, string> = {}) {
  const { code } = await w.browser().code({ scope: 'openid profile email', nonce: null, ...changes })
  const { body } = await redeem(w, code)
  const info = await w.provider.fetch(
    new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(body.access_token) }),
  )
  return { ...body, info: await info.json() }
}

it('the claims and the sizes are those of a real flow, and nothing is stored', async () => {
  const { w, tokens } = await opened()
  const before = await stateOf(w, ['alice'])
  const said = issued(await tokens())
  expect(await stateOf(w, ['alice'])).toEqual(before)
  const real = await realTokens(w)
  expect(comparable(values(said.id_token))).toEqual(comparable(payload(real.id_token)))
  expect(comparable(values(said.access_token))).toEqual(comparable(payload(real.access_token)))
  expect(values(said.userinfo)).toEqual(real.info)
  expect(said.id_token?.bytes).toBe(real.id_token.length)
  expect(said.access_token.bytes).toBe(real.access_token.length)
  expect(said.userinfo?.bytes).toBe(JSON.stringify(real.info).length)
  expect(said).toMatchObject({
    token_type: 'Bearer',
    expires_in: real.expires_in,
    scopes: ['openid', 'profile', 'email'],
    refresh_token: real.refresh_token !== undefined,
  })
})

it('each claim has its source', async () => {
  const { tokens } = await opened({ optional_scopes: ['*'] })
  const said = issued(await tokens({ scopes: ['openid', 'profile', 'email', 'groups'] }))
  expect(sources(said.userinfo)).toEqual({
    sub: 'protocol',
    name: 'scope profile',
    nickname: 'oidc.claims.nickname',
    email: 'scope email',
    email_verified: 'scope email',
    department: 'oidc.claims.department',
    groups: 'oidc.claims.groups',
  })
  expect(sources(said.id_token)).toMatchObject({ iss: 'protocol', aud: 'protocol', sid: 'protocol' })
  expect(sources(said.access_token)).toMatchObject({
    scope: 'protocol',
    department: 'oidc.claims.department',
  })
})

it('what is not in a token has a reason', async () => {
  const { tokens } = await opened()
  const said = issued(await tokens({ scopes: ['openid', 'profile'] }))
  expect(reasons(said.id_token)).toEqual({
    nickname: 'oidc.claims.nickname.targets does not have id_token',
    level: 'oidc.claims.level.targets does not have id_token',
    cost_center: 'the user has no attribute cost_center',
    groups: 'oidc.claims.groups needs the scope groups',
    email: 'it needs the scope email',
    email_verified: 'it needs the scope email',
    shoe_size: 'no oidc.claims names the attribute shoe_size',
    hired: 'no oidc.claims names the attribute hired',
  })
  expect(reasons(said.access_token)).toMatchObject({
    name: 'standard claims are not in access tokens: map it with oidc.claims.name',
    level: 'oidc.claims.level needs the scope notes.read',
  })
})

it('a resource reads its access token, and has the claims of its scopes', async () => {
  const { tokens } = await opened()
  const said = issued(await tokens({ scopes: ['openid', 'notes.read'], resource: API }))
  expect(said.access_token.read_by).toEqual(['app', API])
  expect(values(said.access_token)).toMatchObject({ aud: API, level: 3 })
  expect(sources(said.access_token).level).toBe('oidc.claims.level')
  expect(said.id_token?.read_by).toEqual(['app'])
})

it('a claim that an application returns for the provider is dropped', async () => {
  const claims: ProviderOptions['claims'] = async () => ({ plan: 'gold', iss: 'evil', name: 'A' })
  const { tokens } = await opened({}, { options: { claims } })
  const said = issued(await tokens())
  expect(values(said.id_token)).toMatchObject({ iss: 'https://id.example.com', plan: 'gold' })
  expect(sources(said.id_token)).toMatchObject({ plan: 'application', name: 'application', iss: 'protocol' })
  expect(reasons(said.id_token).iss).toBe('dropped: protocol claim, which the provider sets itself')
})

it('without openid, there is neither an ID token nor UserInfo', async () => {
  const { tokens } = await opened()
  expect(issued(await tokens({ scopes: ['profile'] }))).toMatchObject({ id_token: null, userinfo: null })
})

it('a request that is refused, and a user who cannot sign in', async () => {
  const { w, tokens } = await opened({ optional_scopes: ['openid'] })
  expect(await tokens()).toMatchObject({
    result: 'refused',
    reason: 'unassigned_scope',
    setting: 'client.optional_scopes',
  })
  expect(await tokens({ client_id: 'none' })).toMatchObject({ result: 'refused', reason: 'unknown_client' })
  w.accounts.delete('alice')
  expect(await tokens({ scopes: ['openid'] })).toMatchObject({ result: 'login', reason: 'signed_out' })
})

it('a token that would be too large is refused', async () => {
  const { w, tokens } = await opened()
  w.accounts.set('alice', { ...USER, attributes: { ...USER.attributes, department: 'x'.repeat(5000) } })
  expect(await tokens()).toMatchObject({ result: 'refused', reason: 'access_token_too_large' })
})

describe('clients prove themselves with credentials of the simulation', () => {
  const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }] }
  const keyed = { token_endpoint_auth_method: 'private_key_jwt', jwks } as const
  const hashed = { client_secret_hash: 'x'.repeat(43) }
  it.each<[string, Partial<Client>, Partial<OidcConfig>]>([
    ['none', {}, {}],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post', ...hashed }, {}],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic', ...hashed }, {}],
    ['a key', keyed, { clients: { private_key_jwt: true } }],
    [
      'a key at a jwks_uri',
      { ...keyed, jwks: null, jwks_uri: 'https://client.example.com/keys' },
      { clients: { private_key_jwt: true } },
    ],
    ['a pushed request', {}, { par: 'required' }],
    ['a proof of a key', { dpop_bound_access_tokens: true }, { dpop: 'on' }],
    ['a proof with a nonce', { dpop_bound_access_tokens: true }, { dpop: 'nonce' }],
    ['fapi2', keyed, { profile: 'fapi2', clients: { private_key_jwt: true } }],
    ['a proof that is not asked for', {}, { dpop: 'nonce' }],
  ])('%s', async (name, fields, more) => {
    const { tokens } = await opened(fields, {
      oidc: { ...OIDC, ...more },
      fetch_document: async () => Promise.reject(new Error('closed')),
    })
    const said = issued(await tokens())
    const is_bound = 'dpop_bound_access_tokens' in fields || name === 'fapi2'
    expect(said.token_type).toBe(is_bound ? 'DPoP' : 'Bearer')
    expect('cnf' in values(said.access_token)).toBe(is_bound)
    expect(values(said.userinfo)).toMatchObject({ sub: 'alice', name: 'Alice' })
  })
})

it('no key of the realm is read, and its keys verify nothing of it', async () => {
  const { w } = await opened({ trusted: true })
  const list = vi.fn(async () => [])
  const tokens: string[] = []
  const createProvider: typeof CORE.createProvider = (options) => {
    const provider = CORE.createProvider(options)
    const fetch: typeof provider.fetch = async (...sent) => {
      const answer = await provider.fetch(...sent)
      if (sent[0].url.endsWith('/oauth/token'))
        tokens.push(...(Object.values(await answer.clone().json()) as string[]))
      return answer
    }
    return { ...provider, fetch }
  }
  const provider: ProviderOptions = {
    oidc: { issuer: w.issuer, ...OIDC },
    secret: 'only-for-tests-only-for-tests-only-for-tests',
    storage: (realm) => ({ ...w.storage(realm), keys: { ...w.storage(realm).keys, list } }),
    accounts: { find: async () => USER },
    interactions: { login: async () => new Response() },
    now: () => w.clock.now,
  }
  const simulation = createSimulation({
    within_ms: UNLIMITED_MS,
    core: { ...CORE, createProvider },
    provider,
  })
  const input = { client_id: 'app', user: ALICE, scopes: ['openid', 'offline_access'], resource: null }
  const said = issued(await simulation.tokens('default', input))
  expect(list).not.toHaveBeenCalled()
  const jwts = tokens.filter((token) => String(token).split('.').length === 3)
  expect(jwts).toHaveLength(2)
  // Neither the tokens nor their signatures are told.
  for (const jwt of jwts)
    for (const part of jwt.split('.').slice(1)) expect(JSON.stringify(said)).not.toContain(part)
  for (const jwt of jwts) {
    const headers = bearer(jwt)
    const answer = await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers }))
    expect(answer.status).toBe(401)
    const hinted = await w.browser().authorize({ id_token_hint: jwt, code_challenge: CODE_CHALLENGE })
    expect(hinted.headers.get('location')).toContain('error=invalid_request')
  }
})
