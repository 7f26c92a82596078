/** Consent: its states and transitions, who is asked, and what the view gets. */

import { MissingViewError } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  answer,
  type Browser,
  client,
  elsewhere,
  REDIRECT_URI,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const OPENID = 'openid'
const MORE = 'openid email'

async function setUp(options: WorldOptions): Promise<World> {
  const { oidc, ...rest } = options
  const resources = { mcp: { scopes: ['read'] }, files: { scopes: ['read'] } }
  return world({ ...rest, oidc: { resources, scopes: { audit: { hidden: true } }, ...oidc } })
}

async function signedIn(w: World, sub = 'alice'): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize({ prompt: 'login' })
  await browser.signIn(sub)
  return browser
}

/** Sends a request. Returns whether the view was shown, or the code was issued at once. */
async function outcome(browser: Browser, changes: Record<string, string | null>): Promise<'view' | 'code'> {
  const response = await browser.authorize(changes)
  if (response.status === 200) return 'view'
  expect(answer(response)).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
  return 'code'
}

const rows = async (w: World, sub = 'alice') =>
  (await w.storage(w.realm).consents.list(sub)).sort((a, b) => a.resource.localeCompare(b.resource))
const revoke = (w: World, more: { resource?: string } = {}) =>
  w.storage(w.realm).consents.revoke({ sub: 'alice', client_id: 'app', ...more }, w.clock.now)
const shown = (w: World) => w.consents.at(-1)?.scopes.map(({ value }) => value)

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  describe('states and transitions', () => {
    it('none → approve → active: a row is stored, under the issuer for a request that names no resource', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      expect(await rows(w)).toEqual([])
      const { now } = w.clock
      const { code, ...rest } = answer(await browser.approve())
      expect(rest).toEqual({ status: 303, to: REDIRECT_URI, state: 'the state', iss: w.issuer })
      expect(await rows(w)).toEqual([
        {
          sub: 'alice',
          client_id: 'app',
          resource: w.issuer,
          scopes: ['openid', 'profile', 'email'],
          created_at: now,
          updated_at: now,
          revoked_at: null,
        },
      ])
      expect(w.events).toContainEqual({
        type: 'consent.approved',
        time: now,
        realm: w.realm,
        client_id: 'app',
        sub: 'alice',
        scopes: ['openid', 'profile', 'email'],
        resource: null,
      })
      expect((await redeem(w, code)).status).toBe(200)
    })

    it('active → approve again with more scopes → active: they are merged into the stored union', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const created_at = w.clock.now
      await browser.code({ scope: OPENID })
      w.clock.now += 10
      await browser.code({ scope: 'email phone' })
      const union = { resource: w.issuer, scopes: ['openid', 'email', 'phone'], created_at }
      expect(await rows(w)).toMatchObject([{ ...union, updated_at: created_at + 10 }])
      expect(await outcome(browser, { scope: 'phone openid' })).toBe('code')
    })

    it('the union is kept for each resource by itself', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const mcp = `${w.issuer}/mcp`
      const files = `${w.issuer}/files`
      await browser.code({ scope: 'read', resource: mcp })
      await browser.code({ scope: 'read openid', resource: files })
      await browser.code({ scope: MORE, resource: mcp })
      await browser.code({ scope: OPENID })
      expect(await rows(w)).toMatchObject([
        { resource: w.issuer, scopes: ['openid'] },
        { resource: files, scopes: ['read', 'openid'] },
        { resource: mcp, scopes: ['read', 'openid', 'email'] },
      ])
    })

    it.each([MORE, OPENID, 'email openid', 'email'])(
      'active → a request whose scopes are covered (%s): the view is skipped',
      async (scope) => {
        const w = await setUp({ routing })
        await w.browser().code({ scope: MORE })
        const browser = await signedIn(w)
        expect(await outcome(browser, { scope })).toBe('code')
        expect(await rows(w)).toMatchObject([{ scopes: ['openid', 'email'] }])
      },
    )

    it.each<[string, string, string | null]>([
      ['one scope more', 'openid email phone', null],
      ['a hidden scope more', 'openid email audit', null],
      ['another resource', MORE, 'mcp'],
    ])(
      'active → a request with a scope in play that is not covered (%s): the view is shown again',
      async (...row) => {
        const [, scope, key] = row
        const w = await setUp({ routing })
        const browser = w.browser()
        await browser.code({ scope: MORE })
        expect(await outcome(browser, { scope, resource: key && `${w.issuer}/${key}` })).toBe('view')
      },
    )

    it("one user's consent, or one client's, is not another's", async () => {
      const clients = [await client(), await client({ client_id: 'other' })]
      const w = await setUp({ routing, clients })
      const browser = w.browser()
      await browser.code()
      expect(await outcome(browser, { client_id: 'other' })).toBe('view')
      expect(await outcome(await signedIn(w, 'bob'), {})).toBe('view')
      expect(await outcome(browser, {})).toBe('code')
    })

    it('active → withdrawn for all resources → revoked: the view returns on the next request', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const resource = `${w.issuer}/mcp`
      await browser.code()
      await browser.code({ resource })
      expect(await revoke(w)).toBe(2)
      const revoked_at = w.clock.now
      expect(await rows(w)).toMatchObject([{ revoked_at }, { revoked_at }])
      expect([await outcome(browser, {}), await outcome(browser, { resource })]).toEqual(['view', 'view'])
    })

    it('active → withdrawn for one resource → the others stay active', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const resource = `${w.issuer}/mcp`
      await browser.code()
      await browser.code({ resource })
      expect(await revoke(w, { resource })).toBe(1)
      expect([await outcome(browser, {}), await outcome(browser, { resource })]).toEqual(['code', 'view'])
    })

    it('revoked → approve again → active: the same row, holding the newly approved scopes only', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const created_at = w.clock.now
      await browser.code({ scope: MORE })
      await revoke(w)
      w.clock.now += 10
      await browser.code({ scope: OPENID })
      expect(await rows(w)).toMatchObject([{ created_at, scopes: ['openid'], revoked_at: null }])
      expect(await outcome(browser, { scope: MORE })).toBe('view')
    })

    it.each([false, true])(
      'any → deny → unchanged: nothing is stored (stored before: %s)',
      async (before) => {
        const w = await setUp({ routing })
        const browser = w.browser()
        if (before) await browser.code({ scope: OPENID })
        const stored = await rows(w)
        await browser.authorize({ scope: MORE })
        if (!before) await browser.signIn()
        expect(answer(await browser.deny())).toEqual({
          status: 303,
          to: REDIRECT_URI,
          error: 'access_denied',
          error_description: expect.any(String),
          state: 'the state',
          iss: w.issuer,
        })
        expect(await rows(w)).toEqual(stored)
        const denied = { type: 'consent.denied', client_id: 'app', sub: 'alice' }
        expect(w.events).toContainEqual({ time: w.clock.now, realm: w.realm, ...denied })
        expect(await outcome(browser, { scope: MORE })).toBe('view')
      },
    )

    it('any → token expiry or token revocation → unchanged', async () => {
      const w = await setUp({ routing })
      const browser = w.browser()
      const { code } = await browser.code()
      const stored = await rows(w)
      const token = (await redeem(w, code)).body.refresh_token
      expect((await w.post('/oauth/revoke', { client_id: 'app', token })).status).toBe(200)
      w.clock.now += 20 * 86_400
      await w.provider.tick()
      expect(await rows(w)).toEqual(stored)
      expect(await outcome(browser, {})).toBe('code')
    })
  })

  describe('who sees the view', () => {
    const trusted = { trusted: true }
    const notRequired = { consent_required: false }

    it.each([
      { name: 'an ordinary client', fields: {}, changes: {}, sees: true },
      { name: 'a trusted first-party client', fields: trusted, changes: {}, sees: false },
      { name: 'a client with consent_required false', fields: notRequired, changes: {}, sees: false },
      {
        name: 'a trusted first-party client with prompt=consent',
        fields: trusted,
        changes: { prompt: 'consent' },
        sees: false,
      },
      {
        name: 'a client with consent_required false and prompt=consent',
        fields: notRequired,
        changes: { prompt: 'consent' },
        sees: false,
      },
    ])('$name sees it: $sees; a consent is stored only then', async ({ fields, changes, sees }) => {
      const w = await setUp({ routing, clients: [await client(fields)] })
      expect(await w.browser().code(changes)).toHaveProperty('code')
      expect(w.consents).toHaveLength(sees ? 1 : 0)
      expect(await rows(w)).toHaveLength(sees ? 1 : 0)
    })

    it('prompt=none when consent is needed is consent_required', async () => {
      const w = await setUp({ routing })
      const browser = await signedIn(w)
      const refused = answer(await browser.authorize({ prompt: 'none' }))
      expect(refused).toMatchObject({ error: 'consent_required', state: 'the state', iss: w.issuer })
      expect(w.consents).toHaveLength(1)
    })

    it('without a consent view from the application a missing-view error is raised', async () => {
      const w = await setUp({ routing, without_consent_view: true })
      const browser = w.browser()
      await browser.authorize()
      await expect(browser.signIn()).rejects.toThrow(MissingViewError)
      await expect(browser.authorize()).rejects.toThrow(MissingViewError)
      expect(await rows(w)).toEqual([])
      expect(answer(await browser.authorize({ prompt: 'none' }))).toMatchObject({ error: 'consent_required' })
    })
  })

  describe('what the view gets', () => {
    it('the client, the user, the scopes, the resources, the auth_token and where the answer goes', async () => {
      const redirect_uri = 'https://client.example.com:8443/callback'
      const app = await client({ redirect_uris: [redirect_uri], origin: 'registered' })
      const w = await setUp({ routing, clients: [app] })
      const browser = w.browser()
      await browser.authorize({ redirect_uri, scope: 'openid read', resource: `${w.issuer}/mcp` })
      await browser.signIn()
      const [prompt] = w.consents
      expect(prompt).toMatchObject({
        client: app,
        user: w.accounts.get('alice'),
        resources: [`${w.issuer}/mcp`],
        redirect_uri,
        redirect_host: 'client.example.com:8443',
        action: `${w.issuer}/oauth/authorize/consent`,
        auth_token: expect.stringMatching(/^[\w-]{43}$/),
        scopes: [
          { value: 'openid', description: 'Know who you are', severity: 'normal' },
          { value: 'read', description: null, severity: 'normal' },
        ],
      })
      expect(prompt?.realm.issuer).toBe(w.issuer)
      expect(prompt?.return_to).not.toBe(prompt?.auth_token)
    })

    it('no resources for a request that names none, and the scheme of a native client', async () => {
      const redirect_uri = 'com.example.app://callback/path'
      const w = await setUp({ routing, clients: [await client({ redirect_uris: [redirect_uri] })] })
      const browser = w.browser()
      await browser.authorize({ redirect_uri })
      await browser.signIn()
      expect(w.consents[0]).toMatchObject({ resources: [], redirect_host: 'com.example.app://callback' })
    })

    it('says which scopes are sensitive', async () => {
      const scopes = { audit: { severity: 'high' as const }, email: { severity: 'high' as const }, logs: {} }
      const w = await setUp({ routing, oidc: { scopes } })
      const browser = w.browser()
      await browser.authorize({ scope: 'openid email audit logs' })
      await browser.signIn()
      expect(w.consents[0]?.scopes.map(({ value, severity }) => [value, severity])).toEqual([
        ['openid', 'normal'],
        ['email', 'high'],
        ['audit', 'high'],
        ['logs', 'normal'],
      ])
    })

    it('hidden scopes are granted without being shown', async () => {
      const w = await setUp({ routing })
      const { code } = await w.browser().code({ scope: 'openid offline_access audit' })
      expect(shown(w)).toEqual(['openid'])
      expect((await redeem(w, code)).body.scope).toBe('openid offline_access audit')
      expect(await rows(w)).toMatchObject([{ scopes: ['openid', 'offline_access', 'audit'] }])
    })

    it.each<[string, WorldOptions['oidc'], string[] | null]>([
      ["the client's own", {}, ['email']],
      ["the realm's", { clients: { default_scopes: ['email'] } }, null],
    ])('default scopes are in play: %s', async (_, oidc = {}, default_scopes) => {
      const w = await setUp({ routing, oidc, clients: [await client({ default_scopes })] })
      const browser = w.browser()
      const { code } = await browser.code({ scope: OPENID })
      expect(shown(w)).toEqual(['openid', 'email'])
      expect((await redeem(w, code)).body.scope).toBe('openid email')
      // A default scope that is added later is not covered by the stored consent.
      const changed = await client({ default_scopes: ['email', 'phone'] })
      await elsewhere(w, (clients) => clients.update(changed))
      expect(await outcome(browser, { scope: OPENID })).toBe('view')
      expect(shown(w)).toEqual(['openid', 'email', 'phone'])
    })
  })
})
