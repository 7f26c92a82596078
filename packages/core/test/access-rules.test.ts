/** Who may use a client: `allowed_groups` and `required_acr`, where codes and tokens are issued, and the policy of the application. */

import type { AccessPolicy, Account, Client, ClientChanges, OidcEvent, RefusedPrompt } from '@ostiary/core'
import { describe, expect, it, vi } from 'vitest'
import {
  ALICE,
  answer,
  BOB,
  type Browser,
  bearer,
  CLIENT_SECRET,
  client,
  REDIRECT_URI,
  redeem,
  tokens,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const API = 'https://api.example.net'
const SECRET = { client_secret: CLIENT_SECRET }
const STAFF = { allowed_groups: ['staff', 'admins'] }

const inGroups = (account: Account, groups: unknown): Account => ({ ...account, attributes: { groups } })
const setGroups = (w: World, groups: unknown, account: Account = ALICE) =>
  void w.accounts.set(account.sub, inGroups(account, groups))
/** From now on, the records of the client are these in every cache. */
const change = async (w: World, changes: ClientChanges) =>
  (await w.provider.manage(w.realm)).clients.update('app', changes)

interface AccessWorld extends World {
  refused: RefusedPrompt[]
}

/** Alice is in staff, Bob is not. The client `app` has the rules, `other` has none. */
async function start(
  rules: Partial<Client>,
  { page = true, ...options }: WorldOptions & { page?: boolean } = {},
): Promise<AccessWorld> {
  const refused: RefusedPrompt[] = []
  const others = { client_id: 'other', client_name: 'Another', trusted: true }
  const show = async (prompt: RefusedPrompt) => {
    refused.push(prompt)
    return new Response('the page of a refusal', { status: 403 })
  }
  const w = await world({
    clients: [await client({ trusted: true, ...rules }), await client(others)],
    reachable: { ...(page && { refused: show }) } as NonNullable<WorldOptions['reachable']>,
    ...options,
  })
  setGroups(w, ['staff', 'sales'])
  setGroups(w, ['sales'], BOB)
  return { ...w, refused }
}

const signedIn = async (w: World, sub = 'alice', amr = ['pwd']): Promise<Browser> => {
  const browser = w.browser()
  await browser.authorize({ client_id: 'other' })
  await browser.signIn(sub, amr)
  return browser
}
const denials = (w: World) => w.events.filter(({ type }) => type === 'access.denied')
const last = (w: World, type: OidcEvent['type']) => w.events.findLast((event) => event.type === type)
const refresh = (w: World, refresh_token: string, form: Record<string, string> = {}) =>
  tokens(w, { grant_type: 'refresh_token', client_id: 'app', refresh_token, ...form })
const DENIED = { to: REDIRECT_URI, error: 'access_denied', state: 'the state' }

describe.each(['single', 'path'] as const)('realms by %s: the authorization', (routing) => {
  it('gives a user in one of the groups a code, and tokens', async () => {
    const w = await start(STAFF, { routing })
    const { code } = await w.browser().code()
    expect((await redeem(w, code)).status).toBe(200)
    expect([w.refused, denials(w)]).toEqual([[], []])
  })

  it('shows any other user the page, after the sign-in, with what it needs', async () => {
    const w = await start(STAFF, { routing })
    const browser = w.browser()
    await browser.authorize({ ui_locales: 'de' })
    expect((await browser.signIn('bob')).status).toBe(403)
    expect(w.refused).toEqual([
      expect.objectContaining({
        client: expect.objectContaining({ client_id: 'app' }),
        user: expect.objectContaining({ sub: 'bob' }),
        rule: 'groups',
        redirect_uri: REDIRECT_URI,
        reference: null,
        ui_locales: ['de'],
      }),
    ])
    expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'app', sub: 'bob', rule: 'groups' })])
    expect(last(w, 'authorization.refused')).toMatchObject({
      client_id: 'app',
      sub: 'bob',
      error: 'access_denied',
      reason: 'user_in_no_allowed_group',
      hint: expect.stringContaining('allowed_groups'),
    })
    expect(last(w, 'code.issued')).toBeUndefined()
  })

  it('the way back redirects with access_denied, state and iss, and answers the request once', async () => {
    const w = await start(STAFF, { routing })
    const browser = await signedIn(w, 'bob')
    await browser.authorize()
    const return_to = w.refused[0]?.return_to ?? ''
    const back = () => w.provider.cancel(new Request(`${w.issuer}/login`, { method: 'POST' }), { return_to })
    expect(answer(await back())).toMatchObject({ ...DENIED, iss: w.issuer })
    expect((await back()).status).toBe(400)
    // In another group by now, but the request was answered.
    setGroups(w, ['staff'], BOB)
    const resumed = await browser.get(
      `${w.issuer}/oauth/authorize/resume?${new URLSearchParams({ id: return_to })}`,
    )
    expect([resumed.status, resumed.headers.get('location')]).toEqual([400, null])
  })

  it('goes on when the user is in a group by now, or another user signs in', async () => {
    const w = await start(STAFF, { routing })
    const browser = await signedIn(w, 'bob')
    await browser.authorize()
    const return_to = w.refused[0]?.return_to ?? ''
    const resume = () =>
      browser.get(`${w.issuer}/oauth/authorize/resume?${new URLSearchParams({ id: return_to })}`)
    expect((await resume()).status).toBe(403)
    const login = await w.provider.login(
      new Request(`${w.issuer}/login`, { method: 'POST', headers: { cookie: browser.jar.header() } }),
      { sub: 'alice', amr: ['pwd'], return_to },
    )
    browser.jar.keep(login)
    expect(answer(await resume())).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
  })

  it('prompt=none redirects at once, and so does an application without the page', async () => {
    const w = await start(STAFF, { routing })
    const browser = await signedIn(w, 'bob')
    expect(answer(await browser.authorize({ prompt: 'none' }))).toMatchObject({ ...DENIED, iss: w.issuer })
    expect([w.refused, denials(w).length]).toEqual([[], 1])
    const without = await start(STAFF, { routing, page: false })
    const other = await signedIn(without, 'bob')
    expect(answer(await other.authorize())).toMatchObject({ ...DENIED, iss: without.issuer })
    expect(last(without, 'authorization.refused')).toMatchObject({ reason: 'user_in_no_allowed_group' })
  })

  it('another client of the same user is not concerned', async () => {
    const w = await start(STAFF, { routing })
    const browser = await signedIn(w, 'bob')
    expect(answer(await browser.authorize({ client_id: 'other' }))).toHaveProperty('code')
    expect(denials(w)).toEqual([])
  })

  it('the groups are asked again when the user consents: one who was removed meanwhile gets no code', async () => {
    const w = await start({ ...STAFF, trusted: false }, { routing })
    const browser = await signedIn(w)
    expect((await browser.authorize()).status).toBe(200)
    setGroups(w, [])
    expect(answer(await browser.approve())).toMatchObject({ ...DENIED, iss: w.issuer })
    expect(last(w, 'consent.approved')).toBeUndefined()
    expect(await w.storage(w.realm).consents.list('alice')).toEqual([])
    expect(denials(w)).toHaveLength(1)
  })
})

describe('a group', () => {
  it.each<[string, [string[], string[]], boolean]>([
    ['with odd characters', [['Ä, "ü" \'--', '<b>'], ['<b>']], true],
    ['in another case', [['Staff'], ['staff']], false],
    ['with a space more', [['staff '], ['staff']], false],
    ['that another begins with', [['staff'], ['staff-guests']], false],
    ['named as a member of every object', [['constructor', '__proto__'], []], false],
    ['named *', [['*'], ['staff']], false],
  ])('%s, and those of the user: %j, %s', async (_, [allowed_groups, groups], is_allowed) => {
    const w = await start({ allowed_groups })
    setGroups(w, groups)
    const browser = await signedIn(w)
    expect((await browser.authorize()).status).toBe(is_allowed ? 302 : 403)
  })

  it.each([
    ['no attributes', undefined],
    ['no groups', {}],
    ['a text in place of a list', { groups: 'staff' }],
    ['a list of other values', { groups: [['staff'], null, 1] }],
    ['an object', { groups: { staff: 'staff' } }],
  ])('a user with %s is in none', async (_, attributes) => {
    const w = await start(STAFF)
    w.accounts.set('alice', { ...ALICE, ...(attributes && { attributes }) })
    expect((await (await signedIn(w)).authorize()).status).toBe(403)
  })

  it('an empty list, which no operator can give, allows nobody', async () => {
    const w = await start({ allowed_groups: [] })
    expect((await (await signedIn(w)).authorize()).status).toBe(403)
  })

  it('a record of a storage that does not know the members has no rule', async () => {
    const w = await start({ allowed_groups: undefined, required_acr: undefined } as unknown as Client)
    expect(answer(await (await signedIn(w, 'bob')).authorize())).toHaveProperty('code')
  })
})

describe('tokens', () => {
  const granted = async (w: World, changes: Record<string, string> = {}, sub = 'alice') => {
    const browser = await signedIn(w, sub)
    return answer(await browser.authorize(changes)).code
  }

  it('a fresh code of a user who is removed from the group before it is redeemed', async () => {
    const w = await start(STAFF)
    const code = await granted(w)
    setGroups(w, ['sales'])
    const { status, body } = await redeem(w, code)
    expect([status, body.error, body.access_token]).toEqual([400, 'invalid_grant', undefined])
    expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'app', sub: 'alice', rule: 'groups' })])
    setGroups(w, ['staff'])
    expect((await redeem(w, code)).body.error).toBe('invalid_grant')
  })

  it('a refresh of a user who was removed: refused, and the grant is revoked with all its tokens', async () => {
    const w = await start(STAFF)
    const { body } = await redeem(w, await granted(w))
    setGroups(w, ['sales'])
    const refused = await refresh(w, body.refresh_token)
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: expect.stringMatching(/^The grant is invalid, expired/) },
    ])
    expect(last(w, 'request.refused')).toMatchObject({
      sub: 'alice',
      reason: 'user_in_no_allowed_group',
    })
    expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'app', sub: 'alice', rule: 'groups' })])
    // Back in the group: what was revoked stays so.
    setGroups(w, ['staff'])
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_grant')
    const userinfo = await w.provider.fetch(
      new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(body.access_token) }),
    )
    expect(userinfo.status).toBe(401)
  })

  it('UserInfo accepts the access token until then', async () => {
    const w = await start(STAFF)
    const { body } = await redeem(w, await granted(w))
    setGroups(w, ['sales'])
    const userinfo = await w.provider.fetch(
      new Request(`${w.issuer}/oauth/userinfo`, { headers: bearer(body.access_token) }),
    )
    expect(userinfo.status).toBe(200)
  })

  it('a grant of the same user for another client lives, and one of another user', async () => {
    const w = await start(STAFF)
    setGroups(w, ['admins'], BOB)
    const { body } = await redeem(w, await granted(w))
    const of_bob = (await redeem(w, await granted(w, {}, 'bob'))).body
    const elsewhere = (await redeem(w, await granted(w, { client_id: 'other' }), { client_id: 'other' })).body
    setGroups(w, ['sales'])
    expect((await refresh(w, body.refresh_token)).status).toBe(400)
    expect((await refresh(w, of_bob.refresh_token)).status).toBe(200)
    expect((await refresh(w, elsewhere.refresh_token, { client_id: 'other' })).status).toBe(200)
  })

  it('a rule that is set after the grant counts at its next refresh', async () => {
    const w = await start({})
    const { body } = await redeem(w, await granted(w))
    await change(w, { required_acr: '2' })
    expect((await refresh(w, body.refresh_token)).body.error).toBe('invalid_grant')
    expect(denials(w)).toEqual([expect.objectContaining({ sub: 'alice', rule: 'acr' })])
  })

  it('a refresh that another client sends does not revoke the grant', async () => {
    const w = await start(STAFF)
    const { body } = await redeem(w, await granted(w))
    setGroups(w, ['sales'])
    expect((await refresh(w, body.refresh_token, { client_id: 'other' })).status).toBe(400)
    setGroups(w, ['staff'])
    expect((await refresh(w, body.refresh_token)).status).toBe(200)
  })
})

describe('token exchange', () => {
  const grant_types = ['authorization_code', 'refresh_token', EXCHANGE]
  const apis = { allowed_exchange_audiences: [API] }
  const OIDC = {
    resources: { [API]: { scopes: [], clients: ['service'] } },
    clients: { token_exchange: true },
  }

  /** `app` exchanges its own tokens; `service` is the API and exchanges those that it gets. */
  async function exchanging(rules: { app?: Partial<Client>; service?: Partial<Client> } = {}) {
    const w = await start(
      {},
      {
        oidc: OIDC,
        clients: [
          await client({ ...SECRET, trusted: true, grant_types, ...apis, ...rules.app }),
          await client({ ...SECRET, client_id: 'service', grant_types, ...apis, ...rules.service }),
          await client({ client_id: 'other', trusted: true }),
        ],
      },
    )
    const browser = await signedIn(w)
    const { code } = answer(
      await browser.authorize({ scope: 'openid offline_access', resource: API, prompt: 'consent' }),
    )
    const { body } = await redeem(w, code, SECRET)
    return { w, ...body }
  }
  const exchange = (w: World, subject_token: string, client_id = 'app') =>
    tokens(w, {
      grant_type: EXCHANGE,
      client_id,
      ...SECRET,
      subject_token,
      subject_token_type: ACCESS_TOKEN,
      audience: API,
    })

  it('by the client itself: refused, and the grant is revoked', async () => {
    const { w, access_token, refresh_token } = await exchanging({ app: STAFF })
    expect((await exchange(w, access_token)).status).toBe(200)
    setGroups(w, [])
    expect((await exchange(w, access_token)).body).toMatchObject({ error: 'invalid_grant' })
    setGroups(w, ['staff'])
    expect((await refresh(w, refresh_token, SECRET)).body.error).toBe('invalid_grant')
    expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'app', sub: 'alice', rule: 'groups' })])
  })

  it('by an API: the rules of the client of the grant count, also for a token that was exchanged', async () => {
    const { w, access_token, refresh_token } = await exchanging({ app: STAFF })
    const first = await exchange(w, access_token, 'service')
    expect(first.status).toBe(200)
    setGroups(w, [])
    expect((await exchange(w, first.body.access_token, 'service')).body).toMatchObject({
      error: 'invalid_grant',
    })
    setGroups(w, ['staff'])
    expect((await refresh(w, refresh_token, SECRET)).body.error).toBe('invalid_grant')
  })

  it('by an API that the user may not use: refused, and the grant of the other client lives', async () => {
    const { w, access_token, refresh_token } = await exchanging({
      service: { allowed_groups: ['operators'] },
    })
    expect((await exchange(w, access_token, 'service')).body).toMatchObject({ error: 'invalid_grant' })
    expect(denials(w)).toEqual([
      expect.objectContaining({ client_id: 'service', sub: 'alice', rule: 'groups' }),
    ])
    expect((await refresh(w, refresh_token, SECRET)).status).toBe(200)
  })

  it('by an API that requires a stronger sign-in', async () => {
    const { w, access_token } = await exchanging({ service: { required_acr: '2' } })
    expect((await exchange(w, access_token, 'service')).body).toMatchObject({ error: 'invalid_grant' })
    expect(denials(w)).toEqual([expect.objectContaining({ client_id: 'service', rule: 'acr' })])
  })

  it('of a token that an API has exchanged, and may not any more', async () => {
    const { w, access_token } = await exchanging({ service: { allowed_groups: ['sales'] } })
    const first = await exchange(w, access_token, 'service')
    setGroups(w, [])
    expect((await exchange(w, first.body.access_token, 'service')).body).toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('required_acr', () => {
  const UNMET = { to: REDIRECT_URI, error: 'unmet_authentication_requirements' }

  it('a sign-in that is too weak is raised in place, and other applications go on', async () => {
    const w = await start({ required_acr: '2' })
    const browser = await signedIn(w)
    const before = await w.provider.session(
      new Request(w.issuer, { headers: { cookie: browser.jar.header() } }),
    )
    expect(answer(await browser.authorize()).to).toBe(`${w.issuer}/login`)
    expect(w.logins.at(-1)).toMatchObject({ reason: 'acr', client: { client_id: 'app', required_acr: '2' } })
    expect(answer(await browser.signIn('alice', ['pwd', 'otp']))).toHaveProperty('code')
    const after = await w.provider.session(
      new Request(w.issuer, { headers: { cookie: browser.jar.header() } }),
    )
    expect([after?.session.sid, after?.session.acr]).toEqual([before?.session.sid, '2'])
    expect(last(w, 'session.ended')).toBeUndefined()
  })

  it('a login that is still too weak gets no further one, whatever the request asks for', async () => {
    for (const more of [{}, { acr_values: '1' }, { prompt: 'login' }]) {
      const w = await start({ required_acr: '2' })
      const browser = w.browser()
      await browser.authorize(more)
      let response = await browser.signIn()
      if (response.headers.get('location')?.startsWith(`${w.issuer}/login`)) response = await browser.signIn()
      expect(answer(response)).toMatchObject(UNMET)
      expect(last(w, 'authorization.refused')).toMatchObject({ reason: 'sign_in_below_required_acr' })
      expect(w.logins.length).toBeLessThanOrEqual(2)
    }
  })

  it('prompt=none, and a value that no sign-in reaches: the error at once', async () => {
    const w = await start({ required_acr: '2' })
    expect(answer(await (await signedIn(w)).authorize({ prompt: 'none' }))).toMatchObject(UNMET)
    expect(last(w, 'authorization.refused')).toMatchObject({ reason: 'sign_in_below_required_acr' })
    const low = await start({ required_acr: '2' }, { reachable: { reachableAcr: () => ['1'] } })
    expect(answer(await low.browser().authorize())).toMatchObject(UNMET)
    expect(last(low, 'authorization.refused')).toMatchObject({ reason: 'sign_in_below_required_acr' })
    expect(low.logins).toEqual([])
  })

  it('one that is met is not named as the reason where the request asks for more', async () => {
    const w = await start({ required_acr: '1' }, { oidc: { acr: 'require' } })
    const silent = await (await signedIn(w)).authorize({ prompt: 'none', acr_values: '2' })
    expect(answer(silent)).toMatchObject(UNMET)
    expect(last(w, 'authorization.refused')).toMatchObject({ reason: 'unmet_authentication_requirements' })
  })

  it('a value that the realm does not support any more is met by no other', async () => {
    const w = await start({ required_acr: '2' }, { oidc: { acr_values_supported: ['low', 'high'] } })
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn('alice', ['pwd', 'otp'])
    expect(answer(await browser.signIn('alice', ['pwd', 'otp']))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
  })

  it('the higher one counts, of that of the client and that of the request', async () => {
    const w = await start({ required_acr: '1' }, { oidc: { acr: 'require' } })
    expect(answer(await (await signedIn(w)).authorize({ acr_values: '2' })).to).toBe(`${w.issuer}/login`)
    const other = await start({ required_acr: '2' }, { oidc: { acr: 'require' } })
    expect(answer(await (await signedIn(other)).authorize({ acr_values: '1' })).to).toBe(
      `${other.issuer}/login`,
    )
  })
})

describe('the policy of the application', () => {
  const withPolicy = (access_policy: AccessPolicy, more: WorldOptions = {}) =>
    start(STAFF, { access_policy, ...more })
  const UNAVAILABLE = { to: REDIRECT_URI, error: 'temporarily_unavailable', state: 'the state' }

  it('is asked once an authorization, for a user whom the rules allow, and not at a refresh', async () => {
    const policy = vi.fn<AccessPolicy>(() => true)
    const w = await withPolicy(policy)
    const browser = w.browser()
    await browser.authorize()
    expect(policy).not.toHaveBeenCalled()
    const { code } = answer(await browser.signIn())
    const { body } = await redeem(w, code)
    await refresh(w, body.refresh_token)
    expect(policy.mock.calls).toEqual([
      [
        {
          realm: expect.objectContaining({ id: 'default' }),
          client: expect.objectContaining({ client_id: 'app' }),
          user: expect.objectContaining({ sub: 'alice' }),
          session: expect.objectContaining({ sub: 'alice', acr: '1' }),
        },
      ],
    ])
    await (await signedIn(w, 'bob')).authorize()
    expect(policy.mock.calls.filter(([one]) => one.client.client_id === 'app')).toHaveLength(1)
  })

  it('may refuse, with a reason for the event', async () => {
    const w = await withPolicy(async ({ client: { client_id } }) =>
      client_id === 'app' ? { reason: 'no_licence' } : true,
    )
    const browser = await signedIn(w)
    expect((await browser.authorize()).status).toBe(403)
    expect(w.refused).toEqual([expect.objectContaining({ rule: 'policy' })])
    expect(last(w, 'authorization.refused')).toMatchObject({ reason: 'application_no_licence' })
    expect(denials(w)).toEqual([expect.objectContaining({ rule: 'policy', sub: 'alice' })])
    expect(answer(await browser.authorize({ prompt: 'none' }))).toMatchObject(DENIED)
  })

  it.each<[string, unknown]>([
    ['false', false],
    ['undefined', undefined],
    ['null', null],
    ['1', 1],
    ['"true"', 'true'],
    ['an empty object', {}],
    ['no text as the reason', { reason: true }],
    ['an empty reason', { reason: '' }],
    ['a reason of 65 characters', { reason: 'a'.repeat(65) }],
    ['a reason with other characters', { reason: 'no licence\n' }],
  ])('fails closed with %s', async (_, garbage) => {
    const w = await withPolicy(() => garbage as true)
    const browser = w.browser()
    await browser.authorize()
    expect(answer(await browser.signIn())).toMatchObject(UNAVAILABLE)
    expect(last(w, 'server.error')).toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('access_policy must return true') }),
    })
    expect([w.refused, last(w, 'code.issued')]).toEqual([[], undefined])
  })

  it('accepts a reason of 64 characters', async () => {
    const reason = 'a'.repeat(64)
    const w = await withPolicy(() => ({ reason }))
    const browser = w.browser()
    await browser.authorize()
    await browser.signIn()
    expect(last(w, 'authorization.refused')).toMatchObject({ reason: `application_${reason}` })
  })

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('fails closed when it %s', async (_, policy) => {
    const w = await withPolicy(policy)
    const browser = w.browser()
    await browser.authorize()
    expect(answer(await browser.signIn())).toMatchObject(UNAVAILABLE)
    expect(last(w, 'server.error')).toMatchObject({ cause: expect.objectContaining({ message: 'down' }) })
  })

  it('fails closed when it hangs for 1,000 ms, and not after 999', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let asked = () => {}
      const reached = new Promise<void>((resolve) => {
        asked = resolve
      })
      const w = await withPolicy(() => {
        asked()
        return new Promise(() => {})
      })
      const browser = w.browser()
      await browser.authorize()
      const pending = browser.signIn()
      await reached
      await vi.advanceTimersByTimeAsync(999)
      expect(last(w, 'server.error')).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(answer(await pending)).toMatchObject(UNAVAILABLE)
      expect(last(w, 'server.error')).toMatchObject({
        cause: expect.objectContaining({ message: expect.stringContaining('1000 ms') }),
      })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
