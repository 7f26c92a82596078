/** `grant_type=authorization_code`: RFC 6749 §4.1.3, RFC 7636 §4.6, RFC 8707 §2.2. */

import { describe, expect, it } from 'vitest'
import {
  bearer,
  CODE_CHALLENGE,
  client,
  formRequest,
  payload,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const start = async (options: WorldOptions = {}) =>
  world({ clients: [await client(), await client({ client_id: 'thief' })], ...options })

const refresh = (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token })
const userinfo = (w: World, token: string) =>
  w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))
/** The reason in the event: the client gets `invalid_grant` only. */
const reason = (w: World) => w.events.findLast((event) => event.type === 'request.refused')?.reason

async function expectDead(w: World, { access_token, refresh_token }: Record<string, unknown>) {
  expect((await userinfo(w, String(access_token))).status).toBe(401)
  const { status, body } = await refresh(w, String(refresh_token))
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
}
async function expectAlive(w: World, { access_token, refresh_token }: Record<string, unknown>) {
  expect((await userinfo(w, String(access_token))).status).toBe(200)
  expect((await refresh(w, String(refresh_token))).status).toBe(200)
}

describe.each(['single', 'path'] as const)('The authorization code (realms by %s)', (routing) => {
  it('is redeemed for tokens once', async () => {
    const w = await start({ routing })
    const { status, body } = await redeem(w, (await w.browser().code()).code)
    expect(status).toBe(200)
    await expectAlive(w, body)
  })

  it('unknown: invalid_grant', async () => {
    const w = await start({ routing })
    const { status, body } = await redeem(w, 'never-issued')
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'unknown_code'])
  })

  it('missing: invalid_request', async () => {
    const w = await start({ routing })
    const { status, body } = await redeem(w, '')
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it('presented by another client: invalid_grant, and the owner can still redeem it', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const { status, body } = await redeem(w, code, { client_id: 'thief' })
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'wrong_client'])
    const owner = await redeem(w, code)
    expect(owner.status).toBe(200)
    await expectAlive(w, owner.body)
  })

  it("presented by another client after redemption: the code's own client keeps its tokens", async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const owner = await redeem(w, code)
    expect((await redeem(w, code, { client_id: 'thief' })).body.error).toBe('invalid_grant')
    expect(w.events.some(({ type }) => type === 'code.replayed')).toBe(false)
    await expectAlive(w, owner.body)
  })

  it('replayed by the client it was issued to: invalid_grant, and the tokens it produced are revoked', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const first = await redeem(w, code)
    const { status, body } = await redeem(w, code)
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'replayed_code'])
    await expectDead(w, first.body)
  })

  it('replayed after a refresh: the newest tokens are revoked too', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const second = await refresh(w, (await redeem(w, code)).body.refresh_token)
    await redeem(w, code)
    await expectDead(w, second.body)
  })

  it('replayed long after: a spent code stays known until its grant ends', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const first = await redeem(w, code)
    w.clock.now += 86_400
    await w.provider.tick()
    await redeem(w, code)
    expect(reason(w)).toBe('replayed_code')
    expect((await refresh(w, first.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it.each([
    ['expires after 60 seconds', undefined, 60],
    ['expires when oidc.tokens.authorization_code says', 5, 5],
  ])('%s', async (_, configured, lifetime) => {
    const oidc = configured === undefined ? {} : { tokens: { authorization_code: configured } }
    const w = await start({ routing, oidc })
    const late = await w.browser().code()
    const early = await w.browser().code()
    w.clock.now += lifetime - 1
    expect((await redeem(w, early.code)).status).toBe(200)
    w.clock.now += 1
    const { status, body } = await redeem(w, late.code)
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'expired_code'])
  })

  it.each([
    ['sent at authorize, left out at the token endpoint', undefined, '', false],
    [
      'sent at authorize, another at the token endpoint',
      undefined,
      'https://client.example.com/other',
      false,
    ],
    [
      'sent at authorize, the same with a slash more',
      undefined,
      'https://client.example.com/callback/',
      false,
    ],
    ['left out at authorize and here', null, '', true],
    ['left out at authorize, the registered one here', null, 'https://client.example.com/callback', true],
    ['left out at authorize, another one here', null, 'https://client.example.com/other', false],
  ])('redirect_uri %s', async (...[_, asked, redirect_uri, accepted]) => {
    const w = await start({ routing })
    const { code } = await w.browser().code(asked === null ? { redirect_uri: null } : {})
    const { status, body } = await redeem(w, code, { redirect_uri })
    expect([status, body.error]).toEqual(accepted ? [200, undefined] : [400, 'invalid_grant'])
  })

  it.each([
    ['missing', '', 'missing_code_verifier'],
    ['blank', ' ', 'missing_code_verifier'],
    ['another one', 'x'.repeat(43), 'pkce_mismatch'],
    ['the challenge itself, as the method plain would', CODE_CHALLENGE, 'pkce_mismatch'],
    ['too short', 'dBjftJeZ4CVP', 'pkce_mismatch'],
    ['too long', 'x'.repeat(129), 'pkce_mismatch'],
  ])(
    'code_verifier %s: %j is 400 invalid_grant (RFC 7636 §4.6), and the code is not spent',
    async (...row) => {
      const [, code_verifier, expected] = row
      const w = await start({ routing })
      const { code } = await w.browser().code()
      const { status, body } = await redeem(w, code, { code_verifier })
      expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', expected])
      expect((await redeem(w, code)).status).toBe(200)
    },
  )

  it.each<[string, Record<string, string>]>([
    ['another client', { client_id: 'thief' }],
    ['a wrong redirect_uri', { redirect_uri: 'https://client.example.com/other' }],
    ['a wrong code_verifier', { code_verifier: 'x'.repeat(43) }],
    ['a missing code_verifier', { code_verifier: '' }],
    ['a wrong resource', { resource: 'https://elsewhere.example.org' }],
    ['a wrong client secret', { client_secret: 'none is registered' }],
  ])('a failed check does not spend the code: %s', async (_, changes) => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    expect((await redeem(w, code, changes)).status).toBeGreaterThanOrEqual(400)
    expect((await redeem(w, code)).status).toBe(200)
  })

  const broken = { redirect_uri: 'https://client.example.com/other', code_verifier: 'x'.repeat(43) }
  it.each<[string, { spent?: true; wait?: number }, Record<string, string>, string]>([
    ['another client before replay', { spent: true }, { client_id: 'thief' }, 'wrong_client'],
    ['replay before expiry', { spent: true, wait: 90 }, broken, 'replayed_code'],
    ['expiry before redirect_uri', { wait: 60 }, broken, 'expired_code'],
    ['redirect_uri before the verifier', {}, broken, 'redirect_uri_mismatch'],
    [
      'the verifier before the resource',
      {},
      { code_verifier: 'x'.repeat(43), resource: 'x:y' },
      'pkce_mismatch',
    ],
  ])('order of the checks: %s', async (...[_, { spent, wait = 0 }, changes, expected]) => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    if (spent) await redeem(w, code)
    w.clock.now += wait
    await redeem(w, code, changes)
    expect(reason(w)).toBe(expected)
  })

  it.each([
    ['the granted one', 'mcp', (issuer: string) => `${issuer}/mcp`, 200],
    ['none: the granted one is meant', 'mcp', () => '', 200],
    ['another', 'mcp', (issuer: string) => `${issuer}/other`, 400],
    ['the issuer instead of a resource', 'mcp', (issuer: string) => issuer, 400],
    ['the issuer, where none was granted', null, (issuer: string) => issuer, 200],
    ['a resource, where none was granted', null, (issuer: string) => `${issuer}/mcp`, 400],
  ])('resource must equal the granted one: %s', async (...[_, granted, resource, status]) => {
    const w = await start({ routing, oidc: { resources: { mcp: {}, other: {} } } })
    const asked = granted === null ? null : `${w.issuer}/${granted}`
    const { code } = await w.browser().code({ resource: asked })
    const answer = await redeem(w, code, { resource: resource(w.issuer) })
    expect(answer.status).toBe(status)
    if (status === 200) expect(payload(answer.body.access_token).aud).toBe(asked ?? w.issuer)
    else expect(answer.body.error).toBe('invalid_target')
  })

  it('50 parallel redemptions of one code: exactly one success, and its tokens are revoked', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(w, code)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
    for (const { body } of won) await expectDead(w, body)
  })

  it('the owner among 49 other clients: it alone succeeds, and its tokens stay valid', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    const clients = Array.from({ length: 50 }, (_, i) => (i === 25 ? 'app' : 'thief'))
    const answers = await Promise.all(clients.map((client_id) => redeem(w, code, { client_id })))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { body } of won) await expectAlive(w, body)
  })

  it('the code of a deleted user: invalid_grant', async () => {
    const w = await start({ routing })
    const { code } = await w.browser().code()
    w.accounts.delete('alice')
    const { status, body } = await redeem(w, code)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  it.each([
    ['ends with the session', 'openid', 400],
    ['outlives the session with offline_access', 'openid offline_access', 200],
  ])('the code of a session that logged out before redemption %s', async (_, scope, status) => {
    const w = await start({ routing })
    const browser = w.browser()
    const { body } = await redeem(w, (await browser.code({ scope })).code)
    const { code } = await browser.code({ scope })
    await browser.get(`${w.issuer}/oauth/logout?id_token_hint=${body.id_token}`)
    expect((await redeem(w, code)).status).toBe(status)
  })

  it.each([29, 30, 40])('a session of 30 seconds: its code after %i seconds', async (wait) => {
    const w = await start({ routing, oidc: { session: { absolute_lifetime: 30 } } })
    const { code } = await w.browser().code()
    w.clock.now += wait
    const { status, body } = await redeem(w, code)
    if (wait < 30) expect([status, body.expires_in]).toEqual([200, 30 - wait])
    else expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })
})

it('a code of one realm is unknown in another, and stays valid', async () => {
  const w = await start({ routing: 'path' })
  await w.storage('other').clients.create(await client())
  const { code } = await w.browser().code()
  const elsewhere = {
    ...w,
    post: (path: string, form: Parameters<World['post']>[1]) =>
      w.provider.fetch(formRequest(w.issuer.replace('acme', 'other') + path, form)),
  }
  expect((await redeem(elsewhere, code)).body.error).toBe('invalid_grant')
  expect((await redeem(w, code)).status).toBe(200)
})
