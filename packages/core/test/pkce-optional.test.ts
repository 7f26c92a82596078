/** `require_pkce: false`: a confidential client of an operator may leave out PKCE (RFC 9700 §2.1.1, §4.8). */

import { describe, expect, it } from 'vitest'
import {
  answer,
  CLIENT_SECRET,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  client,
  REDIRECT_URI,
  redeem,
  type World,
  world,
} from './support.js'

const secret = { client_secret: CLIENT_SECRET }
const NO_PKCE = { code_challenge: null, code_challenge_method: null }

const start = async (fields: Parameters<typeof client>[0] = {}, routing: 'single' | 'path' = 'single') =>
  world({ routing, clients: [await client({ ...secret, require_pkce: false, ...fields })] })

/** Redeems the code with this verifier; '' is none. */
async function outcome(w: World, code: unknown, code_verifier: string) {
  const { status, body } = await redeem(w, code, { ...secret, code_verifier })
  return [status, body.error]
}
const refusals = (w: World) =>
  w.events.flatMap((event) => (event.type === 'request.refused' ? [event.reason] : []))

describe.each(['single', 'path'] as const)('require_pkce: false (realms by %s)', (routing) => {
  it('a request without code_challenge is accepted, and its code is redeemed without code_verifier', async () => {
    const w = await start({}, routing)
    const { code } = await w.browser().code(NO_PKCE)
    expect(await outcome(w, code, '')).toEqual([200, undefined])
  })

  it('a code_verifier for a code without a challenge is refused, and does not spend the code', async () => {
    const w = await start({}, routing)
    const { code } = await w.browser().code(NO_PKCE)
    expect(await outcome(w, code, CODE_VERIFIER)).toEqual([400, 'invalid_grant'])
    expect(refusals(w)).toEqual(['unexpected_code_verifier'])
    expect(await outcome(w, code, '')).toEqual([200, undefined])
  })

  it('downgrade: a code with a challenge cannot be redeemed without its verifier', async () => {
    const w = await start({}, routing)
    const { code } = await w.browser().code()
    expect(await outcome(w, code, '')).toEqual([400, 'invalid_grant'])
    expect(await outcome(w, code, 'x'.repeat(43))).toEqual([400, 'invalid_grant'])
    expect(await outcome(w, code, CODE_VERIFIER)).toEqual([200, undefined])
  })

  it('downgrade: a code whose challenge was removed on the way is not redeemed with the verifier of the client', async () => {
    const w = await start({}, routing)
    // The attacker has removed code_challenge from the request that the client sent.
    const { code } = await w.browser().code(NO_PKCE)
    expect(await outcome(w, code, CODE_VERIFIER)).toEqual([400, 'invalid_grant'])
  })

  it.each<[string, Record<string, string | null>]>([
    ['code_challenge_method without code_challenge', { code_challenge: null }],
    ['code_challenge without code_challenge_method', { code_challenge_method: null }],
    ['code_challenge_method plain', { code_challenge_method: 'plain' }],
    ['a code_challenge that is too short', { code_challenge: CODE_CHALLENGE.slice(1) }],
  ])('%s: invalid_request', async (_, changes) => {
    const w = await start({}, routing)
    expect(answer(await w.browser().authorize(changes))).toMatchObject({
      to: REDIRECT_URI,
      error: 'invalid_request',
    })
  })
})

it.each<[string, Parameters<typeof client>[0]]>([
  ['is public', { client_secret_hash: null, token_endpoint_auth_method: 'none' }],
  ['has registered itself', { origin: 'registered' }],
  ['requires PKCE', { require_pkce: true }],
])('a stored client that %s must use PKCE all the same', async (_, fields) => {
  const w = await start(fields)
  expect(answer(await w.browser().authorize(NO_PKCE))).toMatchObject({ error: 'invalid_request' })
})

it('a client that must use PKCE by now cannot redeem a code without a challenge', async () => {
  const w = await start()
  const { code } = await w.browser().code(NO_PKCE)
  const { clients } = w.storage(w.realm)
  await clients.update(await client({ ...secret, require_pkce: null }))
  w.clock.now += 5
  expect(await outcome(w, code, '')).toEqual([400, 'invalid_grant'])
  expect(refusals(w)).toEqual(['pkce_required'])
})

it('an operator cannot exempt a client that registered itself', async () => {
  const w = await start({ origin: 'registered', require_pkce: null })
  const { clients } = await w.provider.manage()
  await expect(clients.update('app', { require_pkce: false })).rejects.toThrow(
    'require_pkce: a client that registered itself must use PKCE; create another one',
  )
  expect(await clients.find('app')).toMatchObject({ require_pkce: null })
})
