/** The guard, its checks, and the two kinds of principal. */

import { describe, expect, it } from 'vitest'
import {
  type AccessToken,
  BearerError,
  clientPrincipal,
  createGuard,
  type GuardOptions,
  type Principal,
  userPrincipal,
} from '../src/index.js'

const resource_metadata = 'https://id.example.com/.well-known/oauth-protected-resource/api'
const claims = { iss: 'i', aud: 'api', sub: 'alice', client_id: 'app', exp: 2, iat: 1, jti: 'j' }
const token: AccessToken = { claims, audience: ['api', 'files'], scopes: ['read', 'write'] }
const request = (value?: string) =>
  new Request(
    'https://api.example.com/',
    value === undefined ? {} : { headers: { authorization: `Bearer ${value.replaceAll(' ', '-')}` } },
  )

const make = (more: Partial<GuardOptions<Principal>> = {}) =>
  createGuard<Principal>({
    challenge: { realm: 'api', resource_metadata },
    validate: async (value) => {
      if (value === 'of-a-user') return userPrincipal({ name: 'Alice' }, token)
      if (value === 'of-a-client') return clientPrincipal({ label: 'The App' }, token)
      if (value === 'broken') throw new TypeError('the network is away')
      throw new BearerError('invalid_token', 'unknown')
    },
    ...more,
  })

describe('authenticate', () => {
  it.each(['of a user', 'of a client'])('returns the principal of a token %s', async (value) => {
    const guard = make()
    const asked = request(value)
    const principal = await guard.authenticate(asked)
    expect(principal).toMatchObject({ kind: value.replace('of a ', '') })
    expect(guard.principal(asked)).toBe(principal)
  })

  it('keeps the principal with the request: for no other guard, and for no object made from the request', async () => {
    const guard = make()
    const asked = request('of a user')
    const before = Reflect.ownKeys(asked)
    await guard.authenticate(asked)
    expect(make().principal(asked)).toBeNull()
    expect(guard.principal(Object.create(asked))).toBeNull()
    expect(guard.principal(asked.clone())).toBeNull()
    expect(Object.getOwnPropertySymbols({ ...asked })).toEqual(
      before.filter((key) => typeof key === 'symbol'),
    )
  })

  it('keeps the principal of a request that cannot have further properties', async () => {
    const guard = make()
    const asked = Object.freeze(request('of a user'))
    const principal = await guard.authenticate(asked)
    expect(guard.principal(asked)).toBe(principal)
  })

  it('reports the reason of a refusal to on_refused, and not to the client', async () => {
    const reasons: [string, string][] = []
    const guard = make({ on_refused: ({ code, reason }) => void reasons.push([code, reason]) })
    const refused = await guard.authenticate(request('stolen'))
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect([refused.status, await refused.text()]).toEqual([401, '{"error":"invalid_token"}'])
    expect(reasons).toEqual([['invalid_token', 'unknown']])
  })

  it('without a token: a challenge without error, no body, and no call of on_refused', async () => {
    const told: unknown[] = []
    const refused = await make({ on_refused: (error) => void told.push(error) }).authenticate(request())
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect([refused.status, await refused.text()]).toEqual([401, ''])
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="api", resource_metadata="${resource_metadata}"`,
    )
    expect(told).toEqual([])
  })

  it('throws errors that are not refusals', async () => {
    await expect(make().authenticate(request('broken'))).rejects.toThrow('the network is away')
  })

  it.each([
    ['with a character that no token has is refused unseen', 'a{b}', false],
    ['of 16,384 characters is validated', 'a'.repeat(16_384), true],
    ['of 16,385 characters is refused unseen', 'a'.repeat(16_385), false],
  ])('a token %s', async (_, value, validated) => {
    const seen: string[] = []
    const validate = async (each: string) => {
      seen.push(each)
      return userPrincipal({ name: 'Alice' }, token)
    }
    const answer = await make({ validate }).authenticate(request(value))
    expect(seen).toEqual(validated ? [value] : [])
    expect(answer instanceof Response ? answer.status : 200).toBe(validated ? 200 : 401)
  })

  it('with scopes: 403 that names them when one is missing, and no principal for later checks', async () => {
    const guard = make()
    const accepted = await guard.authenticate(request('of a user'), ['read', 'write'])
    expect(accepted).toMatchObject({ kind: 'user' })

    const incoming = request('of a user')
    const refused = await guard.authenticate(incoming, ['read', 'admin'])
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect([refused.status, await refused.text()]).toEqual([403, '{"error":"insufficient_scope"}'])
    expect(refused.headers.get('www-authenticate')).toContain('scope="read admin"')
    expect(guard.principal(incoming)).toBeNull()
    expect(guard.checkScopes('read')(incoming)?.status).toBe(401)
  })
})

describe.each(['of a user', 'of a client'])('The checks of a token %s', (value) => {
  const status = async (check: (guard: ReturnType<typeof make>) => (request: Request) => Response | null) => {
    const guard = make()
    const asked = request(value)
    await guard.authenticate(asked)
    return check(guard)(asked)?.status ?? 'passes'
  }
  it.each([
    [['api'], 'passes'],
    [['other', 'files'], 'passes'],
    [['other'], 401],
    [['ap'], 401],
    [[], 401],
  ])('checkAudience(%j): %s', async (audiences, expected) => {
    expect(await status((guard) => guard.checkAudience(...audiences))).toBe(expected)
  })
  it.each([
    [['read'], 'passes'],
    [['write', 'read'], 'passes'],
    [[], 'passes'],
    [['read', 'admin'], 403],
    [['READ'], 403],
  ])('checkScopes(%j): %s', async (scopes, expected) => {
    expect(await status((guard) => guard.checkScopes(...scopes))).toBe(expected)
  })
})

it('a check without previous authentication: 401 invalid_token, and a call of on_refused', async () => {
  const reasons: string[] = []
  const guard = make({ on_refused: ({ reason }) => void reasons.push(reason) })
  for (const check of [guard.checkAudience('api'), guard.checkScopes('read')]) {
    const refused = check(request('of a user'))
    expect([refused?.status, await refused?.text()]).toEqual([401, '{"error":"invalid_token"}'])
  }
  expect(reasons).toEqual(['unauthenticated', 'unauthenticated'])
})

describe('Principals', () => {
  it('a user', () => {
    const principal = userPrincipal({ name: 'Alice' }, token)
    expect(principal.user).toEqual({ name: 'Alice' })
    expect([principal.getAuthIdentifierName(), principal.getAuthIdentifier()]).toEqual(['sub', 'alice'])
    expect([principal.clientId(), principal.currentAccessToken()]).toEqual(['app', token])
    expect([principal.tokenCan('read'), principal.tokenCan('rea')]).toEqual([true, false])
  })

  it('a client: named by its client_id, without a password and without a remember token', () => {
    const principal = clientPrincipal({ label: 'The App' }, token)
    expect(principal.client).toEqual({ label: 'The App' })
    expect([principal.getAuthIdentifierName(), principal.getAuthIdentifier()]).toEqual(['client_id', 'app'])
    expect([principal.clientId(), principal.currentAccessToken()]).toEqual(['app', token])
    expect(principal.getAuthPassword).toThrow()
    expect(principal.getAuthPasswordName).toThrow()
    expect(principal.getRememberToken()).toBeNull()
  })
})
