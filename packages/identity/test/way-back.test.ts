/** *Back to <application>* on the sign-in page: a POST with the page's CSRF token, which answers the request once. */

import { NAVIGATION_HEADERS } from '@ostiary/test-kit/client-headers'
import { describe, expect, it } from 'vitest'
import { signedIn } from './_account.js'
import {
  authorizeUrl,
  browser,
  type LoginForm,
  openLogin,
  PASSWORD,
  REDIRECT_URI,
  type Setup,
  setup,
} from './_setup.js'

const BACK = { action: 'back' }
const FORM = /<form class="back" method="post" action="\/login">[\s\S]*?<\/form>/

const textOf = (html: string) => html.replace(/<[^>]*>/g, '')
const backIn = (html: string): string => textOf(FORM.exec(html)?.[0] ?? '').trim()

function expectDenied(response: Response, s: Setup): void {
  const url = new URL(response.headers.get('location') ?? '')
  expect([response.status, url.origin + url.pathname]).toEqual([303, REDIRECT_URI])
  expect(Object.fromEntries(url.searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'The user went back without signing in',
    state: 'state',
    iss: s.base('default'),
  })
}

function expectStays(response: Response, status: number): void {
  expect([response.status, response.headers.get('location')]).toEqual([status, null])
}

const send = (b: ReturnType<typeof browser>, { url, fields }: LoginForm, more: Record<string, string> = {}) =>
  b.post(
    url,
    { ...fields, ...BACK, ...more },
    { headers: { ...NAVIGATION_HEADERS, 'sec-fetch-site': 'same-origin' } },
  )

it('goes back to the application, and nobody is signed in', async () => {
  const s = await setup()
  const b = browser(s)
  const form = await openLogin(s, b)
  expectDenied(await send(b, form), s)
  expect(s.provider_events.map(({ type }) => type)).toEqual([
    'authorization.requested',
    'authorization.cancelled',
  ])
})

it.each([
  ['en', 'Back to Quarterly Reports'],
  ['de', 'Zurück zu Quarterly Reports'],
  ['fr', 'Retour à Quarterly Reports'],
])('in %s: %s', async (ui_locales, label) => {
  const s = await setup()
  expect(backIn((await openLogin(s, browser(s), { ui_locales })).html)).toBe(label)
})

describe('the button is on every page of a sign-in that an application began', () => {
  it('after a wrong password, a refused form, and too many attempts', async () => {
    const s = await setup({ identity: { limits: { failures: 1 } } })
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const attempt = (more: Record<string, string> = {}) =>
      b.post(url, { ...fields, username: 'ada', password: 'x', ...more }, { address: '192.0.2.1' })
    for (const [page, status] of [
      [await attempt(), 422],
      [await attempt({ csrf_token: 'x' }), 403],
      [await attempt(), 429],
    ] as const)
      expect([page.status, backIn(await page.text())]).toEqual([status, 'Back to Quarterly Reports'])
  })

  it('when a signed-in user has to sign in again', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const form = await openLogin(s, b, { prompt: 'login' })
    expect(backIn(form.html)).toBe('Back to Quarterly Reports')
    expectDenied(await send(b, form), s)
  })

  it('but not on the sign-in for the account page, where it is refused', async () => {
    const s = await setup()
    const b = browser(s)
    const html = await (await b.get('https://id.example/login?return_to=/account')).text()
    expect(html).not.toContain('class="back"')
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expectStays(await b.post('https://id.example/login', { return_to: '/account', csrf_token, ...BACK }), 400)
  })
})

describe('the page names the host that the user is sent to', () => {
  const SENTENCE = /After you sign in or go back, you will be sent to ([^<]*)<bdi>([^<]*)<\/bdi>/

  it.each(['registered', 'metadata_document'] as const)('of a client that is %s', async (origin) => {
    const client_id = origin === 'registered' ? 'app' : 'https://app.example/client'
    const documents =
      origin === 'registered'
        ? []
        : [{ client_id, client_name: 'Quarterly Reports', redirect_uris: [REDIRECT_URI] }]
    const s = await setup({
      client: origin === 'registered' ? { origin } : {},
      documents,
      oidc: { clients: { metadata_documents: { enabled: true } } },
    })
    const { html } = await openLogin(s, browser(s), { client_id })
    expect(SENTENCE.exec(html)?.[2]).toBe('app.example')
    expect(backIn(html)).toContain('Back to')
  })

  it('of no client that the operator has made', async () => {
    const s = await setup()
    expect((await openLogin(s, browser(s))).html).not.toMatch(SENTENCE)
  })

  it('a name of the client is escaped, and cut', async () => {
    const client_name = `<img src=x onerror=alert(1)>${'x'.repeat(200)}`
    const s = await setup({ client: { client_name, origin: 'registered' } })
    const { html } = await openLogin(s, browser(s))
    expect(html).not.toContain('<img src=x')
    expect(backIn(html).length).toBeLessThan(100)
  })
})

describe('attacks', () => {
  it('a GET shows the form, and answers nothing', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    const query = new URLSearchParams({ ...form.fields, ...BACK })
    expectStays(await b.get(`${form.url}?${query}`), 200)
    expectDenied(await send(b, form), s)
  })

  it.each<[string, (s: Setup, form: LoginForm) => Promise<Record<string, string>>]>([
    ['no CSRF token', async () => ({ csrf_token: '' })],
    [
      'the token of another browser',
      async (s) => (({ csrf_token }) => ({ csrf_token }))((await openLogin(s, browser(s))).fields),
    ],
    [
      'the token of another request',
      async (s) => ({ csrf_token: (await openLogin(s, browser(s), { state: 'x' })).fields.csrf_token }),
    ],
  ])('%s: the form again, and nothing is answered', async (_, forged) => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    expectStays(await send(b, form, await forged(s, form)), 403)
    expect(s.events.at(-1)).toMatchObject({ type: 'login.refused', reason: 'csrf' })
    expectDenied(await send(b, form), s)
  })

  it('a form of another site, which carries the cookie', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    const headers = { ...NAVIGATION_HEADERS, 'sec-fetch-site': 'cross-site' }
    expectStays(await b.post(form.url, { ...form.fields, ...BACK }, { headers }), 403)
    expectDenied(await send(b, form), s)
  })

  it('another browser, without the cookie', async () => {
    const s = await setup()
    const form = await openLogin(s, browser(s))
    expectStays(await send(browser(s), form), 403)
  })

  it('used twice: a page, and no redirect', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    await send(b, form)
    const again = await send(b, form)
    expectStays(again, 400)
    expect(await again.text()).toContain('<h1>This request has expired</h1>')
  })

  it('a sign-in that ends in another tab after it gets no code', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    await send(b, form)
    expectStays(await b.post(form.url, { ...form.fields, username: 'ada', password: PASSWORD }), 400)
    expect(s.provider_events.map(({ type }) => type)).not.toContain('session.started')
  })

  it('a tampered return_to', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    for (const return_to of ['https://evil.example/', '//evil.example', 'x', `${form.fields.return_to}x`, ''])
      expectStays(await send(b, form, { return_to }), 400)
    expectDenied(await send(b, form), s)
  })

  it('a repeated or missing field', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const twice = new URLSearchParams([...Object.entries({ ...fields, ...BACK }), ['return_to', 'x']])
    const cookie = [...b.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    expectStays(await s.handle(new Request(url, { method: 'POST', body: twice, headers: { cookie } })), 400)
    expectStays(await b.post(url, BACK), 400)
  })

  it('a client that was revoked meanwhile: a page, and no redirect', async () => {
    const s = await setup()
    const b = browser(s)
    const form = await openLogin(s, b)
    await (await s.provider.manage()).clients.revoke('app')
    const page = await send(b, form)
    expectStays(page, 400)
    expect(page.headers.get('content-type')).toContain('text/html')
  })
})

it('keeps the session of a signed-in user who goes back from another sign-in', async () => {
  const s = await setup()
  const b = await signedIn(s)
  const stranger = browser(s)
  const form = await openLogin(s, stranger)
  await send(stranger, form)
  const silent = await b.get(authorizeUrl(s, { prompt: 'none' }))
  expect(silent.headers.get('location')).toMatch(/code=|consent_required/)
})
