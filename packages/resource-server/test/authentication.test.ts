/** Step-up authentication (RFC 9470): alike in each mode, with the token's own claims and with those of introspection. */

import { dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import {
  type AuthenticationRequirement,
  clientPrincipal,
  createGuard,
  createResourceServer,
  DPOP_ALGORITHMS,
  satisfiesAcr,
} from '../src/index.js'
import { api, CREDENTIALS, ISSUER, METADATA, NOW, RESOURCE, request, seen, testIssuer } from './support.js'

const ORDER = ['1', '2', '3']
const FACTOR = { acr_values: ['2'] }
const RECENT = { max_age: 300 }
const BOTH = { acr_values: ['2'], max_age: 300 }

/** What the challenge says is required. */
const required = ({ acr_values, max_age }: AuthenticationRequirement): string =>
  [acr_values && `acr_values="${acr_values.join(' ')}"`, max_age !== undefined && `max_age="${max_age}"`]
    .filter(Boolean)
    .join(', ')

/** The error is in the challenge of the scheme that was used; both say what is required. */
function stepUp(requirement: AuthenticationRequirement, scheme: 'Bearer' | 'DPoP'): unknown[] {
  const error = 'insufficient_user_authentication'
  const metadata = `resource_metadata="${METADATA}"`
  const bearer = `${required(requirement)}, ${metadata}`
  const dpop = `, DPoP realm="default", error="${error}", ${required(requirement)}, algs="${DPOP_ALGORITHMS.join(' ')}", ${metadata}`
  const header =
    scheme === 'Bearer'
      ? `Bearer realm="default", error="${error}", ${bearer}`
      : `Bearer realm="default", ${bearer}${dpop}`
  return [401, `{"error":"${error}"}`, header]
}

type Case = [what: string, claims: object, requirement: AuthenticationRequirement, result: string]

const CASES: Case[] = [
  ['the required acr', { acr: '2' }, FACTOR, 'passes'],
  ['one of several', { acr: '2' }, { acr_values: ['urn:gold', '2'] }, 'passes'],
  ['a stronger acr', { acr: '3' }, FACTOR, 'passes'],
  ['a weaker acr', { acr: '1' }, FACTOR, 'insufficient_acr'],
  ['an acr that is not ordered', { acr: 'urn:gold' }, FACTOR, 'insufficient_acr'],
  ['an acr that is not ordered, but required', { acr: 'urn:gold' }, { acr_values: ['urn:gold'] }, 'passes'],
  ['a required acr that is not ordered', { acr: '3' }, { acr_values: ['urn:gold'] }, 'insufficient_acr'],
  ['no acr', { auth_time: NOW }, FACTOR, 'insufficient_acr'],
  ['an acr in another case', { acr: 'URN:gold' }, { acr_values: ['urn:gold'] }, 'insufficient_acr'],
  ['an acr that begins so', { acr: '22' }, FACTOR, 'insufficient_acr'],
  ['a list of acr', { acr: ['2'] }, FACTOR, 'insufficient_acr'],
  ['a number as acr', { acr: 2 }, FACTOR, 'insufficient_acr'],
  ['authentication just recent enough', { auth_time: NOW - 300 }, RECENT, 'passes'],
  ['authentication a second too old', { auth_time: NOW - 301 }, RECENT, 'authentication_too_old'],
  ['no auth_time', { acr: '2' }, RECENT, 'authentication_too_old'],
  ['a text as auth_time', { auth_time: `${NOW}` }, RECENT, 'authentication_too_old'],
  ['auth_time null', { auth_time: null }, RECENT, 'authentication_too_old'],
  ['max_age 0, in the same second', { auth_time: NOW }, { max_age: 0 }, 'passes'],
  ['max_age 0, a second later', { auth_time: NOW - 1 }, { max_age: 0 }, 'authentication_too_old'],
  ['both met', { acr: '2', auth_time: NOW - 300 }, BOTH, 'passes'],
  ['both, the acr is weaker', { acr: '1', auth_time: NOW }, BOTH, 'insufficient_acr'],
  ['both, too old', { acr: '2', auth_time: NOW - 301 }, BOTH, 'authentication_too_old'],
  ['a token without user', { sub: 'app', acr: '3', auth_time: NOW }, FACTOR, 'no_user'],
  ['a token without user, max_age', { sub: 'app', acr: '3', auth_time: NOW }, RECENT, 'no_user'],
]

const TIMES = { iss: ISSUER, aud: [RESOURCE], client_id: 'app', jti: 'j1', iat: NOW, exp: NOW + 900 }

/** The token as a bearer token, and bound to a key with the proof of a request. */
const SCHEMES = ['Bearer', 'DPoP'] as const
const MODES = ['jwks', 'introspection', 'both'] as const
const COMBINATIONS = MODES.flatMap((mode) => SCHEMES.map((scheme) => [mode, scheme] as const))
const key = dpopKey()

function withToken(token: string, scheme: (typeof SCHEMES)[number], now: number): Request {
  const proof = dpopProof(key, { method: 'GET', url: RESOURCE, now, access_token: token })
  const headers = { authorization: `${scheme} ${token}`, ...(scheme === 'DPoP' && { dpop: proof }) }
  return new Request(RESOURCE, { headers })
}

describe.each(COMBINATIONS)('checkAuthentication in the mode %s, scheme %s', (mode, scheme) => {
  const bound = scheme === 'DPoP' ? { cnf: { jkt: key.jkt } } : {}

  it.each(CASES)('%s', async (...[_, claims, requirement, result]) => {
    const issuer = testIssuer()
    const active = { active: true, token_type: scheme, sub: 'alice', scope: 'read', ...TIMES }
    issuer.introspection = () => Response.json({ ...active, ...bound, ...claims })
    const reasons: string[] = []
    const server = api(issuer, {
      mode,
      acr_order: ORDER,
      on_refused: ({ reason }) => void reasons.push(reason),
      ...(scheme === 'DPoP' && { dpop: {} }),
      ...(mode !== 'jwks' && { introspection: CREDENTIALS }),
    })
    const incoming = withToken(await issuer.token({ ...bound, ...claims }), scheme, issuer.clock.now)
    expect(await seen(await server.authenticate(incoming))).toBe('accepted')
    const answer = await seen(server.checkAuthentication(requirement)(incoming))
    expect(answer).toEqual(result === 'passes' ? 'accepted' : stepUp(requirement, scheme))
    expect(reasons).toEqual(result === 'passes' ? [] : [result])
  })
})

describe('checkAuthentication', () => {
  it('without acr_order: each value stands for itself alone', async () => {
    const issuer = testIssuer()
    const server = api(issuer)
    const incoming = request(await issuer.token({ acr: '2' }))
    await server.authenticate(incoming)
    expect(server.checkAuthentication(FACTOR)(incoming)).toBeNull()
    expect(server.checkAuthentication({ acr_values: ['1'] })(incoming)?.status).toBe(401)
  })

  it('a remembered token becomes too old: the memory of verified tokens does not keep the result', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { token_cache: {} })
    const token = await issuer.token({ auth_time: NOW })
    for (const [age, status] of [
      [300, undefined],
      [301, 401],
    ] as const) {
      issuer.clock.now = NOW + age
      const incoming = request(token)
      await server.authenticate(incoming)
      expect(server.checkAuthentication(RECENT)(incoming)?.status).toBe(status)
    }
  })

  it('the challenge names challenge_scopes, like every 401', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { challenge_scopes: ['read', 'write'] })
    const incoming = request(await issuer.token())
    await server.authenticate(incoming)
    expect(server.checkAuthentication(BOTH)(incoming)?.headers.get('www-authenticate')).toBe(
      `Bearer realm="default", error="insufficient_user_authentication", scope="read write", acr_values="2", max_age="300", resource_metadata="${METADATA}"`,
    )
  })

  it('of a request that was not authenticated: 401 invalid_token', async () => {
    const refused = api(testIssuer()).checkAuthentication(FACTOR)(request('x'))
    expect(await refused?.json()).toEqual({ error: 'invalid_token' })
  })

  it.each<[object, RegExp]>([
    [{}, /give acr_values, max_age, or both/],
    [{ acr_values: [] }, /acr_values: list/],
    [{ acr_values: ['1 2'] }, /acr_values: list/],
    [{ acr_values: ['a"'] }, /acr_values: list/],
    [{ acr_values: '2' }, /acr_values: list/],
    [{ max_age: -1 }, /max_age: give/],
    [{ max_age: 0.5 }, /max_age: give/],
    [{ max_age: '60' }, /max_age: give/],
  ])('refuses the requirement %j when the route is defined', (requirement, fault) => {
    const server = api(testIssuer())
    expect(() => server.checkAuthentication(requirement as AuthenticationRequirement)).toThrow(fault)
  })

  it.each([[['1', '1']], [['1 2']], ['1'], [[1]]])('refuses the acr_order %j', (acr_order) => {
    const options = { issuer: ISSUER, resource: RESOURCE, acr_order: acr_order as string[] }
    expect(() => createResourceServer(options)).toThrow(/acr_order: list values of acr/)
    const challenge = { realm: 'r', resource_metadata: METADATA }
    const client = clientPrincipal({}, { claims: TIMES as never, audience: [], scopes: [] })
    const guard = { challenge, acr_order: acr_order as string[], validate: async () => client }
    expect(() => createGuard(guard)).toThrow(/acr_order: list values of acr/)
  })
})

it.each([
  ['2', ['2'], undefined, true],
  ['2', ['1'], undefined, false],
  ['2', ['1'], ORDER, true],
  ['1', ['2'], ORDER, false],
  ['1', ['3', '1'], ORDER, true],
  ['x', ['1'], ORDER, false],
  [null, ['1'], ORDER, false],
  ['1', [], ORDER, false],
])('satisfiesAcr(%j, %j, %j): %s', (...[acr, values, order, expected]) => {
  expect(satisfiesAcr(acr, values, order)).toBe(expected)
})
