/** A user who has lost everything, in Chromium: from the operator's command to the account page. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading, inPage } from '@ostiary/test-kit/chromium'
import { configFor, startServer, USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { database, inThisProcess } from './commands.ts'
import { addApp, addPasskey, button, codesOn, factorsOn, follow, givePassword } from './factor-forms.ts'
import type { inChromium } from './in-chromium.ts'
import { followByKeyboard, pressEnterAt, tabTo } from './photograph.ts'

const NEW_PASSWORD = 'four words in a row'

interface Look {
  locale: string
  /** Other parts of the configuration. */
  more?: object
  /** Called with each page. */
  look?(page: Page, name: string): Promise<void>
}

/** The new way is chosen by keyboard. The sentences are compared in English. */
export async function recover(
  chromium: ReturnType<typeof inChromium>,
  { locale, more = {}, look = async () => {} }: Look,
): Promise<void> {
  const { env } = await database(onTestFinished)
  const config = (port: number) => ({
    ...configFor(chromium.redirectUri())(port),
    identity: { second_factor: 'optional' },
    ...more,
  })
  const server = await startServer({ config, env })
  onTestFinished(async () => void (await server.stop()))
  const device = () => chromium.device({ locale })
  const expectHeading = async (page: Page, sentence: string) => {
    if (locale === 'en-US') expect(await heading(page)).toBe(sentence)
  }

  // Not by the page, whose simulated authenticator signs in again by itself.
  const statusOf = async (page: Page) =>
    (await page.request.get(`${server.issuer}/account`, { maxRedirects: 0 })).status()

  const lost = await device()
  await lost.goto(`${server.issuer}/account`)
  await givePassword(lost, USERNAME)
  // After the sign-in, which would offer a passkey.
  await virtualAuthenticator(lost, { transport: 'internal', synced: true })
  const old_codes = await addPasskey(lost)
  await addApp(lost)

  const { port } = new URL(server.issuer)
  const command = `user recovery-link ${USERNAME} --json`
  const { code, stdout } = await inThisProcess(command, { env, config: config(Number(port)) })
  expect(code).toBe(0)
  const { link } = JSON.parse(stdout)

  const page = await device()
  await virtualAuthenticator(page, { transport: 'internal', synced: true })
  await page.goto(link)
  await expectHeading(page, 'Get back into your account')
  await look(page, 'recovery-link')
  expect(await statusOf(lost)).toBe(200)
  await followByKeyboard(page, 'main form button')
  expect(page.url()).toBe(`${server.issuer}/login/ticket`)
  expect(await statusOf(lost)).toBe(303)

  expect(await page.locator('input[type=radio]:checked').count()).toBe(0)
  await look(page, 'recovery-decide')
  // By keyboard: the browser itself asks for each decision.
  await page.locator('main form button').click()
  expect(
    await inPage(page, () => document.querySelectorAll(':invalid:not(form, fieldset)').length),
  ).toBeGreaterThan(0)
  for (const box of await page.locator('input[value=remove]').all()) {
    await tabTo(page, `input[name="${await box.getAttribute('name')}"]`)
    await page.keyboard.press('ArrowDown')
    expect(await box.isChecked()).toBe(true)
  }
  await followByKeyboard(page, 'main form button')
  await look(page, 'recovery-choose')
  await followByKeyboard(page, button.add('passkey'))
  await followByKeyboard(page, '[data-passkey-button]')
  const added = locale === 'en-US' ? 'Your new way to sign in is added.' : expect.any(String)
  expect(await page.locator('[role=status]').allTextContents()).toEqual([added])
  await pressEnterAt(page, 'summary')
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill('something else')
  await followByKeyboard(page, 'form:has(#new_password) button')
  expect(await page.locator('#password-error').isVisible()).toBe(true)
  await look(page, 'recovery-password')
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill(NEW_PASSWORD)
  await followByKeyboard(page, 'form:has(#new_password) button')
  await look(page, 'recovery-ready')
  await followByKeyboard(page, 'form.back button')
  const codes = await codesOn(page)
  expect([codes.length, codes.some((one) => old_codes.includes(one))]).toEqual([10, false])
  await look(page, 'recovery-codes')
  await follow(page, button.saved)
  expect(page.url()).toBe(`${server.issuer}/account`)
  expect(await factorsOn(page)).toHaveLength(1)

  const refused = await device()
  await refused.goto(link)
  await expectHeading(refused, 'This link does not work')
  await look(refused, 'recovery-used')
  const again = await device()
  await again.goto(`${server.issuer}/account`)
  await givePassword(again, USERNAME, NEW_PASSWORD)
}
