/** `GET|POST /oauth/authorize`: every client needs PKCE with `S256` (RFC 7636). */

import { describe, expect, it } from 'vitest'
import { answer, CLIENT_SECRET, client, REDIRECT_URI, redeem, world } from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const NO_PKCE = { code_challenge: null, code_challenge_method: null }

describe.each(['single', 'path'] as const)('every client must use PKCE (realms by %s)', (routing) => {
  it.each<[string, Parameters<typeof client>[0]]>([
    ['public', {}],
    ['confidential, by client_secret_post', secret],
    [
      'confidential, by client_secret_basic',
      { ...secret, token_endpoint_auth_method: 'client_secret_basic' },
    ],
    ['trusted', { ...secret, trusted: true }],
    ['self-registered', { origin: 'registered' }],
  ])('a client that is %s', async (_, fields) => {
    const w = await world({ routing, clients: [await client(fields)] })
    const browser = w.browser()
    for (const changes of [
      NO_PKCE,
      { code_challenge: null },
      { code_challenge_method: null },
      { code_challenge_method: 'plain' },
    ])
      expect(answer(await browser.authorize(changes))).toMatchObject({
        to: REDIRECT_URI,
        error: 'invalid_request',
        state: 'the state',
        iss: w.issuer,
      })
    expect(await browser.code()).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
  })

  it('a client secret does not replace the code_verifier', async () => {
    const w = await world({ routing, clients: [await client(secret)] })
    const { code } = await w.browser().code()
    const without = await redeem(w, code, { ...secret, code_verifier: '' })
    expect([without.status, without.body.error]).toEqual([400, 'invalid_grant'])
    expect((await redeem(w, code, secret)).status).toBe(200)
  })
})
