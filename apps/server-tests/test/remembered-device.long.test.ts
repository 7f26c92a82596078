/** A remembered device: the box at the second step, the sign-in after it, and the account page. Photographed, checked, by keyboard. */

import { heading } from '@ostiary/test-kit/chromium'
import { USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { addApp, follow, giveCode, givePassword } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import type { InProcess } from './in-process.ts'
import { focusOrder, photograph } from './photograph.ts'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

const { serve, device } = inChromium()
const SETTINGS = { second_factor: 'optional', remember_device: 30 }

/** The browser forgets its session, and the password is given again. */
async function signInAgain({ issuer }: InProcess, page: Page): Promise<void> {
  await page.context().clearCookies({ name: /session/ })
  await page.goto(`${issuer}/account`)
  await givePassword(page, USERNAME)
}

const SECTION = 'section[aria-labelledby=remembered]'
const FORGET = 'form:has(input[value=forget_device]) button'

it('the box leaves out the second step in this browser, until the account page asks for it again', async () => {
  const server = await serve(SETTINGS)
  const page = await device()
  await signInAgain(server, page)
  const { app } = await addApp(page, server.clock.now)
  expect(await page.locator(SECTION).count()).toBe(0)

  await signInAgain(server, page)
  const box = page.getByLabel('Do not ask on this device for 30 days')
  expect(await box.isChecked()).toBe(false)
  expect(await focusOrder(page)).toEqual(expect.arrayContaining(['code', 'remember', 'Confirm']))
  await photograph(page, 'second-step-remember')
  await box.focus()
  await page.keyboard.press('Space')
  server.clock.now += 30
  await giveCode(page, app.code(server.clock.now))
  expect(await heading(page)).toBe('Your account')

  await signInAgain(server, page)
  expect(await heading(page)).toBe('Your account')
  expect(await page.locator(SECTION).textContent()).toContain('Chrome, Linux')
  await photograph(page, 'account-remembered')

  const elsewhere = await device()
  await signInAgain(server, elsewhere)
  expect(await elsewhere.locator('#code').count()).toBe(1)

  await follow(page, FORGET)
  expect(await page.getByRole('status').textContent()).toContain('asks for the second step')
  expect(await page.locator(SECTION).count()).toBe(0)
  await signInAgain(server, page)
  expect(await page.locator('#code').count()).toBe(1)
})

it('the box works without JavaScript', async () => {
  const server = await serve(SETTINGS)
  const page = await device({ javaScriptEnabled: false })
  await signInAgain(server, page)
  const { app } = await addApp(page, server.clock.now)
  await signInAgain(server, page)
  await page.getByLabel('Do not ask on this device for 30 days').check()
  server.clock.now += 30
  await giveCode(page, app.code(server.clock.now))
  await signInAgain(server, page)
  expect(await heading(page)).toBe('Your account')
})
