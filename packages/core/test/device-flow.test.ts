/** The device authorization grant (RFC 8628), from the request of the device to its tokens. */

import type { Pending } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { describe, expect, it } from 'vitest'
import {
  approved,
  ask,
  browserAt,
  confirmation,
  DEVICE_ADDRESS,
  DEVICE_CODE,
  decide,
  deviceClient,
  deviceWorld,
  enter,
  poll,
  polled,
  reasons,
  signIn,
  watchedStorage,
} from './device.js'
import { bearer, CLIENT_SECRET, payload, type World, world } from './support.js'

const discovery = async (w: World) =>
  (await w.provider.fetch(new Request(`${w.issuer}/.well-known/openid-configuration`))).json()

describe('the metadata', () => {
  it('names the endpoint and the grant type where it is on', async () => {
    const w = await deviceWorld({ routing: 'path' })
    const document = await discovery(w)
    expect(document.device_authorization_endpoint).toBe(`${w.issuer}/oauth/device_authorization`)
    expect(document.grant_types_supported).toContain(DEVICE_CODE)
  })

  it('has neither where it is off, and the paths do not exist', async () => {
    const w = await world({ clients: [await deviceClient()] })
    const document = await discovery(w)
    expect(document).not.toHaveProperty('device_authorization_endpoint')
    expect(document.grant_types_supported).not.toContain(DEVICE_CODE)
    const endpoint = await w.post('/oauth/device_authorization', { client_id: 'tv' })
    const page = await w.provider.fetch(new Request(`${w.issuer}/device`))
    expect([endpoint.status, page.status]).toEqual([404, 404])
    expect(await polled(w, 'x')).toEqual([400, 'unsupported_grant_type'])
  })
})

describe('a device', () => {
  it('gets two codes, and where to enter one of them', async () => {
    const w = await deviceWorld({ routing: 'path' })
    const { status, headers, body } = await ask(w)
    expect([status, body]).toEqual([
      200,
      {
        device_code: expect.stringMatching(/^[\w-]{43}$/),
        user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
        verification_uri: `${w.issuer}/device`,
        expires_in: 600,
        interval: 5,
      },
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'content-type': 'application/json',
    })
    expect(w.events).toMatchObject([{ type: 'device.requested', client_id: 'tv' }])
  })

  it('polls until the user has allowed it, and gets its tokens once', async () => {
    const w = await deviceWorld({ routing: 'path' })
    const { body } = await ask(w)
    expect(await polled(w, body.device_code)).toEqual([400, 'authorization_pending'])
    const browser = await browserAt(w)
    expect(await (await decide(w, browser, body)).text()).toBe('the page approved')
    const { status, body: tokens } = await poll(w, { device_code: body.device_code })
    expect([status, tokens]).toEqual([
      200,
      {
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        id_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'openid profile',
      },
    ])
    expect(await polled(w, body.device_code)).toEqual([400, 'invalid_grant'])
    expect(reasons(w)).toEqual(['authorization_pending', 'redeemed_device_code'])
    const userinfo = new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(tokens.access_token) })
    expect(await (await w.provider.fetch(userinfo)).json()).toMatchObject({ sub: 'alice' })
    const approvals = w.events.filter(({ type }) => type === 'device.approved')
    expect(approvals).toMatchObject([
      { client_id: 'tv', sub: 'alice', scopes: ['openid', 'profile'], resource: null },
    ])
  })

  it('gets tokens for the resource that it has named, and another one cannot be named later', async () => {
    const w = await deviceWorld({ oidc: { resources: { notes: { scopes: ['notes.read'] } } } })
    const resource = `${w.issuer}/notes`
    const { device_code } = await approved(w, { scope: 'notes.read', resource })
    expect(await polled(w, device_code, { resource: w.issuer })).toEqual([400, 'invalid_target'])
    const { body } = await poll(w, { device_code, resource })
    expect(payload(body.access_token)).toMatchObject({ aud: resource, scope: 'notes.read' })
  })

  it('without the grant refresh_token gets no refresh token', async () => {
    const w = await deviceWorld({ clients: [await deviceClient({ grant_types: [DEVICE_CODE] })] })
    const { device_code } = await approved(w)
    expect((await poll(w, { device_code })).body).not.toHaveProperty('refresh_token')
  })

  it('is refused a scope, a resource and a repeated parameter as at the authorization endpoint', async () => {
    const w = await deviceWorld()
    const errors = []
    for (const form of ['scope=unknown', 'resource=https://x.example/', 'scope=openid&scope=openid'])
      errors.push((await ask(w, `client_id=tv&${form}`)).body.error)
    expect(errors).toEqual(['invalid_scope', 'invalid_target', 'invalid_request'])
  })

  it('authenticates, if its client has a secret', async () => {
    const w = await deviceWorld({ clients: [await deviceClient({ client_secret: CLIENT_SECRET })] })
    const wrong = await ask(w, { client_secret: 'wrong' })
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
    const { body } = await ask(w, { client_secret: CLIENT_SECRET })
    await decide(w, await browserAt(w), body)
    expect(await polled(w, body.device_code)).toEqual([401, 'invalid_client'])
    expect((await poll(w, { device_code: body.device_code, client_secret: CLIENT_SECRET })).status).toBe(200)
  })
})

describe('the grant', () => {
  it('is made by the approval: the user sees and ends it before the device has polled', async () => {
    const w = await deviceWorld()
    const { device_code } = await approved(w)
    const { grants, consents } = await w.provider.manage()
    expect(await grants.list('alice')).toMatchObject([
      { client_id: 'tv', offline: true, sid: '', expires_at: w.clock.now + 600 },
    ])
    await consents.revoke({ sub: 'alice', client_id: 'tv' })
    expect(await polled(w, device_code)).toEqual([400, 'access_denied'])
  })

  it('stores no consent: the consent view of the client comes as before', async () => {
    const w = await deviceWorld()
    const { device_code } = await approved(w)
    await poll(w, { device_code })
    expect(await (await w.provider.manage()).consents.list('alice')).toEqual([])
  })

  it('outlives the session, and ends after oidc.tokens.offline_absolute', async () => {
    const tokens = { offline_absolute: 2_000_000, refresh_token: 1_500_000 }
    const w = await deviceWorld({ oidc: { tokens } })
    const { device_code, browser } = await approved(w)
    const { refresh_token } = (await poll(w, { device_code })).body
    await (await w.provider.manage()).sessions.endAll('alice')
    const refresh = (token: string) => poll(w, { grant_type: 'refresh_token', refresh_token: token })
    w.clock.now += 1_499_999
    const second = await refresh(refresh_token)
    expect(second.status).toBe(200)
    w.clock.now += 500_001
    expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(browser.cookies.size).toBe(1)
  })

  it('has the authentication of the session that approved it, and ID tokens without sid', async () => {
    const w = await deviceWorld()
    const { body } = await ask(w)
    const browser = await browserAt(w)
    const auth_time = w.clock.now
    w.clock.now += 30
    await decide(w, browser, body)
    const first = (await poll(w, { device_code: body.device_code })).body
    const { refresh_token } = first
    const second = (await poll(w, { grant_type: 'refresh_token', refresh_token })).body
    for (const { id_token } of [first, second]) {
      expect(payload(id_token)).toMatchObject({ sub: 'alice', auth_time, amr: ['pwd'], acr: '1' })
      expect(payload(id_token)).not.toHaveProperty('sid')
    }
    const hint = `${w.issuer}/oauth/logout?id_token_hint=${first.id_token}`
    await browser.get(hint)
    expect(await (await w.provider.manage()).sessions.list('alice')).toHaveLength(1)
  })

  it.each<[string, (w: World) => Promise<unknown>]>([
    ['a changed password', async (w) => (await w.provider.manage()).users.endAccess('alice')],
    [
      'a withdrawal',
      async (w) => (await w.provider.manage()).grants.revoke({ sub: 'alice', client_id: 'tv' }),
    ],
    ['a disabled account', async (w) => w.accounts.delete('alice')],
    ['the end of the session', async (w) => (await w.provider.manage()).sessions.endAll('alice')],
    ['the sign-in of another user in the same browser', async () => null],
  ])('ends before the poll by %s', async (name, end) => {
    const w = await deviceWorld()
    const { device_code, browser } = await approved(w)
    if (name.startsWith('the sign-in')) await signIn(w, browser, { sub: 'bob' })
    await end(w)
    expect(await polled(w, device_code)).toEqual([400, 'access_denied'])
    expect(reasons(w)).toEqual(['device_approval_ended'])
  })

  it.each<[string, (w: World) => Promise<unknown>]>([
    ['a changed password', async (w) => (await w.provider.manage()).users.endAccess('alice')],
    [
      'a withdrawal',
      async (w) => (await w.provider.manage()).consents.revoke({ sub: 'alice', client_id: 'tv' }),
    ],
    ['a disabled account', async (w) => w.accounts.delete('alice')],
  ])('ends after the poll by %s', async (_, end) => {
    const w = await deviceWorld()
    const { device_code } = await approved(w)
    const { refresh_token } = (await poll(w, { device_code })).body
    await end(w)
    const { body } = await poll(w, { grant_type: 'refresh_token', refresh_token })
    expect(body.error).toBe('invalid_grant')
  })
})

describe('the records', () => {
  it('contain neither code: one is stored as a hash, the other as an HMAC, and neither follows from the other', async () => {
    const written: Pending[] = []
    const storage = watchedStorage({ put: (record) => void written.push(record) })
    const w = await deviceWorld({ storage })
    const { device_code, user_code } = await approved(w)
    expect(written.map(({ kind }) => kind)).toEqual([
      'device',
      'device_user_code',
      'device_confirmation',
      'device_answer',
    ])
    const [request, code] = written
    const texts = [...written, ...w.events].map((record) => JSON.stringify(record))
    for (const text of texts) {
      expect(text).not.toContain(device_code)
      expect(text).not.toContain(user_code)
      expect(text).not.toContain(user_code.replace('-', ''))
    }
    expect(JSON.stringify(request)).not.toContain(code?.pending_hash)
  })

  it('of a user code that is in use already is not replaced: another code is made', async () => {
    const bytes = (byte: number) => (length: number) => new Uint8Array(length).fill(byte)
    let random = bytes(1)
    const w = await deviceWorld({
      own_key: true,
      random: (length) => {
        if (length === 8) return random(8)
        return crypto.getRandomValues(new Uint8Array(length))
      },
    })
    const first = await ask(w)
    const values = [1, 1, 2]
    random = (length) => bytes(values.shift() ?? 3)(length)
    const second = await ask(w)
    expect([first.body.user_code, second.body.user_code]).toEqual(['CCCC-CCCC', 'DDDD-DDDD'])
  })

  it('are found with the previous secret too', async () => {
    const storage = memoryStorage()
    const secret = 'the secret of before, which is long enough'
    const before = await deviceWorld({ storage, secret, own_key: true })
    const { body } = await ask(before)
    const after = await deviceWorld({
      storage,
      secret: 'the secret of today, which is long enough',
      previous_secret: secret,
      own_key: true,
      clients: [],
    })
    await enter(after, await browserAt(after), body.user_code)
    expect(confirmation(after).address).toBe(DEVICE_ADDRESS)
  })
})
