/** `scope` and `resource` of an authorization request, down to the token that they lead to. */

import { describe, expect, it } from 'vitest'
import { answer, authorizeUrl, type Browser, client, payload, redeem, type World, world } from './support.js'

async function setUp(routing: 'single' | 'path', fields: Parameters<typeof client>[0] = {}): Promise<World> {
  return world({
    routing,
    clients: [await client({ trusted: true, ...fields })],
    oidc: {
      resources: {
        mcp: { scopes: ['read', 'mcp.write'] },
        'files/v1': { scopes: ['read'] },
        'https://api.example.com': { scopes: ['api'] },
        'https://api.example.com/v2/': { scopes: [] },
        'urn:example:queue': { scopes: ['send'] },
      },
      scopes: { reports: { description: 'See your reports' } },
    },
  })
}

/** Signs in on the way when that is needed. */
async function granted(w: World, changes: Record<string, string | null>, browser: Browser = w.browser()) {
  const { code } = await browser.code(changes)
  const { body } = await redeem(w, code)
  return { aud: payload(body.access_token).aud, scope: body.scope }
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('resource names a registered resource: the issued token is addressed to it', () => {
    it.each<[string, (issuer: string) => string | null, (issuer: string) => string]>([
      ['no resource: the issuer alone', () => null, (issuer) => issuer],
      ['a path of our own', (issuer) => `${issuer}/mcp`, (issuer) => `${issuer}/mcp`],
      ['a nested path', (issuer) => `${issuer}/files/v1`, (issuer) => `${issuer}/files/v1`],
      ['the issuer itself', (issuer) => issuer, (issuer) => issuer],
      ['an external one', () => 'https://api.example.com', () => 'https://api.example.com'],
      ['a URN', () => 'urn:example:queue', () => 'urn:example:queue'],
      ['upper-case scheme and host', () => 'HTTPS://API.Example.COM', () => 'https://api.example.com'],
      ['the slash of an empty path', () => 'https://api.example.com/', () => 'https://api.example.com'],
      ['both', () => 'Https://api.example.com/', () => 'https://api.example.com'],
      ['its own slash', () => 'https://api.example.com/v2/', () => 'https://api.example.com/v2/'],
      [
        'upper-case host of our own',
        (issuer) => `${issuer}/mcp`.replace('id.example', 'ID.EXAMPLE'),
        (issuer) => `${issuer}/mcp`,
      ],
    ])('%s', async (_, resource, aud) => {
      const w = await setUp(routing)
      expect(await granted(w, { resource: resource(w.issuer) })).toMatchObject({ aud: aud(w.issuer) })
    })

    it.each<[string, (issuer: string) => string]>([
      ['a path that is not registered', (issuer) => `${issuer}/other`],
      ['a path in another case', (issuer) => `${issuer}/MCP`],
      ['a slash more', (issuer) => `${issuer}/mcp/`],
      ['a slash fewer', () => 'https://api.example.com/v2'],
      ['a query', (issuer) => `${issuer}/mcp?x`],
      ['a fragment', (issuer) => `${issuer}/mcp#x`],
      ['an empty fragment', (issuer) => `${issuer}/mcp#`],
      ['another port', () => 'https://api.example.com:8443'],
      ['another scheme', () => 'http://api.example.com'],
      ['user-info', () => 'https://user@api.example.com'],
      ['a longer host', () => 'https://api.example.com.evil.example'],
      ['the configuration key', () => 'mcp'],
      ['a client id', () => 'app'],
      ['a space within', (issuer) => `${issuer}/mcp ${issuer}/files/v1`],
    ])('%s is invalid_target', async (_, resource) => {
      const w = await setUp(routing)
      const refused = answer(await w.browser().authorize({ resource: resource(w.issuer) }))
      expect(refused).toMatchObject({ error: 'invalid_target', state: 'the state', iss: w.issuer })
    })

    it('given more than once it is a duplicate: invalid_request', async () => {
      const w = await setUp(routing)
      const url = new URL(authorizeUrl(w.issuer))
      url.searchParams.append('resource', `${w.issuer}/mcp`)
      url.searchParams.append('resource', `${w.issuer}/files/v1`)
      expect(answer(await w.browser().get(url.href))).toMatchObject({ error: 'invalid_request' })
    })
  })

  describe('scopes of a resource are issuable only for a request that names it', () => {
    it.each<[string, string | null, string, string | null]>([
      ['its own', 'mcp', 'read mcp.write', 'read mcp.write'],
      ['its own beside the built-in ones', 'mcp', 'openid read', 'openid read'],
      ['the same value under another resource', 'files/v1', 'read', 'read'],
      ['without naming one', null, 'read', null],
      ['naming another', 'files/v1', 'mcp.write', null],
      ['naming the issuer', '', 'read', null],
      ['a scope that the realm adds', null, 'reports', 'reports'],
      ['the hidden offline_access', null, 'openid offline_access', 'openid offline_access'],
    ])('%s', async (...[_, key, scope, expected]) => {
      const w = await setUp(routing)
      const uri = key === '' ? w.issuer : `${w.issuer}/${key}`
      const resource = key === null ? null : uri
      if (expected === null)
        expect(answer(await w.browser().authorize({ scope, resource }))).toMatchObject({
          error: 'invalid_scope',
        })
      else expect((await granted(w, { scope, resource })).scope).toBe(expected)
    })
  })

  describe('scope: what a client is assigned', () => {
    it.each<[string, Parameters<typeof client>[0], string | null, string | null, string | null]>([
      ['* among the optional ones: every scope', { optional_scopes: ['*'] }, null, 'email', 'email'],
      ['listed', { optional_scopes: ['openid'] }, null, 'openid', 'openid'],
      ['not listed', { optional_scopes: ['openid'] }, null, 'openid email', null],
      ['none at all', { optional_scopes: [] }, null, 'openid', null],
      [
        'a default one is in play unasked',
        { default_scopes: ['email'], optional_scopes: ['openid'] },
        null,
        'openid',
        'openid email',
      ],
      [
        'a default one may be asked for',
        { default_scopes: ['email'], optional_scopes: [] },
        null,
        'email',
        'email',
      ],
      ['a default one alone', { default_scopes: ['email'] }, null, null, 'email'],
      ["one resource's", { optional_scopes: ['mcp read'] }, 'mcp', 'read', 'read'],
      ["another resource's of the same name", { optional_scopes: ['mcp read'] }, 'files/v1', 'read', null],
      ["a bare name is the realm's, not a resource's", { optional_scopes: ['read'] }, 'mcp', 'read', null],
      ['a default one of the resource', { default_scopes: ['mcp read'] }, 'mcp', null, 'read'],
      [
        'a default one of a resource that is not named stays out',
        { default_scopes: ['mcp read'] },
        null,
        'email',
        'email',
      ],
    ])('%s', async (...[_, fields, key, scope, expected]) => {
      const w = await setUp(routing, fields)
      const resource = key && `${w.issuer}/${key}`
      if (expected === null)
        expect(answer(await w.browser().authorize({ scope, resource }))).toMatchObject({
          error: 'invalid_scope',
        })
      else expect((await granted(w, { scope, resource })).scope).toBe(expected)
    })

    it('no scope at all: a token without one', async () => {
      const w = await setUp(routing)
      const { code } = await w.browser().code({ scope: null })
      const { status, body } = await redeem(w, code)
      expect(status).toBe(200)
      expect(body).not.toHaveProperty('scope')
      expect(body).not.toHaveProperty('id_token')
    })
  })
})
