import { heading, inPage, launchBrowser, signIn, watch } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { type ServerProcess, startServer } from '@ostiary/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { photograph } from './photograph.ts'

let server: ServerProcess
let browser: Browser
let password: string

beforeAll(async () => {
  server = await startServer({ env: { OSTIARY_STORAGE: 'memory' } })
  // Read from the output of the server, as a user would. It comes by another pipe than the log.
  password = await eventually(() => /Password +(\S+) +\(/.exec(server.stderr())?.[1] ?? false)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function openDemo(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  await page.goto(`${server.issuer}/demo`)
  return page
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const alert = (page: Page) => page.getByRole('alert').textContent()
const signedInAs = (page: Page) => page.getByRole('heading', { name: 'Signed in as Demo User' }).waitFor()
const claim = (page: Page, list: string, name: string) =>
  page
    .locator(`#${list} > div`, { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
    .textContent()

async function signedInDemo(): Promise<Page> {
  const page = await openDemo()
  await press(page, 'Sign in')
  await signIn(page, password, 'demo')
  // The consent is kept from one test to the next.
  const allow = page.getByRole('button', { name: 'Allow' })
  await Promise.race([allow.click(), signedInAs(page)])
  await signedInAs(page)
  return page
}

describe('the demo client', () => {
  it('explains that access was denied', async () => {
    const page = await openDemo()
    await press(page, 'Sign in')
    await signIn(page, password, 'demo')
    expect(await heading(page)).toBe('Allow Ostiary demo to use your account?')
    await press(page, 'Deny')
    await page.getByRole('alert').getByText('access_denied').waitFor()
    expect(await alert(page)).toContain('You did not allow it, so nothing was shared.')
    expect(page.url()).toBe(`${server.issuer}/demo`)
    await photograph(page, 'demo-denied')
  })

  it('signs in, shows the tokens, refreshes them, and signs out', async () => {
    const page = await openDemo()
    await photograph(page, 'demo-signed-out')
    await press(page, 'Sign in')
    await signIn(page, password, 'demo')
    await press(page, 'Allow')
    await signedInAs(page)
    // The code is spent and out of the address bar.
    expect(page.url()).toBe(`${server.issuer}/demo`)
    expect(await claim(page, 'id-token', 'iss')).toBe(server.issuer)
    expect(await claim(page, 'id-token', 'aud')).toBe('demo')
    expect(await claim(page, 'access-token', 'scope')).toBe('openid profile email')
    expect(await claim(page, 'userinfo', 'email')).toBe('demo@example.com')
    expect(await page.locator('#expiry').textContent()).toMatch(/^valid for 1[45]:\d\d$/)
    await photograph(page, 'demo-signed-in')

    const before = await page.locator('#raw-access_token').textContent()
    await press(page, 'Refresh the tokens')
    await page.getByText('New tokens have arrived.').waitFor()
    expect(await page.locator('#raw-access_token').textContent()).not.toBe(before)

    await press(page, 'Sign in again without a prompt')
    await page.getByText('Sent you to the authorization endpoint').waitFor()
    await signedInAs(page)

    await page.reload()
    await signedInAs(page)

    await press(page, 'Sign out')
    await page.getByText('You are signed out.').waitFor()
    expect(page.url()).toBe(`${server.issuer}/demo`)
    expect(await inPage(page, () => sessionStorage.getItem('ostiary-demo.tokens'))).toBeNull()
    await press(page, 'Sign in without a prompt')
    await page.getByRole('alert').getByText('login_required').waitFor()
    expect(await alert(page)).toContain('Nobody is signed in at the provider')
  })

  it('keeps tokens out of localStorage, cookies and addresses', async () => {
    const page = await signedInDemo()
    expect(await inPage(page, () => localStorage.length)).toBe(0)
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['ostiary_csrf', true, 'Lax'],
      ['ostiary_session', true, 'Lax'],
      ['ostiary_device', true, 'Lax'],
    ])
    const tab = await page.context().newPage()
    await tab.goto(`${server.issuer}/demo`)
    await tab.getByText('You are not signed in here').waitFor()
  })

  it('refuses a response that it did not request, or that comes from another provider', async () => {
    const page = await openDemo()
    await page.goto(`${server.issuer}/demo?code=stolen&state=guessed&iss=${server.issuer}`)
    await page.getByRole('alert').getByText('bad_answer').waitFor()
    expect(await alert(page)).toContain('does not belong to a request of this tab')

    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await inPage(page, () =>
      sessionStorage.setItem(
        'ostiary-demo.request',
        JSON.stringify({ state: 's', nonce: 'n', code_verifier: 'v' }),
      ),
    )
    await page.goto(`${server.issuer}/demo?code=mixed-up&state=s&iss=https://evil.example`)
    await page.getByRole('alert').getByText('bad_answer').waitFor()
    expect(await alert(page)).toContain('comes from another provider')
    expect(requests.filter((url) => url.endsWith('/oauth/token'))).toEqual([])
  })

  it('explains that the session ended elsewhere, and drops the tokens', async () => {
    const page = await signedInDemo()
    const tokens = await inPage(page, () => JSON.parse(sessionStorage.getItem('ostiary-demo.tokens') ?? ''))
    const body = new URLSearchParams({ client_id: 'demo', token: tokens.refresh_token })
    await fetch(`${server.issuer}/oauth/revoke`, { method: 'POST', body })
    await press(page, 'Refresh the tokens')
    await page.getByRole('alert').getByText('invalid_grant').waitFor()
    await page.getByText('You are not signed in here').waitFor()
  })

  it('says so when the provider does not answer', async () => {
    const page = await openDemo()
    await page.route('**/.well-known/**', (route) => route.abort())
    await press(page, 'Sign in')
    await page.getByRole('alert').getByText('Is the server still running?').waitFor()
  })

  it('without JavaScript the page explains itself', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${server.issuer}/demo`)
    expect(await page.locator('main').textContent()).toContain('written in JavaScript')
  })

  it('the start page links to it', async () => {
    const page = await openDemo()
    await page.goto(server.issuer)
    await photograph(page, 'start')
    await page.getByRole('link', { name: 'Demo client' }).click()
    expect(await heading(page)).toBe('Demo client')
  })
})
