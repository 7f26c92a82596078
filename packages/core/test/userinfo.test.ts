/** `GET|POST /oauth/userinfo`: OpenID Connect Core §5.3, RFC 6750, and its guard. */

import type { Guard } from '@ostiary/core'
import { type AccessToken, BearerError, createGuard, userPrincipal } from '@ostiary/resource-server'
import { describe, expect, it } from 'vitest'
import {
  ALICE,
  bearer,
  CLIENT_SECRET,
  client,
  formRequest,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const start = async (options: WorldOptions = {}) => {
  const service = { client_id: 'service', client_secret: CLIENT_SECRET, grant_types: ['client_credentials'] }
  return world({ clients: [await client(), await client(service)], ...options })
}

async function ask(w: World, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers, ...init }))
  const challenge = response.headers.get('www-authenticate')
  return { status: response.status, challenge, text: await response.text(), headers: response.headers }
}
const token = async (w: World, changes: Record<string, string> = {}) =>
  (await redeem(w, (await w.browser().code(changes)).code)).body.access_token

describe.each(['single', 'path'] as const)('UserInfo (realms by %s)', (routing) => {
  const metadata =
    routing === 'path'
      ? 'https://id.example.com/.well-known/oauth-protected-resource/realms/acme'
      : 'https://id.example.com/.well-known/oauth-protected-resource'
  const realm = routing === 'path' ? 'acme' : 'default'

  it.each(['GET', 'POST'])('%s returns the claims of the granted scopes', async (method) => {
    const w = await start({ routing })
    const answer = await ask(w, bearer(await token(w)), { method })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const email = { email: 'alice@example.com', email_verified: true }
    expect(JSON.parse(answer.text)).toEqual({
      sub: 'alice',
      name: 'Alice Adams',
      given_name: 'Alice',
      ...email,
    })
  })

  it("sub is always the authenticated user's identifier", async () => {
    const w = await start({ routing, claims: () => ({ sub: 'bob' }) })
    expect(JSON.parse((await ask(w, bearer(await token(w)))).text)).toEqual({ sub: 'alice' })
  })

  it('returns the claims for the scopes of the presented token, not of its grant', async () => {
    const w = await start({ routing })
    const { body } = await redeem(w, (await w.browser().code()).code)
    const narrow = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token }
    const refreshed = await tokens(w, { ...narrow, scope: 'openid' })
    expect(JSON.parse((await ask(w, bearer(refreshed.body.access_token))).text)).toEqual({ sub: 'alice' })
  })

  it('without the openid scope: 403 insufficient_scope, and the challenge names it', async () => {
    const w = await start({ routing })
    const answer = await ask(w, bearer(await token(w, { scope: 'profile' })))
    expect([answer.status, answer.text]).toEqual([403, '{"error":"insufficient_scope"}'])
    expect(answer.challenge).toBe(
      `Bearer realm="${realm}", error="insufficient_scope", scope="openid", resource_metadata="${metadata}"`,
    )
  })

  it('with a machine token: 401 invalid_token, even when it has openid', async () => {
    const w = await start({ routing })
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: CLIENT_SECRET }
    for (const scope of ['openid', '']) {
      const { body } = await tokens(w, { ...form, scope })
      const answer = await ask(w, bearer(body.access_token))
      expect([answer.status, answer.text]).toEqual([401, '{"error":"invalid_token"}'])
      expect(answer.challenge).toBe(
        `Bearer realm="${realm}", error="invalid_token", resource_metadata="${metadata}"`,
      )
    }
  })

  it.each<[string, Record<string, string>]>([
    ['no Authorization header', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['the scheme and a space', { authorization: 'Bearer ' }],
  ])(
    'without a bearer token (%s): 401, empty body, a challenge with realm and resource_metadata and no error',
    async (_, headers) => {
      const w = await start({ routing })
      for (const method of ['GET', 'POST']) {
        const answer = await ask(w, headers, { method })
        expect([answer.status, answer.text]).toEqual([401, ''])
        expect(answer.challenge).toBe(`Bearer realm="${realm}", resource_metadata="${metadata}"`)
      }
    },
  )

  it.each<[string, (w: World) => Promise<string>]>([
    ['rubbish', async () => 'rubbish'],
    ['two tokens', async (w) => `${await token(w)} ${await token(w)}`],
    ['a token with a changed signature', async (w) => `${(await token(w)).slice(0, -8)}AAAAAAAA`],
    [
      'an expired token',
      async (w) => {
        const expired = await token(w)
        w.clock.now += 900
        return expired
      },
    ],
    [
      'a revoked token',
      async (w) => {
        const revoked = await token(w)
        await w.post('/oauth/revoke', { client_id: 'app', token: revoked })
        return revoked
      },
    ],
    ['an ID token', async (w) => (await redeem(w, (await w.browser().code()).code)).body.id_token],
    ['a refresh token', async (w) => (await redeem(w, (await w.browser().code()).code)).body.refresh_token],
    [
      'the token of a user who is gone',
      async (w) => {
        const orphan = await token(w)
        w.accounts.delete('alice')
        return orphan
      },
    ],
    [
      "another realm's token",
      async () => {
        const elsewhere = await start({ routing: routing === 'path' ? 'single' : 'path' })
        return token(elsewhere)
      },
    ],
  ])('with a rejected token (%s): 401 invalid_token', async (_, rejected) => {
    const w = await start({ routing })
    const answer = await ask(w, bearer(await rejected(w)))
    expect([answer.status, answer.text]).toEqual([401, '{"error":"invalid_token"}'])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.challenge).toBe(
      `Bearer realm="${realm}", error="invalid_token", resource_metadata="${metadata}"`,
    )
  })

  it('a token in the query or in the body is not read', async () => {
    const w = await start({ routing })
    const access_token = await token(w)
    const url = `${w.issuer}/oauth/userinfo`
    const inQuery = await w.provider.fetch(new Request(`${url}?access_token=${access_token}`))
    const inBody = await w.provider.fetch(formRequest(url, { access_token }))
    for (const response of [inQuery, inBody]) {
      expect([response.status, await response.text()]).toEqual([401, ''])
      expect(response.headers.get('www-authenticate')).not.toContain('error')
    }
  })

  it('HEAD: the status and headers of GET, without its body', async () => {
    const w = await start({ routing })
    const { status, headers } = await ask(w, {}, { method: 'HEAD' })
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
  })

  it.each(['PUT', 'DELETE'])('%s is 405', async (method) => {
    const w = await start({ routing })
    const { status, headers } = await ask(w, {}, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe.each(['single', 'path'] as const)('oidc.auth.api_guard (realms by %s)', (routing) => {
  /** Accepts one opaque token, of alice, with these scopes. */
  const opaque = (scopes: string[]) => (): Guard =>
    createGuard({
      challenge: { realm: 'elsewhere', resource_metadata: 'https://elsewhere.example.org/metadata' },
      validate: async (value) => {
        if (value !== 'opaque') throw new BearerError('invalid_token', 'not_opaque')
        const claims = { iss: 'i', aud: 'a', sub: 'alice', client_id: 'app', exp: 0, iat: 0, jti: 'j' }
        const accepted: AccessToken = { claims, audience: ['a'], scopes }
        return userPrincipal(ALICE, accepted)
      },
    })
  const oidc = { auth: { api_guard: 'mine' } }

  it('names the guard that UserInfo uses', async () => {
    const w = await start({ routing, oidc, guards: { mine: opaque(['openid', 'phone']), oidc: opaque([]) } })
    const accepted = await ask(w, bearer('opaque'))
    expect(JSON.parse(accepted.text)).toEqual({ sub: 'alice', phone_number: '+1 555 0100' })
    const refused = await ask(w, bearer(await token(w)))
    expect([refused.status, refused.text]).toEqual([401, '{"error":"invalid_token"}'])
    expect(refused.challenge).toContain('realm="elsewhere", error="invalid_token"')
    expect((await ask(w)).challenge).not.toContain('error')
  })

  it('the openid scope is required behind that guard too', async () => {
    const w = await start({ routing, oidc, guards: { mine: opaque(['phone']) } })
    const { status, challenge } = await ask(w, bearer('opaque'))
    expect([status, challenge]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="openid"'),
    ])
  })

  it('a guard under another name is not used', async () => {
    const w = await start({ routing, guards: { mine: opaque(['openid']) } })
    expect((await ask(w, bearer('opaque'))).status).toBe(401)
    expect((await ask(w, bearer(await token(w)))).status).toBe(200)
  })

  it('the built-in guard is registered under the name that is configured', async () => {
    const w = await start({ routing, oidc })
    expect((await ask(w, bearer(await token(w)))).status).toBe(200)
  })

  it('a guard may answer with an immutable response', async () => {
    const immutable = {
      ...opaque([])(),
      authenticate: async () => Response.redirect('https://id.example.com/', 307),
    }
    const w = await start({ routing, oidc, guards: { mine: () => immutable } })
    expect((await ask(w)).status).toBe(307)
  })
})
