/** `oidc.profile: "fapi2"`: the refresh token of a client stays the same. FAPI 2.0 Security Profile §5.3.2.1. */

import type { OidcConfig, Storage, TokenEndpointAuthMethod } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { dpopProof } from '@ostiary/test-kit/dpop'
import { beforeEach, describe, expect, it } from 'vitest'
import { asserted, clientKey } from './assertions.js'
import { tokenProof, withProof } from './dpop.js'
import { assertion, authenticated, bank, fapi2World, granted, proofKey } from './fapi2.js'
import { parameters, post } from './par.js'
import { answer, CODE_VERIFIER, REDIRECT_URI, type TokenAnswer, tokens, type World } from './support.js'

const DAY = 86_400
const IDLE = 14 * DAY
const other_key = await clientKey('ES256')

/** The same methods without the profile: refresh tokens rotate. */
const ROTATING: OidcConfig = {
  profile: undefined,
  clients: { private_key_jwt: true },
  dpop: 'on',
  par: 'allowed',
  keys: { algorithms: ['ES256'] },
}

interface ServerOptions {
  rotates: boolean
  /** `oidc.tokens.refresh_token_grace`. */
  grace?: number
  storage?: Storage
}

let storage: Storage
beforeEach(() => {
  storage = memoryStorage()
})

/** A server on the storage of the test, with its own setting; all clocks show the same time. */
const server = async ({ rotates, grace = 0, ...options }: ServerOptions): Promise<World> =>
  fapi2World({
    storage,
    ...options,
    oidc: { ...(rotates && ROTATING), tokens: { refresh_token_grace: grace } },
    clients: [await bank(), await bank({ client_id: 'other', jwks: { keys: [other_key.public_jwk] } })],
  })

/** Tokens of the client `bank`, for a code of a pushed request. */
async function signedIn(w: World, changes: Record<string, string> = {}): Promise<TokenAnswer['body']> {
  const browser = w.browser()
  const request = parameters(w, { client_id: 'bank', ...changes })
  const pushed = await post(w, [...request, ...Object.entries(await authenticated(w))])
  const { request_uri } = (await pushed.json()) as { request_uri: string }
  const query = new URLSearchParams({ client_id: 'bank', request_uri })
  await browser.get(`${w.issuer}/oauth/authorize?${query}`)
  let response = await browser.signIn()
  if (response.status === 200) response = await browser.approve()
  const { code } = answer(response)
  const form = { code: String(code), redirect_uri: REDIRECT_URI, code_verifier: CODE_VERIFIER }
  return (await granted(w, { grant_type: 'authorization_code', ...form })).body
}
const refresh = (w: World, refresh_token: string, fields: Record<string, string> = {}) =>
  granted(w, { grant_type: 'refresh_token', refresh_token, ...fields })
const userinfo = async (w: World, access_token: string) => {
  const url = `${w.issuer}/oauth/userinfo`
  const dpop = dpopProof(proofKey, { method: 'GET', url, now: w.clock.now, access_token })
  const headers = { authorization: `DPoP ${access_token}`, dpop }
  return (await w.provider.fetch(new Request(url, { headers }))).status
}
const reason = (w: World) => w.events.findLast((event) => event.type === 'request.refused')?.reason

describe('The refresh token of a confidential client', () => {
  it('is answered again with each use, and using it again is no replay', async () => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w)
    for (let use = 0; use < 3; use += 1) {
      const { status, body } = await refresh(w, refresh_token)
      expect([status, body.refresh_token]).toEqual([200, refresh_token])
      expect(await userinfo(w, body.access_token)).toBe(200)
    }
    expect(w.events.some(({ type }) => type === 'refresh_token.reused')).toBe(false)
  })

  it('may be used 50 times at once', async () => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w)
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(w, refresh_token)))
    expect(answers.map(({ status, body }) => [status, body.refresh_token])).toEqual(
      Array(50).fill([200, refresh_token]),
    )
  })

  it.each([
    ['of a session', {}],
    ['with offline_access', { scope: 'openid offline_access' }],
  ])('lives for 14 days without use; each use renews it (%s)', async (_, changes) => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w, changes)
    for (let use = 0; use < 2; use += 1) {
      w.clock.now += IDLE - 1
      expect((await refresh(w, refresh_token)).status).toBe(200)
    }
    w.clock.now += IDLE
    const { status, body } = await refresh(w, refresh_token)
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'expired_refresh_token'])
  })

  it('ends with its session, and with oidc.tokens.offline_absolute, however often it is used', async () => {
    const w = await server({ rotates: false })
    for (const [changes, limit] of [
      [{}, 30 * DAY],
      [{ scope: 'openid offline_access' }, 90 * DAY],
    ] as const) {
      const { refresh_token } = await signedIn(w, changes)
      const end = w.clock.now + limit
      while (w.clock.now + IDLE - 1 < end) {
        w.clock.now += IDLE - 1
        expect((await refresh(w, refresh_token)).status).toBe(200)
      }
      w.clock.now = end
      expect((await refresh(w, refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  it.each<[string, (w: World) => Promise<Record<string, string>>, string]>([
    ['no assertion', async () => ({ client_id: 'bank' }), 'invalid_client'],
    [
      'an assertion of another key',
      async (w) => asserted(await assertion(w, { key: other_key.private_key })),
      'invalid_client',
    ],
    [
      'another client',
      (w) => authenticated(w, { key: other_key.private_key, claims: { iss: 'other', sub: 'other' } }),
      'invalid_grant',
    ],
  ])('is of no use with %s', async (_, credentials, error) => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w)
    const form = { grant_type: 'refresh_token', refresh_token, ...(await credentials(w)) }
    expect((await tokens(w, form, withProof(tokenProof(w, proofKey)))).body.error).toBe(error)
    expect((await refresh(w, refresh_token)).status).toBe(200)
  })

  it('is refused after the grant is revoked', async () => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w)
    await refresh(w, refresh_token)
    await w.post('/oauth/revoke', { ...(await authenticated(w)), token: refresh_token })
    expect((await refresh(w, refresh_token)).body.error).toBe('invalid_grant')
  })

  it('is not renewed by a request that is refused', async () => {
    const w = await server({ rotates: false })
    const { refresh_token } = await signedIn(w, { scope: 'openid offline_access' })
    w.clock.now += IDLE - 1
    expect((await refresh(w, refresh_token, { scope: 'phone' })).body.error).toBe('invalid_scope')
    w.clock.now += 1
    expect((await refresh(w, refresh_token)).body.error).toBe('invalid_grant')
  })

  it.each<[string, TokenEndpointAuthMethod | null]>([
    ['of a grant from a release that did not store how the client authenticated', null],
    ['of a client that has authenticated since, but not for the code', 'none'],
  ])('rotates as that of a public client: that %s', async (_, client_auth) => {
    const from: Storage = (realm) => {
      const { grants, ...stores } = storage(realm)
      return {
        ...stores,
        grants: {
          ...grants,
          async findRefreshToken(hash) {
            const found = await grants.findRefreshToken(hash)
            return found && { ...found, grant: { ...found.grant, client_auth } }
          },
        },
      }
    }
    const w = await server({ rotates: false, storage: from })
    const { refresh_token } = await signedIn(w)
    const { status, body } = await refresh(w, refresh_token)
    expect(status).toBe(200)
    expect(body.refresh_token).not.toBe(refresh_token)
  })
})

describe('When the profile is set or removed, running grants go on', () => {
  it('from rotation to none: the newest token stays, and an older one is still a replay', async () => {
    const before = await server({ rotates: true })
    const first = await signedIn(before)
    const newest = (await refresh(before, first.refresh_token)).body.refresh_token
    const after = await server({ rotates: false })
    for (let use = 0; use < 2; use += 1) {
      const { status, body } = await refresh(after, newest)
      expect([status, body.refresh_token]).toEqual([200, newest])
    }
    expect((await refresh(after, first.refresh_token)).body.error).toBe('invalid_grant')
    expect(reason(after)).toBe('reused_refresh_token')
    expect((await refresh(after, newest)).body.error).toBe('invalid_grant')
  })

  it('from none to rotation: the next use replaces the token, and the old one is a replay from then on', async () => {
    const before = await server({ rotates: false })
    const { refresh_token } = await signedIn(before)
    await refresh(before, refresh_token)
    const after = await server({ rotates: true })
    const next = await refresh(after, refresh_token)
    expect(next.status).toBe(200)
    expect(next.body.refresh_token).not.toBe(refresh_token)
    // A server that still has the old setting accepts the new token, and keeps it.
    expect((await refresh(before, next.body.refresh_token)).body.refresh_token).toBe(next.body.refresh_token)
    expect((await refresh(after, next.body.refresh_token)).status).toBe(200)
    expect((await refresh(before, refresh_token)).body.error).toBe('invalid_grant')
    expect(reason(before)).toBe('reused_refresh_token')
  })

  it('while servers differ, processes that share a token are kept by the grace period', async () => {
    const one = await server({ rotates: false, grace: 30 })
    const other = await server({ rotates: true, grace: 30 })
    const { refresh_token } = await signedIn(one)
    const next = (await refresh(other, refresh_token)).body.refresh_token
    expect((await refresh(one, refresh_token)).body.refresh_token).toBe(next)
    expect((await refresh(one, next)).status).toBe(200)
  })

  it.each([
    ['revokes the grant, as any reuse', 0],
    ['within the grace period gets the same successor', 30],
  ])('a use that another server overtakes with a rotation %s', async (_, grace) => {
    const rotating = await server({ rotates: true, grace })
    const { refresh_token } = await signedIn(rotating)
    let next = ''
    // Between the read and the write of the one server, the other has rotated the token.
    const interrupted: Storage = (realm) => {
      const { grants, ...stores } = storage(realm)
      return {
        ...stores,
        grants: {
          ...grants,
          async renewRefreshToken(...write) {
            next = (await refresh(rotating, refresh_token)).body.refresh_token
            return grants.renewRefreshToken(...write)
          },
        },
      }
    }
    const { status, body } = await refresh(
      await server({ rotates: false, grace, storage: interrupted }),
      refresh_token,
    )
    expect(next).not.toBe(refresh_token)
    if (grace > 0) expect([status, body.refresh_token]).toEqual([200, next])
    else expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(rotating, next)).status).toBe(grace > 0 ? 200 : 400)
  })
})
