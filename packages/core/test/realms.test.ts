/** Realms: two realms share nothing; the paths of a realm's documents. */

import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  bearer,
  CLIENT_SECRET,
  client,
  formRequest,
  header,
  ISSUER,
  payload,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  world,
} from './support.js'

/** The same world, with the requests sent to another realm of its provider. */
function inRealm(w: World, realm: string): World {
  const issuer = `${ISSUER}/realms/${realm}`
  const post: World['post'] = (path, form, headers = {}) =>
    w.provider.fetch(formRequest(issuer + path, form, { headers }))
  return { ...w, realm, issuer, post }
}

/** Signs alice in. Returns her credentials, and functions that send her browser's requests. */
async function signIn(w: World) {
  const send = (cookie: string, request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('cookie', cookie)
    return w.provider.fetch(new Request(request, { headers }))
  }
  await w.provider.fetch(new Request(authorizeUrl(w.issuer)))
  const return_to = w.logins.at(-1)?.return_to ?? ''
  const login = { sub: 'alice', amr: ['pwd'], return_to }
  const entered = await w.provider.login(new Request(`${w.issuer}/login`, { method: 'POST' }), login)
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await send(cookie, new Request(entered.headers.get('location') ?? ''))
  const auth_token = w.consents.at(-1)?.auth_token ?? ''
  const approve = (realm: World) =>
    send(cookie, formRequest(`${realm.issuer}/oauth/authorize/consent`, { auth_token }))
  const authorize = (realm: World, changes?: Record<string, string | null>) =>
    send(cookie, new Request(authorizeUrl(realm.issuer, changes)))
  return { return_to, cookie, auth_token, approve, authorize }
}

/** The realms acme and other, with the same client and the same users. */
async function twoRealms() {
  const clients = [await client(), await client({ client_id: 'api', client_secret: CLIENT_SECRET })]
  const acme = await world({ routing: 'path', clients })
  const other = inRealm(acme, 'other')
  for (const record of clients) await other.storage('other').clients.create(record)
  return { acme, other }
}

const getJson = async (w: World, url: string) => {
  const response = await w.provider.fetch(new Request(url))
  return { status: response.status, body: await response.json() }
}

describe('what belongs to one realm is unknown in another', () => {
  it('a client', async () => {
    const { acme, other } = await twoRealms()
    await acme.storage('acme').clients.create(await client({ client_id: 'only-here' }))
    const changes = { client_id: 'only-here' }
    expect(answer(await acme.browser().authorize(changes)).to).toBe(`${acme.issuer}/login`)
    const refused = await getJson(other, authorizeUrl(other.issuer, changes))
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request'])
  })

  it('a stored request', async () => {
    const { acme, other } = await twoRealms()
    await acme.browser().authorize()
    const return_to = acme.logins[0]?.return_to ?? ''
    const request = new Request(`${other.issuer}/login`, { method: 'POST' })
    expect((await getJson(other, `${other.issuer}/oauth/authorize/resume?id=${return_to}`)).status).toBe(400)
    expect(await other.provider.loginPrompt(request, return_to)).toBeNull()
    const response = await other.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to })
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []])
    expect((await acme.browser().signIn()).status).toBe(200)
  })

  it('a session, even under its own cookie', async () => {
    const { acme, other } = await twoRealms()
    const alice = await signIn(acme)
    const silent = { prompt: 'none' }
    expect(answer(await alice.authorize(acme, silent))).toMatchObject({ error: 'consent_required' })
    expect(answer(await alice.authorize(other, silent))).toMatchObject({
      error: 'login_required',
      iss: other.issuer,
    })
  })

  it('an auth_token, and the consent that was approved with it', async () => {
    const { acme, other } = await twoRealms()
    const alice = await signIn(acme)
    expect((await alice.approve(other)).status).toBe(403)
    expect(answer(await alice.approve(acme))).toMatchObject({ to: REDIRECT_URI, iss: acme.issuer })
    expect(await acme.storage('acme').consents.list('alice')).toMatchObject([{ resource: acme.issuer }])
    expect(await other.storage('other').consents.list('alice')).toEqual([])
    const there = await signIn(other)
    expect(answer(await there.authorize(other, { prompt: 'none' }))).toMatchObject({
      error: 'consent_required',
    })
  })

  it('a code, and it stays valid in its own realm', async () => {
    const { acme, other } = await twoRealms()
    const { code } = answer(await (await signIn(acme)).approve(acme))
    expect((await redeem(other, code)).body.error).toBe('invalid_grant')
    const redeemed = await redeem(acme, code)
    expect(redeemed.status).toBe(200)
    expect(payload(redeemed.body.access_token)).toMatchObject({ iss: acme.issuer, aud: acme.issuer })
  })

  it('an access token and a refresh token', async () => {
    const { acme, other } = await twoRealms()
    const { code } = answer(await (await signIn(acme)).approve(acme))
    const { access_token, refresh_token } = (await redeem(acme, code)).body
    const userinfo = (w: World) =>
      w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(access_token) }))
    const api = { client_id: 'api', client_secret: CLIENT_SECRET }

    const refused = await userinfo(other)
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'invalid_token' }])
    expect(refused.headers.get('www-authenticate')).toContain('realm="other"')
    for (const token of [access_token, refresh_token]) {
      expect(await (await other.post('/oauth/introspect', { ...api, token })).json()).toEqual({
        active: false,
      })
      expect((await other.post('/oauth/revoke', { client_id: 'app', token })).status).toBe(200)
    }
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token }
    expect((await tokens(other, refresh)).body.error).toBe('invalid_grant')
    expect((await userinfo(acme)).status).toBe(200)
    expect((await tokens(acme, refresh)).status).toBe(200)
  })

  it('a key, and its tokens', async () => {
    const { acme, other } = await twoRealms()
    const alice = await signIn(acme)
    const { id_token } = (await redeem(acme, answer(await alice.approve(acme)).code)).body
    const kids = async (w: World): Promise<unknown[]> =>
      (await getJson(w, `${w.issuer}/.well-known/jwks.json`)).body.keys.map(
        ({ kid }: { kid: unknown }) => kid,
      )
    expect(await kids(acme)).toEqual([header(id_token).kid])
    expect(await kids(other)).toEqual([expect.not.stringMatching(`^${header(id_token).kid}$`)])
    const hint = { id_token_hint: id_token, prompt: 'none' }
    expect(answer(await alice.authorize(acme, hint))).toHaveProperty('code')
    expect(answer(await alice.authorize(other, hint))).toMatchObject({ error: 'invalid_request' })
  })
})

describe('addresses of a realm by path', () => {
  const documents = [
    '/realms/acme/.well-known/openid-configuration',
    '/.well-known/openid-configuration/realms/acme',
    '/.well-known/oauth-authorization-server/realms/acme',
  ]

  it.each(documents)('discovery answers at %s', async (path) => {
    const { acme } = await twoRealms()
    const { body, status } = await getJson(acme, ISSUER + path)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer: `${ISSUER}/realms/acme`,
      authorization_endpoint: `${ISSUER}/realms/acme/oauth/authorize`,
      jwks_uri: `${ISSUER}/realms/acme/.well-known/jwks.json`,
    })
    expect(body).toEqual((await getJson(acme, ISSUER + documents[0])).body)
  })

  it('the AS metadata and protected-resource documents: the realm follows the well-known segment', async () => {
    const w = await world({
      routing: 'path',
      oidc: { resources: { mcp: { scopes: [] }, '': { scopes: [] } } },
    })
    for (const [path, resource] of [
      ['/.well-known/oauth-protected-resource/realms/acme', w.issuer],
      ['/.well-known/oauth-protected-resource/realms/acme/mcp', `${w.issuer}/mcp`],
    ])
      expect(await getJson(w, ISSUER + path)).toMatchObject({
        status: 200,
        body: { resource, authorization_servers: [w.issuer] },
      })
  })

  it.each([
    '/realms/acme/.well-known/oauth-authorization-server',
    '/realms/acme/.well-known/oauth-protected-resource',
    '/realms/acme/.well-known/oauth-protected-resource/mcp',
    '/realms/acme/.well-known/oauth-authorization-server/realms/acme',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/jwks.json',
    '/.well-known/jwks.json/realms/acme',
    '/oauth/authorize',
    '/realms',
    '/realms/',
    '/realms/acme',
    '/realms/acme/',
    '/realms//oauth/authorize',
    '/realms/nobody/oauth/authorize',
    '/realms/ACME/oauth/authorize',
    '/realms/default/oauth/authorize',
    '/realms/%61cme/oauth/authorize',
    '/realms/acme%2f/oauth/authorize',
    '/realms/__proto__/oauth/authorize',
    '/realms/acme/realms/acme/oauth/authorize',
    '/.well-known/oauth-authorization-server/realms/nobody',
  ])('%s is 404', async (path) => {
    const w = await world({
      routing: 'path',
      oidc: { resources: { mcp: { scopes: [] }, '': { scopes: [] } } },
    })
    for (const method of ['GET', 'POST']) {
      const response = await w.provider.fetch(new Request(ISSUER + path, { method }))
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json'])
    }
  })

  it('a single realm has no prefix', async () => {
    const w = await world()
    expect((await getJson(w, `${ISSUER}/.well-known/openid-configuration`)).body.issuer).toBe(ISSUER)
    for (const path of [
      '/realms/default/oauth/authorize',
      '/realms/default/.well-known/openid-configuration',
    ])
      expect((await getJson(w, ISSUER + path)).status).toBe(404)
  })

  it('provider.locate finds the realm and the path below it', async () => {
    const { acme } = await twoRealms()
    const locate = async (path: string) => {
      const found = await acme.provider.locate(new Request(ISSUER + path))
      return found && [found.realm.id, found.path]
    }
    expect(await locate('/realms/other/login?x=1')).toEqual(['other', '/login'])
    expect(await locate('/realms/acme')).toEqual(['acme', '/'])
    expect([await locate('/login'), await locate('/realms/nobody/login')]).toEqual([null, null])
  })

  it('provider.login and provider.loginPrompt reject a request that belongs to no realm', async () => {
    const { acme } = await twoRealms()
    const request = new Request(`${ISSUER}/realms/nobody/login`)
    const login = { sub: 'alice', amr: [], return_to: 'x' }
    await expect(acme.provider.login(request, login)).rejects.toThrow('belongs to no realm')
    await expect(acme.provider.loginPrompt(request, 'x')).rejects.toThrow('belongs to no realm')
  })
})
