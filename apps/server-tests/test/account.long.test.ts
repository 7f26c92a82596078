/** The account page in a browser without JavaScript: every form, light and dark, on a phone and on a desktop. */

import { heading, signIn } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { configFor, PASSWORD } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { type InProcess, startInProcess } from './in-process.ts'
import { focusOrder, photograph } from './photograph.ts'

const USER_AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
const ELSEWHERE = 'Firefox on Windows'
const HERE = `${ELSEWHERE} This device`
const NEW_PASSWORD = 'four words in a row'
const LONG_NAME = 'The Extraordinarily Long-Named Assistant of Lopado-temacho-selacho-galeo & <b>Sons</b>'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

let server: InProcess
const { device: open, redirectUri, authorizeUrl, answer } = inChromium()

beforeEach(async () => {
  server = await startInProcess((port) => {
    const config = configFor(redirectUri())(port)
    const [notes, ...others] = config.clients
    const named = { client_id: 'assistant', client_name: LONG_NAME, redirect_uris: [redirectUri()] }
    const users = config.users.map((user) => ({ ...user, zoneinfo: 'Europe/Paris' }))
    return { ...config, clients: [notes, named, ...others], users }
  })
})
afterEach(() => server.stop())

const device = () => open({ javaScriptEnabled: false, userAgent: USER_AGENT })

async function signedIn(): Promise<Page> {
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  await signIn(page)
  // A reload before the page has loaded would find no page.
  await page.waitForLoadState()
  return page
}

async function allow(page: Page, parameters: Record<string, string>): Promise<void> {
  await page.goto(authorizeUrl(server, { client_id: 'notes', ...parameters }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await answer(page)
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const status = (page: Page) => page.getByRole('status').textContent()
const alert = (page: Page) => page.getByRole('alert').textContent()
const devices = (page: Page) => page.locator('section[aria-labelledby=sessions] h3').allTextContents()

interface PasswordChange {
  current: string
  wanted: string
  again?: string
}
async function changePassword(
  page: Page,
  { current, wanted, again = wanted }: PasswordChange,
): Promise<void> {
  const current_password = page.getByLabel('Current password')
  if (!(await current_password.isVisible())) await page.getByText('Change your password').click()
  await current_password.fill(current)
  await page.getByLabel('New password', { exact: true }).fill(wanted)
  await page.getByLabel('Repeat the new password').fill(again)
  await press(page, 'Change password')
}

it('asks a user without a session to sign in, and shows the account', async () => {
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  expect(await page.locator('h1 + p').textContent()).toBe('to see your account')
  await photograph(page, 'account-sign-in')
  await signIn(page, 'not the password')
  expect(await alert(page)).toBe('The username or password is not right.')
  await signIn(page)
  expect(page.url()).toBe(`${server.issuer}/account`)
  expect(await heading(page)).toBe('Your account')
  const person = await page.getByRole('region', { name: 'Who you are' }).textContent()
  for (const part of ['ann', 'Ann Example', 'ann@example.com']) expect(person).toContain(part)
  expect(await devices(page)).toEqual([HERE])
  await page.getByText('You are not signed in anywhere else.').waitFor()
  await page.getByText('You have not allowed any application to use your account.').waitFor()
  await photograph(page, 'account-new')
})

it('shows devices and applications, signs one out, then all others, and withdraws', async () => {
  const phone = await signedIn()
  server.clock.now += 3600
  const work = await signedIn()
  server.clock.now += 3600
  const page = await signedIn()
  await allow(page, { scope: 'openid profile email' })
  const resource = `${server.issuer}/api/notes`
  await allow(page, { resource, scope: 'openid notes.read' })
  server.clock.now += 60
  await allow(page, { resource, scope: 'openid notes.read notes.write' })
  await allow(page, { client_id: 'assistant', scope: 'openid profile email address phone' })
  await page.goto(`${server.issuer}/account`)
  expect(await devices(page)).toEqual([HERE, ELSEWHERE, ELSEWHERE])
  expect(await page.getByRole('region', { name: 'Where you are' }).textContent()).toContain(LONG_NAME)
  expect(await page.getByRole('region', { name: 'Applications' }).textContent()).toContain(
    'Write and delete your notes',
  )
  await photograph(page, 'account')
  expect(await focusOrder(page)).toEqual(
    expect.arrayContaining(['Change your password', 'Sign out', 'Sign out there', 'Withdraw this']),
  )

  await press(page, 'Sign out there')
  expect(await status(page)).toBe('The other device is signed out.')
  expect(await devices(page)).toEqual([HERE, ELSEWHERE])
  await photograph(page, 'account-signed-out-there')
  await page.reload()
  expect(await page.getByRole('status').count()).toBe(0)
  await work.reload()
  expect(await heading(work)).toBe('Sign in')
  await phone.reload()
  expect(await heading(phone)).toBe('Your account')

  await press(page, 'Sign out everywhere else')
  expect(await status(page)).toBe('All other devices are signed out.')
  expect(await devices(page)).toEqual([HERE])
  await phone.reload()
  expect(await heading(phone)).toBe('Sign in')
  const ended = () => server.logged('session.ended').map(({ reason }) => reason)
  await eventually(async () => expect(await ended()).toEqual(['account_page', 'account_page']))

  await press(page, 'Withdraw')
  expect(await status(page)).toBe('The access is withdrawn. The application has to ask you again.')
  await press(page, 'Withdraw this')
  await press(page, 'Withdraw')
  await page.getByText('You have not allowed any application to use your account.').waitFor()
  const withdrawn = () => server.logged('consent.revoked').map(({ client_id }) => client_id)
  await eventually(async () => expect(await withdrawn()).toEqual(['assistant', 'notes', 'notes']))
})

it('changes the password, and only the new one signs in', async () => {
  const elsewhere = await signedIn()
  const page = await signedIn()
  await changePassword(page, { current: 'not the password', wanted: NEW_PASSWORD })
  expect(await alert(page)).toBe('That is not your current password.')
  await photograph(page, 'account-password-wrong')
  await changePassword(page, { current: PASSWORD, wanted: NEW_PASSWORD, again: 'four words in a roe' })
  expect(await alert(page)).toBe('The new password is not the same in both fields.')
  await changePassword(page, { current: PASSWORD, wanted: NEW_PASSWORD })
  expect(await status(page)).toBe(
    'Your password is changed. Everywhere else, and in applications, you have to sign in again.',
  )
  expect(page.url()).toBe(`${server.issuer}/account`)
  await photograph(page, 'account-password-changed')
  await elsewhere.reload()
  await signIn(elsewhere)
  expect(await alert(elsewhere)).toBe('The username or password is not right.')
  await signIn(elsewhere, NEW_PASSWORD)
  expect(await heading(elsewhere)).toBe('Your account')
  await eventually(() => expect(server.logged('account.password_changed')).toHaveLength(1))
})

it('asks for the password before it signs other devices out, if the sign-in is not recent', async () => {
  const other = await signedIn()
  const page = await signedIn()
  server.clock.now += 3600
  await page.reload()
  await press(page, 'Sign out everywhere else')
  expect(await heading(page)).toBe('Confirm that it is you')
  await photograph(page, 'account-confirm')
  await page.getByLabel('Password').fill('not the password')
  await press(page, 'Sign out all other devices')
  expect(await alert(page)).toBe('That is not your current password.')
  await photograph(page, 'account-confirm-wrong')
  await other.reload()
  expect(await heading(other)).toBe('Your account')
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign out all other devices')
  expect(await status(page)).toBe('All other devices are signed out.')
})

it('links to the page that signs out', async () => {
  const page = await signedIn()
  await page.getByRole('link', { name: 'Sign out' }).click()
  expect(await heading(page)).toBe('Sign out?')
})
