/** Every page in every language, and from right to left, on the narrowest phone and on a desktop, light and dark. */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inPage, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import { type Callback, callbackServer, configFor, PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type InProcess, startInProcess } from './in-process.ts'
import { createShow, type Show } from './page-variants.ts'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const LONG_NAME = 'Rechnungsprüfungsverwaltungsassistent'

/** The locale of the browser, and the language and direction of the pages. */
const LOCALES = [
  ['en-US', 'en', 'ltr'],
  ['de-DE', 'de', 'ltr'],
  ['fr-FR', 'fr', 'ltr'],
  ['ar-EG', 'ar', 'rtl'],
] as const

let server: InProcess
let callback: Callback
let browser: Browser
let show: Show

beforeAll(async () => {
  browser = await launchBrowser()
  show = await createShow(browser)
  callback = await callbackServer()
  // Its texts are English: the page is about the direction.
  const arabic = join(await mkdtemp(join(tmpdir(), 'ostiary-languages-')), 'ar.json')
  await writeFile(arabic, JSON.stringify({ language: 'ar', messages: { 'sign_in.title': 'تسجيل الدخول' } }))
  server = await startInProcess((port) => {
    const config = configFor(callback.url)(port)
    const [notes, ...others] = config.clients
    const redirect_uris = [callback.url]
    const assistants = LOCALES.map(([, language]) => ({
      client_id: `assistant-${language}`,
      client_name: LONG_NAME,
      redirect_uris,
    }))
    const device = { client_id: 'tv', client_name: LONG_NAME, grant_types: [DEVICE_CODE] }
    const clients = [notes, ...assistants, device, ...others]
    const registration = { enabled: true }
    const oidc = { ...config.oidc, clients: { registration, device_authorization: 'operator' as const } }
    return { ...config, clients, oidc, languages: { files: [arabic] } }
  })
})
afterAll(async () => {
  await browser.close()
  await callback.close()
  await server.stop()
})

const authorizeUrl = (parameters: Record<string, string>): string =>
  `${server.issuer}/oauth/authorize?${new URLSearchParams({
    client_id: 'notes',
    redirect_uri: callback.url,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  })}`

async function register(): Promise<string> {
  const client_name = `${LONG_NAME} der ${LONG_NAME}`
  const body = JSON.stringify({ client_name, redirect_uris: [callback.url] })
  const response = await fetch(`${server.issuer}/oauth/register`, { method: 'POST', body })
  return ((await response.json()) as { client_id: string }).client_id
}

/** The user code of a new request. */
async function deviceAsks(): Promise<string> {
  const body = new URLSearchParams({ client_id: 'tv', scope: 'openid profile email address phone' })
  const response = await fetch(`${server.issuer}/oauth/device_authorization`, { method: 'POST', body })
  return ((await response.json()) as { user_code: string }).user_code
}

async function person(locale: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale })
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  return page
}

async function signIn(page: Page, password = PASSWORD): Promise<void> {
  await page.locator('#username').fill(USERNAME)
  await page.locator('#password').fill(password)
  // The second button leads back to the application.
  await page.locator('button[type=submit]').first().click()
  await page.waitForLoadState()
}

it.each(LOCALES)('every page for a browser in %s', async (locale, language, direction) => {
  const client_id = await register()
  const page = await person(locale)
  const shown = async (name: string) => {
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(await inPage(page, () => getComputedStyle(document.body).direction)).toBe(direction)
    await show(page, `${language}-${name}`)
  }
  const scope = 'openid profile email address phone offline_access notes.read notes.write'
  await page.goto(authorizeUrl({ client_id, scope, resource: `${server.issuer}/api/notes` }))
  await shown('sign-in')
  await signIn(page, 'not the password')
  await shown('sign-in-wrong')
  await signIn(page)
  await shown('consent')
  await page.locator('.choice button').first().click()
  await page.waitForURL((url) => url.href.startsWith(callback.url))
  await page.goto(authorizeUrl({ client_id: `assistant-${language}`, scope: 'openid email' }))
  await page.locator('.choice button').first().click()
  await page.waitForURL((url) => url.href.startsWith(callback.url))

  const elsewhere = await person(locale)
  await elsewhere.goto(`${server.issuer}/account`)
  await signIn(elsewhere)
  await page.goto(`${server.issuer}/account`)
  await page.locator('summary').click()
  await page.locator('#current_password').fill('not the password')
  await page.locator('#new_password').fill('four words in a row')
  await page.locator('#new_password_again').fill('four words in a row')
  await page.locator('details button[type=submit]').click()
  await page.waitForLoadState()
  await shown('account')
  server.clock.now += 1000
  await page.locator('input[name=action][value=end_others] ~ button').click()
  await page.waitForLoadState()
  await shown('confirm')
  await page.goto(`${server.issuer}/oauth/logout?client_id=assistant-${language}`)
  await shown('sign-out')
  await page.locator('button[type=submit]').click()
  await page.waitForLoadState()
  await shown('signed-out')
  await page.goto(authorizeUrl({ client_id: 'nobody' }))
  await shown('error-unknown-client')
  await page.goto(authorizeUrl({ redirect_uri: 'https://evil.example/' }))
  await shown('error-redirect-uri')
  await page.goto(`${server.issuer}/login?return_to=gone`)
  await shown('error-expired')
})

it.each(LOCALES)('every page about a device for a browser in %s', async (locale, language) => {
  const page = await person(locale)
  const shown = (name: string) => show(page, `${language}-device-${name}`)
  const enter = async (user_code: string) => {
    await page.locator('#user_code').fill(user_code)
    await page.locator('button[type=submit]').click()
    await page.waitForLoadState()
  }
  const answer = async (value: string) => {
    await page.goto(`${server.issuer}/device`)
    await enter(await deviceAsks())
    await page.locator(`button[value=${value}]`).click()
    await page.waitForLoadState()
  }
  await page.goto(`${server.issuer}/device`)
  await shown('code')
  await enter('BCDF-GHJK')
  await signIn(page)
  await page.locator('button[type=submit]').click()
  await page.waitForLoadState()
  await shown('unknown-code')
  await enter(await deviceAsks())
  await shown('question')
  await answer('refuse')
  await shown('refused')
  await answer('allow')
  await shown('approved')
  await page.goto(`${server.issuer}/account`)
  await shown('account')
})
