/** The built-in pages of the device authorization grant (RFC 8628), and the devices on the account page. */

import { cookieJar, filled, formOf, formRequest, hiddenField } from '@ostiary/test-kit/browser'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Setup, setup } from './_setup.js'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const LANGUAGES = ['en', 'de', 'fr'] as const
type Tag = (typeof LANGUAGES)[number]

const start = (client: Record<string, unknown> = {}) =>
  setup({
    oidc: { clients: { device_authorization: 'operator' } },
    client: { grant_types: [DEVICE_CODE, 'refresh_token'], ...client },
  })

async function ask(s: Setup, client_id = 'app') {
  const request = formRequest('https://id.example/oauth/device_authorization', { client_id, scope: 'openid' })
  return (await s.handle(request, { address: '192.0.2.10' })).json()
}

function browser(s: Setup, tag: Tag = 'en') {
  const jar = cookieJar()
  const send = async (request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('cookie', jar.header())
    headers.set('accept-language', tag)
    const response = await s.handle(new Request(request, { headers }), { address: '198.51.100.1' })
    jar.keep(response)
    return response
  }
  const get = (url: string) => send(new Request(url))
  const post = (url: string, fields: Record<string, string> | URLSearchParams) =>
    send(formRequest(url, new URLSearchParams(fields).toString()))
  const enter = (user_code: string) => post('https://id.example/device', { user_code })
  const answer = (page: string, value: string) => {
    const confirmation_token = hiddenField(page, 'confirmation_token')
    return post('https://id.example/device', { confirmation_token, answer: value })
  }
  /** The sign-in that the redirect leads to, and where it leads. */
  async function signIn(redirect: Response): Promise<string> {
    const form = formOf(await (await get(redirect.headers.get('location') ?? '')).text())
    const typed = filled(form, { username: 'Ada', password: PASSWORD })
    return (await post('https://id.example/login', typed)).headers.get('location') ?? ''
  }
  return { get, post, enter, answer, signIn }
}

const poll = async (s: Setup, device_code: string) =>
  (
    await s.handle(
      formRequest('https://id.example/oauth/token', {
        grant_type: DEVICE_CODE,
        client_id: 'app',
        device_code,
      }),
    )
  ).status

describe.each(LANGUAGES)('in the language %s', (tag) => {
  it('the user enters the code, signs in in between, compares the code, and connects the device', async () => {
    const s = await start()
    const { user_code, device_code } = await ask(s)
    const b = browser(s, tag)
    const first = await b.get('https://id.example/device')
    expect(first.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await first.text()).toContain(`<html lang="${tag}"`)
    const redirect = await b.enter(user_code)
    expect(redirect.status).toBe(303)
    const back = await b.signIn(redirect)
    expect(back).toBe(`https://id.example/device?user_code=${user_code}`)
    expect(await (await b.get(back)).text()).toContain(`value="${user_code}"`)
    const page = await (await b.enter(user_code)).text()
    expect(page).toContain(`<dd class="user-code">${user_code}</dd>`)
    expect(page).toContain('<bdi>Quarterly Reports</bdi>')
    expect(page).toContain('<bdi>192.0.2.10</bdi>')
    expect(page.match(/<button[^>]*>/g)).toEqual([
      '<button type="submit" class="quiet" name="answer" value="refuse">',
      '<button type="submit" class="quiet" name="answer" value="allow">',
    ])
    expect(page).not.toContain('autofocus')
    const done = await b.answer(page, 'allow')
    expect([done.status, await poll(s, device_code)]).toEqual([200, 200])
    expect(await done.text()).toContain('href="/account"')
  })

  it('a refused device, a wrong code and too many of them have pages', async () => {
    const s = await start()
    const { user_code, device_code } = await ask(s)
    const b = browser(s, tag)
    await b.signIn(await b.enter(user_code))
    const refused = await b.answer(await (await b.enter(user_code)).text(), 'refuse')
    expect([refused.status, await poll(s, device_code)]).toEqual([200, 400])
    const wrong = await b.enter(user_code)
    const text = await wrong.text()
    expect([wrong.status, /role="alert"/.test(text), /aria-invalid="true"/.test(text)]).toEqual([
      400,
      true,
      true,
    ])
    for (let n = 0; n < 9; n += 1) await b.enter('BBBB-BBBB')
    expect((await b.enter('BBBB-BBBB')).status).toBe(429)
  })
})

it('a name of the client that imitates the page is escaped, and one that it chose itself is in quotation marks', async () => {
  const s = await start({ client_name: '<h1>Ostiary</h1>' })
  const { user_code } = await ask(s)
  const b = browser(s)
  await b.signIn(await b.enter(user_code))
  const page = await (await b.enter(user_code)).text()
  expect(page).toContain('&lt;h1&gt;Ostiary&lt;/h1&gt;')
  expect(page.match(/<h1>/g)).toHaveLength(1)
})

it('the account page lists a device before it has polled, by the application and the day, and ends its access', async () => {
  const s = await start()
  const { user_code, device_code } = await ask(s)
  const b = browser(s)
  await b.signIn(await b.enter(user_code))
  const before = await (await b.get('https://id.example/account')).text()
  expect(before).not.toContain('id="devices"')
  await b.answer(await (await b.enter(user_code)).text(), 'allow')
  const page = await (await b.get('https://id.example/account')).text()
  const [, section = ''] = page.split('id="devices"')
  expect(section).toContain('Quarterly Reports')
  expect(section).toContain('15 January 2027')
  expect(page.split('Quarterly Reports')).toHaveLength(2)
  const form = formOf(section)
  expect((await b.post('https://id.example/account', form.fields)).status).toBe(303)
  expect(await poll(s, device_code)).toBe(400)
  expect(await (await b.get('https://id.example/account')).text()).not.toContain('id="devices"')
})

it.each(['/device?user_code=<x>', '/device/../x', '//device', '/devices', '/device?x=1'])(
  'a sign-in does not lead to %j',
  async (return_to) => {
    const s = await start()
    const response = await s.handle(
      new Request(`https://id.example/login?${new URLSearchParams({ return_to })}`),
    )
    expect(response.status).toBe(400)
  },
)

it('where the grant is off, no sign-in leads to its page', async () => {
  const s = await setup()
  const response = await s.handle(new Request('https://id.example/login?return_to=/device'))
  expect(response.status).toBe(400)
  expect((await s.handle(new Request('https://id.example/device'))).status).toBe(404)
})
