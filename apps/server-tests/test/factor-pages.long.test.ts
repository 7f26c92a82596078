/** Each page and state of passkeys, apps and recovery codes: checked, by keyboard, and without JavaScript. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading, inPage } from '@ostiary/test-kit/chromium'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import {
  addApp,
  addPasskey,
  appOn,
  button,
  codesOn,
  factorsOn,
  follow,
  giveCode,
  givePassword,
  giveRecoveryCode,
} from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import type { InProcess } from './in-process.ts'
import { focusOrder, photograph } from './photograph.ts'

// Once a week, a photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

const { device, serve, signedIn, authorizeUrl, answer, idToken: redeemed } = inChromium()

const idToken = async (server: InProcess, page: Page) => redeemed(server, (await answer(page)).code)

const error = (page: Page) => page.locator('#error').textContent()
const ways = (page: Page) => page.locator('section[aria-labelledby=ways]').textContent()

describe('the account page', () => {
  it('shows the ways to sign in: none, one, and several; and each page that adds one', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const authenticator = await virtualAuthenticator(page, { verified: false })
    expect(await ways(page)).toContain('You sign in with your password alone.')
    await photograph(page, 'ways-none')

    await follow(page, button.add('passkey'))
    await page.locator(button.passkey).waitFor()
    await photograph(page, 'create-passkey')
    await page.locator(button.passkey).click()
    await page.locator('[data-passkey-error]:visible').waitFor()
    await photograph(page, 'create-passkey-cancelled')
    await authenticator.verify(true)
    await follow(page, button.passkey)
    await photograph(page, 'recovery-codes')
    await follow(page, button.saved)
    expect(await ways(page)).toContain(
      'sign in with your password. To change your account, you then need a recovery code (10 left)',
    )
    await photograph(page, 'ways-one')

    await follow(page, button.add('totp'))
    await photograph(page, 'add-app')
    const app = await appOn(page)
    await giveCode(page, '000000')
    expect(await error(page)).toBe('This code is not right. Enter the code that your app shows now.')
    await photograph(page, 'add-app-wrong')
    await giveCode(page, app.code(server.clock.now))
    expect(await page.getByRole('status').textContent()).toContain('It is added.')
    expect(new Set(await factorsOn(page))).toEqual(new Set(['Passkey', 'Authenticator app']))
    await photograph(page, 'ways-several')
  })

  it('asks for the password and a code before a change, if the sign-in is not recent', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const { app } = await addApp(page, server.clock.now)
    server.clock.now += 600
    await follow(page, button.remove(0))
    expect(await heading(page)).toBe('Confirm that it is you')
    await photograph(page, 'confirm-change')
    await page.locator('.recovery > summary').click()
    await photograph(page, 'confirm-change-recovery')
    await page.locator('#totp-password').fill(PASSWORD)
    await giveCode(page, '000000')
    await photograph(page, 'confirm-change-wrong')
    await page.locator('#totp-password').fill(PASSWORD)
    await giveCode(page, app.code(server.clock.now))
    expect(await page.getByRole('status').textContent()).toContain('It is removed.')
    expect(await factorsOn(page)).toEqual([])
  })

  it('says when few recovery codes are left, and a long name stays in its place', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const { codes } = await addApp(page, server.clock.now)
    for (const code of codes.slice(0, 8)) {
      await page.context().clearCookies()
      await page.goto(`${server.issuer}/account`)
      await givePassword(page, USERNAME)
      await giveRecoveryCode(page, code)
    }
    expect(await ways(page)).toContain('a recovery code (2 left)')
    await page.locator('summary').first().click()
    const name = 'My_extraordinarily_long_named_phone_of_the_lopado-temacho-s'
    await page.locator('#factor-0-label').fill(name)
    await follow(page, button.rename(0))
    expect(await factorsOn(page)).toEqual([name])
    await page.locator('summary').first().click()
    await photograph(page, 'ways-few-codes')
  })
})

describe('the second step', () => {
  it('takes a passkey, a code or a recovery code, and refuses wrong ones', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const authenticator = await virtualAuthenticator(page)
    const [recovery_code = ''] = await addPasskey(page)
    const { app } = await addApp(page, server.clock.now)
    await authenticator.attend(false)
    await page.context().clearCookies()
    await page.goto(authorizeUrl(server))
    await photograph(page, 'sign-in-passkey')
    await givePassword(page, USERNAME)
    await page.locator(button.passkey).waitFor()
    await photograph(page, 'second-step')
    await giveCode(page, '000000')
    expect(await error(page)).toBe('This code is not right. Enter the code that your app shows now.')
    expect(await inPage(page, () => document.activeElement?.id)).toBe('code')
    await photograph(page, 'second-step-wrong')
    await giveRecoveryCode(page, '0000-0000-0000-0000')
    expect(await error(page)).toBe('This is not one of your recovery codes, or it was used before.')
    expect(await inPage(page, () => document.activeElement?.id)).toBe('recovery_code')
    await photograph(page, 'second-step-recovery-wrong')
    await giveRecoveryCode(page, recovery_code)
    expect(await idToken(server, page)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })

    await page.goto(authorizeUrl(server, { prompt: 'login' }))
    await givePassword(page, USERNAME)
    await giveCode(page, app.code(server.clock.now))
    expect(await idToken(server, page)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })
  })

  it('begins again for another account', async () => {
    const server = await serve()
    const page = await signedIn(server)
    await addApp(page, server.clock.now)
    await page.context().clearCookies()
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    await follow(page, button.restart)
    expect(await heading(page)).toBe('Sign in')
  })

  it('is asked for by a client, after a sign-in with the password alone', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const authenticator = await virtualAuthenticator(page)
    await addPasskey(page)
    await authenticator.attend(false)
    await page.context().clearCookies()
    await page.goto(authorizeUrl(server))
    await givePassword(page, USERNAME)
    const before = await idToken(server, page)
    expect(before).toMatchObject({ amr: ['pwd'], acr: '1' })
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    expect(await heading(page)).toBe('Confirm that it is you')
    await authenticator.attend(true)
    await page.locator(button.passkey).click()
    const after = await idToken(server, page)
    expect(after).toMatchObject({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: '2', sid: before.sid })
  })
})

describe('a sign-in that needs a second factor', () => {
  it('adds a passkey on the way, and keeps the last one', async () => {
    const server = await serve({ second_factor: 'required' })
    const page = await device()
    await virtualAuthenticator(page)
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    expect(await heading(page)).toBe('Make your account safer')
    await photograph(page, 'choose-factor')
    await follow(page, button.add('totp'))
    await photograph(page, 'must-add-app')
    await page.getByRole('link', { name: 'Choose another way' }).click()
    await follow(page, button.add('passkey'))
    await follow(page, button.passkey)
    await follow(page, button.saved)
    expect(await factorsOn(page)).toEqual(['Passkey'])
    await follow(page, button.remove(0))
    expect(await page.getByRole('alert').textContent()).toContain('Your account needs a second factor.')
    await photograph(page, 'ways-refused-removal')
  })

  it('because a client asks for it, says which one', async () => {
    const server = await serve()
    const page = await device()
    await page.goto(authorizeUrl(server))
    await givePassword(page, USERNAME)
    await answer(page)
    await virtualAuthenticator(page)
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    expect(await page.locator('h1 + p').textContent()).toContain('The Bank needs a second way')
    await photograph(page, 'choose-factor-client')
    await follow(page, button.add('passkey'))
    await follow(page, button.passkey)
    await follow(page, button.saved)
    expect(await idToken(server, page)).toMatchObject({ acr: '2' })
  })
})

describe('by keyboard', () => {
  it('each page has its order, and the focus starts where the user goes on', async () => {
    const server = await serve()
    const page = await signedIn(server)
    const authenticator = await virtualAuthenticator(page)
    await addPasskey(page)
    await addApp(page, server.clock.now)
    await authenticator.attend(false)
    server.clock.now += 600
    await follow(page, button.newCodes)
    await page.locator(button.passkey).waitFor()
    expect(await focusOrder(page)).toEqual([
      'current_password',
      'code',
      'Confirm',
      'Use a recovery code',
      'Back to your account',
    ])
    await page.context().clearCookies()
    await page.goto(authorizeUrl(server))
    await page.locator(button.passkey).waitFor()
    expect(await focusOrder(page)).toEqual([
      'username',
      'password',
      'Sign in',
      'Sign in with a passkey',
      'action',
    ])
    await givePassword(page, USERNAME)
    await page.locator(button.passkey).waitFor()
    expect(await focusOrder(page)).toEqual(['code', 'Confirm', 'Use a recovery code', 'Use another account'])
  })

  it('adds a passkey, saves the codes, and signs in', async () => {
    const server = await serve({ second_factor: 'required' })
    const page = await device()
    const authenticator = await virtualAuthenticator(page)
    const pressOn = async (selector: string, key: string) => {
      await page.locator(selector).focus()
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press(key)])
      await page.waitForLoadState()
    }
    await page.goto(`${server.issuer}/account`)
    await page.locator('#username:focus').waitFor()
    await page.keyboard.type(USERNAME)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
    await page.waitForLoadState()
    await pressOn(button.add('passkey'), 'Enter')
    await pressOn(button.passkey, 'Space')
    expect(await codesOn(page)).toHaveLength(10)
    await pressOn(button.saved, 'Space')
    expect(await heading(page)).toBe('Your account')
    await authenticator.attend(false)
    await page.context().clearCookies()
    await page.goto(`${server.issuer}/account`)
    await page.locator(button.passkey).waitFor()
    await authenticator.attend(true)
    await pressOn(button.passkey, 'Enter')
    expect(await heading(page)).toBe('Your account')
  })
})

describe('without JavaScript', () => {
  const WITHOUT = { javaScriptEnabled: false }

  it('the password and the app sign in; no passkey is offered where it cannot work', async () => {
    const server = await serve()
    const page = await device(WITHOUT)
    await page.goto(`${server.issuer}/account`)
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in'])
    await givePassword(page, USERNAME)
    const { app } = await addApp(page, server.clock.now)
    await page.context().clearCookies()
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    await giveCode(page, app.code(server.clock.now))
    expect(await heading(page)).toBe('Your account')
    await follow(page, button.add('passkey'))
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.locator('noscript p').isVisible()).toBe(true)
    await photograph(page, 'create-passkey-no-script')
  })

  it('the second step of an account with a passkey says why there is no button', async () => {
    const server = await serve()
    const page = await signedIn(server)
    await virtualAuthenticator(page)
    const [code = ''] = await addPasskey(page)
    await follow(page, button.secondStep)
    const other = await signedIn(server, WITHOUT)
    expect(await other.locator('noscript p').isVisible()).toBe(true)
    await photograph(other, 'second-step-no-script')
    await giveRecoveryCode(other, code)
    expect(await heading(other)).toBe('Your account')
  })
})

it('a browser without passkeys says so, and signs in as before', async () => {
  const server = await serve()
  const page = await device()
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await page.goto(`${server.issuer}/account`)
  expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in'])
  await givePassword(page, USERNAME)
  await follow(page, button.add('passkey'))
  expect(await page.getByRole('alert').textContent()).toBe('This browser or device cannot use passkeys here.')
  await photograph(page, 'create-passkey-unsupported')
})
