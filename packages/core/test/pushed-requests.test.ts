/** Pushed authorization requests (RFC 9126) at the authorization endpoint: where they are kept, and that each has one answer. */

import { type ErrorPrompt, type RealmStorage, type Storage, sha256, type Throttle } from '@ostiary/core'
import { memoryStorage } from '@ostiary/core/memory'
import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { publishedDocuments } from '@ostiary/test-kit/published-documents'
import { describe, expect, it } from 'vitest'
import { ON, open, parameters, push, pushed, pushedUrl, REQUEST_URI } from './par.js'
import {
  answer,
  authorizeUrl,
  CLIENT_SECRET,
  client,
  formRequest,
  redeem,
  type World,
  type WorldOptions,
  world,
} from './support.js'

const LIFETIME = 90
const PENDING = 600
const CALLERS = 50
/** Longer than what a token seals. */
const LONG = { state: 's'.repeat(8192) }

const TRUSTED = await client({ trusted: true })
const start = ({ oidc, ...options }: WorldOptions = {}) =>
  world({ routing: 'path', clients: [TRUSTED], oidc: { ...ON, ...oidc }, ...options })

const codes = (w: World) => w.events.filter(({ type }) => type === 'code.issued')
const isLogin = (w: World, response: Response) =>
  response.headers.get('location')?.startsWith(`${w.issuer}/login?`) === true
const resumeUrl = (w: World, token: string) =>
  `${w.issuer}/oauth/authorize/resume?id=${encodeURIComponent(token)}`

/** 400 without a redirect; which of the reasons it is, the event alone says. */
async function refused(w: World, response: Response, reason: string): Promise<void> {
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(w.events.at(-1)).toMatchObject({ type: 'request.refused', route: 'oidc.authorize', reason })
  if (!/^(?:unknown|expired)_request_uri$/.test(reason)) return
  expect(await response.json()).toEqual({
    error: 'invalid_request_uri',
    error_description:
      'The request_uri is unknown, expired or used already. Go back to the application and start again.',
  })
}

it('is answered with 201, and stored by a hash', async () => {
  const inner = memoryStorage()
  const written: string[] = []
  const storage: Storage = (realm) => {
    const stores: RealmStorage = inner(realm)
    const put: RealmStorage['pending']['put'] = (record) => {
      written.push(JSON.stringify(record))
      return stores.pending.put(record)
    }
    return { ...stores, pending: { ...stores.pending, put } }
  }
  const w = await start({ storage })
  const { status, headers, body } = await push(w)
  expect([status, body]).toEqual([201, { request_uri: expect.stringMatching(REQUEST_URI), expires_in: 90 }])
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'content-type': 'application/json',
    pragma: 'no-cache',
  })
  const secret = String(body.request_uri).slice(-43)
  await open(w.browser(), w, String(body.request_uri))
  expect(written).toHaveLength(2)
  for (const text of [...written, JSON.stringify(w.events)]) expect(text).not.toContain(secret)
  expect(w.events[0]).toMatchObject({ type: 'authorization.pushed', client_id: 'app' })
})

it.each([
  ['short', {}],
  ['too long for a sealed token', LONG],
])('one that is %s leads to its code, with what was pushed', async (_, changes) => {
  const w = await start({ clients: [await client()] })
  const browser = w.browser()
  const login = await open(browser, w, await pushed(w, changes))
  expect(isLogin(w, login)).toBe(true)
  expect(login.headers.get('location')?.length).toBeLessThan(2000)
  await browser.signIn()
  const answered = answer(await browser.approve())
  expect(answered).toMatchObject({ state: 'the state', iss: w.issuer, ...changes })
  expect((await redeem(w, answered.code)).status).toBe(200)
})

it('also by POST, from another site without a cookie too', async () => {
  const w = await start()
  const browser = w.browser()
  const form = { client_id: 'app', request_uri: await pushed(w, LONG) }
  const stranger = await browser.post(`${w.issuer}/oauth/authorize`, form)
  expect([stranger.status, stranger.headers.get('location')]).toEqual([
    303,
    expect.stringContaining('/oauth/authorize/resume?id=sealed.'),
  ])
  await browser.get(stranger.headers.get('location') ?? '')
  await browser.signIn()
  const other = { ...form, request_uri: await pushed(w) }
  expect(answer(await browser.post(`${w.issuer}/oauth/authorize`, other))).toHaveProperty('code')
  expect(codes(w)).toHaveLength(2)
})

it('no parameter beside client_id and request_uri counts, not even a wrong one', async () => {
  const w = await start()
  const browser = w.browser()
  await browser.code()
  const merged = pushedUrl(w, await pushed(w, { state: null }), {
    redirect_uri: 'https://evil.example/',
    scope: 'openid phone',
    state: 'other',
    nonce: 'other',
    prompt: 'none login',
    request: 'x',
    response_type: 'token',
    code_challenge: 'x',
  })
  const { code, state } = answer(await browser.get(`${merged}&scope=a&scope=b`))
  expect(state).toBeUndefined()
  const { body } = await redeem(w, code)
  expect(body.scope).toBe('openid profile email')
})

describe('until its code is issued', () => {
  it('a reload, two tabs, the back button and the lifetime of the request_uri change nothing', async () => {
    const w = await start({ clients: [await client()] })
    const browser = w.browser()
    const request_uri = await pushed(w, { prompt: 'login' })
    w.clock.now += LIFETIME - 1
    for (let n = 0; n < 3; n += 1) expect(isLogin(w, await open(browser, w, request_uri))).toBe(true)
    w.clock.now += PENDING - 100
    expect(isLogin(w, await open(browser, w, request_uri))).toBe(true)
    const tokens = w.logins.map(({ return_to }) => return_to)
    expect(new Set(tokens).size).toBe(4)
    for (const token of tokens) {
      const shown = await w.provider.loginPrompt(new Request(`${w.issuer}/login`), token)
      expect(shown).toMatchObject({ reason: 'signed_out' })
    }
    await browser.signIn()
    await browser.get(resumeUrl(w, tokens[0] ?? ''))
    expect(w.consents).toHaveLength(2)
    expect(answer(await browser.approve())).toHaveProperty('code')
  })

  it('tokens.pending_authorization counts from then on, for all of its tokens alike', async () => {
    const w = await start()
    const browser = w.browser()
    const request_uri = await pushed(w)
    await open(browser, w, request_uri)
    w.clock.now += LIFETIME + PENDING - 1
    await open(browser, w, request_uri)
    const token = w.logins.at(-1)?.return_to ?? ''
    const request = new Request(`${w.issuer}/login`)
    expect(await w.provider.loginPrompt(request, token)).not.toBeNull()
    w.clock.now += 1
    expect(await w.provider.loginPrompt(request, token)).toBeNull()
    await refused(w, await open(browser, w, request_uri), 'expired_request_uri')
  })

  it('an error redirect does not use it up', async () => {
    const w = await start()
    const browser = w.browser()
    const request_uri = await pushed(w, { prompt: 'none' })
    expect(answer(await open(browser, w, request_uri))).toMatchObject({
      error: 'login_required',
      state: 'the state',
    })
    await browser.code()
    expect(answer(await open(browser, w, request_uri))).toHaveProperty('code')
  })

  it.each([
    ['prompt=login', { prompt: 'login' }, 'prompt'],
    ['max_age', { max_age: '0' }, 'max_age'],
  ])('a new login for %s has its reason, and does not loop', async (_, changes, reason) => {
    const w = await start()
    const browser = w.browser()
    await browser.code()
    expect(isLogin(w, await open(browser, w, await pushed(w, changes)))).toBe(true)
    const { return_to = '' } = w.logins.at(-1) ?? {}
    const shown = await w.provider.loginPrompt(new Request(`${w.issuer}/login`), return_to)
    expect(shown).toMatchObject({ reason })
    expect(answer(await browser.signIn())).toHaveProperty('code')
  })

  it('a login without the requested acr is refused, and a stronger one answers the request', async () => {
    const w = await start({ oidc: { acr: 'require' } })
    const browser = w.browser()
    await open(browser, w, await pushed(w, { acr_values: '2' }))
    expect(answer(await browser.signIn('alice', ['pwd']))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
    expect(w.logins).toHaveLength(1)
    expect(answer(await browser.signIn('alice', ['pwd', 'otp']))).toHaveProperty('code')
  })

  it('the client is checked again: its redirect_uri may be gone, or it may be revoked', async () => {
    const w = await start({ clients: [await client()] })
    const request_uri = await pushed(w)
    const { clients } = w.storage(w.realm)
    await clients.update(await client({ redirect_uris: ['https://client.example.com/new'] }))
    w.clock.now += 5
    await refused(w, await open(w.browser(), w, request_uri), 'unregistered_redirect_uri')
    await clients.update(await client())
    w.clock.now += 5
    expect(isLogin(w, await open(w.browser(), w, request_uri))).toBe(true)
    await clients.revoke('app', w.clock.now)
    w.clock.now += 5
    await refused(w, await open(w.browser(), w, request_uri), 'revoked_client')
  })
})

describe('one code is issued for one pushed request', () => {
  it.each([
    ['short', {}],
    ['too long for a sealed token', LONG],
  ])('%s: to one of 50 parallel requests that have all read it', async (_, changes) => {
    const inner = memoryStorage()
    const crowd = { together: false }
    const waiting: (() => void)[] = []
    /** While `together` is set, each caller waits before it answers the request until all have come so far. */
    const meet = async () => {
      if (!crowd.together) return
      await new Promise<void>((go) => {
        waiting.push(go)
        if (waiting.length === CALLERS) for (const next of waiting.splice(0)) next()
      })
    }
    const storage: Storage = (realm) => {
      const { pending, ...stores }: RealmStorage = inner(realm)
      const take: typeof pending.take = async (hash) => {
        await meet()
        return pending.take(hash)
      }
      const put: typeof pending.put = async (record) => {
        if (record.kind === 'answered') await meet()
        return pending.put(record)
      }
      return { ...stores, pending: { ...pending, take, put } }
    }
    const w = await start({ storage })
    const browser = w.browser()
    const request_uri = await pushed(w, changes)
    await open(browser, w, request_uri)
    await open(browser, w, request_uri)
    // The code of the sign-in's own request is another one.
    await browser.authorize({ state: 'another' })
    await browser.signIn()
    const urls = [
      pushedUrl(w, request_uri),
      ...w.logins.slice(0, 2).map(({ return_to }) => resumeUrl(w, return_to)),
    ]
    crowd.together = true
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) => browser.get(urls[n % urls.length] ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(CALLERS - 1).fill(400)])
    expect(codes(w)).toHaveLength(2)
  })

  it('afterwards its request_uri, its tokens and its consent views are used up', async () => {
    const w = await start({ clients: [await client()] })
    const browser = w.browser()
    const request_uri = await pushed(w, LONG)
    await open(browser, w, request_uri)
    await browser.signIn()
    await open(browser, w, request_uri)
    const auth_tokens = w.consents.map(({ auth_token }) => auth_token)
    expect(new Set(auth_tokens).size).toBe(2)
    expect(answer(await browser.approve())).toHaveProperty('code')
    const action = `${w.issuer}/oauth/authorize/consent`
    expect((await browser.post(action, { auth_token: auth_tokens[0] ?? '' })).status).toBe(403)
    expect((await browser.get(resumeUrl(w, w.logins[0]?.return_to ?? ''))).status).toBe(400)
    await refused(w, await open(browser, w, request_uri), 'unknown_request_uri')
    w.clock.now += LIFETIME + PENDING
    await refused(w, await open(browser, w, request_uri), 'unknown_request_uri')
    expect(codes(w)).toHaveLength(1)
  })

  it('a denial uses it up too', async () => {
    const w = await start({ clients: [await client()] })
    const browser = w.browser()
    const request_uri = await pushed(w)
    await open(browser, w, request_uri)
    await browser.signIn()
    expect(answer(await browser.deny())).toMatchObject({ error: 'access_denied', state: 'the state' })
    await refused(w, await open(browser, w, request_uri), 'unknown_request_uri')
  })
})

it('a request_uri of another client is named as such, on the page too', async () => {
  const prompts: ErrorPrompt[] = []
  const w = await world({
    oidc: ON,
    clients: [await client(), await client({ client_id: 'other' })],
    interactions: {
      login: async () => new Response('sign in'),
      async error(prompt) {
        prompts.push(prompt)
        return new Response('error')
      },
    },
  })
  const url = pushedUrl(w, await pushed(w), { client_id: 'other' })
  const json = await w.browser().get(url)
  const description =
    'The request_uri belongs to another client: the client_id is not the one that has pushed it'
  expect([json.status, await json.json()]).toEqual([
    400,
    { error: 'invalid_request_uri', error_description: description },
  ])
  await w.provider.fetch(new Request(url, { headers: NAVIGATION_HEADERS }))
  expect(prompts).toMatchObject([{ kind: 'foreign_request', status: 400, description }])
})

describe('a request_uri is refused before any redirect', () => {
  it.each<[string, string, (w: World, request_uri: string) => Promise<string> | string]>([
    ['of another client', 'foreign_request_uri', (w, uri) => pushedUrl(w, uri, { client_id: 'other' })],
    ['without client_id', 'missing_parameter', (w, uri) => pushedUrl(w, uri, { client_id: '' })],
    ['with two client_ids', 'bad_parameter', (w, uri) => `${pushedUrl(w, uri)}&client_id=app`],
    ['that is given twice', 'bad_parameter', (w, uri) => `${pushedUrl(w, uri)}&request_uri=${uri}`],
    ['that is unknown', 'unknown_request_uri', (w, uri) => pushedUrl(w, uri.slice(0, -43) + 'A'.repeat(43))],
    ['that is cut off', 'unknown_request_uri', (w, uri) => pushedUrl(w, uri.slice(0, -1))],
    ['without its secret', 'unknown_request_uri', (w, uri) => pushedUrl(w, uri.slice(0, -43))],
    [
      'after its lifetime, when it was not used before',
      'expired_request_uri',
      (w, uri) => {
        w.clock.now += LIFETIME
        return pushedUrl(w, uri)
      },
    ],
    [
      'after its lifetime, when only another client has tried it',
      'expired_request_uri',
      async (w, uri) => {
        await w.browser().get(pushedUrl(w, uri, { client_id: 'other' }))
        w.clock.now += LIFETIME
        return pushedUrl(w, uri)
      },
    ],
    [
      'with the hash under which its use is stored',
      'unknown_request_uri',
      async (w, uri) => {
        await w.browser().get(pushedUrl(w, uri))
        return pushedUrl(w, `${uri.slice(0, -43)}used ${sha256(uri.slice(-43))}`)
      },
    ],
    [
      'with the token of a request that a browser has sent itself',
      'unknown_request_uri',
      async (w, uri) => {
        await w.browser().get(authorizeUrl(w.issuer, LONG))
        const token = w.logins.at(-1)?.return_to ?? ''
        expect(token).toHaveLength(43)
        return pushedUrl(w, uri.slice(0, -43) + token)
      },
    ],
  ])('%s', async (_, reason, url) => {
    const w = await start({ clients: [TRUSTED, await client({ client_id: 'other' })] })
    const browser = w.browser()
    await browser.code()
    const request_uri = await pushed(w)
    await refused(w, await browser.get(await url(w, request_uri)), reason)
  })

  it('of another realm', async () => {
    const w = await start()
    await w.storage('other').clients.create(TRUSTED)
    const other = { ...w, issuer: 'https://id.example.com/realms/other' }
    await refused(w, await open(w.browser(), other, await pushed(w)), 'unknown_request_uri')
  })

  it('a browser is shown a page that says what to do', async () => {
    const prompts: unknown[] = []
    const w = await start({
      interactions: {
        login: async () => new Response(null),
        error: async (prompt) => {
          prompts.push(prompt)
          return new Response('the error page', { headers: { 'content-type': 'text/html' } })
        },
      },
    })
    const request_uri = await pushed(w)
    w.clock.now += LIFETIME
    const request = new Request(pushedUrl(w, request_uri), { headers: { accept: 'text/html' } })
    const response = await w.provider.fetch(request)
    expect([response.status, await response.text()]).toEqual([400, 'the error page'])
    expect(prompts).toMatchObject([{ kind: 'expired', code: 'invalid_request_uri', status: 400 }])
    expect(JSON.stringify(prompts)).toContain('Go back to the application and start again')
  })
})

it('is no token of any other kind: no login, consent, logout or resumption takes it', async () => {
  const w = await start()
  const browser = w.browser()
  await browser.code()
  const request_uri = await pushed(w)
  const secret = request_uri.slice(-43)
  const request = new Request(`${w.issuer}/login`)
  for (const token of [secret, request_uri, `sealed.${secret}`]) {
    expect(await w.provider.loginPrompt(request, token)).toBeNull()
    expect((await browser.get(resumeUrl(w, token))).status).toBe(400)
    expect((await browser.post(`${w.issuer}/oauth/authorize/consent`, { auth_token: token })).status).toBe(
      403,
    )
    const logout = formRequest(`${w.issuer}/oauth/logout`, { confirmation_token: token })
    expect((await browser.send(logout)).status).toBe(403)
  }
  expect(answer(await open(browser, w, request_uri))).toHaveProperty('code')
})

it('any other request_uri is not supported, as before', async () => {
  const w = await start()
  for (const request_uri of ['https://x.example/1', 'urn:x', 'urn:ietf:params:oauth:request_uri'])
    expect(answer(await w.browser().authorize({ request_uri }))).toMatchObject({
      error: 'request_uri_not_supported',
      state: 'the state',
    })
})

describe('what can be stored is limited', () => {
  const THROTTLED = { ...ON, throttle: { authorize: 3 } }
  const pushAt = (w: World, address: string, form: Record<string, string> = {}) =>
    w.provider
      .fetch(formRequest(`${w.issuer}/oauth/par`, [...parameters(w), ...Object.entries(form)]), { address })
      .then(({ status }) => status)

  it('oidc.throttle.authorize requests of a public client per minute and address', async () => {
    const w = await start({ oidc: THROTTLED })
    for (let n = 0; n < 3; n += 1) expect(await pushAt(w, '192.0.2.1')).toBe(201)
    expect(await pushAt(w, '192.0.2.1')).toBe(429)
    expect(await pushAt(w, '192.0.2.2')).toBe(201)
    w.clock.now += 60
    expect(await pushAt(w, '192.0.2.1')).toBe(201)
  })

  it('the same for a confidential client that registered itself; one of the operator has a limit of its own', async () => {
    const secret = { client_secret: CLIENT_SECRET }
    const fields = { ...secret, trusted: true }
    for (const [origin, last] of [
      ['registered', 429],
      ['operator', 201],
    ] as const) {
      const w = await start({ oidc: THROTTLED, clients: [await client({ ...fields, origin })] })
      const statuses = []
      for (let n = 0; n < 4; n += 1) statuses.push(await pushAt(w, '192.0.2.1', secret))
      expect(statuses).toEqual([201, 201, 201, last])
    }
  })

  it.each([
    ['10,000 of a realm, from all addresses together', { counter: 'par', max: 10_000, secret: {} }],
    [
      '60,000 of a confidential client',
      { counter: 'par-client:app', max: 60_000, secret: { client_secret: CLIENT_SECRET } },
    ],
  ])('%s in ten minutes', async (_, { counter, max, secret }) => {
    const inner = memoryStorage()
    const counted: number[] = []
    /** So many have been counted before. */
    const storage: Storage = (realm) => {
      const stores: RealmStorage = inner(realm)
      const seen = (key: string, window: number, hits: number): number => {
        if (key !== counter) return hits
        counted.push(window)
        return max - 1 + hits
      }
      const hit: Throttle['hit'] = async (key, window, now) =>
        seen(key, window, await stores.throttle.hit(key, window, now))
      const hitBoth: Throttle['hitBoth'] = async (pair, window, now) => {
        const hits = await stores.throttle.hitBoth(pair, window, now)
        return { ...hits, first: seen(pair.first, window, hits.first) }
      }
      return { ...stores, throttle: { ...stores.throttle, hit, hitBoth } }
    }
    const w = await start({ storage, clients: [await client({ ...secret })] })
    expect(await pushAt(w, '192.0.2.1', secret)).toBe(201)
    expect(await pushAt(w, '192.0.2.2', secret)).toBe(503)
    expect(counted).toEqual([600, 600])
    expect(answer(await w.browser().authorize(LONG)).to).toBe(`${w.issuer}/login`)
  })

  it('nothing is stored for a request that is refused', async () => {
    const w = await start({ oidc: THROTTLED })
    for (let n = 0; n < 5; n += 1) expect((await push(w, { scope: 'unknown' })).status).toBe(400)
    expect((await push(w)).status).toBe(201)
  })
})

it('is open to clients with a metadata document, whose document is read when they push', async () => {
  const client_id = 'https://client.example.com/metadata.json'
  const documents = publishedDocuments()
  const publish = (redirect_uri: string) =>
    documents.put({ client_id, client_name: 'The Client', redirect_uris: [redirect_uri] })
  publish('https://client.example.com/callback')
  const w = await start({
    clients: [],
    fetch_document: documents.fetch_document,
    oidc: { clients: { metadata_documents: { enabled: true } } },
  })
  const browser = w.browser()
  const request_uri = await pushed(w, { client_id })
  await browser.get(pushedUrl(w, request_uri, { client_id }))
  await browser.signIn()
  expect(answer(await browser.approve())).toHaveProperty('code')
  publish('https://client.example.com/moved')
  w.clock.now += 86_400
  expect((await push(w, { client_id })).body.error).toBe('invalid_request')
})

it('is open to clients that register themselves, and asks for their consent', async () => {
  const w = await start({
    clients: [],
    oidc: { clients: { registration: { enabled: true } } },
  })
  const body = JSON.stringify({ redirect_uris: ['https://client.example.com/callback'] })
  const registration = new Request(`${w.issuer}/oauth/register`, { method: 'POST', body })
  const { client_id } = await (await w.provider.fetch(registration)).json()
  const browser = w.browser()
  const request_uri = await pushed(w, { client_id })
  await browser.get(pushedUrl(w, request_uri, { client_id }))
  await browser.signIn()
  expect(w.consents).toHaveLength(1)
  expect(answer(await browser.approve())).toHaveProperty('code')
})
