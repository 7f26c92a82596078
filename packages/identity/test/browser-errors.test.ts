/** Errors: a browser that navigates gets a page that says what to do, a script gets JSON. */

import { describe, expect, it } from 'vitest'
import { signedIn } from './_account.js'
import { authorizeUrl, browser, hidden, openLogin, PASSWORD, setup } from './_setup.js'

const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
}
const SCRIPT = { accept: '*/*', 'sec-fetch-mode': 'cors' }

const headingOf = async (response: Response): Promise<string> =>
  /<h1>([^<]*)<\/h1>/.exec(await response.text())?.[1] ?? ''

describe('the page of an error', () => {
  it.each([
    [400, 'Please start again'],
    [403, 'Please start again'],
    [404, 'There is nothing at this address'],
    [405, 'Please start again'],
    [429, 'Too many requests'],
    [500, 'Something went wrong'],
    [502, 'Something went wrong'],
    [503, 'Not available right now'],
  ])('%i: %s', async (status, heading) => {
    const s = await setup()
    const request = new Request('https://id.example/')
    const realm = (await s.provider.locate(request))?.realm
    if (!realm) throw new Error('No realm')
    const prompt = {
      realm,
      request,
      status,
      code: 'the_code',
      description: 'What happened',
      kind: null,
      reference: null,
      ui_locales: [],
    }
    const page = await s.identity.interactions.error(prompt)
    expect(page.status).toBe(status)
    // Retry-After comes from the provider's own answer.
    expect(page.headers.get('retry-after')).toBeNull()
    const html = await page.clone().text()
    expect(html).toContain('<p class="small">Code: the_code</p>')
    expect(await headingOf(page)).toBe(heading)
    const described = html.includes('<p class="small">Technical detail: <bdi>What happened</bdi></p>')
    expect(described).toBe(heading === 'Please start again')
  })

  it.each([
    ['en', 'This request belongs to another application'],
    ['de', 'Dieser Vorgang gehört zu einer anderen Anwendung'],
    ['fr', 'Cette demande appartient à une autre application'],
  ])('of a pushed request of another application, in %s', async (language, heading) => {
    const s = await setup({ oidc: { par: 'allowed' } })
    const client_id = 'other'
    await (await s.provider.manage()).clients.create({
      client_id,
      redirect_uris: ['https://other.example/cb'],
    })
    const body = new URL(authorizeUrl(s)).searchParams
    const pushed = await s.handle(new Request('https://id.example/oauth/par', { method: 'POST', body }))
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    const query = new URLSearchParams({ client_id, request_uri, ui_locales: language })
    const url = `https://id.example/oauth/authorize?${query}`
    const page = await browser(s).get(url, { headers: NAVIGATION })
    expect([page.status, await headingOf(page)]).toEqual([400, heading])
  })

  it('of an unknown address is JSON', async () => {
    const s = await setup()
    for (const headers of [NAVIGATION, SCRIPT]) {
      const json = await browser(s).get('https://id.example/nowhere', { headers })
      expect([json.status, json.headers.get('content-type')]).toEqual([404, 'application/json'])
    }
  })

  it('of a request without a client: a page with the headers of the JSON answer', async () => {
    const s = await setup()
    const url = `${s.base('default')}/oauth/authorize?response_type=code`
    const page = await browser(s).get(url, { headers: NAVIGATION })
    const json = await browser(s).get(url, { headers: SCRIPT })
    expect([page.status, json.status]).toEqual([400, 400])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'none'")
    expect(await headingOf(page)).toBe('Please start again')
    expect(await json.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('a double click on Allow', () => {
  async function clicked(headers: Record<string, string>) {
    const s = await setup()
    const b = await signedIn(s)
    const consent = await (await b.get(authorizeUrl(s))).text()
    const fields = { auth_token: hidden(consent, 'auth_token') }
    const action = `${s.base('default')}/oauth/authorize/consent`
    const first = await b.post(action, fields, { headers: NAVIGATION })
    expect(first.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?code=/)
    return b.post(action, fields, { headers })
  }

  it('shows a page', async () => {
    const second = await clicked(NAVIGATION)
    expect([second.status, second.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    const html = await second.clone().text()
    expect(await headingOf(second)).toBe('This page was answered before')
    expect(html).toContain(
      'Your answer was sent to the application already, or the page was open for too long.',
    )
    expect(html).toContain('Go back to the application. If it is still waiting for you, start again there.')
  })

  it('after the page was open for too long: a page that says so', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const consent = await (await b.get(authorizeUrl(s))).text()
    s.clock.now += 600
    const action = `${s.base('default')}/oauth/authorize/consent`
    const fields = { auth_token: hidden(consent, 'auth_token') }
    const late = await b.post(action, fields, { headers: NAVIGATION })
    expect([late.status, await headingOf(late)]).toEqual([403, 'This request has expired'])
  })

  it.each([SCRIPT, { accept: 'application/json' }, { ...NAVIGATION, 'sec-fetch-mode': 'cors' }])(
    'is answered to a program with the same JSON: %j',
    async (headers) => {
      const second = await clicked(headers)
      expect([second.status, second.headers.get('content-type')]).toEqual([403, 'application/json'])
      expect(await second.text()).toBe(
        '{"error":"access_denied","error_description":"The auth_token is wrong, expired, used, or of another session"}',
      )
    },
  )
})

it('a provider that fails at the sign-in gives a page, with any Accept header', async () => {
  const s = await setup()
  const b = browser(s)
  const { url, fields } = await openLogin(s, b)
  s.storage('default').sessions.create = async () => Promise.reject(new Error('database is down'))
  const failed = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
  expect([failed.status, failed.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
  expect(failed.headers.getSetCookie()).toEqual([])
  expect(await headingOf(failed)).toBe('Something went wrong')
})

it('the longest username, password and sealed request fit into the form', async () => {
  const s = await setup()
  const b = browser(s)
  const lengths: number[] = []
  // The longest state with which the request is still sealed instead of stored.
  let form = await openLogin(s, b)
  for (let length = 1000; length < 4000; length += 100) {
    const next = await openLogin(s, b, { state: 'x'.repeat(length) })
    if (!next.fields.return_to.startsWith('sealed.')) break
    form = next
    lengths.push(length)
  }
  expect(lengths.length).toBeGreaterThan(3)
  expect(form.fields.return_to.length).toBeGreaterThan(3900)
  const login = { username: '汉'.repeat(255), password: '汉'.repeat(1024) }
  const body = new URLSearchParams({ ...form.fields, ...login }).toString()
  const answer = await b.post(form.url, { ...form.fields, ...login })
  expect([answer.status, body.length > 15_000]).toEqual([422, true])
})
