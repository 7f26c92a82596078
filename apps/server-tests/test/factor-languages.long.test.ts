/** The pages of factors in every language, and from right to left, on the narrowest phone and on a desktop, light and dark. */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { launchBrowser, watch } from '@ostiary/test-kit/chromium'
import { configFor, PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import {
  addApp,
  addPasskey,
  appOn,
  button,
  follow,
  giveCode,
  givePassword,
  giveRecoveryCode,
} from './factor-forms.ts'
import { type InProcess, startInProcess } from './in-process.ts'
import { createShow, type Show } from './page-variants.ts'

/** The locale of the browser, and the language of the pages. */
const LOCALES = [
  ['en-US', 'en'],
  ['de-DE', 'de'],
  ['fr-FR', 'fr'],
  ['ar-EG', 'ar'],
] as const

const LONG_NAME = 'Mein_außerordentlich_langer_Name_eines_Telefons_mit_Donaudam'

let browser: Browser
let show: Show
/** The file of a language that is written from right to left. Its texts are English. */
let arabic: string

beforeAll(async () => {
  browser = await launchBrowser()
  show = await createShow(browser)
  arabic = join(await mkdtemp(join(tmpdir(), 'ostiary-languages-')), 'ar.json')
  await writeFile(arabic, JSON.stringify({ language: 'ar', messages: { 'sign_in.title': 'تسجيل الدخول' } }))
})
afterAll(() => browser.close())

async function serve(second_factor: 'optional' | 'required'): Promise<InProcess> {
  const server = await startInProcess((port) => ({
    ...configFor('http://localhost/callback')(port),
    identity: { second_factor },
    languages: { files: [arabic] },
  }))
  onTestFinished(() => server.stop())
  return server
}

async function person(locale: string, { issuer }: InProcess): Promise<Page> {
  const context = await browser.newContext({ locale })
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  await page.goto(`${issuer}/account`)
  return page
}

const namesIn = (language: string, page: Page) => async (name: string) => {
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  await show(page, `${language}-factors-${name}`)
}

it.each(LOCALES)('the account page and what it adds, for a browser in %s', async (locale, language) => {
  const server = await serve('optional')
  const page = await person(locale, server)
  const shown = namesIn(language, page)
  const authenticator = await virtualAuthenticator(page, { verified: false })
  await page.locator(button.passkey).waitFor()
  await shown('sign-in')
  await page.locator(button.passkey).click()
  await page.locator('[data-passkey-error]:visible').waitFor()
  await shown('sign-in-cancelled')
  await givePassword(page, USERNAME)
  await shown('ways-none')
  await follow(page, button.add('passkey'))
  await page.locator(button.passkey).click()
  await page.locator('[data-passkey-error]:visible').waitFor()
  await shown('create-passkey-cancelled')
  await authenticator.verify(true)
  await follow(page, button.passkey)
  await shown('recovery-codes')
  await follow(page, button.saved)
  await shown('ways-one')
  await follow(page, button.add('totp'))
  await shown('add-app')
  const app = await appOn(page)
  await giveCode(page, '000000')
  await shown('add-app-wrong')
  await giveCode(page, app.code(server.clock.now))
  await page.locator('summary').first().click()
  await page.locator('#factor-0-label').fill(LONG_NAME)
  await follow(page, button.rename(0))
  await page.locator('summary').first().click()
  await shown('ways-several')
  server.clock.now += 600
  await follow(page, button.newCodes)
  await page.locator('.recovery > summary').click()
  await shown('confirm-change')
  await page.locator('#recovery-password').fill(PASSWORD)
  await giveRecoveryCode(page, '0000-0000-0000-0000')
  await shown('confirm-change-wrong')
})

it.each(LOCALES)('the second step, for a browser in %s', async (locale, language) => {
  const server = await serve('optional')
  const page = await person(locale, server)
  const shown = namesIn(language, page)
  await givePassword(page, USERNAME)
  const authenticator = await virtualAuthenticator(page)
  const codes = await addPasskey(page)
  await addApp(page, server.clock.now)
  await authenticator.attend(false)
  const begin = async () => {
    await page.context().clearCookies()
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
  }
  await begin()
  await page.locator(button.passkey).waitFor()
  await shown('second-step')
  await giveCode(page, '000000')
  await shown('second-step-wrong')
  await giveRecoveryCode(page, '0000-0000-0000-0000')
  await shown('second-step-recovery-wrong')
  await giveRecoveryCode(page, codes[0] ?? '')
  for (const code of codes.slice(1, 9)) {
    await begin()
    await giveRecoveryCode(page, code)
  }
  await shown('ways-few-codes')
  await begin()
  await giveRecoveryCode(page, codes[9] ?? '')
  await shown('ways-no-codes')
})

it.each(LOCALES)('a sign-in that needs a second factor, for a browser in %s', async (locale, language) => {
  const server = await serve('required')
  const page = await person(locale, server)
  const shown = namesIn(language, page)
  await virtualAuthenticator(page)
  await givePassword(page, USERNAME)
  await shown('choose')
  await follow(page, button.add('passkey'))
  await page.locator(button.passkey).waitFor()
  await shown('must-create-passkey')
  await follow(page, button.passkey)
  await follow(page, button.saved)
  await follow(page, button.remove(0))
  await shown('ways-refused-removal')
})
