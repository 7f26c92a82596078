import { heading, signIn } from '@ostiary/test-kit/chromium'
import { configFor, IN_MEMORY, PASSWORD, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { focusOrder } from './photograph.ts'

const chromium = inChromium()
const { device: newPage, answer } = chromium

let server: ServerProcess

let test = 0

beforeEach(() => {
  test++
})

/** One for each group of tests: together they sign in more often than the limit of one user allows. */
function withServer(): void {
  beforeAll(async () => {
    server = await startServer({ config: configFor(chromium.redirectUri()), env: IN_MEMORY })
    return async () => void (await server.stop())
  })
}

/** A different client for each test, so that each starts without consents. */
const clientId = () => `notes-${test}`

const authorizeUrl = (parameters: Record<string, string> = {}): string =>
  chromium.authorizeUrl(server, {
    client_id: clientId(),
    state: 'the state',
    scope: 'openid profile email',
    ...parameters,
  })

const allow = (page: Page) => page.getByRole('button', { name: 'Allow' }).click()
const deny = (page: Page) => page.getByRole('button', { name: 'Deny' }).click()

const CODE = { code: expect.stringMatching(/^[\w-]{45}$/), state: 'the state' }
const code = () => ({ ...CODE, iss: server.issuer })

/** Signed in, and with consent to the standard request. */
async function signedIn(options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(options)
  await page.goto(authorizeUrl())
  await signIn(page)
  await allow(page)
  await answer(page)
  return page
}

/** The `sid` of the ID token that the code is redeemed for. */
const sessionOf = async ({ code }: Record<string, string>): Promise<string> =>
  String((await chromium.idToken(server, code, clientId())).sid)

describe('a user signs in', () => {
  withServer()

  it('with a wrong password, then the right one; consents; and is back at the client with code, state and iss', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    expect(await heading(page)).toBe('Sign in')
    expect(await page.locator('main').textContent()).toContain('Notes')

    await signIn(page, 'not the password')
    expect(await page.getByRole('alert').textContent()).toBe('The username or password is not right.')
    expect(await page.getByLabel('Username').inputValue()).toBe('ann')
    expect(await page.getByLabel('Password').inputValue()).toBe('')

    await signIn(page)
    expect(await heading(page)).toBe('Allow Notes to use your account?')
    const text = await page.locator('main').textContent()
    const parts = [
      'Ann Example',
      'Know who you are',
      'See your email address',
      new URL(chromium.redirectUri()).host,
    ]
    for (const part of parts) expect(text).toContain(part)

    await allow(page)
    expect(await answer(page)).toEqual(code())
    expect(await heading(page)).toBe('Back at the client')
  })

  it('an unknown name gets the same answer as a wrong password', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    await signIn(page, PASSWORD, 'nobody')
    expect(await page.getByRole('alert').textContent()).toBe('The username or password is not right.')
  })

  it('a second authorization skips login and consent', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl())
    expect(await answer(page)).toEqual(code())
  })

  it('more scopes, or a resource, are asked for', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ scope: 'openid phone' }))
    expect(await page.locator('main').textContent()).toContain('Allow Notes to use your account?')
    await page.goto(authorizeUrl({ scope: 'openid notes.read', resource: `${server.issuer}/api/notes` }))
    const text = await page.locator('main').textContent()
    for (const part of ['Read your notes', `${server.issuer}/api/notes`]) expect(text).toContain(part)
    await allow(page)
    expect(await answer(page)).toEqual(code())
  })

  it('deny gives access_denied, with state and iss, and stores nothing', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    await signIn(page)
    await deny(page)
    expect(await answer(page)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
      iss: server.issuer,
    })
    await page.goto(authorizeUrl())
    expect(await heading(page)).toContain('Allow')
  })

  it('another account can be used instead', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    await signIn(page)
    await page.getByRole('link', { name: 'Use another account' }).click()
    expect(await heading(page)).toBe('Sign in')
    await signIn(page)
    await allow(page)
    expect(await answer(page)).toEqual(code())
  })

  it('the keyboard is enough, and the focus starts at the first field', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    expect(await focusOrder(page)).toEqual([
      'username',
      'password',
      'Sign in',
      'Sign in with a passkey',
      'action',
    ])
    await page.reload()
    await page.locator('input[name=username]:focus').waitFor()
    await page.keyboard.type('ann')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(/resume/)
    expect(await focusOrder(page)).toEqual(['Use another account', 'Allow', '_method'])
  })

  it('works without JavaScript', async () => {
    const page = await signedIn({ javaScriptEnabled: false })
    await page.goto(authorizeUrl({ prompt: 'login' }))
    await signIn(page, 'not the password')
    expect(await page.getByRole('alert').textContent()).toContain('not right')
    await signIn(page)
    expect(await answer(page)).toEqual(code())
  })

  it('the sign-in page of a used link explains what to do', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    const link = page.url()
    await signIn(page)
    await allow(page)
    await answer(page)
    await page.goto(link)
    expect(await page.locator('main').textContent()).toContain('This request has expired')
  })
})

describe('prompt and max_age', () => {
  withServer()

  it.each(['login', 'select_account'])(
    'prompt=%s asks for the password again, in a new session',
    async (prompt) => {
      const page = await signedIn()
      await page.goto(authorizeUrl())
      const before = await sessionOf(await answer(page))
      await page.goto(authorizeUrl({ prompt }))
      expect(await heading(page)).toBe('Sign in')
      await signIn(page)
      expect(await sessionOf(await answer(page))).not.toBe(before)
    },
  )

  it('prompt=login ends the session at once, even without a new sign-in', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ prompt: 'login' }))
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(await answer(page)).toMatchObject({
      error: 'login_required',
      state: 'the state',
      iss: server.issuer,
    })
  })

  it('prompt=consent shows the consent view although a stored consent covers the scopes', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ prompt: 'consent' }))
    expect(await heading(page)).toBe('Allow Notes to use your account?')
    await allow(page)
    expect(await answer(page)).toEqual(code())
  })

  it('prompt=login consent asks for both', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ prompt: 'login consent' }))
    await signIn(page)
    await allow(page)
    expect(await answer(page)).toEqual(code())
  })

  it('max_age=0 asks for the password again, once', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ max_age: '0' }))
    expect(await heading(page)).toBe('Sign in')
    await signIn(page)
    expect(await answer(page)).toEqual(code())
  })

  it('a large max_age asks for nothing', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ max_age: '3600' }))
    expect(await answer(page)).toEqual(code())
  })

  it('prompt=none: login_required when signed out', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(await answer(page)).toMatchObject({
      error: 'login_required',
      state: 'the state',
      iss: server.issuer,
    })
  })

  it('prompt=none: consent_required without consent, and a code with it', async () => {
    const page = await newPage()
    await page.goto(authorizeUrl())
    await signIn(page)
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(await answer(page)).toMatchObject({ error: 'consent_required' })
    await page.goto(authorizeUrl())
    await allow(page)
    await answer(page)
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(await answer(page)).toEqual(code())
  })

  it('prompt=none with max_age=0: login_required, and the session is kept', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ prompt: 'none', max_age: '0' }))
    expect(await answer(page)).toMatchObject({ error: 'login_required' })
    await page.goto(authorizeUrl({ prompt: 'none' }))
    expect(await answer(page)).toEqual(code())
  })

  it('prompt=none login: invalid_request', async () => {
    const page = await signedIn()
    await page.goto(authorizeUrl({ prompt: 'none login' }))
    expect(await answer(page)).toMatchObject({ error: 'invalid_request' })
  })
})
