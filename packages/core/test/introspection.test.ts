/** `POST /oauth/introspect`: RFC 7662. */

import { describe, expect, it } from 'vitest'
import {
  CLIENT_SECRET,
  client,
  elsewhere,
  formRequest,
  payload,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

/** A resource server in another service, whose client id is its audience. */
const API = 'https://api.example.net'
const secret = { client_secret: CLIENT_SECRET }

const start = async (options: WorldOptions = {}) =>
  world({
    clients: [
      await client(secret),
      await client({ ...secret, client_id: 'service', grant_types: ['client_credentials'] }),
      await client({ ...secret, client_id: 'stranger' }),
      await client({ ...secret, client_id: API }),
      await client({ client_id: 'public' }),
    ],
    ...options,
    oidc: { resources: { [API]: { scopes: ['read'] }, mcp: {} }, ...options.oidc },
  })

async function introspect(w: World, token: string, form: Record<string, string> = {}) {
  const response = await w.post('/oauth/introspect', { client_id: 'app', ...secret, token, ...form })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const granted = async (w: World, changes: Record<string, string> = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code, secret)).body
const machine = async (w: World, form = {}) =>
  (await tokens(w, { grant_type: 'client_credentials', client_id: 'service', ...secret, ...form })).body

describe.each(['single', 'path'] as const)('Introspection response (realms by %s)', (routing) => {
  it('active access token: active, token_type, scope, client_id, sub, exp, iat, nbf, jti, iss, aud (always an array)', async () => {
    const w = await start({ routing })
    const { access_token } = await granted(w)
    const { status, headers, body } = await introspect(w, access_token)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      active: true,
      token_type: 'Bearer',
      scope: 'openid profile email',
      client_id: 'app',
      sub: 'alice',
      exp: w.clock.now + 900,
      iat: w.clock.now,
      nbf: w.clock.now,
      jti: payload(access_token).jti,
      iss: w.issuer,
      aud: [w.issuer],
    })
  })

  it('a client-credentials token: the same without sub', async () => {
    const w = await start({ routing })
    const { access_token } = await machine(w, { scope: 'profile' })
    const { body } = await introspect(w, access_token, { client_id: 'service' })
    expect(body).toEqual({
      active: true,
      token_type: 'Bearer',
      scope: 'profile',
      client_id: 'service',
      exp: w.clock.now + 3600,
      iat: w.clock.now,
      nbf: w.clock.now,
      jti: payload(access_token).jti,
      iss: w.issuer,
      aud: [w.issuer],
    })
  })

  it('active refresh token: active, scope, client_id, sub, exp (its own expiry), iss; no token_type', async () => {
    const w = await start({ routing })
    const { refresh_token } = await granted(w)
    const { body } = await introspect(w, refresh_token)
    const exp = w.clock.now + 1_209_600
    const scope = 'openid profile email'
    expect(body).toEqual({ active: true, scope, client_id: 'app', sub: 'alice', exp, iss: w.issuer })
  })

  it('scope of an access token may be narrower than that of its refresh token', async () => {
    const w = await start({ routing })
    const { refresh_token } = await granted(w)
    const form = { grant_type: 'refresh_token', client_id: 'app', ...secret, refresh_token, scope: 'email' }
    const { body } = await tokens(w, form)
    expect((await introspect(w, body.access_token)).body.scope).toBe('email')
    expect((await introspect(w, body.refresh_token)).body.scope).toBe('openid profile email')
  })

  it('scope is left out when there is none', async () => {
    const w = await start({ routing })
    const { access_token } = await machine(w)
    expect((await introspect(w, access_token, { client_id: 'service' })).body).not.toHaveProperty('scope')
  })

  it.each<[string, (w: World) => Promise<string>]>([
    ['unknown', async () => 'unknown'],
    ['an ID token', async (w) => (await granted(w)).id_token],
    ['an authorization code', async (w) => String((await w.browser().code()).code)],
    [
      'an expired access token',
      async (w) => {
        const { access_token } = await granted(w)
        w.clock.now += 900
        return access_token
      },
    ],
    [
      'an expired refresh token',
      async (w) => {
        const { refresh_token } = await granted(w)
        w.clock.now += 1_209_600
        return refresh_token
      },
    ],
    [
      'a spent refresh token',
      async (w) => {
        const { refresh_token } = await granted(w)
        await tokens(w, { grant_type: 'refresh_token', client_id: 'app', ...secret, refresh_token })
        return refresh_token
      },
    ],
    [
      'the access token of a user who is gone',
      async (w) => {
        const { access_token } = await granted(w)
        w.accounts.delete('alice')
        return access_token
      },
    ],
    [
      'the refresh token of a user who is gone',
      async (w) => {
        const { refresh_token } = await granted(w)
        w.accounts.delete('alice')
        return refresh_token
      },
    ],
    ["another client's access token", async (w) => (await machine(w)).access_token],
    ['a changed token', async (w) => `${(await granted(w)).access_token.slice(0, -8)}AAAAAAAA`],
  ])('anything else is {"active": false}: %s', async (_, made) => {
    const w = await start({ routing })
    const { status, body } = await introspect(w, await made(w))
    expect([status, body]).toEqual([200, { active: false }])
  })

  it.each(['access_token', 'refresh_token'] as const)('a revoked %s is {"active": false}', async (name) => {
    const w = await start({ routing })
    const body = await granted(w)
    expect((await introspect(w, body[name])).body.active).toBe(true)
    await w.post('/oauth/revoke', { client_id: 'app', ...secret, token: body[name] })
    expect((await introspect(w, body[name])).body).toEqual({ active: false })
  })

  it('a userless token whose client is revoked is {"active": false}', async () => {
    const w = await start({ routing })
    const { access_token } = await machine(w, { resource: API })
    expect((await introspect(w, access_token, { client_id: API })).body.active).toBe(true)
    await elsewhere(w, (clients) => clients.revoke('service', w.clock.now))
    expect((await introspect(w, access_token, { client_id: API })).body).toEqual({ active: false })
  })
})

describe.each(['single', 'path'] as const)('Introspection: who may see what (realms by %s)', (routing) => {
  it('the client the token was issued to', async () => {
    const w = await start({ routing })
    const { access_token, refresh_token } = await granted(w)
    for (const token of [access_token, refresh_token])
      expect((await introspect(w, token)).body.active).toBe(true)
  })

  it("any client named in an access token's aud", async () => {
    const w = await start({ routing })
    const { access_token } = await granted(w, { resource: API, scope: 'read' })
    expect((await introspect(w, access_token, { client_id: API })).body).toMatchObject({
      active: true,
      aud: [API],
    })
  })

  it('not the refresh token of the same authorization: it has no aud', async () => {
    const w = await start({ routing })
    const { refresh_token } = await granted(w, { resource: API, scope: 'read' })
    expect((await introspect(w, refresh_token, { client_id: API })).body).toEqual({ active: false })
  })

  it.each(['stranger', API])('not another client: %s', async (client_id) => {
    const w = await start({ routing })
    const { access_token, refresh_token } = await granted(w)
    for (const token of [access_token, refresh_token])
      expect((await introspect(w, token, { client_id })).body).toEqual({ active: false })
  })

  it('confidential clients only, and authentication comes before the token check', async () => {
    const w = await start({ routing })
    const { access_token } = await granted(w)
    for (const token of [access_token, '']) {
      const response = await w.post('/oauth/introspect', { client_id: 'public', token })
      expect([response.status, (await response.json()).error]).toEqual([401, 'invalid_client'])
      const wrong = await introspect(w, token, { client_secret: 'wrong' })
      expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
    }
  })
})

describe.each(['single', 'path'] as const)('Introspection request (realms by %s)', (routing) => {
  it.each([
    ['missing', {}],
    ['empty', { token: '' }],
    ['blank', { token: '  ' }],
  ])('a %s token gives 400 invalid_request', async (_, form) => {
    const w = await start({ routing })
    const response = await w.post('/oauth/introspect', { client_id: 'app', ...secret, ...form })
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it.each(['access_token', 'refresh_token', 'id_token', '__proto__', ''])(
    'token_type_hint %j only orders the lookup: either token is found',
    async (token_type_hint) => {
      const w = await start({ routing })
      const { access_token, refresh_token } = await granted(w)
      expect((await introspect(w, access_token, { token_type_hint })).body.token_type).toBe('Bearer')
      const { body } = await introspect(w, refresh_token, { token_type_hint })
      expect([body.active, body.token_type]).toEqual([true, undefined])
    },
  )

  it('a repeated token is invalid_request; a token in the query is not read', async () => {
    const w = await start({ routing })
    const { access_token: token } = await granted(w)
    const fields = Object.entries({ client_id: 'app', ...secret })
    const repeated = await w.post('/oauth/introspect', [...fields, ['token', token], ['token', token]])
    const inQuery = await w.post(`/oauth/introspect?token=${token}`, fields)
    for (const response of [repeated, inQuery])
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('GET is 405', async () => {
    const w = await start({ routing })
    const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/introspect?token=x`))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

it('a token of another realm is unknown', async () => {
  const w = await start({ routing: 'path' })
  await w.storage('other').clients.create(await client(secret))
  const { access_token, refresh_token } = await granted(w)
  const url = 'https://id.example.com/realms/other/oauth/introspect'
  for (const token of [access_token, refresh_token]) {
    const response = await w.provider.fetch(formRequest(url, { client_id: 'app', ...secret, token }))
    expect(await response.json()).toEqual({ active: false })
  }
})

describe('oidc.resources.<key>.clients', () => {
  const listed = async () =>
    start({
      oidc: {
        resources: { mcp: { clients: ['stranger', 'public', 'nobody'] }, [API]: {}, other: {} },
      },
    })
  const stranger = { client_id: 'stranger' }

  it('may introspect the access tokens that are addressed to this resource', async () => {
    const w = await listed()
    const { access_token } = await granted(w, { resource: `${w.issuer}/mcp` })
    expect((await introspect(w, access_token, stranger)).body).toMatchObject({
      active: true,
      client_id: 'app',
      aud: [`${w.issuer}/mcp`],
    })
    const service = await machine(w, { resource: `${w.issuer}/mcp` })
    expect((await introspect(w, service.access_token, stranger)).body.active).toBe(true)
  })

  it('may not introspect tokens for another resource or the issuer, nor refresh tokens', async () => {
    const w = await listed()
    const { refresh_token } = await granted(w, { resource: `${w.issuer}/mcp` })
    const others = [
      refresh_token,
      (await granted(w, { resource: `${w.issuer}/other` })).access_token,
      (await granted(w, { resource: API })).access_token,
      (await granted(w)).access_token,
    ]
    for (const token of others) expect((await introspect(w, token, stranger)).body).toEqual({ active: false })
  })

  it('another client may not, and a listed public client is refused like every public client', async () => {
    const w = await listed()
    const { access_token } = await granted(w, { resource: `${w.issuer}/mcp` })
    expect((await introspect(w, access_token, { client_id: 'service' })).body).toEqual({ active: false })
    const response = await w.post('/oauth/introspect', { client_id: 'public', token: access_token })
    expect(response.status).toBe(401)
  })

  it('a revoked token is inactive for it too', async () => {
    const w = await listed()
    const { access_token } = await granted(w, { resource: `${w.issuer}/mcp` })
    await w.post('/oauth/revoke', { client_id: 'app', ...secret, token: access_token })
    expect((await introspect(w, access_token, stranger)).body).toEqual({ active: false })
  })
})
