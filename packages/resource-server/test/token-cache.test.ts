/** The cache of verified tokens: off by default, bounded in number and time, and read-only for callers. */

import { describe, expect, it } from 'vitest'
import type { AccessToken } from '../src/index.js'
import { HASHED_JWT_CHARACTERS, tokenStore } from '../src/token-store.js'
import { api, keyPair, NOW, refused, request, seen, testIssuer } from './support.js'

const ask = async (server: ReturnType<typeof api>, token: string) =>
  seen(await server.authenticate(request(token)))

/** The issuer no longer has the key of the token, so a token is accepted only from the cache. */
async function withoutKey(more: object) {
  const issuer = testIssuer()
  const server = api(issuer, { jwks: { max_age: 10, refetch_interval: 1 }, ...more })
  const token = await issuer.token({ exp: NOW + 40 })
  expect(await ask(server, token)).toBe('accepted')
  issuer.keys = [(await keyPair('k2')).jwk]
  issuer.clock.now += 10
  return { issuer, server, token }
}

describe('token_cache', () => {
  it('is off by default', async () => {
    const { server, token } = await withoutKey({})
    expect(await ask(server, token)).toEqual(refused())
  })

  it('knows a token for the configured time, and no longer', async () => {
    const { issuer, server, token } = await withoutKey({ token_cache: { seconds: 20 } })
    expect(await ask(server, token)).toBe('accepted')
    issuer.clock.now += 9
    expect(await ask(server, token)).toBe('accepted')
    issuer.clock.now += 1
    expect(await ask(server, token)).toEqual(refused())
  })

  it('never after exp, with any tolerance', async () => {
    const { issuer, server, token } = await withoutKey({
      token_cache: { seconds: 300 },
      clock_tolerance: 300,
    })
    issuer.clock.now = NOW + 39
    expect(await ask(server, token)).toBe('accepted')
    issuer.clock.now = NOW + 40
    expect(await ask(server, token)).toEqual(refused())
  })

  it('compares the whole token', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { token_cache: {} })
    const token = await issuer.token()
    await ask(server, token)
    const [head, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: 'bob' })).toString('base64url')
    expect(await ask(server, `${head}.${claims}.${signature}`)).toEqual(refused())
    expect(await ask(server, `${token.slice(0, -8)}AAAAAAAA`)).toEqual(refused())
  })

  it('does not store refused tokens', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { token_cache: {} })
    const early = await issuer.token({ nbf: NOW + 60 })
    expect(await ask(server, early)).toEqual(refused())
    issuer.clock.now += 60
    expect(await ask(server, early)).toBe('accepted')
  })

  it('the audience, the user and the scopes are checked each time', async () => {
    const issuer = testIssuer()
    let gone = false
    const server = api(issuer, { token_cache: {}, user: ({ claims }) => (gone ? null : { sub: claims.sub }) })
    const token = await issuer.token()
    expect(await ask(server, token)).toBe('accepted')
    expect(await seen(await server.authenticate(request(token), ['admin']))).toEqual(
      refused('insufficient_scope', 'admin'),
    )
    gone = true
    expect(await ask(server, token)).toEqual(refused())
  })

  it('a request cannot change the token of the next one', async () => {
    const issuer = testIssuer()
    const server = api(issuer, { token_cache: {} })
    const token = await issuer.token({ act: { sub: 'service' } })
    for (let i = 0; i < 2; i++) {
      const principal = await server.authenticate(request(token))
      if (principal instanceof Response) throw new Error('refused')
      const { claims, scopes, audience } = principal.currentAccessToken()
      expect(() => Object.assign(claims, { sub: 'root' })).toThrow(TypeError)
      expect(() => Object.assign(claims.act ?? {}, { sub: 'root' })).toThrow(TypeError)
      expect(() => (scopes as string[]).push('admin')).toThrow(TypeError)
      expect(() => (audience as string[]).push('x')).toThrow(TypeError)
    }
  })
})

describe('tokenStore', () => {
  const verified = (exp: number): AccessToken => ({
    claims: { iss: 'i', aud: 'a', sub: 's', client_id: 'c', exp, iat: 0, jti: 'j' },
    audience: ['a'],
    scopes: [],
  })

  it('a token has one spelling: no character beyond ASCII matches one of its own', () => {
    const token = 'header.claims.signature'.repeat(9)
    const store = tokenStore(2, HASHED_JWT_CHARACTERS)
    store.set(token, verified(100), 50)
    expect(store.get(token, 1)).not.toBeNull()
    for (let at = 0; at < token.length; at++)
      for (const more of [0x80, 0x100, 0x200, 0x400, 0x1000]) {
        const other = String.fromCharCode(token.charCodeAt(at) + more)
        expect(store.get(token.slice(0, at) + other + token.slice(at + 1), 1)).toBeNull()
      }
  })

  it('the oldest token is removed for a new one; storing a token again makes it the newest', () => {
    const store = tokenStore(2)
    for (const token of ['a', 'b', 'a', 'c']) store.set(token, verified(100), 50)
    expect(['a', 'b', 'c'].map((token) => store.get(token, 1) !== null)).toEqual([true, false, true])
  })

  it('forgets a token at the given time, and at exp', () => {
    const store = tokenStore(9)
    store.set('a', verified(100), 50)
    store.set('b', verified(20), 50)
    expect([store.get('a', 49), store.get('b', 19)]).not.toContain(null)
    expect([store.get('a', 50), store.get('b', 20)]).toEqual([null, null])
    expect([store.get('a', 1), store.get('b', 1)]).toEqual([null, null])
  })
})
