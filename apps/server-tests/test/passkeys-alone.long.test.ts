/** Accounts and a realm without passwords, in Chromium: the pages are photographed, checked with axe, and used by keyboard. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading, launchBrowser, watch } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import {
  type Callback,
  callbackServer,
  configFor,
  IN_MEMORY,
  PASSWORD,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { addPasskey, button, factorsOn, follow, givePassword } from './factor-forms.ts'
import { createShow, type Show } from './page-variants.ts'
import { focusOrder } from './photograph.ts'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

let browser: Browser
let callback: Callback
let show: Show
beforeAll(async () => {
  browser = await launchBrowser()
  callback = await callbackServer()
  show = await createShow(browser)
  return async () => {
    await browser.close()
    await callback.close()
  }
})

/** A server of the running test. */
async function serve(): Promise<ServerProcess> {
  const server = await startServer({ config: configFor(callback.url), env: IN_MEMORY })
  onTestFinished(async () => {
    await server.stop()
  })
  return server
}

/** Turns the passwords of the running server off. The stored ones stay. */
async function turnPasswordsOff(server: ServerProcess): Promise<void> {
  const file = {
    ...configFor(callback.url)(server.port),
    users: [{ username: USERNAME }],
    identity: { password: { enabled: false } },
  }
  await writeFile(join(server.cwd, 'ostiary.config.json'), JSON.stringify(file))
  server.child.kill('SIGHUP')
  await eventually(() => expect(server.logged('the configuration is reloaded')).toHaveLength(1))
}

/** A new browser context; faults that the page reports fail the test. */
async function device(options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults = watch(page)
  onTestFinished(async () => {
    expect(faults).toEqual([])
    await context.close()
  })
  return page
}

async function signedIn({ issuer }: ServerProcess): Promise<Page> {
  const page = await device()
  await page.goto(`${issuer}/account`)
  await givePassword(page, USERNAME)
  return page
}

const alerts = (page: Page) => page.locator('[role=alert]:visible').allTextContents()

it('a realm without passwords: the page has the button, which signs in', async () => {
  const server = await serve()
  const page = await signedIn(server)
  await virtualAuthenticator(page, { synced: true })
  await addPasskey(page)
  await turnPasswordsOff(server)
  await page.context().clearCookies()

  await page.goto(`${server.issuer}/account`)
  await page.locator(button.passkey).waitFor()
  expect(await page.locator('input:visible').count()).toBe(0)
  expect(await alerts(page)).toEqual([])
  await show(page, 'sign-in-passkeys-alone')
  expect(await focusOrder(page)).toEqual(['Sign in with a passkey'])
  await page.locator(button.passkey).focus()
  await Promise.all([page.waitForURL(/\/account$/), page.keyboard.press('Enter')])
  expect(await heading(page)).toBe('Your account')
  expect(await page.locator('#password, input[type=password]').count()).toBe(0)
  await show(page, 'account-passkeys-alone')
})

it('without JavaScript, and without passkeys, the page says what is missing', async () => {
  const server = await serve()
  await turnPasswordsOff(server)
  const without_script = await device({ javaScriptEnabled: false })
  await without_script.goto(`${server.issuer}/account`)
  expect(await alerts(without_script)).toEqual(['This sign-in needs a browser with JavaScript and passkeys.'])
  expect(await without_script.locator('button:visible, input:visible').count()).toBe(0)

  const without_passkeys = await device()
  await without_passkeys.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await without_passkeys.goto(`${server.issuer}/account`)
  await without_passkeys.locator('[data-passkey-missing]:visible').waitFor()
  expect(await alerts(without_passkeys)).toEqual(['This browser or device cannot use passkeys here.'])
  expect(await without_passkeys.locator('button:visible').count()).toBe(0)
  await show(without_passkeys, 'sign-in-passkeys-missing')
})

it('a user removes the password, signs in with a passkey, and sets a password again', async () => {
  const server = await serve()
  const page = await signedIn(server)
  const first = await virtualAuthenticator(page, { transport: 'usb' })
  await addPasskey(page)
  const removal = 'form:has(input[value=remove_password]) button'
  expect(await page.locator(removal).count()).toBe(0)
  await first.remove()
  const second = await virtualAuthenticator(page, { synced: true })
  await addPasskey(page)
  expect(await factorsOn(page)).toHaveLength(2)

  await page.locator('summary', { hasText: 'Remove your password' }).click()
  await show(page, 'remove-password')
  await follow(page, removal)
  expect(await page.getByRole('status').textContent()).toContain('Your password is removed.')
  await show(page, 'without-password')

  await page.context().clearCookies()
  // The list of the name field waits for its user.
  await second.attend(false)
  await page.goto(`${server.issuer}/account`)
  await givePassword(page, USERNAME)
  expect(await page.locator('#error').textContent()).toContain('is not right')
  await page.locator(button.passkey).waitFor()
  await second.attend(true)
  await Promise.all([page.waitForURL(/\/account$/), page.locator(button.passkey).click()])
  expect(await heading(page)).toBe('Your account')

  await page.locator('summary', { hasText: 'Set a password' }).click()
  await page.locator('#new_password').fill(PASSWORD)
  await page.locator('#new_password_again').fill(PASSWORD)
  await show(page, 'set-password')
  await follow(page, 'form:has(input[value=set_password]) button')
  expect(await page.getByRole('status').textContent()).toContain('Your password is set.')
})
