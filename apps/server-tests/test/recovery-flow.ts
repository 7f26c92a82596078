/** A user who has lost everything, in Chromium: from the operator's command to the account page. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import type { CleanUp } from '@ostiary/test-kit/database'
import { configFor, startServer, USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { database, inThisProcess } from './commands.ts'
import { addApp, addPasskey, button, codesOn, factorsOn, follow, givePassword } from './factor-forms.ts'

const NEW_PASSWORD = 'four words in a row'

/** @param look Called with each page. */
export async function recover(
  addCleanup: CleanUp,
  look: (page: Page, name: string) => Promise<void> = async () => {},
): Promise<void> {
  const { env } = await database(addCleanup)
  const config = (port: number) => ({
    ...configFor('http://localhost:1/cb')(port),
    identity: { second_factor: 'optional' },
  })
  const server = await startServer({ config, env })
  addCleanup(async () => void (await server.stop()))
  const browser = await launchBrowser()
  addCleanup(() => browser.close())
  const faults: string[][] = []
  const device = async () => {
    const page = await (await browser.newContext()).newPage()
    faults.push(watch(page))
    return page
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
  expect(await heading(page)).toBe('Get back into your account')
  await look(page, 'recovery-link')
  expect(await statusOf(lost)).toBe(200)
  await follow(page, 'main form button')
  expect(page.url()).toBe(`${server.issuer}/login/ticket`)
  expect(await statusOf(lost)).toBe(303)

  expect(await page.locator('input[type=radio]:checked').count()).toBe(0)
  await look(page, 'recovery-decide')
  // By keyboard: the browser itself asks for each decision.
  await page.locator('main form button').click()
  expect(
    await page.evaluate(() => document.querySelectorAll(':invalid:not(form, fieldset)').length),
  ).toBeGreaterThan(0)
  for (const box of await page.locator('input[value=remove]').all()) {
    await box.focus()
    await page.keyboard.press('Space')
  }
  await follow(page, 'main form button')
  await look(page, 'recovery-choose')
  await follow(page, button.add('passkey'))
  await follow(page, button.passkey)
  expect(await page.locator('[role=status]').allTextContents()).toEqual(['Your new way to sign in is added.'])
  await page.locator('summary').click()
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill('something else')
  await follow(page, 'form:has(#new_password) button')
  expect(await page.locator('#password-error').isVisible()).toBe(true)
  await look(page, 'recovery-password')
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill(NEW_PASSWORD)
  await follow(page, 'form:has(#new_password) button')
  await look(page, 'recovery-ready')
  await follow(page, 'form.back button')
  const codes = await codesOn(page)
  expect([codes.length, codes.some((one) => old_codes.includes(one))]).toEqual([10, false])
  await look(page, 'recovery-codes')
  await follow(page, button.saved)
  expect(page.url()).toBe(`${server.issuer}/account`)
  expect(await factorsOn(page)).toEqual(['Passkey'])

  const refused = await browser.newPage()
  await refused.goto(link)
  expect(await heading(refused)).toBe('This link does not work')
  await look(refused, 'recovery-used')
  const again = await device()
  await again.goto(`${server.issuer}/account`)
  await givePassword(again, USERNAME, NEW_PASSWORD)
  expect(faults.flat()).toEqual([])
}
