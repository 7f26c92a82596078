/** `GET|POST /oauth/authorize`: parameters, redirect URI, and the values in the login prompt. */

import { describe, expect, it } from 'vitest'
import {
  answer,
  authorizeUrl,
  type Browser,
  client,
  formRequest,
  payload,
  REDIRECT_URI,
  redeem,
  type World,
  world,
} from './support.js'

/** A browser that is signed in as alice. The client is trusted, so each request gets a code without a consent view. */
async function signedIn(w: World): Promise<Browser> {
  const browser = w.browser()
  await browser.authorize()
  await browser.signIn()
  return browser
}
const trusted = (fields: Parameters<typeof client>[0] = {}) => client({ trusted: true, ...fields })

/** The standard request as a form, posted by a page of another site. */
function posted(w: World, changes: Record<string, string | null> = {}, query = ''): Request {
  const [endpoint = '', form = ''] = authorizeUrl(w.issuer, changes).split('?')
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  return formRequest(endpoint + query, form, { headers })
}

describe.each(['single', 'path'] as const)('realms by %s', (routing) => {
  it('an unauthenticated user is redirected to login, the consent view is shown, and approval redirects with code, state and iss', async () => {
    const w = await world({ routing })
    const browser = w.browser()
    const login = await browser.authorize()
    expect(answer(login)).toEqual({
      status: 302,
      to: `${w.issuer}/login`,
      return_to: w.logins[0]?.return_to,
    })
    expect(w.logins[0]).toMatchObject({ reason: 'signed_out', redirect_uri: REDIRECT_URI })
    expect(w.logins[0]?.client.client_id).toBe('app')

    const view = await browser.signIn()
    expect([view.status, await view.text()]).toEqual([200, 'the consent view'])
    const approved = answer(await browser.approve())
    const code = expect.stringMatching(/^[\w-]{45}$/)
    expect(approved).toEqual({ status: 303, to: REDIRECT_URI, code, state: 'the state', iss: w.issuer })
    expect(payload((await redeem(w, approved.code)).body.id_token)).toMatchObject({ nonce: 'the nonce' })
  })

  describe('parameters are read from the query on GET and from the body on POST, never merged', () => {
    it('GET reads the query', async () => {
      const w = await world({ routing, clients: [await trusted()] })
      const browser = await signedIn(w)
      expect(answer(await browser.authorize())).toMatchObject({ status: 302, state: 'the state' })
    })

    it('POST reads the body', async () => {
      const w = await world({ routing, clients: [await trusted()] })
      const browser = await signedIn(w)
      const { code, ...rest } = answer(await browser.send(posted(w)))
      expect(rest).toEqual({ status: 303, to: REDIRECT_URI, state: 'the state', iss: w.issuer })
      expect((await redeem(w, code)).status).toBe(200)
    })

    it('POST ignores the query, even parameters that the form leaves out', async () => {
      const w = await world({ routing, clients: [await trusted()] })
      const browser = await signedIn(w)
      const query = '?client_id=other&state=evil&prompt=login&redirect_uri=https://evil.example&scope=x'
      const response = await browser.send(posted(w, { state: null }, query))
      expect(Object.keys(answer(response)).sort()).toEqual(['code', 'iss', 'status', 'to'])
      expect(answer(response).to).toBe(REDIRECT_URI)
    })

    it('POST with all parameters in the query and an empty form is refused: no client_id', async () => {
      const w = await world({ routing })
      const response = await w.provider.fetch(formRequest(authorizeUrl(w.issuer), ''))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    })
  })

  it('POST is exempt from the cross-site request forgery check', async () => {
    const w = await world({ routing, clients: [await trusted()] })
    expect(answer(await (await signedIn(w)).send(posted(w)))).toHaveProperty('code')
  })

  it('a POST that comes without the cookie (SameSite=Lax) finds the session after a redirect to the same endpoint', async () => {
    const w = await world({ routing, clients: [await trusted()] })
    const browser = await signedIn(w)
    const first = await w.provider.fetch(posted(w))
    expect(answer(first)).toMatchObject({ status: 303, to: `${w.issuer}/oauth/authorize/resume` })
    expect(answer(await browser.get(first.headers.get('location') ?? ''))).toMatchObject({
      to: REDIRECT_URI,
      state: 'the state',
      code: expect.any(String),
    })
  })

  it.each([{ prompt: 'login' }, { max_age: '0' }])(
    'a POST without the cookie that asks for a new login (%j) gets one, although there is a session',
    async (changes) => {
      const w = await world({ routing, clients: [await trusted()] })
      const browser = await signedIn(w)
      const first = await w.provider.fetch(posted(w, changes))
      expect(answer(await browser.get(first.headers.get('location') ?? '')).to).toBe(`${w.issuer}/login`)
      expect(answer(await browser.signIn())).toMatchObject({ to: REDIRECT_URI, state: 'the state' })
      expect(w.logins).toHaveLength(2)
    },
  )

  it("a POSTed request resumes after login from the stored request, never from the browser's query", async () => {
    const w = await world({ routing })
    const browser = w.browser()
    const evil = '&client_id=other&redirect_uri=https://evil.example&scope=openid&state=evil&prompt=none'
    const first = await browser.send(posted(w, { scope: 'openid email' }))
    await browser.get(first.headers.get('location') + evil)
    await browser.signIn()
    const return_to = w.logins.at(-1)?.return_to ?? ''
    await browser.get(`${w.issuer}/oauth/authorize/resume?id=${return_to}${evil}`)
    expect(w.consents).toHaveLength(2)
    expect(w.consents[1]?.scopes.map(({ value }) => value)).toEqual(['openid', 'email'])
    const { code, ...rest } = answer(await browser.approve())
    expect(rest).toEqual({ status: 303, to: REDIRECT_URI, state: 'the state', iss: w.issuer })
    expect((await redeem(w, code)).body.scope).toBe('openid email')
  })

  describe('redirect_uri', () => {
    const registered = [
      'http://127.0.0.1/cb',
      'http://[::1]:5000/cb',
      'http://localhost:8080/cb?x=1',
      'https://localhost:8443/cb',
      'http://client.example.com:8000/cb',
      'com.example.app://callback/path',
    ]

    it('absent works when exactly one is registered', async () => {
      const w = await world({ routing, clients: [await trusted()] })
      const response = await (await signedIn(w)).authorize({ redirect_uri: null })
      expect(answer(response)).toMatchObject({ to: REDIRECT_URI, code: expect.any(String) })
    })

    it.each([
      ...registered,
      'http://127.0.0.1:49152/cb',
      'http://[::1]/cb',
      'http://[::1]:1/cb',
      'http://localhost/cb?x=1',
      'http://localhost:65535/cb?x=1',
    ])('%s matches a registration: exactly, or on http loopback with any port', async (redirect_uri) => {
      const w = await world({ routing, clients: [await trusted({ redirect_uris: registered })] })
      const browser = w.browser()
      await browser.authorize({ redirect_uri })
      const location = (await browser.signIn()).headers.get('location') ?? ''
      expect(location.startsWith(redirect_uri)).toBe(true)
      expect(new URL(location).searchParams.get('state')).toBe('the state')
    })

    it.each([
      'http://localhost.evil.com/cb?x=1',
      'http://localhost:8080.evil.com/cb?x=1',
      'http://localhost:8080@evil.com/cb?x=1',
      'http://127.0.0.1@evil.com/cb',
      'http://127.0.0.1:80@evil.com/cb',
      'http://user:secret@127.0.0.1/cb',
      'http://127.0.0.1:8080:80/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:80a/cb',
      'http://127.0.0.1\\@evil.com/cb',
      'http://127.0.0.1#@evil.com/cb',
      'http://127.0.0.2/cb',
      'http://127.1/cb',
      'http://2130706433/cb',
      'http://0.0.0.0/cb',
      'http://[::ffff:127.0.0.1]/cb',
      'http://localhost/cb',
      'http://127.0.0.1/other',
      'http://127.0.0.1/cb/',
      'http://127.0.0.1/cb?extra=1',
      'http://127.0.0.1/CB',
      'http://127.0.0.1/x/../cb',
      'http://127.0.0.1/%63b',
      'https://127.0.0.1/cb',
      'https://localhost:8444/cb',
      'https://localhost/cb',
      'http://client.example.com:8001/cb',
      'http://client.example.com/cb',
      'com.example.app://callback/other',
      'com.example.app://evil/path',
      'javascript:alert(1)',
      '//127.0.0.1/cb',
      '/cb',
    ])('%s does not match a registration: 400, no redirect', async (redirect_uri) => {
      const w = await world({ routing, clients: [await trusted({ redirect_uris: registered })] })
      const response = await w.browser().authorize({ redirect_uri })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    })

    it.each(['https://client.example.com/callback?tenant=a%20b&x', 'https://client.example.com/callback?'])(
      '%s keeps the query that it has, in the code and in an error',
      async (redirect_uri) => {
        const w = await world({ routing, clients: [await trusted({ redirect_uris: [redirect_uri] })] })
        const browser = w.browser()
        await browser.authorize({ redirect_uri })
        const refused = await browser.authorize({ redirect_uri, scope: 'unknown' })
        for (const response of [await browser.signIn(), refused]) {
          const location = response.headers.get('location') ?? ''
          expect(location.startsWith(redirect_uri.endsWith('?') ? redirect_uri : `${redirect_uri}&`)).toBe(
            true,
          )
          expect(answer(response)).toMatchObject({ state: 'the state', iss: w.issuer })
        }
      },
    )
  })

  it.each([
    ['spaces', '  a state  '],
    ['unicode', 'état 状態 🔑'],
    ['reserved characters', 'a&code=evil&iss=https://evil.example#x?y=z+%20%'],
    ['line breaks', 'a\r\nlocation: https://evil.example'],
    ['8,000 characters', 's'.repeat(8000)],
    ['a JSON text', '{"a":"b\\c"}'],
  ])('state is echoed exactly, in the code and in an error: %s', async (_, state) => {
    const w = await world({ routing, clients: [await trusted()] })
    const browser = await signedIn(w)
    for (const changes of [{ state }, { state, scope: 'unknown' }]) {
      const url = new URL((await browser.authorize(changes)).headers.get('location') ?? '')
      expect(url.searchParams.getAll('state')).toEqual([state])
      expect(url.searchParams.getAll('iss')).toEqual([w.issuer])
      expect(url.origin + url.pathname).toBe(REDIRECT_URI)
    }
  })

  it('a request without state gets a response without state', async () => {
    const w = await world({ routing, clients: [await trusted()] })
    const browser = await signedIn(w)
    for (const state of [null, ''])
      expect(Object.keys(answer(await browser.authorize({ state }))).sort()).toEqual([
        'code',
        'iss',
        'status',
        'to',
      ])
  })

  it('unknown parameters are ignored', async () => {
    const w = await world({ routing, clients: [await trusted()] })
    const ignored = { ui_locales: 'fr', login_hint: 'bob', display: 'wap', claims: '{', foo: 'bar' }
    expect(answer(await (await signedIn(w)).authorize(ignored))).toHaveProperty('code')
  })

  it.each([
    'prompt',
    'max_age',
    'id_token_hint',
    'acr_values',
    'resource',
    'request',
    'request_uri',
    'nonce',
  ])('an empty %s counts as absent', async (name) => {
    const w = await world({ routing, clients: [await trusted()] })
    const browser = await signedIn(w)
    for (const value of ['', ' '])
      expect(answer(await browser.authorize({ [name]: value }))).toHaveProperty('code')
  })

  it('values are trimmed, and scope splits on runs of spaces', async () => {
    const w = await world({ routing, clients: [await trusted()] })
    const changes = { client_id: ' app ', redirect_uri: ` ${REDIRECT_URI}`, scope: ' openid   email openid ' }
    const { code } = answer(await (await signedIn(w)).authorize({ ...changes, response_type: ' code' }))
    expect((await redeem(w, code)).body.scope).toBe('openid email')
  })

  it('acr_values is stored for the post-login pipeline: the login prompt has it', async () => {
    const w = await world({ routing })
    const browser = w.browser()
    await browser.authorize({ acr_values: 'gold  silver' })
    expect(w.logins[0]?.acr_values).toEqual(['gold', 'silver'])
    const request = new Request(`${w.issuer}/login`)
    const prompt = await w.provider.loginPrompt(request, w.logins[0]?.return_to ?? '')
    expect(prompt?.acr_values).toEqual(['gold', 'silver'])
    await browser.authorize()
    expect(w.logins[1]?.acr_values).toEqual([])
  })
})
