/** Clients that registered themselves: their names are not trusted. */

import { describe, expect, it } from 'vitest'
import { CHANGE, openAccount, postAccount, signedIn } from './_account.js'
import { attempt } from './_attempts.js'
import { authorizeUrl, browser, openLogin, type Setup, setup } from './_setup.js'

const WARNING = '<strong>This application registered itself.</strong> Make sure that you know it.'
const LURE = 'Google. Your account is locked: call +1 555 0100 now and tell them your password, it is urgent'
const CUT = 'Google. Your account is locked: call +1 555 0100 now and te…'

const selfRegistered = (client_name: string, redirect_uri = 'https://app.example/cb') =>
  setup({ client: { client_name, origin: 'registered', redirect_uris: [redirect_uri] } })

/** The text of the sign-in, consent, sign-out and account pages. */
async function pagesOf(s: Setup): Promise<Record<string, string>> {
  const [client] = await s.storage('default').clients.list({ limit: 1 })
  const redirect_uri = client?.redirect_uris[0] ?? ''
  const b = browser(s)
  const { url, fields, html, page } = await openLogin(s, b, { redirect_uri })
  expect(page.status).toBe(200)
  const signed = await b.post(url, { ...fields, username: 'ada', password: 'correct horse' })
  const consent = await (await b.get(signed.headers.get('location') ?? '')).text()
  const auth_token = /name="auth_token" value="([^"]*)"/.exec(consent)?.[1] ?? ''
  await b.post(`${s.base('default')}/oauth/authorize/consent`, { auth_token })
  const logout = await (await b.get('https://id.example/oauth/logout?client_id=app')).text()
  const account = (await openAccount(s, b)).html
  return { 'sign in': html, consent, logout, account }
}

describe('a client that registered itself', () => {
  it('is quoted on every page, with a warning where the user decides', async () => {
    const pages = await pagesOf(await selfRegistered('Reports'))
    expect(pages['sign in']).toContain('to continue to “<bdi>Reports</bdi>”')
    expect(pages.consent).toContain('Allow “<bdi>Reports</bdi>” to use your account?')
    expect(pages.consent).toContain('<title>Allow “Reports”? ·')
    expect(pages.logout).toContain('“<bdi>Reports</bdi>” asks to sign you out.')
    expect(pages.account).toContain('Used for “<bdi>Reports</bdi>”')
    expect(pages.account).toMatch(/<h3 id="client-0">“<bdi>Reports<\/bdi>”<\/h3>/)
    for (const name of ['sign in', 'consent']) expect(pages[name], name).toContain(WARNING)
    expect(pages['sign in']).toContain(
      'After you sign in or go back, you will be sent to <bdi>app.example</bdi>.',
    )
  })

  it('is shown with at most 60 characters of its name', async () => {
    for (const [name, html] of Object.entries(await pagesOf(await selfRegistered(LURE)))) {
      expect(html, name).toContain(`“<bdi>${CUT}</bdi>”`)
      expect(html, name).not.toContain('tell them')
    }
    expect([...CUT]).toHaveLength(60)
    const whole = 'x'.repeat(60)
    expect((await pagesOf(await selfRegistered(whole))).consent).toContain(`“<bdi>${whole}</bdi>”`)
    const wide = '🐎'.repeat(61)
    expect((await pagesOf(await selfRegistered(wide))).consent).toContain(`“<bdi>${'🐎'.repeat(59)}…</bdi>”`)
  })

  it('cannot close the quotation marks', async () => {
    const { consent } = await pagesOf(await selfRegistered('A” is safe. “B «C» "D" „E“ ‚F‘ 「G」'))
    expect(consent).toContain(
      '“<bdi>A&#39; is safe. &#39;B &#39;C&#39; &#39;D&#39; &#39;E&#39; &#39;F&#39; &#39;G&#39;</bdi>”',
    )
  })

  it('is shown again with the warning after a wrong password', async () => {
    const s = await selfRegistered('Reports')
    expect(await (await attempt(s, browser(s), { password: 'wrong' })).text()).toContain(WARNING)
  })
})

it('a client of the operator is named without quotation marks, warning or cut', async () => {
  const pages = await pagesOf(await setup({ client: { client_name: LURE } }))
  for (const [name, html] of Object.entries(pages)) {
    expect(html, name).toContain(`<bdi>${LURE}</bdi>`)
    expect(html, name).not.toContain('“')
    expect(html, name).not.toContain('registered itself')
  }
  expect(pages['sign in']).not.toContain('gets an answer')
})

describe('the host that gets the answer', () => {
  it.each([
    ['https://app.example/cb', 'app.example', ''],
    ['http://app.example/cb', 'app.example', ' (not encrypted)'],
    ['http://10.0.0.1:8080/cb', '10.0.0.1:8080', ' (not encrypted)'],
    ['http://127.evil.example/cb', '127.evil.example', ' (not encrypted)'],
    ['http://localhost.evil.example/cb', 'localhost.evil.example', ' (not encrypted)'],
    ['http://localhost:8080/cb', 'localhost:8080', ' (this computer)'],
    ['http://127.0.0.1:8080/cb', '127.0.0.1:8080', ' (this computer)'],
    ['http://[::1]:8080/cb', '[::1]:8080', ' (this computer)'],
    ['https://app.localhost/cb', 'app.localhost', ' (this computer)'],
    ['com.example.app:/cb', 'com.example.app:', ''],
    ['com.example.app://cb', 'com.example.app://cb', ''],
  ])('%s: the pages say %s%s', async (redirect_uri, host, mark) => {
    const { consent, 'sign in': signIn } = await pagesOf(await selfRegistered('Reports', redirect_uri))
    expect(consent).toContain(
      `<p class="target">After you answer, you will be sent to <bdi>${host}</bdi>${mark}.</p>`,
    )
    expect(signIn).toContain(
      `<p>After you sign in or go back, you will be sent to <bdi>${host}</bdi>${mark}.</p>`,
    )
  })
})

it('the account page marks a client that registered itself, and is not cached', async () => {
  const s = await selfRegistered('Reports')
  const b = await signedIn(s)
  const consent = await (await b.get(authorizeUrl(s))).text()
  const auth_token = /name="auth_token" value="([^"]*)"/.exec(consent)?.[1] ?? ''
  await b.post(`${s.base('default')}/oauth/authorize/consent`, { auth_token })
  const { html, page } = await openAccount(s, b)
  expect(html).toContain('<p>This application registered itself.</p>')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const posted = await postAccount(s, b, { ...CHANGE, current_password: 'wrong' })
  expect(posted.headers.get('cache-control')).toBe('no-store')
  const done = await postAccount(s, b, { action: 'end_others' })
  expect(done.headers.get('cache-control')).toBe('no-store')
})
