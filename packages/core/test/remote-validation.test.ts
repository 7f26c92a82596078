/** How another service validates a token: with the published keys alone, or by introspection. */

import { verifyAccessToken } from '@ostiary/resource-server'
import { createLocalJWKSet } from 'jose'
import { describe, expect, it } from 'vitest'
import { CLIENT_SECRET, client, header, redeem, type World, world } from './support.js'

const API = 'https://api.example.net'

/** Alice's tokens; the access token is addressed to the other service. */
async function granted(routing: 'single' | 'path') {
  const w = await world({
    routing,
    clients: [await client(), await client({ client_id: API, client_secret: CLIENT_SECRET })],
    oidc: { resources: { [API]: { scopes: ['read'] } } },
  })
  const { code } = await w.browser().code({ resource: API, scope: 'openid read' })
  return { w, tokens: (await redeem(w, code)).body }
}
const revoke = (w: World, token: string) => w.post('/oauth/revoke', { client_id: 'app', token })
const CLAIM = 'ERR_JWT_CLAIM_VALIDATION_FAILED'
const refusal = (reason: string, why: RegExp) => ({
  code: 'invalid_token',
  reason,
  cause: { message: expect.stringMatching(why) },
})
const getJson = async (w: World, url: string) => (await w.provider.fetch(new Request(url))).json()

describe.each(['single', 'path'] as const)('JWKS, stateless (realms by %s)', (routing) => {
  /** It knows only the issuer, and with it the discovery document and the keys. */
  async function validator(w: World, issuer = w.issuer) {
    const { jwks_uri } = await getJson(w, `${w.issuer}/.well-known/openid-configuration`)
    const jwks = await getJson(w, jwks_uri)
    const keys = createLocalJWKSet(jwks)
    const validate = (token: string) =>
      verifyAccessToken(token, { issuer, key: keys, now: w.clock.now, clock_tolerance: 0 })
    return { validate, kids: jwks.keys.map(({ kid }: { kid: string }) => kid) }
  }

  it('discovery leads to jwks_uri, kid to the key, and the token to its audience', async () => {
    const { w, tokens } = await granted(routing)
    const { validate, kids } = await validator(w)
    expect(kids).toContain(header(tokens.access_token).kid)
    const { audience, scopes, claims } = await validate(tokens.access_token)
    expect([audience, scopes, claims.sub]).toEqual([[API], ['openid', 'read'], 'alice'])
  })

  it('refuses another iss, another typ, an unknown kid, and a token from its exp on', async () => {
    const { w, tokens } = await granted(routing)
    const { validate } = await validator(w)
    const elsewhere = await validator(w, 'https://elsewhere.example.org')
    const stranger = await world({ routing, own_key: true })
    const foreign = (await redeem(stranger, (await stranger.browser().code()).code)).body.access_token
    await expect(elsewhere.validate(tokens.access_token)).rejects.toMatchObject(refusal(CLAIM, /iss/))
    await expect(validate(tokens.id_token)).rejects.toMatchObject(refusal(CLAIM, /typ/))
    await expect(validate(foreign)).rejects.toMatchObject(refusal('ERR_JWKS_NO_MATCHING_KEY', /key/))
    w.clock.now += 899
    await expect(validate(tokens.access_token)).resolves.toBeDefined()
    w.clock.now += 1
    await expect(validate(tokens.access_token)).rejects.toMatchObject(refusal('ERR_JWT_EXPIRED', /exp/))
  })

  it('cannot see a revocation that happened before exp', async () => {
    const { w, tokens } = await granted(routing)
    const { validate } = await validator(w)
    expect((await revoke(w, tokens.access_token)).status).toBe(200)
    await expect(validate(tokens.access_token)).resolves.toBeDefined()
  })
})

describe.each(['single', 'path'] as const)('Introspection by a resource server (realms by %s)', (routing) => {
  it('with its own client credentials and the token, sees the revocation', async () => {
    const { w, tokens } = await granted(routing)
    const own = { client_id: API, client_secret: CLIENT_SECRET, token: tokens.access_token }
    const introspect = async () => (await w.post('/oauth/introspect', own)).json()
    expect(await introspect()).toMatchObject({ active: true, sub: 'alice', aud: [API], scope: 'openid read' })
    await revoke(w, tokens.refresh_token)
    expect(await introspect()).toEqual({ active: false })
  })
})
