/** A user deletes the account, in Chromium: asks for it, is offered to keep it at the next sign-in, and keeps it. */

import { heading } from '@ostiary/test-kit/chromium'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri } = inChromium()
const ANN = 'mia@corp.example'
const PASSWORD = 'seven words that mia has chosen'
const SECTION = 'section[aria-labelledby=delete-account] button'

async function world() {
  const w = await mailWorld({}, redirectUri(), { account_deletion: true })
  const host = new URL(w.server.issuer).host
  expect((await w.command(`user invite ${ANN}`)).code).toBe(0)
  const page = await device()
  await page.goto(linkIn(await received(w.smtp, `An account at ${host} was made for you: ${ANN}`)))
  await followByKeyboard(page, 'main form button')
  await pressEnterAt(page, 'summary')
  await page.locator('#new_password').fill(PASSWORD)
  await page.locator('#new_password_again').fill(PASSWORD)
  await followByKeyboard(page, 'form:has(#new_password) button')
  await followByKeyboard(page, 'form.back button')
  expect(page.url()).toBe(`${w.server.issuer}/account`)
  return { ...w, page }
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#username').fill(ANN)
  await page.locator('#password').fill(PASSWORD)
  await followByKeyboard(page, 'form:has(#password) button')
}

it('asks for the deletion by keyboard, is offered to keep the account, and keeps it', async () => {
  const w = await world()
  const { page } = w
  expect(await page.locator('main > section').last().locator('h2').textContent()).toBe('Delete your account')
  await photograph(page, 'account-with-deletion')
  await followByKeyboard(page, SECTION)
  expect(await heading(page)).toBe('Delete your account?')
  expect(await focusOrder(page)).toEqual(['username', 'Delete my account', 'Keep the account and go back'])
  await photograph(page, 'delete-account')
  await page.locator('#username').fill('someone else')
  await followByKeyboard(page, 'main form button')
  expect(await page.locator('[role=alert]').textContent()).toContain('This is not your username')
  const field = page.locator('#username')
  expect(await field.inputValue()).toBe('someone else')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await photograph(page, 'delete-account-refused')
  await field.fill(ANN)
  await followByKeyboard(page, 'main form button')
  expect(await heading(page)).toBe('Your account will be deleted')
  await photograph(page, 'delete-account-requested')

  const simulated = await w.command(`simulate sign-in --user ${ANN}`)
  expect(simulated.stdout).toMatch(/^is deleted at +20\d\d-\d\d-\d\dT/m)

  const { host } = new URL(w.server.issuer)
  const { text } = await received(w.smtp, `Your account will be deleted – ${host}`)
  expect(text).toContain(`The deletion of the account ${ANN} at ${host} was asked for.`)
  const [, sign_in = ''] = /^Sign in:\r?\n(\S+)\r?$/m.exec(text ?? '') ?? []
  await page.goto(sign_in)
  await signIn(page)
  expect(await heading(page)).toBe('Your account is about to be deleted')
  expect(await focusOrder(page)).toEqual(['Keep my account'])
  await photograph(page, 'keep-account')
  await followByKeyboard(page, 'main form button')
  expect(await heading(page)).toBe('You keep your account')
  await photograph(page, 'account-kept')
  await followByKeyboard(page, 'a.switch')
  await signIn(page)
  expect(page.url()).toBe(`${w.server.issuer}/account`)
})
