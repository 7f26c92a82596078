/** The connect flow of a client that knows only the address of a resource: RFC 9728, 8414, 7591, 7636, 8707. */

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ALICE, answer, bearer, formRequest, type World, world } from './support.js'

const REDIRECT = 'http://127.0.0.1:7777/callback'

const getJson = async (w: World, url: string) => (await w.provider.fetch(new Request(url))).json()

describe.each(['single', 'path'] as const)('Connect flow (realms by %s)', (routing) => {
  it('a client that knows only the resource gets from its 401 to an access token for it', async () => {
    const w = await world({
      routing,
      clients: [],
      oidc: { resources: { mcp: { scopes: ['tools'] } }, clients: { registration: { enabled: true } } },
    })
    const guard = w.provider.guard({ realm: w.realm, resource: 'mcp' })
    const visit = (headers = {}) => guard.authenticate(new Request(`${w.issuer}/mcp`, { headers }))

    // 1. The 401 points at the metadata.
    const refused = await visit()
    if (!(refused instanceof Response)) throw new Error('accepted')
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []

    // 2. The metadata names the authorization server.
    const { resource, scopes_supported, authorization_servers } = await getJson(w, metadata)
    expect(resource).toBe(`${w.issuer}/mcp`)
    const { origin, pathname } = new URL(authorization_servers[0])
    const path = pathname === '/' ? '' : pathname

    // 3. Both documents of that server are the same.
    const server = await getJson(w, `${origin}/.well-known/oauth-authorization-server${path}`)
    expect(await getJson(w, `${origin}${path}/.well-known/openid-configuration`)).toEqual(server)

    // 4. Registration gives a client_id.
    const body = JSON.stringify({ redirect_uris: [REDIRECT] })
    const request = new Request(server.registration_endpoint, { method: 'POST', body })
    const { client_id } = await (await w.provider.fetch(request)).json()

    // 5. The code flow with PKCE gives a token, which the resource accepts.
    const code_verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const query = new URLSearchParams({
      client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      resource,
      code_challenge,
      code_challenge_method: 'S256',
      scope: scopes_supported.join(' '),
      state: 's',
    })
    const browser = w.browser()
    await browser.get(`${server.authorization_endpoint}?${query}`)
    await browser.signIn()
    const { code, state, iss, to } = answer(await browser.approve())
    expect([to, state, iss]).toEqual([REDIRECT, 's', server.issuer])
    const form = { grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT, code_verifier }
    const issued = await w.provider.fetch(formRequest(server.token_endpoint, { ...form, code: String(code) }))
    const principal = await visit(bearer((await issued.json()).access_token))
    if (principal instanceof Response || principal.kind !== 'user') throw new Error('refused')
    expect(principal.user).toEqual(ALICE)
    expect([principal.currentAccessToken().audience, principal.tokenCan('tools')]).toEqual([[resource], true])
  })
})
