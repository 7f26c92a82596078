/** `grant_type=refresh_token`: RFC 6749 §6, RFC 9700 §4.14.2; and how long a grant lives. */

import { describe, expect, it } from 'vitest'
import { deriveSecrets } from '../src/crypto/secrets.js'
import { tagOf } from '../src/storage/tag.js'
import { hmac } from '../src/util/secret.js'
import {
  type Browser,
  bearer,
  client,
  elsewhere,
  payload,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const DAY = 86_400
const IDLE = 14 * DAY

/** A world in which alice has signed in and the code is redeemed. */
async function granted(options: WorldOptions = {}, changes: Record<string, string> = {}) {
  const clients = [await client(), await client({ client_id: 'thief' })]
  const w = await world({ clients, ...options })
  const browser = w.browser()
  const { body } = await redeem(w, (await browser.code(changes)).code)
  return { w, browser, first: body }
}

const refresh = (w: World, refresh_token: string, changes: Record<string, string> = {}) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token, ...changes })
const userinfo = async (w: World, token: string) =>
  (await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))).status
const logOut = (w: World, browser: Browser, id_token: string) =>
  browser.get(`${w.issuer}/oauth/logout?id_token_hint=${id_token}`)
const reason = (w: World) => w.events.findLast((event) => event.type === 'request.refused')?.reason

describe.each(['single', 'path'] as const)('The refresh token (realms by %s)', (routing) => {
  it('is always rotated, and each new token works', async () => {
    const { w, first } = await granted({ routing })
    const seen = [first.refresh_token]
    for (let i = 0; i < 3; i++) {
      const { status, body } = await refresh(w, seen.at(-1) ?? '')
      expect(status).toBe(200)
      expect(await userinfo(w, body.access_token)).toBe(200)
      seen.push(body.refresh_token)
    }
    expect(new Set(seen).size).toBe(4)
  })

  it('is derived from the spent token itself: what storage has of it is not sufficient', async () => {
    const secret = 'a-secret-of-the-tests-a-secret-of-the-tests'
    const { w, first } = await granted({ routing, secret })
    const { rotation } = await deriveSecrets(secret)
    const { body } = await refresh(w, first.refresh_token)
    expect(body.refresh_token).toBe(hmac(rotation, first.refresh_token) + tagOf(first.refresh_token))
  })

  it.each([
    ['unknown', { refresh_token: 'never-issued' }, 'invalid_grant'],
    ['missing', { refresh_token: '' }, 'invalid_request'],
  ])('%s: %s', async (_, changes, error) => {
    const { w, first } = await granted({ routing })
    const { status, body } = await refresh(w, first.refresh_token, changes)
    expect([status, body.error]).toEqual([400, error])
  })

  it('reuse of a spent one revokes the whole grant', async () => {
    const { w, first } = await granted({ routing })
    const second = await refresh(w, first.refresh_token)
    const reused = await refresh(w, first.refresh_token)
    expect([reused.status, reused.body.error, reason(w)]).toEqual([
      400,
      'invalid_grant',
      'reused_refresh_token',
    ])
    expect((await refresh(w, second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(await userinfo(w, second.body.access_token)).toBe(401)
    expect(await userinfo(w, first.access_token)).toBe(401)
  })

  it('presented by another client: invalid_grant, and nothing is revoked', async () => {
    const { w, first } = await granted({ routing })
    const theft = await refresh(w, first.refresh_token, { client_id: 'thief' })
    expect([theft.status, theft.body.error, reason(w)]).toEqual([400, 'invalid_grant', 'wrong_client'])
    expect((await refresh(w, first.refresh_token)).status).toBe(200)
    await refresh(w, first.refresh_token, { client_id: 'thief' })
    expect(await userinfo(w, first.access_token)).toBe(200)
  })

  it('scope may narrow this access token; the refresh token keeps the granted scope', async () => {
    const { w, first } = await granted({ routing })
    const narrow = await refresh(w, first.refresh_token, { scope: 'openid' })
    expect(narrow.body.scope).toBe('openid')
    expect(payload(narrow.body.access_token).scope).toBe('openid')
    expect(payload(narrow.body.id_token)).not.toHaveProperty('email')
    const whole = await refresh(w, narrow.body.refresh_token)
    expect(whole.body.scope).toBe('openid profile email')
  })

  it('narrowed to no openid there is no ID token', async () => {
    const { w, first } = await granted({ routing })
    const { body } = await refresh(w, first.refresh_token, { scope: 'email' })
    expect(body).not.toHaveProperty('id_token')
    expect(body.scope).toBe('email')
  })

  it('scope cannot widen: invalid_scope, and the token is not spent', async () => {
    const { w, first } = await granted({ routing })
    const { status, body } = await refresh(w, first.refresh_token, { scope: 'openid phone' })
    expect([status, body.error]).toEqual([400, 'invalid_scope'])
    expect((await refresh(w, first.refresh_token)).status).toBe(200)
  })

  it('resource may be the granted one only: otherwise invalid_target, and the token is not spent', async () => {
    const oidc = { resources: { mcp: {}, other: {} } }
    const issuer = routing === 'path' ? 'https://id.example.com/realms/acme' : 'https://id.example.com'
    const { w, first } = await granted({ routing, oidc }, { resource: `${issuer}/mcp` })
    for (const resource of [`${issuer}/other`, issuer, 'nonsense']) {
      const { status, body } = await refresh(w, first.refresh_token, { resource })
      expect([status, body.error]).toEqual([400, 'invalid_target'])
    }
    const named = await refresh(w, first.refresh_token, { resource: `${issuer}/mcp` })
    const unnamed = await refresh(w, named.body.refresh_token)
    for (const { body } of [named, unnamed]) expect(payload(body.access_token).aud).toBe(`${issuer}/mcp`)
  })

  it('the new ID token has no nonce and the original auth_time', async () => {
    const { w, first } = await granted({ routing })
    w.clock.now += 5000
    const { body } = await refresh(w, first.refresh_token)
    const before = payload(first.id_token)
    const after = payload(body.id_token)
    expect(before.nonce).toBe('the nonce')
    expect(after).not.toHaveProperty('nonce')
    expect(after.auth_time).toBe(before.auth_time)
    expect(after.iat).toBe(w.clock.now)
    expect([after.sub, after.aud, after.sid]).toEqual([before.sub, before.aud, before.sid])
  })

  it('50 parallel refreshes without grace: exactly one success, and the grant is revoked', async () => {
    const { w, first } = await granted({ routing })
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(w, first.refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
    for (const { body } of won) {
      expect(await userinfo(w, body.access_token)).toBe(401)
      expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  const grace = { tokens: { refresh_token_grace: 30 } }

  it('50 parallel refreshes within the grace period: all get the same new token', async () => {
    const { w, first } = await granted({ routing, oidc: grace })
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(w, first.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const successors = [...new Set(answers.map(({ body }) => body.refresh_token))]
    expect(successors).toHaveLength(1)
    expect((await refresh(w, successors[0] ?? '')).status).toBe(200)
  })

  it('within the grace period a spent token gets the same new token again, after it reuse revokes', async () => {
    const { w, first } = await granted({ routing, oidc: grace })
    const second = await refresh(w, first.refresh_token)
    w.clock.now += 29
    const again = await refresh(w, first.refresh_token)
    expect([again.status, again.body.refresh_token]).toEqual([200, second.body.refresh_token])
    expect(await userinfo(w, again.body.access_token)).toBe(200)
    w.clock.now += 1
    expect((await refresh(w, first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(w, second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('the grace period helps neither another client nor a revoked grant', async () => {
    const { w, first } = await granted({ routing, oidc: grace })
    await refresh(w, first.refresh_token)
    expect((await refresh(w, first.refresh_token, { client_id: 'thief' })).body.error).toBe('invalid_grant')
    await w.post('/oauth/revoke', { client_id: 'app', token: first.access_token })
    expect((await refresh(w, first.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('a client without the refresh_token grant gets none, and cannot use one', async () => {
    const { w, first } = await granted({ routing })
    const changed = await client({ grant_types: ['authorization_code'] })
    await elsewhere(w, (clients) => clients.update(changed))
    expect((await refresh(w, first.refresh_token)).body.error).toBe('unauthorized_client')
    expect((await redeem(w, (await w.browser().code()).code)).body).not.toHaveProperty('refresh_token')
  })

  it('of a deleted user: invalid_grant', async () => {
    const { w, first } = await granted({ routing })
    w.accounts.delete('alice')
    const { status, body } = await refresh(w, first.refresh_token)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })
})

describe.each(['single', 'path'] as const)('How long a grant lives (realms by %s)', (routing) => {
  it('14 days idle; each rotation renews it', async () => {
    const { w, first } = await granted({ routing })
    w.clock.now += IDLE - 1
    const second = await refresh(w, first.refresh_token)
    expect(second.status).toBe(200)
    w.clock.now += IDLE - 1
    expect((await refresh(w, second.body.refresh_token)).status).toBe(200)
  })

  it.each([
    ['14 days', {}, IDLE],
    ['oidc.tokens.refresh_token', { tokens: { refresh_token: 100 } }, 100],
  ])('after %s without use it has expired', async (_, oidc, lifetime) => {
    const { w, first } = await granted({ routing, oidc })
    w.clock.now += lifetime
    const { status, body } = await refresh(w, first.refresh_token)
    expect([status, body.error, reason(w)]).toEqual([400, 'invalid_grant', 'expired_refresh_token'])
  })

  it('ends with its session at logout: access and refresh token are revoked', async () => {
    const { w, browser, first } = await granted({ routing })
    await logOut(w, browser, first.id_token)
    expect(await userinfo(w, first.access_token)).toBe(401)
    expect((await refresh(w, first.refresh_token)).body.error).toBe('invalid_grant')
  })

  it.each([
    ['before the session is cleaned up', false],
    ['and after', true],
  ])("ends with its session at the session's absolute lifetime, %s", async (_, cleaned) => {
    const { w, first } = await granted({ routing, oidc: { session: { absolute_lifetime: 5 * DAY } } })
    w.clock.now += 5 * DAY - 1
    const last = await refresh(w, first.refresh_token)
    expect(last.status).toBe(200)
    w.clock.now += 1
    if (cleaned) await w.provider.tick()
    expect((await refresh(w, last.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(await userinfo(w, last.body.access_token)).toBe(401)
  })

  it('no token is valid after the end of the session, and no exp is later', async () => {
    const { w, first } = await granted({ routing, oidc: { session: { absolute_lifetime: 1000 } } })
    expect(first.expires_in).toBe(900)
    w.clock.now += 700
    const { body } = await refresh(w, first.refresh_token)
    expect(body.expires_in).toBe(300)
    expect(payload(body.access_token).exp).toBe(w.clock.now + 300)
    w.clock.now += 300
    expect(await userinfo(w, body.access_token)).toBe(401)
  })

  it.each([
    ['logout', async (w: World, browser: Browser, hint: string) => void (await logOut(w, browser, hint))],
    [
      'the absolute lifetime of the session',
      async (w: World) => {
        w.clock.now += 5 * DAY
        await w.provider.tick()
      },
    ],
  ])('with offline_access it goes on after %s', async (_, end) => {
    const oidc = { session: { absolute_lifetime: 5 * DAY } }
    const { w, browser, first } = await granted({ routing, oidc }, { scope: 'openid offline_access' })
    await end(w, browser, first.id_token)
    const second = await refresh(w, first.refresh_token)
    expect([second.status, second.body.expires_in]).toEqual([200, 900])
    expect(await userinfo(w, second.body.access_token)).toBe(200)
    w.clock.now += IDLE - 1
    expect((await refresh(w, second.body.refresh_token)).status).toBe(200)
  })

  it('with offline_access it ends with its own refresh lifetime', async () => {
    const { w, first } = await granted({ routing }, { scope: 'openid offline_access' })
    w.clock.now += IDLE
    await w.provider.tick()
    expect((await refresh(w, first.refresh_token)).body.error).toBe('invalid_grant')
  })
})
