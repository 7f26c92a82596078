/** The end of the access that a user has granted: each way to end it, with each kind of token. */

import { describe, expect, it } from 'vitest'
import { bearer, CLIENT_SECRET, client, payload, redeem, tokens, type World, world } from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const AUTH = { client_id: 'app', client_secret: CLIENT_SECRET }

/** Alice signed in to `app` in one browser: once as usual, once for offline access, and a token was exchanged. */
async function signedInAlice(routing: 'single' | 'path') {
  const w = await world({
    routing,
    oidc: { clients: { token_exchange: true }, resources: { files: { scopes: [] } } },
    clients: [
      await client({
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code', 'refresh_token', EXCHANGE],
        allowed_exchange_audiences: [
          routing === 'path' ? 'https://id.example.com/realms/acme/files' : 'https://id.example.com/files',
        ],
      }),
    ],
  })
  const browser = w.browser()
  const online = (await redeem(w, (await browser.code()).code, { client_secret: CLIENT_SECRET })).body
  const scope = 'openid offline_access'
  const offline = (await redeem(w, (await browser.code({ scope })).code, { client_secret: CLIENT_SECRET }))
    .body
  const exchanged = await tokens(w, {
    ...AUTH,
    grant_type: EXCHANGE,
    subject_token: online.access_token,
    subject_token_type: ACCESS_TOKEN,
    audience: `${w.issuer}/files`,
  })
  expect(exchanged.status).toBe(200)
  return { w, browser, online, offline, exchanged: exchanged.body.access_token }
}
type AliceWorld = Awaited<ReturnType<typeof signedInAlice>>

const userinfo = async (w: World, token: string) =>
  (await w.provider.fetch(new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(token) }))).status ===
  200
const atGuard = async (w: World, token: string) =>
  !(
    (await w.provider
      .guard({ realm: w.realm })
      .authenticate(new Request(w.issuer, { headers: bearer(token) }))) instanceof Response
  )
const introspected = async (w: World, token: string) =>
  ((await (await w.post('/oauth/introspect', { ...AUTH, token })).json()) as { active: boolean }).active
const refreshed = async (w: World, refresh_token: string) =>
  (await tokens(w, { ...AUTH, grant_type: 'refresh_token', refresh_token })).status === 200

/** The kinds of tokens that are still valid. The refreshes come last, because each spends its token. */
async function validTokens({ w, online, offline, exchanged }: AliceWorld): Promise<string[]> {
  const kinds: [string, Promise<boolean>][] = [
    ['access at UserInfo', userinfo(w, online.access_token)],
    ['access at the guard', atGuard(w, online.access_token)],
    ['access introspected', introspected(w, online.access_token)],
    ['refresh introspected', introspected(w, online.refresh_token)],
    ['offline access', atGuard(w, offline.access_token)],
    ['offline introspected', introspected(w, offline.refresh_token)],
    ['exchanged at UserInfo', userinfo(w, exchanged)],
    ['exchanged at the guard', atGuard(w, exchanged)],
    ['exchanged introspected', introspected(w, exchanged)],
  ]
  const found: string[] = []
  for (const [kind, valid] of kinds) if (await valid) found.push(kind)
  if (await refreshed(w, online.refresh_token)) found.push('refresh')
  if (await refreshed(w, offline.refresh_token)) found.push('offline refresh')
  return found
}

const OF_SESSION = [
  'access at UserInfo',
  'access at the guard',
  'access introspected',
  'refresh introspected',
  'refresh',
]
const OFFLINE = ['offline access', 'offline introspected', 'offline refresh']
/** Exchanged tokens end with the access of their subject token, and one of them can end alone. */
const EXCHANGED = ['exchanged at UserInfo', 'exchanged at the guard', 'exchanged introspected']

const manage = ({ w }: AliceWorld) => w.provider.manage(w.realm)
const hasSession = async ({ w }: AliceWorld) => (await w.storage(w.realm).sessions.list('alice')).length > 0

describe.each(['single', 'path'] as const)('Access that a user granted ends (realms by %s)', (routing) => {
  it('before the end, all tokens are valid', async () => {
    const all = await validTokens(await signedInAlice(routing))
    expect(all.sort()).toEqual([...OF_SESSION, ...OFFLINE, ...EXCHANGED].sort())
  })

  it.each<[string, (at: AliceWorld) => Promise<unknown>, { valid: string[]; session: boolean }]>([
    [
      'withdrawal of the consent',
      async (at) => (await manage(at)).consents.revoke({ sub: 'alice', client_id: 'app' }),
      { valid: [], session: true },
    ],
    [
      'withdrawal of the consent at the issuer',
      async (at) =>
        (await manage(at)).consents.revoke({ sub: 'alice', client_id: 'app', resource: at.w.issuer }),
      { valid: [], session: true },
    ],
    [
      'withdrawal of the consent at another resource',
      async (at) =>
        (await manage(at)).consents.revoke({
          sub: 'alice',
          client_id: 'app',
          resource: `${at.w.issuer}/files`,
        }),
      { valid: [...OF_SESSION, ...OFFLINE, ...EXCHANGED], session: true },
    ],
    [
      'revocation of the grants of one client',
      async (at) => (await manage(at)).grants.revoke({ sub: 'alice', client_id: 'app' }),
      { valid: [], session: true },
    ],
    [
      'revocation of all grants',
      async (at) => (await manage(at)).grants.revoke({ sub: 'alice' }),
      { valid: [], session: true },
    ],
    [
      'a changed or reset password (users.endAccess)',
      async (at) => (await manage(at)).users.endAccess('alice', { reason: 'password_changed' }),
      { valid: [], session: false },
    ],
    [
      'a disabled account',
      async (at) => {
        await (await manage(at)).users.endAccess('alice')
        at.w.accounts.delete('alice')
      },
      { valid: [], session: false },
    ],
    [
      'sign-out with a hint',
      (at) => at.browser.get(`${at.w.issuer}/oauth/logout?id_token_hint=${at.online.id_token}`),
      { valid: OFFLINE, session: false },
    ],
    [
      'the end of one session',
      async (at) => {
        const { sessions } = await manage(at)
        for (const { sid } of await sessions.list('alice')) await sessions.end(sid)
      },
      { valid: OFFLINE, session: false },
    ],
    [
      'the end of all sessions',
      async (at) => (await manage(at)).sessions.endAll('alice'),
      { valid: OFFLINE, session: false },
    ],
    [
      'the revocation endpoint, of a refresh token',
      (at) => at.w.post('/oauth/revoke', { ...AUTH, token: at.online.refresh_token }),
      { valid: OFFLINE, session: true },
    ],
    [
      'the revocation endpoint, of an exchanged token',
      (at) => at.w.post('/oauth/revoke', { ...AUTH, token: at.exchanged }),
      { valid: [...OF_SESSION, ...OFFLINE], session: true },
    ],
    [
      'the revocation endpoint, of an offline access token',
      (at) => at.w.post('/oauth/revoke', { ...AUTH, token: at.offline.access_token }),
      { valid: [...OF_SESSION, ...EXCHANGED], session: true },
    ],
  ])('by %s', async (_, end, { valid, session }) => {
    const at = await signedInAlice(routing)
    await end(at)
    expect(await hasSession(at)).toBe(session)
    expect((await validTokens(at)).sort()).toEqual([...valid].sort())
  })

  it('an exchanged token stays refused when a disabled user is enabled again', async () => {
    const at = await signedInAlice(routing)
    const alice = at.w.accounts.get('alice')
    if (!alice) throw new Error('unreachable')
    await (await manage(at)).users.endAccess('alice')
    at.w.accounts.delete('alice')
    expect(await validTokens(at)).toEqual([])
    at.w.accounts.set('alice', alice)
    expect(await validTokens(at)).toEqual([])
  })

  it('a token that was exchanged from an exchanged one ends with the grant of the first, and not with the second', async () => {
    const at = await signedInAlice(routing)
    const { w } = at
    const again = async (subject_token: string) => {
      const form = { grant_type: EXCHANGE, subject_token, subject_token_type: ACCESS_TOKEN }
      return (await tokens(w, { ...AUTH, ...form, audience: `${w.issuer}/files` })).body.access_token
    }
    const third = await again(await again(at.exchanged))
    const grant_id = String(payload(at.online.access_token).jti).split('.')[0]
    expect(payload(third).jti).toMatch(new RegExp(`^${grant_id}\\.x\\.[\\w-]{22}$`))
    await w.post('/oauth/revoke', { ...AUTH, token: at.exchanged })
    expect([await atGuard(w, at.exchanged), await atGuard(w, third)]).toEqual([false, true])
    expect(await atGuard(w, at.online.access_token)).toBe(true)
    await w.post('/oauth/revoke', { ...AUTH, token: at.online.access_token })
    expect([await atGuard(w, third), await introspected(w, third)]).toEqual([false, false])
  })

  it('the code of a grant is replayed: its exchanged tokens end', async () => {
    const at = await signedInAlice(routing)
    const { code } = await at.browser.code()
    const first = await redeem(at.w, code, { client_secret: CLIENT_SECRET })
    const exchanged = await tokens(at.w, {
      ...AUTH,
      grant_type: EXCHANGE,
      subject_token: first.body.access_token,
      subject_token_type: ACCESS_TOKEN,
      audience: `${at.w.issuer}/files`,
    })
    expect(await atGuard(at.w, exchanged.body.access_token)).toBe(true)
    await redeem(at.w, code, { client_secret: CLIENT_SECRET })
    expect(await atGuard(at.w, exchanged.body.access_token)).toBe(false)
  })

  it('revoked tokens stay refused after the background work has purged expired records', async () => {
    const at = await signedInAlice(routing)
    await at.w.post('/oauth/revoke', { ...AUTH, token: at.exchanged })
    await (await manage(at)).users.endAccess('alice')
    at.w.clock.now += 1
    for (let ticks = 0; ticks < 3; ticks += 1) await at.w.provider.tick()
    expect(await validTokens(at)).toEqual([])
  })

  it('endAccess keeps the session of keep_sid, but revokes its grants', async () => {
    const at = await signedInAlice(routing)
    const other = at.w.browser()
    await other.code()
    const { sessions, users } = await manage(at)
    const all = await sessions.list('alice')
    const kept = all.find(({ client_ids }) => client_ids.length > 0)
    const ended = await users.endAccess('alice', { keep_sid: kept?.sid ?? '' })
    expect(ended).toEqual({ sessions: 1, grants: 3 })
    expect((await sessions.list('alice')).map(({ sid }) => sid)).toEqual([kept?.sid])
    expect(await validTokens(at)).toEqual([])
  })

  it('grants.list shows the grants of a user until they end', async () => {
    const at = await signedInAlice(routing)
    const { grants } = await manage(at)
    const shown = (await grants.list('alice')).map(({ client_id, offline, scopes }) => [
      client_id,
      offline,
      scopes,
    ])
    expect(shown.sort()).toEqual([
      ['app', false, ['openid', 'profile', 'email']],
      ['app', true, ['openid', 'offline_access']],
    ])
    expect(await grants.revoke({ sub: 'alice', offline: false })).toBe(1)
    expect(await grants.list('alice')).toHaveLength(1)
    expect(at.w.events.at(-1)).toMatchObject({
      type: 'grant.revoked',
      sub: 'alice',
      client_id: null,
      grants: 1,
    })
    expect(await grants.revoke({ sub: 'bob' })).toBe(0)
  })
})

describe('oidc.tokens.offline_absolute', () => {
  const DAY = 86_400

  async function offlineGrant(offline_absolute: number) {
    const w = await world({
      oidc: { tokens: { offline_absolute } },
      clients: [await client({ trusted: true })],
    })
    const { code } = await w.browser().code({ scope: 'openid offline_access' })
    let latest = (await redeem(w, code)).body
    const refresh = async () => {
      const answer = await tokens(w, {
        grant_type: 'refresh_token',
        client_id: 'app',
        refresh_token: latest.refresh_token,
      })
      if (answer.status === 200) latest = answer.body
      return answer
    }
    return { w, refresh, latest: () => latest }
  }

  it('ends an offline grant, however often it is used', async () => {
    const { w, refresh } = await offlineGrant(30 * DAY)
    for (let day = 10; day < 30; day += 10) {
      w.clock.now += 10 * DAY
      expect((await refresh()).status).toBe(200)
    }
    w.clock.now += 10 * DAY
    expect((await refresh()).body.error).toBe('invalid_grant')
  })

  it('limits the last refresh token and the last access token', async () => {
    const { w, refresh, latest } = await offlineGrant(15 * DAY)
    w.clock.now += 14 * DAY - 1
    expect((await refresh()).status).toBe(200)
    w.clock.now += DAY - 60
    const last = await refresh()
    expect(last.body.expires_in).toBe(61)
    w.clock.now += 61
    expect(await userinfo(w, latest().access_token)).toBe(false)
  })

  it('applies to existing grants when an operator shortens it', async () => {
    const { w, latest } = await offlineGrant(90 * DAY)
    const shorter = await world({
      storage: w.storage,
      now: () => w.clock.now,
      clients: [],
      oidc: { tokens: { offline_absolute: DAY } },
    })
    w.clock.now += DAY
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: latest().refresh_token }
    expect((await tokens(shorter, form)).body.error).toBe('invalid_grant')
    expect((await tokens(w, form)).status).toBe(200)
  })

  it('introspection calls a refresh token active exactly as long as it can be used', async () => {
    const w = await world({
      oidc: { tokens: { offline_absolute: 90 * DAY } },
      clients: [await client({ client_secret: CLIENT_SECRET })],
    })
    const { code } = await w.browser().code({ scope: 'openid offline_access' })
    const { refresh_token } = (await redeem(w, code, { client_secret: CLIENT_SECRET })).body
    const shorter = await world({
      storage: w.storage,
      now: () => w.clock.now,
      clients: [],
      oidc: { tokens: { offline_absolute: DAY } },
    })
    w.clock.now += DAY - 1
    expect(await introspected(shorter, refresh_token)).toBe(true)
    w.clock.now += 1
    expect(await introspected(shorter, refresh_token)).toBe(false)
    expect(await introspected(w, refresh_token)).toBe(true)
    const form = { ...AUTH, grant_type: 'refresh_token', refresh_token }
    expect((await tokens(shorter, form)).body.error).toBe('invalid_grant')
  })

  it('an access token is refused when its grant has ended, although it has not expired itself', async () => {
    const { w, latest } = await offlineGrant(90 * DAY)
    const first = latest().access_token
    const shorter = await world({
      storage: w.storage,
      now: () => w.clock.now,
      clients: [],
      oidc: { tokens: { offline_absolute: 100 } },
    })
    w.clock.now += 50
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: latest().refresh_token }
    expect((await tokens(shorter, form)).body.expires_in).toBe(50)
    w.clock.now += 49
    expect(await userinfo(w, first)).toBe(true)
    w.clock.now += 1
    expect(await userinfo(w, first)).toBe(false)
  })

  it('a grant without offline_access ends with its session’s lifetime, even if the session is still stored', async () => {
    const w = await world({
      oidc: { session: { absolute_lifetime: 1000 } },
      clients: [await client({ trusted: true })],
    })
    const granted = (await redeem(w, (await w.browser().code()).code)).body
    const { sessions } = w.storage(w.realm)
    for (const { sid } of await sessions.list('alice')) {
      await sessions.end(sid, 0, 0)
      await sessions.forget(sid)
    }
    w.clock.now += 999
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token: granted.refresh_token }
    const last = await tokens(w, form)
    expect(last.body.expires_in).toBe(1)
    w.clock.now += 1
    expect((await tokens(w, { ...form, refresh_token: last.body.refresh_token })).body.error).toBe(
      'invalid_grant',
    )
    expect(await userinfo(w, last.body.access_token)).toBe(false)
  })
})
