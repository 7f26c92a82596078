/** The forms of passkeys, authenticator apps and recovery codes, found by their fields: in each language. */

import { type AuthenticatorApp, authenticatorApp } from '@ostiary/test-kit/authenticators/app'
import { PASSWORD } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'

/** Clicks, and waits until the browser has loaded the page to which the click leads. */
export async function follow(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), page.locator(button).first().click()])
  await page.waitForLoadState()
}

const formOf = (action: string) => `form:has(input[name=action][value=${action}])`

export const button = {
  password: 'form:has(#password) button[type=submit]',
  /** Creates or uses a passkey. It appears when the script has found that the browser has passkeys. */
  passkey: '[data-passkey-button]:visible',
  code: 'form:has(#code) button[type=submit]',
  recovery: 'form:has(#recovery_code) button[type=submit]',
  saved: 'form.back button',
  restart: '.restart button',
  add: (kind: 'passkey' | 'totp') => `${formOf('enrol')}:has(input[value=${kind}]) button`,
  remove: (index: number) => `li:has(#factor-${index}) ${formOf('remove_factor')} button`,
  rename: (index: number) => `li:has(#factor-${index}) ${formOf('rename_factor')} button`,
  newCodes: `${formOf('new_codes')} button`,
  secondStep: `${formOf('second_step')}:not(:has(input[name=proof])) button`,
}

export async function givePassword(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await follow(page, button.password)
}

export async function giveCode(page: Page, code: string): Promise<void> {
  await page.locator('#code').fill(code)
  await follow(page, button.code)
}

export async function giveRecoveryCode(page: Page, code: string): Promise<void> {
  const field = page.locator('#recovery_code')
  if (!(await field.isVisible())) await page.locator('.recovery > summary').click()
  await field.fill(code)
  await follow(page, button.recovery)
}

export const codesOn = (page: Page): Promise<string[]> => page.locator('.codes code').allTextContents()

/** From the account page and back to it. @returns The recovery codes, which come with the first factor. */
export async function addPasskey(page: Page): Promise<string[]> {
  await follow(page, button.add('passkey'))
  await follow(page, button.passkey)
  return takeCodes(page)
}

export async function addApp(page: Page, now?: number): Promise<{ app: AuthenticatorApp; codes: string[] }> {
  await follow(page, button.add('totp'))
  const app = await appOn(page)
  await giveCode(page, app.code(now))
  return { app, codes: await takeCodes(page) }
}

/** The app that has read the key of the page. */
export const appOn = async (page: Page): Promise<AuthenticatorApp> =>
  authenticatorApp((await page.locator('.key').textContent()) ?? '')

async function takeCodes(page: Page): Promise<string[]> {
  const codes = await codesOn(page)
  if (codes.length > 0) await follow(page, button.saved)
  return codes
}

/** The names of the passkeys and apps on the account page. */
export const factorsOn = (page: Page): Promise<string[]> =>
  page.locator('section[aria-labelledby=ways] h3[id^=factor-] bdi').allTextContents()
