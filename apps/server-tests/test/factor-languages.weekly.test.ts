/** The pages of factors in every language, and from right to left, on the narrowest phone and on a desktop, light and dark. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
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
import { inChromium } from './in-chromium.ts'
import type { InProcess } from './in-process.ts'
import { LOCALES, withArabic } from './languages.ts'
import { createShow, type Show } from './page-variants.ts'
import { followByKeyboard, pressEnterAt } from './photograph.ts'

const LONG_NAME = 'Mein_außerordentlich_langer_Name_eines_Telefons_mit_Donaudam'

const chromium = inChromium()
const { device, authorizeUrl, answer } = chromium
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

const serve = (second_factor: 'optional' | 'required', more: object = {}) =>
  chromium.serve({ second_factor, ...more }, withArabic())

async function person(locale: string, { issuer }: InProcess): Promise<Page> {
  const page = await device({ locale })
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

it.each(LOCALES)('the offer of a passkey, for a browser in %s', async (locale, language) => {
  const server = await serve('optional')
  const page = await device({ locale })
  const shown = namesIn(language, page)
  const authenticator = await virtualAuthenticator(page)
  await page.goto(authorizeUrl(server))
  await page.locator('input[name=can_add_passkey]').waitFor({ state: 'attached' })
  await givePassword(page, USERNAME)
  await page.locator(button.passkey).waitFor()
  await shown('offer')
  await authenticator.verify(false)
  await pressEnterAt(page, button.passkey)
  await page.locator('[data-passkey-error]:visible').waitFor()
  await shown('offer-cancelled')
  await pressEnterAt(page, 'button[name=offer]')
  expect((await answer(page)).code).toEqual(expect.any(String))
})

it.each(LOCALES)(
  'a client that asks for more, and a first factor by invitation, for a browser in %s',
  async (locale, language) => {
    const server = await serve('optional', { enrolment: 'invited' })
    const page = await device({ locale })
    const shown = namesIn(language, page)
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    await shown('invited')
    await pressEnterAt(page, 'main form:has(input[value=cancel]) button')
    expect(await answer(page)).toMatchObject({ error: 'unmet_authentication_requirements' })
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    await shown('ways-invited')

    const open = await serve('optional')
    const other = await device({ locale })
    await other.goto(authorizeUrl(open, { acr_values: '2' }))
    await givePassword(other, USERNAME)
    await namesIn(language, other)('stronger')
    await followByKeyboard(other, button.add('totp'))
    expect(await other.locator('#code').isVisible()).toBe(true)
  },
)

it.each(LOCALES)('a device that is remembered, for a browser in %s', async (locale, language) => {
  const server = await serve('optional', { remember_device: 30 })
  const page = await person(locale, server)
  const shown = namesIn(language, page)
  await givePassword(page, USERNAME)
  const { app } = await addApp(page, server.clock.now)
  await page.context().clearCookies({ name: /session/ })
  await page.goto(`${server.issuer}/account`)
  await givePassword(page, USERNAME)
  await shown('second-step-remember')
  await page.locator('input[name=remember]').check()
  server.clock.now += 30
  await giveCode(page, app.code(server.clock.now))
  await page.locator('section[aria-labelledby=remembered]').waitFor()
  await shown('account-remembered')
})
