/** The results of a login: the cookie, the claims about it, and the events. */

import type { Login } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  client,
  payload,
  REDIRECT_URI,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const setUp = async (options: WorldOptions): Promise<World> =>
  world({ clients: [await client({ trusted: true })], ...options })

async function login(w: World, more: Partial<Login> = {}): Promise<Response> {
  await w.browser().authorize()
  const return_to = w.logins.at(-1)?.return_to ?? ''
  const request = new Request(`${w.issuer}/login`, { method: 'POST' })
  return w.provider.login(request, { sub: 'alice', amr: ['pwd'], return_to, ...more })
}

/** Authorizes with this Cookie header. */
const withCookie = (w: World, cookie: string) =>
  w.provider.fetch(new Request(authorizeUrl(w.issuer, { prompt: 'none' }), { headers: { cookie } }))

describe('cookie', () => {
  it.each<[string, WorldOptions, string, string]>([
    ['https', {}, '__Host-ostiary_session', 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure'],
    [
      'https, realms by path',
      { routing: 'path' },
      '__Host-ostiary_session.acme',
      'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    ],
    [
      'http',
      { oidc: { issuer: 'http://localhost:3000' } },
      'ostiary_session',
      'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ],
    [
      'http, realms by path',
      { routing: 'path', oidc: { issuer: 'http://localhost:3000' } },
      'ostiary_session.acme',
      'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ],
    [
      'a lifetime of its own',
      { oidc: { session: { absolute_lifetime: 60 } } },
      '__Host-ostiary_session',
      'Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    ],
  ])('%s', async (...[_, options, name, attributes]) => {
    const w = await setUp(options)
    const lines = (await login(w)).headers.getSetCookie()
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${name.replace('.', '\\.')}=[\\w-]{45}; ${attributes}$`)),
    ])

    const cookie = lines[0]?.split(';')[0] ?? ''
    expect(answer(await withCookie(w, cookie))).toHaveProperty('code')
    const again = new Request(authorizeUrl(w.issuer, { prompt: 'login' }), { headers: { cookie } })
    const forgotten = (await w.provider.fetch(again)).headers.getSetCookie()
    expect(forgotten).toEqual([`${name}=; ${attributes.replace(/Max-Age=\d+/, 'Max-Age=0')}`])
  })

  it('is found among others, and under its own name only', async () => {
    const w = await setUp({})
    const [pair = ''] = (await login(w)).headers.getSetCookie()[0]?.split(';') ?? []
    const [name = '', value = ''] = pair.split('=')
    for (const cookie of [pair, `a=b; ${pair}`, `a=b;${pair};c`, `=; ;; x; ${pair}`])
      expect(answer(await withCookie(w, cookie)), cookie).toHaveProperty('code')
    for (const cookie of [
      '',
      ';',
      `${name}=`,
      `${name}=${value}x`,
      `${name}=${value.slice(1)}`,
      `x${pair}`,
      `ostiary_session=${value}`,
      `__Secure-ostiary_session=${value}`,
      `${name.toLowerCase()}=${value}`,
      `a="${pair}"`,
    ])
      expect(answer(await withCookie(w, cookie)), cookie).toMatchObject({ error: 'login_required' })
  })

  it.each(['single', 'path'] as const)(
    'a name that comes twice was planted: signed out (%s)',
    async (routing) => {
      const w = await setUp({ routing })
      const [pair = ''] = (await login(w)).headers.getSetCookie()[0]?.split(';') ?? []
      const [name = '', value = ''] = pair.split('=')
      expect(answer(await withCookie(w, pair))).toHaveProperty('code')
      for (const cookie of [`${pair}; ${pair}`, `${name}=planted; ${pair}`, `${pair}; a=b; ${name}=`])
        expect(answer(await withCookie(w, cookie)), cookie).toMatchObject({ error: 'login_required' })
      // What a browser sends for another realm's path, or without the prefix, is another name.
      for (const cookie of [`ostiary_session=${value}`, `__Secure-ostiary_session=${value}; x=y`])
        expect(answer(await withCookie(w, `${cookie}; ${pair}`)), cookie).toHaveProperty('code')
    },
  )

  it('storage never sees its value', async () => {
    const w = await setUp({})
    const [pair = ''] = (await login(w)).headers.getSetCookie()[0]?.split(';') ?? []
    const [session] = await w.storage('default').sessions.list('alice')
    expect(session?.session_hash).toMatch(/^[\w-]{45}$/)
    expect(JSON.stringify(session)).not.toContain(pair.split('=')[1])
  })
})

describe('amr, acr and auth_time', () => {
  it.each<[string, Partial<Login>, Record<string, unknown>]>([
    ['one method', { amr: ['pwd'] }, { amr: ['pwd'], acr: '1' }],
    ['two methods', { amr: ['pwd', 'otp'] }, { amr: ['pwd', 'otp'], acr: '2' }],
    ['three methods', { amr: ['pwd', 'otp', 'hwk'] }, { amr: ['pwd', 'otp', 'hwk'], acr: '2' }],
    ['no method known', { amr: [] }, {}],
    ['an acr of its own', { amr: ['pwd'], acr: 'urn:gold' }, { amr: ['pwd'], acr: 'urn:gold' }],
    [
      'an earlier auth_time',
      { auth_time: 1_700_000_000 },
      { amr: ['pwd'], acr: '1', auth_time: 1_700_000_000 },
    ],
    ['auth_time unknown', { auth_time: null }, { amr: ['pwd'], acr: '1', auth_time: undefined }],
  ])('%s', async (_, more, expected) => {
    const w = await setUp({})
    const [cookie = ''] = (await login(w, more)).headers.getSetCookie()[0]?.split(';') ?? []
    const { code } = answer(await withCookie(w, cookie))
    const { amr, acr, auth_time } = payload((await redeem(w, code)).body.id_token)
    expect({ amr, acr, auth_time }).toEqual({ auth_time: w.clock.now, ...expected })
  })

  it('acr values are configurable', async () => {
    const w = await setUp({ oidc: { acr_values_supported: ['low', 'high'] } })
    for (const [amr, acr] of [
      [['pwd'], 'low'],
      [['pwd', 'otp'], 'high'],
    ] as const) {
      const [cookie = ''] = (await login(w, { amr: [...amr] })).headers.getSetCookie()[0]?.split(';') ?? []
      const { code } = answer(await withCookie(w, cookie))
      expect(payload((await redeem(w, code)).body.id_token).acr).toBe(acr)
    }
  })
})

describe.each(['single', 'path'] as const)('events, realms by %s', (routing) => {
  it('of a whole flow, each with its names and fields', async () => {
    const w = await world({ routing, own_key: true })
    const browser = w.browser()
    const about = { time: w.clock.now, realm: w.realm, client_id: 'app' }
    await browser.authorize({ scope: 'openid' })
    await browser.signIn()
    const { code } = answer(await browser.approve())
    const { body } = await redeem(w, code)
    const { sid } = payload(body.id_token)
    await browser.authorize({ prompt: 'login' })
    await browser.signIn('bob', ['pwd', 'otp'])
    await browser.deny()
    await browser.authorize({ scope: 'unheard' })

    const alice = { ...about, sub: 'alice' }
    const bob = { ...about, sub: 'bob' }
    const { client_id: _, ...here } = about
    const from = { username: null, address: null, user_agent: null }
    const grant_id = expect.stringMatching(/^[0-9a-f]{8}[\w-]{24}$/)
    expect(w.events).toEqual([
      { ...about, type: 'authorization.requested', sub: null, outcome: 'login' },
      { ...alice, ...from, type: 'session.started', sid, amr: ['pwd'] },
      { ...alice, type: 'authorization.requested', outcome: 'consent' },
      { ...alice, type: 'consent.approved', scopes: ['openid'], resource: null },
      { ...alice, type: 'code.issued', grant_id },
      { ...here, type: 'key.created', kid: expect.any(String), signs_from: w.clock.now },
      {
        ...alice,
        type: 'token.issued',
        grant_type: 'authorization_code',
        grant_id,
        scopes: ['openid'],
        audience: w.issuer,
      },
      { ...alice, type: 'authorization.requested', outcome: 'login' },
      { ...here, type: 'session.ended', sub: 'alice', sid, reason: 'login_required' },
      { ...bob, ...from, type: 'session.started', sid: expect.any(String), amr: ['pwd', 'otp'] },
      { ...bob, type: 'authorization.requested', outcome: 'consent' },
      { ...bob, type: 'consent.denied' },
      {
        ...about,
        type: 'authorization.refused',
        error: 'invalid_scope',
        reason: 'unknown_scope',
        description: 'A scope is unknown, or its resource is not named',
        redirect_uri: REDIRECT_URI,
        sent: 'scope=unheard',
        hint: 'A requested scope does not exist: correct it, or add it to oidc.scopes or to the scopes of a resource. It is unheard.',
      },
    ])
  })

  it('never contain a secret: no code, cookie, auth_token, return_to or token', async () => {
    const w = await world({ routing })
    const browser = w.browser()
    const { code } = await browser.code({ scope: 'openid offline_access' })
    const { access_token, refresh_token, id_token } = (await redeem(w, code)).body
    await redeem(w, code)
    await browser.authorize({ id_token_hint: id_token })
    await browser.approve()
    await browser.approve()
    await browser.get(`${w.issuer}/oauth/authorize/resume?id=${w.logins[0]?.return_to}`)
    const secrets = [
      String(code),
      access_token,
      refresh_token,
      id_token,
      ...browser.cookies.values(),
      ...w.consents.flatMap(({ auth_token, return_to }) => [auth_token, return_to]),
      ...w.logins.map(({ return_to }) => return_to),
    ]
    expect(secrets.every((secret) => secret.length > 40)).toBe(true)
    expect(w.events.length).toBeGreaterThan(8)
    const emitted = JSON.stringify(w.events)
    expect(secrets.filter((secret) => emitted.includes(secret))).toEqual([])
  })

  it('a sink that throws or rejects makes no request fail', async () => {
    for (const on_event of [
      () => {
        throw new Error('sink')
      },
      () => Promise.reject(new Error('sink')),
    ]) {
      const w = await world({ routing, on_event })
      expect(await w.browser().code()).toHaveProperty('code')
    }
  })
})

describe('still_valid', () => {
  it('is called once the session is stored; false ends it, and no cookie is set', async () => {
    const w = await setUp({})
    const seen: number[] = []
    const response = await login(w, {
      still_valid: async () => {
        seen.push((await w.storage('default').sessions.list('alice')).length)
        return false
      },
    })
    expect(seen).toEqual([1])
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []])
    expect(await w.storage('default').sessions.list('alice')).toEqual([])
    expect((await login(w, { still_valid: async () => true })).headers.getSetCookie()).toHaveLength(1)
  })
})
