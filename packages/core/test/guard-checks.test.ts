/** Behind the guard: the principal, the audience check, the scope check, and their challenges. */

import type { RequestCheck } from '@ostiary/resource-server'
import { beforeAll, describe, expect, it } from 'vitest'
import { ALICE, bearer, CLIENT_SECRET, client, redeem, tokens, type World, world } from './support.js'

const EXTERNAL = 'https://api.example.net'

describe.each(['single', 'path'] as const)('Behind the guard (realms by %s)', (routing) => {
  let w: World
  let of_user: string
  let of_client: string
  beforeAll(async () => {
    const service = { client_id: 'service', client_secret: CLIENT_SECRET }
    w = await world({
      routing,
      oidc: { resources: { mcp: { scopes: ['tools'] }, 'mcp/v1': {}, '': {}, [EXTERNAL]: {} } },
      clients: [await client(), await client({ ...service, grant_types: ['client_credentials'] })],
    })
    of_user = (await redeem(w, (await w.browser().code()).code)).body.access_token
    const form = { grant_type: 'client_credentials', ...service }
    const resource = `${w.issuer}/mcp`
    of_client = (await tokens(w, { ...form, resource, scope: 'tools openid' })).body.access_token
  })
  const realm = routing === 'path' ? 'acme' : 'default'
  const root = 'https://id.example.com/.well-known/oauth-protected-resource'
  const metadata = routing === 'path' ? `${root}/realms/acme` : root

  const request = (token?: string) =>
    new Request('https://api.example.com/things', token === undefined ? {} : { headers: bearer(token) })
  const guard = (resource?: string) =>
    w.provider.guard({ realm, ...(resource !== undefined && { resource }) })
  const seen = async (response: Response | null) =>
    response && {
      status: response.status,
      body: await response.text(),
      challenge: response.headers.get('www-authenticate'),
    }
  /** The answer of a check after the guard. */
  async function checked(token: string, make: (of: ReturnType<typeof guard>) => RequestCheck) {
    const of = guard()
    const asked = request(token)
    expect(await of.authenticate(asked)).not.toBeInstanceOf(Response)
    return seen(make(of)(asked))
  }

  describe('Authenticated principal', () => {
    it("for a token that carries a subject, the principal is the token's user", async () => {
      const principal = await guard().authenticate(request(of_user))
      if (principal instanceof Response || principal.kind !== 'user') throw new Error('no user')
      expect(principal.user).toBe(ALICE)
      expect(principal.clientId()).toBe('app')
      expect([principal.getAuthIdentifierName(), principal.getAuthIdentifier()]).toEqual(['sub', 'alice'])
      expect(principal.currentAccessToken()).toMatchObject({
        claims: { sub: 'alice', iss: w.issuer },
        audience: [w.issuer],
        scopes: ['openid', 'profile', 'email'],
      })
      expect(['openid', 'phone', 'Openid', ''].map(principal.tokenCan)).toEqual([true, false, false, false])
    })

    it('a userless token authenticates as a ClientPrincipal', async () => {
      const principal = await guard().authenticate(request(of_client))
      if (principal instanceof Response || principal.kind !== 'client') throw new Error('no client')
      expect(principal.clientId()).toBe('service')
      expect(principal.clientId()).toBe(principal.currentAccessToken().claims.sub)
      expect(principal.client).toEqual(await w.storage(realm).clients.find('service'))
      expect(principal.getAuthIdentifierName()).toBe('client_id')
      expect(principal.getAuthIdentifier()).toBe('service')
      expect(principal.getAuthPassword).toThrow('no password')
      expect(principal.getAuthPasswordName).toThrow('no password')
      expect(principal.getRememberToken()).toBeNull()
      expect(principal.currentAccessToken()).toMatchObject({ audience: [`${w.issuer}/mcp`] })
      expect(['tools', 'openid', 'email'].map(principal.tokenCan)).toEqual([true, true, false])
      expect(principal).not.toHaveProperty('user')
    })

    it('principal() answers for the request that was authenticated, and for no other', async () => {
      const of = guard()
      const accepted = request(of_user)
      const refused = request('rubbish')
      const untouched = request(of_user)
      const principal = await of.authenticate(accepted)
      await of.authenticate(refused)
      expect(of.principal(accepted)).toBe(principal)
      expect(of.principal(refused)).toBeNull()
      expect(of.principal(untouched)).toBeNull()
    })
  })

  describe('Audience check', () => {
    it('passes when the verified audience intersects any of the listed ones, for users and clients alike', async () => {
      expect(await checked(of_user, (of) => of.checkAudience('https://x.example', w.issuer))).toBeNull()
      expect(await checked(of_client, (of) => of.checkAudience(`${w.issuer}/mcp`))).toBeNull()
    })

    it.each([
      ['another audience', () => ['https://elsewhere.example.org']],
      ['a resource of the same issuer', (issuer: string) => [`${issuer}/mcp/v1`]],
      ['the audience in part', (issuer: string) => [issuer.slice(0, -1), `${issuer}/`]],
      ['none listed', () => []],
    ])('audience mismatch (%s): 401 invalid_token', async (_, audiences) => {
      for (const token of [of_user, of_client])
        expect(await checked(token, (of) => of.checkAudience(...audiences(w.issuer)))).toEqual({
          status: 401,
          body: '{"error":"invalid_token"}',
          challenge: `Bearer realm="${realm}", error="invalid_token", resource_metadata="${metadata}"`,
        })
    })
  })

  describe('Scope check', () => {
    it('passes when the token has every required scope, for users and clients alike', async () => {
      expect(await checked(of_user, (of) => of.checkScopes('email', 'openid'))).toBeNull()
      expect(await checked(of_client, (of) => of.checkScopes('tools'))).toBeNull()
      expect(await checked(of_client, (of) => of.checkScopes())).toBeNull()
    })

    it('missing required scope: 403 insufficient_scope, the challenge names the scopes that are required', async () => {
      for (const token of [of_user, of_client])
        expect(await checked(token, (of) => of.checkScopes('openid', 'admin'))).toEqual({
          status: 403,
          body: '{"error":"insufficient_scope"}',
          challenge: `Bearer realm="${realm}", error="insufficient_scope", scope="openid admin", resource_metadata="${metadata}"`,
        })
    })
  })

  describe('A guard with scopes of its own', () => {
    it('challenge_scopes: each 401 names them, between error and resource_metadata', async () => {
      const of = w.provider.guard({ realm, resource: 'mcp', challenge_scopes: ['tools', 'files'] })
      const rest = `scope="tools files", resource_metadata="${metadata}/mcp"`
      const silent = { status: 401, body: '', challenge: `Bearer realm="${realm}", ${rest}` }
      const invalid = {
        status: 401,
        body: '{"error":"invalid_token"}',
        challenge: `Bearer realm="${realm}", error="invalid_token", ${rest}`,
      }
      const asked = request(of_client)
      expect(await seen((await of.authenticate(request())) as Response)).toEqual(silent)
      expect(await seen((await of.authenticate(request('rubbish'))) as Response)).toEqual(invalid)
      expect(await seen(of.checkScopes('tools')(asked))).toEqual(invalid)
      await of.authenticate(asked)
      expect(await seen(of.checkAudience(w.issuer)(asked))).toEqual(invalid)
      expect((await seen(of.checkScopes('tools', 'admin')(asked)))?.challenge).toBe(
        `Bearer realm="${realm}", error="insufficient_scope", scope="tools admin", resource_metadata="${metadata}/mcp"`,
      )
    })

    it('implies: a broader scope stands for narrower ones, in every check of this guard alone', async () => {
      const implies = { tools: ['tools.use'], 'tools.use': ['tools.list'], openid: ['tools'] }
      const of = w.provider.guard({ realm, implies })
      for (const token of [of_user, of_client]) {
        const asked = request(token)
        const principal = await of.authenticate(asked, ['tools.list', 'openid'])
        if (principal instanceof Response) throw new Error('refused')
        expect(['tools.list', 'tools.use', 'admin'].map(principal.tokenCan)).toEqual([true, true, false])
        expect(of.checkScopes('tools', 'tools.list')(asked)).toBeNull()
        expect((await seen(of.checkScopes('tools.list', 'admin')(asked)))?.challenge).toContain(
          'scope="tools.list admin"',
        )
        expect(principal.currentAccessToken().scopes).not.toContain('tools.list')
        expect(await checked(token, (other) => other.checkScopes('tools.list'))).toMatchObject({
          status: 403,
        })
      }
    })

    it.each<[string, object, string]>([
      ['an empty list', { challenge_scopes: [] }, 'challenge_scopes: list at least one scope'],
      ['a scope with a space', { challenge_scopes: ['a b'] }, 'challenge_scopes: '],
      ['a scope that ends its parameter', { challenge_scopes: ['a"'] }, 'challenge_scopes: '],
      ['a cycle', { implies: { a: ['b'], b: ['a'] } }, 'implies: give each scope the list'],
      ['a text as the implied scopes', { implies: { a: 'b' } }, 'implies: '],
    ])('%s is refused when the guard is made', (_, options, fault) => {
      expect(() => w.provider.guard({ realm, ...options })).toThrow(fault)
    })
  })

  it.each<[string, (of: ReturnType<typeof guard>) => RequestCheck]>([
    ['Audience', (of) => of.checkAudience(w.issuer)],
    ['Scope', (of) => of.checkScopes('openid')],
  ])('%s check without a preceding guard: 401 invalid_token', async (_, make) => {
    const alone = guard()
    const other = guard()
    const asked = request(of_user)
    const expected = {
      status: 401,
      body: '{"error":"invalid_token"}',
      challenge: `Bearer realm="${realm}", error="invalid_token", resource_metadata="${metadata}"`,
    }
    expect(await seen(make(alone)(asked))).toEqual(expected)
    await other.authenticate(asked)
    expect(await seen(make(alone)(asked))).toEqual(expected)
    await alone.authenticate(request('rubbish'))
    expect(await seen(make(alone)(asked))).toEqual(expected)
  })

  it('a request without a token does not pass a check behind the guard', async () => {
    const of = guard()
    const asked = request()
    await of.authenticate(asked)
    expect((await seen(of.checkAudience(w.issuer)(asked)))?.status).toBe(401)
  })

  describe('A guard made for one resource', () => {
    it.each([
      ['mcp', '/mcp'],
      ['mcp/v1', '/mcp/v1'],
      ['', ''],
    ])("points at that resource's document: %s", async (key, path) => {
      const refused = await guard(key).authenticate(request('rubbish'))
      const silent = await guard(key).authenticate(request())
      if (!(refused instanceof Response && silent instanceof Response)) throw new Error('accepted')
      const document = `${metadata}${path}`
      expect(refused.headers.get('www-authenticate')).toBe(
        `Bearer realm="${realm}", error="invalid_token", resource_metadata="${document}"`,
      )
      expect(silent.headers.get('www-authenticate')).toBe(
        `Bearer realm="${realm}", resource_metadata="${document}"`,
      )
      const found = await w.provider.fetch(new Request(document))
      expect((await found.json()).resource).toBe(`${w.issuer}${path}`)
    })

    it('may be named by its URI', async () => {
      const refused = await guard(`${w.issuer}/mcp`).authenticate(request())
      if (!(refused instanceof Response)) throw new Error('accepted')
      expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}/mcp"`)
    })

    it.each(['nowhere', EXTERNAL, '__proto__'])(
      'cannot be made for what is no resource of ours: %s',
      (key) => {
        expect(() => guard(key)).toThrow('no resource')
      },
    )
  })
})
