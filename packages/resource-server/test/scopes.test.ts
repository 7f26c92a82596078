/** Scopes that a guard names and understands: `challenge_scopes` (RFC 6750 §3), and scopes that imply others. */

import { describe, expect, it } from 'vitest'
import {
  type AccessToken,
  BearerError,
  clientPrincipal,
  createGuard,
  type GuardOptions,
  type Principal,
  type ScopeImplications,
  scopeCheck,
  userPrincipal,
} from '../src/index.js'
import { api, request, seen, testIssuer } from './support.js'

const NOTES = { 'notes.admin': ['notes.write', 'users.read'], 'notes.write': ['notes.read'] }

describe('scopeCheck', () => {
  it.each<[string, string[], string, boolean]>([
    ['the scope itself', ['notes.read'], 'notes.read', true],
    ['a scope that implies it', ['notes.write'], 'notes.read', true],
    ['a scope that implies it through another', ['notes.admin'], 'notes.read', true],
    ['one of several scopes', ['openid', 'notes.write'], 'notes.read', true],
    ['a narrower scope', ['notes.read'], 'notes.write', false],
    ['a scope beside it', ['notes.write'], 'users.read', false],
    ['a scope that the hierarchy does not name', ['openid'], 'notes.read', false],
    ['no scope', [], 'notes.read', false],
    ['a scope in another case', ['NOTES.WRITE'], 'notes.read', false],
    ['the beginning of a scope', ['notes.writ'], 'notes.read', false],
    ['a scope that no token has', ['notes.admin'], 'unheard', false],
    ['a name of every object', ['notes.admin'], 'constructor', false],
    ['a token whose scope is a name of every object', ['__proto__'], 'notes.read', false],
  ])('%s: %j for %s is %s', (...[_, scopes, scope, expected]) => {
    expect(scopeCheck(NOTES)(scopes, scope)).toBe(expected)
  })

  it('without a hierarchy, only the scope itself counts', () => {
    for (const covers of [scopeCheck(), scopeCheck({})]) {
      expect(covers(['notes.write'], 'notes.write')).toBe(true)
      expect(covers(['notes.write'], 'notes.read')).toBe(false)
    }
  })

  it('is not changed by a later change of the object', () => {
    const implies: Record<string, string[]> = { 'notes.write': ['notes.read'] }
    const covers = scopeCheck(implies)
    implies['notes.write']?.push('users.read')
    implies.openid = ['notes.read']
    expect(covers(['notes.write'], 'notes.read')).toBe(true)
    expect([covers(['notes.write'], 'users.read'), covers(['openid'], 'notes.read')]).toEqual([false, false])
  })

  it('a chain of 200 scopes is followed at creation, not at each check', () => {
    const names = Array.from({ length: 201 }, (_, i) => `s${i}`)
    const covers = scopeCheck(Object.fromEntries(names.slice(0, -1).map((name, i) => [name, [`s${i + 1}`]])))
    let reads = 0
    const scopes = new Proxy(['s0'], {
      get(target, name, receiver) {
        if (name === '0') reads++
        return Reflect.get(target, name, receiver)
      },
    })
    expect(covers(scopes, 's200')).toBe(true)
    // Once by `includes`, once by the look-up: it does not walk along the chain.
    expect(reads).toBe(2)
  })

  it.each<[string, unknown]>([
    ['a cycle of one', { a: ['a'] }],
    ['a cycle of two', { a: ['b'], b: ['a'] }],
    ['a cycle of three, beside others', { x: ['a'], a: ['b', 'y'], b: ['c'], c: ['a'] }],
    ['a list', [['a', ['b']]]],
    ['null', null],
    ['a text', 'a'],
    ['a text as the implied scopes', { a: 'b' }],
    ['a scope with a space', { 'a b': ['c'] }],
    ['an empty scope', { '': ['c'] }],
    ['an implied scope with a space', { a: ['b c'] }],
    ['an implied scope with a quotation mark', { a: ['"'] }],
    ['an implied scope that is no text', { a: [7] }],
  ])('refuses %s, and names the option', (_, implies) => {
    const fault = 'implies: give each scope the list of the scopes that it implies; no scope may imply itself'
    expect(() => scopeCheck(implies as ScopeImplications)).toThrow(TypeError)
    expect(() => scopeCheck(implies as ScopeImplications)).toThrow(fault)
    expect(() => api(testIssuer(), { implies: implies as ScopeImplications })).toThrow(fault)
  })

  it('a diamond and a scope that is named twice are no cycle', () => {
    const covers = scopeCheck({ a: ['b', 'c'], b: ['d', 'd'], c: ['d'], d: [] })
    expect(covers(['a'], 'd')).toBe(true)
  })
})

describe.each(['user', 'client'])('A %s whose token has a scope that implies others', (kind) => {
  const server = api(testIssuer(), { implies: NOTES })
  const issuer = testIssuer()
  const ask = async (scope: string, ...required: string[]) => {
    const asked = request(await issuer.token({ scope, ...(kind === 'client' && { sub: 'app' }) }))
    const guarded = api(issuer, { implies: NOTES })
    return { asked, guarded, principal: await guarded.authenticate(asked, required) }
  }

  it('may do what they allow: authenticate, checkScopes and tokenCan agree', async () => {
    const { asked, guarded, principal } = await ask('notes.admin', 'notes.read', 'users.read')
    if (principal instanceof Response) throw new Error('refused')
    expect(principal.kind).toBe(kind)
    expect(
      ['notes.admin', 'notes.write', 'notes.read', 'users.read', 'openid'].map(principal.tokenCan),
    ).toEqual([true, true, true, true, false])
    expect(guarded.checkScopes('notes.read', 'notes.write')(asked)).toBeNull()
    expect(guarded.checkScopes('notes.read', 'openid')(asked)?.status).toBe(403)
  })

  it('has the scopes that were issued, and no others', async () => {
    const { principal } = await ask('notes.admin')
    if (principal instanceof Response) throw new Error('refused')
    expect(principal.currentAccessToken()).toMatchObject({
      scopes: ['notes.admin'],
      claims: { scope: 'notes.admin' },
    })
  })

  it('gets a 403 that names the scopes of the operation, not those that would imply them', async () => {
    const { principal } = await ask('notes.read', 'notes.read', 'notes.write')
    expect((principal as Response).status).toBe(403)
    expect((principal as Response).headers.get('www-authenticate')).toContain(
      ', scope="notes.read notes.write",',
    )
  })

  it('may not do more at a guard without the option', async () => {
    const asked = request(await issuer.token({ scope: 'notes.write' }))
    expect(((await api(issuer).authenticate(asked, ['notes.read'])) as Response).status).toBe(403)
    expect(server.principal(asked)).toBeNull()
  })
})

it('an introspection response cannot add an implied scope that the token does not have', async () => {
  const issuer = testIssuer()
  const { now } = issuer.clock
  const answer = {
    active: true,
    token_type: 'Bearer',
    client_id: 'app',
    sub: 'alice',
    jti: 'j1',
    iss: issuer.issuer,
  }
  const aud = 'https://api.example.com/notes'
  issuer.introspection = () =>
    Response.json({ ...answer, aud, iat: now, exp: now + 60, scope: 'notes.admin' })
  const introspection = { client_id: 'api', client_secret: 's' }
  const guarded = api(issuer, { introspection, implies: NOTES })
  const refused = await guarded.authenticate(request(await issuer.token({ scope: 'notes.read' })), [
    'notes.write',
  ])
  expect((refused as Response).status).toBe(403)
})

const resource_metadata = 'https://id.example.com/.well-known/oauth-protected-resource/api'
const token: AccessToken = {
  claims: { iss: 'i', aud: 'api', sub: 'alice', client_id: 'app', exp: 2, iat: 1, jti: 'j' },
  audience: ['api'],
  scopes: ['write'],
}

describe('challenge_scopes', () => {
  const make = (more: Partial<GuardOptions<Principal>> = {}) =>
    createGuard<Principal>({
      challenge: { realm: 'r', resource_metadata },
      challenge_scopes: ['notes.read', 'notes.write'],
      validate: async (value) => {
        if (value === 'good') return userPrincipal({ name: 'Alice' }, token)
        throw new BearerError(value === 'narrow' ? 'insufficient_scope' : 'invalid_token', 'refused')
      },
      ...more,
    })
  const header = (answer: unknown) => (answer as Response).headers.get('www-authenticate')
  const SCOPE = 'scope="notes.read notes.write"'
  const UNAUTHENTICATED = `Bearer realm="r", ${SCOPE}, resource_metadata="${resource_metadata}"`
  const INVALID = `Bearer realm="r", error="invalid_token", ${SCOPE}, resource_metadata="${resource_metadata}"`

  it('are in each 401: realm, error, scope, resource_metadata', async () => {
    const guard = make()
    expect(header(await guard.authenticate(request()))).toBe(UNAUTHENTICATED)
    expect(header(await guard.authenticate(request(), ['admin']))).toBe(UNAUTHENTICATED)
    expect(header(await guard.authenticate(request('bad'), ['admin']))).toBe(INVALID)
    expect(header(guard.checkScopes('admin')(request()))).toBe(INVALID)
    expect(header(guard.checkAudience('api')(request()))).toBe(INVALID)
    const asked = request('good')
    await guard.authenticate(asked)
    expect(header(guard.checkAudience('another')(asked))).toBe(INVALID)
  })

  it('are not in a 403, which names the scopes of the operation', async () => {
    const guard = make()
    const refused = `Bearer realm="r", error="insufficient_scope", scope="write admin", resource_metadata="${resource_metadata}"`
    expect(header(await guard.authenticate(request('good'), ['write', 'admin']))).toBe(refused)
    const asked = request('good')
    await guard.authenticate(asked)
    expect(header(guard.checkScopes('write', 'admin')(asked))).toBe(refused)
  })

  it('are not in a 403 of the validation itself, which names no scope', async () => {
    const answer = await make().authenticate(request('narrow'), ['admin'])
    expect((answer as Response).status).toBe(403)
    expect(header(answer)).toBe(
      `Bearer realm="r", error="insufficient_scope", resource_metadata="${resource_metadata}"`,
    )
  })

  it('are not changed by a later change of the list', async () => {
    const challenge_scopes = ['notes.read', 'notes.write']
    const guard = make({ challenge_scopes })
    challenge_scopes.push('admin')
    expect(header(await guard.authenticate(request()))).toBe(UNAUTHENTICATED)
  })

  it('of a resource server', async () => {
    const server = api(testIssuer(), { challenge_scopes: ['read'] })
    for (const value of [undefined, 'rubbish']) {
      const [status, , challenge] = (await seen(await server.authenticate(request(value)))) as unknown[]
      expect(status).toBe(401)
      expect(challenge).toMatch(
        /^Bearer realm="default", (?:error="invalid_token", )?scope="read", resource_metadata=/,
      )
    }
  })

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['a text', 'notes.read notes.write'],
    ['null', null],
    ['a scope with a space', ['notes.read notes.write']],
    ['a scope that ends its parameter', ['a", error="x']],
    ['a scope that splits the header', ['a\r\nx: y']],
    ['an empty scope', ['']],
    ['a scope that is no text', [7]],
  ])('refuses %s, and names the option', (_, challenge_scopes) => {
    const fault = 'challenge_scopes: list at least one scope, or leave it out'
    const options = { challenge_scopes: challenge_scopes as string[] }
    expect(() => make(options)).toThrow(TypeError)
    expect(() => make(options)).toThrow(fault)
    expect(() => api(testIssuer(), options)).toThrow(fault)
  })
})

it('principals that an application makes can use a hierarchy too', () => {
  const covers = scopeCheck({ write: ['read'] })
  for (const made of [userPrincipal({}, token, covers), clientPrincipal({}, token, covers)])
    expect(['write', 'read', 'admin'].map(made.tokenCan)).toEqual([true, true, false])
  for (const made of [userPrincipal({}, token), clientPrincipal({}, token)])
    expect(['write', 'read'].map(made.tokenCan)).toEqual([true, false])
})
