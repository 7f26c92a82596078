/** A stronger login raises the session in place: what other clients have got in it stays. */

import { describe, expect, it } from 'vitest'
import { tagOf } from '../src/storage/tag.js'
import {
  type Answer,
  answer,
  type Browser,
  CLIENT_SECRET,
  client,
  payload,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const SECRET = { client_secret: CLIENT_SECRET }
const STRONG = ['pwd', 'otp']

const record = (client_id: string) =>
  client({
    ...SECRET,
    client_id,
    trusted: true,
    backchannel_logout_uri: `https://${client_id}.example.com/bc`,
  })

const start = async ({ oidc, ...options }: WorldOptions = {}) =>
  world({
    clients: [await record('app'), await record('pay')],
    ...options,
    oidc: { acr: 'require', ...oidc },
  })

const refreshOf = async (w: World, refresh_token: string) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', ...SECRET, refresh_token })

/** Signed in with a password, and the tokens that `app` has got. */
async function signedIn(w: World) {
  const browser = w.browser()
  await browser.authorize()
  const { code } = answer(await browser.signIn())
  const { body } = await redeem(w, code, SECRET)
  const sid = String(payload(body.id_token).sid)
  return { browser, sid, app: body, began: w.clock.now }
}

/** `pay` asks for a second factor. */
const stepUp = (browser: Browser, changes: Record<string, string> = {}) =>
  browser.authorize({ client_id: 'pay', acr_values: '2', ...changes })

const idTokenOf = async (w: World, { code }: Answer) =>
  payload((await redeem(w, code, { ...SECRET, client_id: 'pay' })).body.id_token)

const typesOf = (w: World) => w.events.map(({ type }) => type)
const deliveriesOf = (w: World) =>
  w
    .storage(w.realm)
    .logouts.claim({ now: w.clock.now, lease: 30, limit: 10, share: 10, except: { hosts: [], subs: [] } })
const sessionsOf = async (w: World, sub: string) => (await w.provider.manage(w.realm)).sessions.list(sub)

/** Every request of the browser, as the application passes it to the provider. */
const requestOf = (w: World, browser: Browser) =>
  new Request(`${w.issuer}/account`, { method: 'POST', headers: { cookie: browser.jar.header() } })
const ACCOUNT = { path: '/account' }

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('step-up of one client', () => {
    it.each<[string, Record<string, string>]>([
      ['in the URL', {}],
      ['too long for a URL, so that the request is stored', { state: 's'.repeat(8192) }],
    ])('begun and cancelled: nothing has changed for the others (%s)', async (_, more) => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      const asked = await stepUp(browser, more)
      expect(answer(asked).to).toBe(`${w.issuer}/login`)
      expect(w.logins.at(-1)).toMatchObject({ reason: 'acr', client: { client_id: 'pay' } })
      expect(asked.headers.get('set-cookie')).toBeNull()
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
      expect(await deliveriesOf(w)).toEqual([])
      expect(typesOf(w)).not.toContain('session.ended')
      const again = answer(await browser.authorize({ prompt: 'none' }))
      expect(payload((await redeem(w, again.code, SECRET)).body.id_token)).toMatchObject({ sid, acr: '1' })
    })

    it('completed: the same session, with the acr, the methods and the time of the login, and a new cookie', async () => {
      const w = await start({ routing })
      const { browser, app, sid, began } = await signedIn(w)
      const old = browser.jar.header()
      w.clock.now += 500
      await stepUp(browser)
      w.clock.now += 20
      const claims = await idTokenOf(w, answer(await browser.signIn('alice', STRONG)))
      expect(claims).toMatchObject({ sid, acr: '2', amr: STRONG, auth_time: w.clock.now })
      expect(await sessionsOf(w, 'alice')).toMatchObject([
        {
          sid,
          created_at: began,
          raised_at: w.clock.now,
          expires_at: began + 2_592_000,
          client_ids: ['app', 'pay'],
        },
      ])
      expect(w.events.filter(({ type }) => type.startsWith('session.'))).toMatchObject([
        { type: 'session.started', sid },
        { type: 'session.raised', sub: 'alice', sid, amr: STRONG, acr: '2', client_id: 'pay' },
      ])
      expect(await deliveriesOf(w)).toEqual([])
      const refreshed = await refreshOf(w, app.refresh_token)
      expect(refreshed.status).toBe(200)
      expect(payload(refreshed.body.id_token)).toMatchObject({ sid, acr: '1', auth_time: began })
      // The old cookie is dead, and the new one lives as long as the session.
      expect(browser.jar.header()).not.toBe(old)
      const copied = w.browser()
      copied.jar.keep(new Response(null, { headers: { 'set-cookie': `${old}; Path=/` } }))
      expect(answer(await copied.authorize({ prompt: 'none' })).error).toBe('login_required')
    })

    it('the new cookie ends with the session, which is not extended', async () => {
      const w = await start({ routing, oidc: { session: { absolute_lifetime: 1000 } } })
      const { browser } = await signedIn(w)
      w.clock.now += 400
      const raised = await w.provider.confirm(requestOf(w, browser), {
        sub: 'alice',
        amr: STRONG,
        return_to: ACCOUNT,
      })
      expect(raised.headers.get('set-cookie')).toMatch(
        /; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      )
      browser.jar.keep(raised)
      w.clock.now += 599
      expect(answer(await browser.authorize({ prompt: 'none' }))).toHaveProperty('code')
      w.clock.now += 1
      expect(answer(await browser.authorize({ prompt: 'none' })).error).toBe('login_required')
    })

    it('too weak again: an error at once, the session has the time of the login, and its acr is not lowered', async () => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      w.clock.now += 5
      await stepUp(browser)
      expect(answer(await browser.signIn()).error).toBe('unmet_authentication_requirements')
      expect(w.logins).toHaveLength(2)
      expect(await sessionsOf(w, 'alice')).toMatchObject([
        { sid, acr: '1', amr: ['pwd'], auth_time: w.clock.now },
      ])
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
    })

    it('a request that began in a browser without a session: the session of the one that continues it stays', async () => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      w.clock.now += 5
      await w.browser().authorize({ client_id: 'pay', acr_values: '2' })
      const { return_to = '' } = w.logins.at(-1) ?? {}
      expect(answer(await browser.get(`${w.issuer}/oauth/authorize/resume?id=${return_to}`)).to).toBe(
        `${w.issuer}/login`,
      )
      expect(w.logins.at(-1)).toMatchObject({ reason: 'acr' })
      expect(await idTokenOf(w, answer(await browser.signIn('alice', STRONG)))).toMatchObject({
        sid,
        acr: '2',
      })
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
    })

    it('another user signs in: a new session, and the one before ends', async () => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      await stepUp(browser)
      const claims = await idTokenOf(w, answer(await browser.signIn('bob', STRONG)))
      expect(claims).toMatchObject({ sub: 'bob', acr: '2' })
      expect(claims.sid).not.toBe(sid)
      expect((await refreshOf(w, app.refresh_token)).body.error).toBe('invalid_grant')
      expect(w.events).toContainEqual(
        expect.objectContaining({ type: 'session.ended', sid, reason: 'new_login' }),
      )
      expect(typesOf(w)).not.toContain('session.raised')
    })

    it('the session has ended meanwhile: a new one', async () => {
      const w = await start({ routing })
      const { browser, sid } = await signedIn(w)
      await stepUp(browser)
      await (await w.provider.manage(w.realm)).sessions.end(sid, 'administrator')
      const claims = await idTokenOf(w, answer(await browser.signIn('alice', STRONG)))
      expect(claims).toMatchObject({ sub: 'alice', acr: '2' })
      expect(claims.sid).not.toBe(sid)
    })

    it.each<[string, Record<string, string>]>([
      ['prompt=login', { prompt: 'login' }],
      ['prompt=select_account', { prompt: 'select_account' }],
      ['max_age', { max_age: '0' }],
    ])('%s ends the session, also beside acr_values', async (_, more) => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      await stepUp(browser, more)
      expect((await refreshOf(w, app.refresh_token)).body.error).toBe('invalid_grant')
      expect(await deliveriesOf(w)).toMatchObject([{ client_id: 'app', sid }])
    })

    it('two logins with the same cookie at once: one raises the session, the other gets a session of its own', async () => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      await stepUp(browser)
      const return_to = w.logins.at(-1)?.return_to ?? ''
      const cookie = browser.jar.header()
      const login = () => {
        const request = new Request(`${w.issuer}/login`, { method: 'POST', headers: { cookie } })
        return w.provider.login(request, { sub: 'alice', amr: STRONG, return_to })
      }
      const both = await Promise.all([login(), login()])
      expect(both.map(({ status }) => status)).toEqual([303, 303])
      expect(typesOf(w).filter((type) => type === 'session.raised')).toHaveLength(1)
      const sids = []
      for (const response of both) {
        const other = w.browser()
        other.jar.keep(response)
        sids.push(
          (await idTokenOf(w, answer(await other.authorize({ client_id: 'pay', prompt: 'none' })))).sid,
        )
      }
      expect(sids.filter((one) => one === sid)).toHaveLength(1)
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
    })
  })

  describe('confirm', () => {
    const confirm = async (w: World, browser: Browser, changes: Record<string, unknown> = {}) => {
      const login = { sub: 'alice', amr: ['otp'], return_to: ACCOUNT, ...changes }
      const response = await w.provider.confirm(requestOf(w, browser), login)
      browser.jar.keep(response)
      return response
    }

    it('raises the session and goes on to the page: the union of the methods, the higher acr, the time', async () => {
      const w = await start({ routing })
      const { browser, app, sid } = await signedIn(w)
      w.clock.now += 60
      const response = await confirm(w, browser, { acr: '2' })
      expect([response.status, response.headers.get('location')]).toEqual([303, `${w.issuer}/account`])
      const raised = { sid, amr: STRONG, acr: '2', auth_time: w.clock.now, raised_at: w.clock.now }
      expect(await w.provider.session(requestOf(w, browser))).toMatchObject({ session: raised })
      w.clock.now += 60
      await confirm(w, browser, { amr: ['pwd'], auth_time: w.clock.now - 5 })
      const [session] = await sessionsOf(w, 'alice')
      expect(session).toMatchObject({ ...raised, auth_time: w.clock.now - 5, raised_at: w.clock.now })
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
    })

    it.each([
      { which: 'the higher one', held: '1', reached: '2', expected: '2' },
      { which: 'not the lower one', held: '2', reached: '1', expected: '2' },
      {
        which: 'one that the realm does not know stands below',
        held: '1',
        reached: 'urn:other',
        expected: '1',
      },
      { which: 'without one, that of its methods alone', held: '1', reached: undefined, expected: '1' },
      { which: 'of a session without one', held: null, reached: '1', expected: '1' },
    ])('acr: $which', async ({ held, reached, expected }) => {
      const w = await start({ routing })
      const { browser, sid } = await signedIn(w)
      const session_hash = `known-${tagOf(sid)}`
      const stored = { auth_time: 1, amr: ['pwd'], acr: held, raised_at: w.clock.now, session_hash }
      const [before] = await sessionsOf(w, 'alice')
      const { sessions } = w.storage(w.realm)
      await sessions.raise(sid, stored, before?.session_hash ?? '')
      await sessions.raise(sid, { ...stored, session_hash: before?.session_hash ?? '' }, session_hash)
      await confirm(w, browser, reached === undefined ? {} : { acr: reached })
      expect(await sessionsOf(w, 'alice')).toMatchObject([{ acr: expected }])
    })

    it('of a pending request: continues with it, whatever the reason of its login', async () => {
      const w = await start({ routing })
      const { browser, sid } = await signedIn(w)
      await w.browser().authorize({ client_id: 'pay' })
      const response = await confirm(w, browser, { return_to: w.logins.at(-1)?.return_to })
      const claims = await idTokenOf(w, answer(await browser.get(response.headers.get('location') ?? '')))
      expect(claims).toMatchObject({ sid, amr: STRONG })
    })

    it('without a session, and for another user: a new session, as login', async () => {
      const w = await start({ routing })
      const nobody = w.browser()
      await confirm(w, nobody)
      expect(await w.provider.session(requestOf(w, nobody))).toMatchObject({ session: { amr: ['otp'] } })
      const { browser, app } = await signedIn(w)
      await confirm(w, browser, { sub: 'bob' })
      expect(await w.provider.session(requestOf(w, browser))).toMatchObject({ session: { sub: 'bob' } })
      expect((await refreshOf(w, app.refresh_token)).body.error).toBe('invalid_grant')
      expect(typesOf(w)).not.toContain('session.raised')
    })

    it('no longer valid when it is stored: the session ends', async () => {
      const w = await start({ routing })
      const { browser, sid } = await signedIn(w)
      const response = await confirm(w, browser, { still_valid: async () => false })
      expect(response.status).toBe(400)
      expect(w.events).toContainEqual(
        expect.objectContaining({ type: 'session.ended', sid, reason: 'login_required' }),
      )
      expect(await w.provider.session(requestOf(w, browser))).toBeNull()
    })

    it.each([[{ path: 'https://other.example/' }], ['unknown']])(
      'a return_to that leads out of the realm or is unknown: an error, and the session stays (%j)',
      async (return_to) => {
        const w = await start({ routing })
        const { browser, sid } = await signedIn(w)
        expect((await confirm(w, browser, { return_to })).status).toBe(400)
        expect(await w.provider.session(requestOf(w, browser))).toMatchObject({
          session: { sid, raised_at: null },
        })
      },
    )
  })

  describe('an acr that no sign-in can reach', () => {
    const ONE = { reachableAcr: () => ['1'] }
    const UNMET = { error: 'unmet_authentication_requirements', state: 'the state' }
    const supported = async (w: World) =>
      (await (await w.browser().get(`${w.issuer}/.well-known/openid-configuration`)).json())
        .acr_values_supported

    it('is refused before a login, signed in or not, and the session stays', async () => {
      const w = await start({ routing, reachable: ONE })
      expect(answer(await stepUp(w.browser()))).toMatchObject(UNMET)
      expect(w.logins).toEqual([])
      const { browser, app } = await signedIn(w)
      for (const more of [{}, { prompt: 'login' }, { max_age: '0' }, { prompt: 'none' }])
        expect(answer(await stepUp(browser, more as Record<string, string>))).toMatchObject(UNMET)
      expect(w.logins).toHaveLength(1)
      expect((await refreshOf(w, app.refresh_token)).status).toBe(200)
    })

    it('is not advertised; a request that also names another one is answered', async () => {
      const w = await start({ routing, reachable: ONE })
      expect(await supported(w)).toEqual(['1'])
      const browser = w.browser()
      await stepUp(browser, { acr_values: '2 1' })
      expect(answer(await browser.signIn())).toHaveProperty('code')
      const all = await start({ routing, reachable: { reachableAcr: () => ['2'] } })
      expect(await supported(all)).toEqual(['1', '2'])
      expect(await supported(await start({ routing }))).toEqual(['1', '2'])
      expect(await supported(await start({ routing, reachable: { reachableAcr: () => [] } }))).toEqual([])
    })

    it('of this account: refused as soon as the user is known', async () => {
      const asked: string[] = []
      const reachableAcrOf = async ({ sub }: { sub: string }) => {
        asked.push(sub)
        return sub === 'bob' ? ['1', '2'] : ['1']
      }
      const w = await start({ routing, reachable: { reachableAcrOf } })
      expect(await supported(w)).toEqual(['1', '2'])
      const { browser } = await signedIn(w)
      expect(asked).toEqual([])
      expect(answer(await stepUp(browser))).toMatchObject(UNMET)
      expect(w.logins).toHaveLength(1)
      // Another user may sign in.
      expect(answer(await stepUp(browser, { prompt: 'select_account' })).to).toBe(`${w.issuer}/login`)
      await browser.signIn('bob')
      expect(answer(await stepUp(browser)).to).toBe(`${w.issuer}/login`)
      expect(asked).toEqual(['alice', 'bob'])
    })

    it('without oidc.acr "require", nothing of it is asked, refused or left out', async () => {
      const reachable = { reachableAcr: () => [], reachableAcrOf: async () => [] }
      const w = await start({ routing, reachable, oidc: { acr: 'tell' } })
      expect(await supported(w)).toEqual(['1', '2'])
      const browser = w.browser()
      expect(answer(await stepUp(browser)).to).toBe(`${w.issuer}/login`)
      expect(answer(await browser.signIn())).toHaveProperty('code')
    })
  })
})
