/** A client that registered itself has the same rights as any other client. */

import { describe, expect, it } from 'vitest'
import { answer, client, REDIRECT_URI, redeem, type World, type WorldOptions, world } from './support.js'

const start = ({ oidc, ...options }: WorldOptions) =>
  world({ ...options, oidc: { clients: { registration: { enabled: true }, ...oidc?.clients } } })

async function register(w: World, fields: object = {}, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ redirect_uris: [REDIRECT_URI], ...fields })
  const request = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body, headers })
  const response = await w.provider.fetch(request)
  return { status: response.status, body: await response.json() }
}

describe.each(['single', 'path'] as const)('A registered client (realms by %s)', (routing) => {
  it("receives the realm's scope assignment like every other client", async () => {
    const clients = { default_scopes: ['email'], optional_scopes: ['openid', 'profile'] }
    const w = await start({ routing, oidc: { clients }, clients: [await client()] })
    const { body } = await register(w)
    expect(body.scope).toBe('email openid profile')
    for (const client_id of ['app', body.client_id]) {
      const browser = w.browser()
      const { code } = await browser.code({ client_id, scope: 'openid' })
      expect((await redeem(w, code, { client_id })).body.scope).toBe('openid email')
      const refused = answer(await browser.authorize({ client_id, scope: 'openid phone' }))
      expect(refused).toMatchObject({ to: REDIRECT_URI, error: 'invalid_scope' })
    }
  })

  it.each(['none', 'client_secret_basic', 'client_secret_post'])(
    'uses exactly the method that it registered: %s',
    async (registered) => {
      const w = await start({ routing })
      const { body } = await register(w, { token_endpoint_auth_method: registered })
      const { client_id, client_secret = 'none was issued' } = body
      const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`
      const token = 'any'
      const attempts = {
        none: () => w.post('/oauth/revoke', { client_id, token }),
        client_secret_basic: () => w.post('/oauth/revoke', { token }, { authorization }),
        client_secret_post: () => w.post('/oauth/revoke', { client_id, client_secret, token }),
      }
      for (const [method, attempt] of Object.entries(attempts))
        expect((await attempt()).status, method).toBe(method === registered ? 200 : 401)
    },
  )

  it.each([
    ['none', {}],
    ['a client that is unknown', { authorization: `Basic ${btoa('nobody:wrong')}` }],
    ['a token that is none', { authorization: 'Bearer rubbish' }],
  ])(
    'is registered without authentication; credentials that are sent although it needs none: %s',
    async (_, headers) => {
      expect((await register(await start({ routing }), {}, headers)).status).toBe(201)
    },
  )
})
