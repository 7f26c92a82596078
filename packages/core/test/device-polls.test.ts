/** Polls of a device (RFC 8628 §3.4, §3.5): what each answer is, how often they may come, and whose they are. */

import { type DpopKey, dpopKey, dpopProof } from '@ostiary/test-kit/dpop'
import { describe, expect, it } from 'vitest'
import {
  answer,
  approved,
  ask,
  browserAt,
  confirmation,
  DEVICE_CODE,
  decide,
  deviceClient,
  deviceWorld,
  enter,
  poll,
  polled,
  reasons,
} from './device.js'
import { bearer, payload, type World } from './support.js'

const PARALLEL = 20

describe('a poll', () => {
  it('of a refused device is answered access_denied, also when it is repeated', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    await decide(w, await browserAt(w), { user_code: body.user_code, answer: 'refuse' })
    for (let n = 0; n < 3; n += 1) expect(await polled(w, body.device_code)).toEqual([400, 'access_denied'])
    expect(w.events).toContainEqual(expect.objectContaining({ type: 'device.refused', sub: 'alice' }))
  })

  it('is pending for 599 seconds, then answered expired_token for ten minutes, and then unknown', async () => {
    const w = await deviceWorld()
    const { device_code } = (await ask(w)).body
    const from = w.clock.now
    const answers = []
    for (const seconds of [599, 600, 1199, 1200]) {
      w.clock.now = from + seconds
      if (seconds === 1200) await w.storage('default').purge(w.clock.now)
      answers.push((await polled(w, device_code))[1])
    }
    expect(answers).toEqual(['authorization_pending', 'expired_token', 'expired_token', 'invalid_grant'])
  })

  it('after the end of its code is answered expired_token, although the user has approved in time', async () => {
    const w = await deviceWorld()
    const { device_code } = await approved(w)
    w.clock.now += 600
    expect(await polled(w, device_code)).toEqual([400, 'expired_token'])
    expect(await (await w.provider.manage()).grants.list('alice')).toEqual([])
  })

  it('needs its device_code', async () => {
    const w = await deviceWorld()
    expect(await polled(w, '')).toEqual([400, 'invalid_request'])
    expect(await polled(w, 'unknown')).toEqual([400, 'invalid_grant'])
  })

  it('with a user_code in place of its device_code is answered invalid_grant', async () => {
    const w = await deviceWorld()
    const { user_code, device_code } = (await ask(w)).body
    expect(await polled(w, user_code)).toEqual([400, 'invalid_grant'])
    expect(await polled(w, device_code)).toEqual([400, 'authorization_pending'])
  })
})

describe('the interval', () => {
  it('is 5 seconds: a poll in the same interval is answered slow_down', async () => {
    const w = await deviceWorld()
    const { device_code } = (await ask(w)).body
    const answers = []
    for (const seconds of [0, 5, 5, 4]) {
      w.clock.now += seconds
      answers.push((await polled(w, device_code))[1])
    }
    expect(answers).toEqual([
      'authorization_pending',
      'authorization_pending',
      'authorization_pending',
      'slow_down',
    ])
  })

  it('is 5 seconds longer after slow_down, as often as the device is too early', async () => {
    const w = await deviceWorld()
    const { device_code } = (await ask(w)).body
    const answers = []
    for (const seconds of [0, 0, 5, 5, 10, 10]) {
      w.clock.now += seconds
      answers.push((await polled(w, device_code))[1])
    }
    expect(answers).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'authorization_pending',
    ])
  })

  it('of one device does not count for another', async () => {
    const w = await deviceWorld()
    const [first, second] = [(await ask(w)).body, (await ask(w)).body]
    await polled(w, first.device_code)
    await polled(w, first.device_code)
    expect(await polled(w, second.device_code)).toEqual([400, 'authorization_pending'])
  })
})

it(`of ${PARALLEL} polls at the same time one gets the tokens, and they stay valid`, async () => {
  const w = await deviceWorld()
  const { device_code } = await approved(w)
  const answers = await Promise.all(Array.from({ length: PARALLEL }, () => poll(w, { device_code })))
  const won = answers.filter(({ status }) => status === 200)
  const lost = answers.filter(({ status }) => status === 400)
  expect([won.length, lost.length]).toEqual([1, PARALLEL - 1])
  expect(new Set(lost.map(({ body }) => body.error))).toEqual(new Set(['invalid_grant']))
  const headers = bearer(won[0]?.body.access_token ?? '')
  const userinfo = await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers }))
  expect(userinfo.status).toBe(200)
  expect(w.events.filter(({ type }) => type === 'token.issued')).toHaveLength(1)
})

describe('a stranger who has a device_code', () => {
  it('as another client gets invalid_grant, and nothing is spent or counted', async () => {
    const clients = [await deviceClient(), await deviceClient({ client_id: 'other' })]
    const w = await deviceWorld({ clients })
    const { device_code } = await approved(w)
    expect(await polled(w, device_code, { client_id: 'other' })).toEqual([400, 'invalid_grant'])
    const waiting = (await ask(w)).body.device_code
    for (let n = 0; n < 3; n += 1)
      expect(await polled(w, waiting, { client_id: 'other' })).toEqual([400, 'invalid_grant'])
    expect(await polled(w, waiting)).toEqual([400, 'authorization_pending'])
    expect((await poll(w, { device_code })).status).toBe(200)
  })

  it('in another realm gets invalid_grant', async () => {
    const w = await deviceWorld({ routing: 'path' })
    await w.storage('other').clients.create(await deviceClient())
    const { device_code } = await approved(w)
    const request = new Request(`${w.issuer.replace('acme', 'other')}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: DEVICE_CODE, client_id: 'tv', device_code }),
    })
    expect((await (await w.provider.fetch(request)).json()).error).toBe('invalid_grant')
    expect((await poll(w, { device_code })).status).toBe(200)
  })

  it('cannot redeem it as an authorization code', async () => {
    const both = ['authorization_code', DEVICE_CODE]
    const w = await deviceWorld({ clients: [await deviceClient({ grant_types: both })] })
    const { device_code } = await approved(w)
    const form = { grant_type: 'authorization_code', code: device_code }
    expect(await polled(w, device_code, form)).toEqual([400, 'invalid_grant'])
    expect(reasons(w)).toEqual(['unknown_code'])
  })
})

describe('with DPoP', () => {
  const ON = { dpop: 'on' as const }
  const proof = (w: World, key: DpopKey, path: string) => ({
    dpop: dpopProof(key, { method: 'POST', url: w.issuer + path, now: w.clock.now }),
  })
  const first = (w: World, key: DpopKey) =>
    ask(w, { scope: 'openid' }, proof(w, key, '/oauth/device_authorization'))
  const prove = async (w: World, key: DpopKey | null, device_code: string) => {
    const headers = key === null ? {} : proof(w, key, '/oauth/token')
    const { status, body } = await poll(w, { device_code }, headers)
    return { status, error: body.error, token_type: body.token_type, access_token: body.access_token }
  }

  it('the key of the first request is that of all polls', async () => {
    const w = await deviceWorld({ oidc: ON })
    const [key, other] = [dpopKey(), dpopKey()]
    const { body } = await first(w, key)
    for (const wrong of [other, null])
      expect(await prove(w, wrong, body.device_code)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await prove(w, key, body.device_code)).toMatchObject({ error: 'authorization_pending' })
    await decide(w, await browserAt(w), body)
    for (const wrong of [other, null])
      expect(await prove(w, wrong, body.device_code)).toMatchObject({ status: 400, error: 'invalid_grant' })
    const { token_type, access_token } = await prove(w, key, body.device_code)
    expect(token_type).toBe('DPoP')
    expect(payload(access_token)).toMatchObject({ cnf: { jkt: key.jkt } })
    expect(reasons(w)).toEqual([
      'proof_of_another_key',
      'missing_proof',
      'authorization_pending',
      'proof_of_another_key',
      'missing_proof',
    ])
  })

  it('a proof at the device authorization endpoint is used once', async () => {
    const w = await deviceWorld({ oidc: ON })
    const headers = proof(w, dpopKey(), '/oauth/device_authorization')
    const answers = []
    for (let n = 0; n < 2; n += 1) answers.push((await ask(w, {}, headers)).body.error ?? null)
    expect(answers).toEqual([null, 'invalid_dpop_proof'])
  })

  it('without a proof at the first request, the tokens are bound to the key of the poll', async () => {
    const w = await deviceWorld({ oidc: ON })
    const { device_code } = await approved(w)
    expect(await prove(w, dpopKey(), device_code)).toMatchObject({ status: 200, token_type: 'DPoP' })
  })
})

it('a client that was revoked after the approval gets no tokens', async () => {
  const w = await deviceWorld({ client_cache: 0 })
  const { device_code } = await approved(w)
  await (await w.provider.manage()).clients.revoke('tv')
  expect(await polled(w, device_code)).toEqual([401, 'invalid_client'])
})

it('a client that was revoked before the answer cannot be approved', async () => {
  const w = await deviceWorld({ client_cache: 0 })
  const { body } = await ask(w)
  const browser = await browserAt(w)
  await enter(w, browser, body.user_code)
  const { confirmation_token } = confirmation(w)
  await (await w.provider.manage()).clients.revoke('tv')
  expect((await answer(w, browser, { confirmation_token })).status).toBe(403)
  expect(await (await w.provider.manage()).grants.list('alice')).toEqual([])
})
