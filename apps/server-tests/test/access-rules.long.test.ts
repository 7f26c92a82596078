/** Users who may not use an application, in Chromium: by keyboard, and without JavaScript. */

import { heading } from '@ostiary/test-kit/chromium'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { enterCodeOf, HELP, serveAccess, signInAs } from './access-place.ts'
import { addApp, giveCode } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { focusOrder, followByKeyboard, photograph } from './photograph.ts'

// Once a week, there are four photographs of each page.
vi.setConfig({ testTimeout: 300_000 })

const chromium = inChromium()
const { authorizeUrl, answer, idToken } = chromium
const person = () => chromium.device({ javaScriptEnabled: false })
const OTHER = 'a:has-text("Sign in with another account")'
const AGAIN = 'a:has-text("Try again")'

const textOf = (page: Page) => page.locator('main').textContent()

it('a user outside the groups reads with whom to ask, and goes back to the application', async () => {
  const server = await serveAccess(chromium)
  const page = await person()
  await page.goto(authorizeUrl(server, { client_id: 'payroll', state: 'the state' }))
  await signInAs(page, 'ben')
  expect(await heading(page)).toBe('Your account may not use Payroll')
  expect(await textOf(page)).toMatch(/You are signed in as ben/)
  expect(await textOf(page)).toContain(HELP)
  expect(await textOf(page)).toMatch(/[0-9A-F]{4}-[0-9A-F]{4}/)
  expect(await focusOrder(page)).toEqual(['Back to Payroll', 'Try again', 'Sign in with another account'])
  await photograph(page, 'no-access')
  await followByKeyboard(page, AGAIN)
  expect(await heading(page)).toBe('Your account may not use Payroll')
  await followByKeyboard(page, 'main form button')
  expect(await answer(page)).toMatchObject({
    error: 'access_denied',
    state: 'the state',
    iss: server.issuer,
  })
  const [denied] = server.logged('access.denied')
  expect(denied).toMatchObject({ client_id: 'payroll', rule: 'groups' })

  // The session goes on: another application takes the same user.
  await page.goto(authorizeUrl(server, { client_id: 'wiki' }))
  expect((await answer(page)).code).toEqual(expect.any(String))
})

it('another account in the group signs in, and comes to the application', async () => {
  const server = await serveAccess(chromium)
  const page = await person()
  await page.goto(authorizeUrl(server, { client_id: 'payroll', state: 'the state' }))
  await signInAs(page, 'ben')
  await followByKeyboard(page, OTHER)
  expect(await heading(page)).toBe('Sign in')
  await signInAs(page, 'ann')
  const { code, state } = await answer(page)
  expect(state).toBe('the state')
  await page.goto(`${server.issuer}/account`)
  expect(await textOf(page)).toContain('ann')
  expect(await idToken(server, code, 'payroll')).toMatchObject({ acr: '1' })
})

it('an application that requires a second step raises the sign-in in place', async () => {
  const server = await serveAccess(chromium)
  const page = await person()
  await page.goto(`${server.issuer}/account`)
  await signInAs(page, 'ann')
  const { app } = await addApp(page, server.clock.now)
  await page.context().clearCookies()
  await page.goto(authorizeUrl(server, { client_id: 'payroll' }))
  await signInAs(page, 'ann')
  await page.locator('#code').waitFor()
  server.clock.now += 30
  await giveCode(page, app.code(server.clock.now))
  const before = await idToken(server, (await answer(page)).code, 'payroll')
  await page.goto(authorizeUrl(server, { client_id: 'vault' }))
  expect(await idToken(server, (await answer(page)).code, 'vault')).toMatchObject({
    acr: '2',
    sid: before.sid,
  })
})

it('the account page lists the applications that the user may use', async () => {
  const server = await serveAccess(chromium)
  const shown = async (username: string) => {
    const page = await person()
    await page.goto(`${server.issuer}/account`)
    await signInAs(page, username)
    return page
  }
  const links = (page: Page) =>
    page
      .locator('section[aria-labelledby=applications] a')
      .evaluateAll((found) => found.map((link) => [link.textContent, link.getAttribute('href')]))
  const ann = await shown('ann')
  const wiki = ['The wiki', 'https://wiki.example/']
  expect(await links(ann)).toEqual([['Payroll', 'https://payroll.example/'], wiki])
  expect(await focusOrder(ann)).toEqual(expect.arrayContaining(['Payroll', 'The wiki']))
  await photograph(ann, 'account-applications')
  expect(await links(await shown('ben'))).toEqual([wiki])
})

it('a device of an application that the user may not use waits for another account', async () => {
  const server = await serveAccess(chromium)
  const page = await person()
  const user_code = await enterCodeOf(page, server.issuer, 'tv')
  await signInAs(page, 'ben')
  expect(await page.locator('#user_code').inputValue()).toBe(user_code)
  await followByKeyboard(page, 'form:has(#user_code) button')
  expect(await heading(page)).toBe('Your account may not use Payroll')
  expect(await textOf(page)).toContain(HELP)
  await photograph(page, 'no-access-device')
  await followByKeyboard(page, OTHER)
  await signInAs(page, 'ann')
  await page.locator('#user_code').fill(user_code)
  await followByKeyboard(page, 'form:has(#user_code) button')
  await followByKeyboard(page, 'button[value=allow]')
  expect(await heading(page)).toBe('The device is connected')
})

it('a device of an application that requires a second step says how to sign in', async () => {
  const server = await serveAccess(chromium)
  const page = await person()
  await enterCodeOf(page, server.issuer, 'safe')
  await signInAs(page, 'ann')
  await followByKeyboard(page, 'form:has(#user_code) button')
  expect(await heading(page)).toBe('Payroll needs a stronger sign-in')
  expect(await textOf(page)).not.toContain(HELP)
  await photograph(page, 'no-access-device-weak')
  await followByKeyboard(page, 'a:has-text("Sign in again")')
  expect(await heading(page)).toBe('Sign in')
})
