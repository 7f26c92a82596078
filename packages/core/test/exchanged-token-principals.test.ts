/** The principals of exchanged tokens (RFC 8693), and what a client principal does not have. */

import { describe, expect, it } from 'vitest'
import { ALICE, bearer, CLIENT_SECRET, client, redeem, tokens, type World, world } from './support.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const secret = { client_id: 'app', client_secret: CLIENT_SECRET }

async function exchangeWorld(routing: 'single' | 'path') {
  const issuer = routing === 'path' ? 'https://id.example.com/realms/acme' : 'https://id.example.com'
  const files = `${issuer}/files`
  const grant_types = ['authorization_code', 'client_credentials', GRANT]
  const app = await client({ ...secret, grant_types, trusted: true, allowed_exchange_audiences: [files] })
  const oidc = { resources: { files: { scopes: ['read'] }, mail: {} }, clients: { token_exchange: true } }
  return { w: await world({ routing, clients: [app], oidc }), files }
}
const exchange = (w: World, subject_token: string, audience: string) =>
  tokens(w, {
    grant_type: GRANT,
    ...secret,
    subject_token,
    audience,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  })
const machine = async (w: World) =>
  (await tokens(w, { grant_type: 'client_credentials', ...secret })).body.access_token

async function principalOf(w: World, token: string) {
  const request = new Request('https://api.example.com/', { headers: bearer(token) })
  const principal = await w.provider.guard({ realm: w.realm }).authenticate(request)
  if (principal instanceof Response) throw new Error(`refused with ${principal.status}`)
  return principal
}

describe.each(['single', 'path'] as const)('Authenticated principal (realms by %s)', (routing) => {
  it('a token exchange without a subject authenticates as a ClientPrincipal', async () => {
    const { w, files } = await exchangeWorld(routing)
    const { body } = await exchange(w, await machine(w), files)
    const principal = await principalOf(w, body.access_token)
    if (principal.kind !== 'client') throw new Error('no client')
    expect([principal.clientId(), principal.getAuthIdentifier()]).toEqual(['app', 'app'])
    expect(principal.client).toEqual(await w.storage(w.realm).clients.find('app'))
    expect(principal.currentAccessToken().audience).toEqual([files])
  })

  it('a token exchanged for a registered resource is accepted there, as its user’s', async () => {
    const { w, files } = await exchangeWorld(routing)
    const { body } = await redeem(w, (await w.browser().code()).code, secret)
    const principal = await principalOf(w, (await exchange(w, body.access_token, files)).body.access_token)
    if (principal.kind !== 'user') throw new Error('no user')
    expect([principal.user, principal.currentAccessToken().audience]).toEqual([ALICE, [files]])
  })

  it('the audience of an exchange must be listed in the client’s allowed_exchange_audiences', async () => {
    const { w, files } = await exchangeWorld(routing)
    const { body } = await redeem(w, (await w.browser().code()).code, secret)
    for (const audience of [`${w.issuer}/mail`, w.issuer])
      expect((await exchange(w, body.access_token, audience)).body.error).toBe('invalid_target')
    expect((await exchange(w, body.access_token, files)).status).toBe(200)
  })

  it('a client principal has no roles and no permissions', async () => {
    const { w } = await exchangeWorld(routing)
    expect(Object.keys(await principalOf(w, await machine(w))).toSorted()).toEqual([
      'client',
      'clientId',
      'currentAccessToken',
      'getAuthIdentifier',
      'getAuthIdentifierName',
      'getAuthPassword',
      'getAuthPasswordName',
      'getRememberToken',
      'kind',
      'tokenCan',
    ])
  })
})
