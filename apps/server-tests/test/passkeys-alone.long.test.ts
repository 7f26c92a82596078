/** Accounts and a realm without passwords: the pages are checked with axe, and used by keyboard. Once a week in each language. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { eventually } from '@ostiary/test-kit/eventually'
import {
  configFor,
  IN_MEMORY,
  PASSWORD,
  type ServerProcess,
  startServer,
  USERNAME,
} from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WEEKLY } from '../../../vitest.shared.ts'
import { addPasskey, button, factorsOn, follow, givePassword } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { LOCALES, withArabic } from './languages.ts'
import { createShow, type Show } from './page-variants.ts'
import { focusOrder, pressEnterAt } from './photograph.ts'

// A photograph of a long page takes a second, and there are four of each once a week.
vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()
const { device } = chromium
let show: Show
beforeAll(async () => {
  show = await createShow(chromium.browser())
})

interface Passwordless extends ServerProcess {
  config: object
}

/** A server of the running test. */
async function serve(): Promise<Passwordless> {
  const languages = withArabic()
  const config = (port: number) => ({ ...configFor(chromium.redirectUri())(port), ...languages })
  const server = await startServer({ config, env: IN_MEMORY })
  onTestFinished(async () => {
    await server.stop()
  })
  return { ...server, config: config(server.port) }
}

/** Turns the passwords of the running server off. The stored ones stay. */
async function turnPasswordsOff(server: Passwordless): Promise<void> {
  const file = {
    ...server.config,
    users: [{ username: USERNAME }],
    identity: { password: { enabled: false } },
  }
  await writeFile(join(server.cwd, 'ostiary.config.json'), JSON.stringify(file))
  server.child.kill('SIGHUP')
  await eventually(() => expect(server.logged('the configuration is reloaded')).toHaveLength(1))
}

const alerts = (page: Page) => page.locator('[role=alert]:visible').allTextContents()

/** Photographs of pages in one language. */
const namesIn = (language: string) => async (page: Page, name: string) => {
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  await show(page, `${language}-${name}`)
}

const atAccount = (page: Page) => page.waitForURL(/\/account$/)
const form = (action: string) => `form:has(input[value=${action}])`
const ofForm = (action: string) => `details:has(${form(action)}) summary`

describe.each(WEEKLY ? LOCALES : LOCALES.slice(0, 1))('for a browser in %s', (locale, language) => {
  const shown = namesIn(language)

  it('a realm without passwords: the page has the button, which signs in', async () => {
    const server = await serve()
    const page = await chromium.signedIn(server, { locale })
    await virtualAuthenticator(page, { synced: true })
    await addPasskey(page)
    await turnPasswordsOff(server)
    await page.context().clearCookies()

    await page.goto(`${server.issuer}/account`)
    await page.locator(button.passkey).waitFor()
    expect(await page.locator('input:visible').count()).toBe(0)
    expect(await alerts(page)).toEqual([])
    await shown(page, 'sign-in-passkeys-alone')
    expect(await focusOrder(page)).toHaveLength(1)
    await Promise.all([atAccount(page), pressEnterAt(page, '[data-passkey-button]')])
    expect(await page.locator('#password, input[type=password]').count()).toBe(0)
    await shown(page, 'account-passkeys-alone')
  })

  it('without JavaScript, and without passkeys, the page says what is missing', async () => {
    const server = await serve()
    await turnPasswordsOff(server)
    const without_script = await device({ locale, javaScriptEnabled: false })
    await without_script.goto(`${server.issuer}/account`)
    const needed = 'This sign-in needs a browser with JavaScript and passkeys.'
    expect(await alerts(without_script)).toEqual([language === 'en' ? needed : expect.any(String)])
    expect(await without_script.locator('button:visible, input:visible').count()).toBe(0)
    await shown(without_script, 'sign-in-passkeys-no-script')

    const without_passkeys = await device({ locale })
    await without_passkeys.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
    await without_passkeys.goto(`${server.issuer}/account`)
    await without_passkeys.locator('[data-passkey-missing]:visible').waitFor()
    const missing = 'This browser or device cannot use passkeys here.'
    expect(await alerts(without_passkeys)).toEqual([language === 'en' ? missing : expect.any(String)])
    expect(await without_passkeys.locator('button:visible').count()).toBe(0)
    await shown(without_passkeys, 'sign-in-passkeys-missing')
  })

  it('a user removes the password, signs in with a passkey, and sets a password again', async () => {
    const server = await serve()
    const page = await chromium.signedIn(server, { locale })
    const first = await virtualAuthenticator(page, { transport: 'usb' })
    await addPasskey(page)
    expect(await page.locator(form('remove_password')).count()).toBe(0)
    await shown(page, 'one-passkey')
    await first.remove()
    const second = await virtualAuthenticator(page, { synced: true })
    await addPasskey(page)
    expect(await factorsOn(page)).toHaveLength(2)

    await pressEnterAt(page, ofForm('remove_password'))
    await shown(page, 'remove-password')
    await Promise.all([
      page.waitForEvent('framenavigated'),
      pressEnterAt(page, `${form('remove_password')} button`),
    ])
    const [removed] = await page.getByRole('status').allTextContents()
    if (language === 'en') expect(removed).toContain('Your password is removed.')
    await shown(page, 'without-password')
    await follow(page, button.remove(0))
    await shown(page, 'without-password-one-passkey')

    await page.context().clearCookies()
    // The list of the name field waits for its user.
    await second.attend(false)
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    expect(await page.locator('#error').isVisible()).toBe(true)
    await page.locator(button.passkey).waitFor()
    await second.attend(true)
    await Promise.all([atAccount(page), pressEnterAt(page, '[data-passkey-button]')])

    await pressEnterAt(page, ofForm('set_password'))
    await page.locator('#new_password').fill(PASSWORD)
    await page.locator('#new_password_again').fill(PASSWORD)
    await shown(page, 'set-password')
    await follow(page, `${form('set_password')} button`)
    const [set] = await page.getByRole('status').allTextContents()
    if (language === 'en') expect(set).toContain('Your password is set.')
  })
})
