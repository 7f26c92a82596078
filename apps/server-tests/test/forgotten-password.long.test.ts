/** A forgotten password, in Chromium and with a mail server: from the sign-in page back to it. */

import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import { expect, it, vi } from 'vitest'
import { inChromium } from './in-chromium.ts'
import { askForMail, linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, photograph } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri } = inChromium()
const NEW_PASSWORD = 'four new words in a row'
/** Of the user of the configuration. */
const ADDRESS = 'ann@example.com'

it('a user who forgot the password sets a new one with the link of a mail, by keyboard, and signs in', async () => {
  const { smtp, server } = await mailWorld({}, redirectUri())
  const page = await device()
  await page.goto(`${server.issuer}/account`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  expect(await heading(page)).toBe('Set a new password')
  expect(await focusOrder(page)).toEqual(['username', 'Send the email', 'Back to the sign-in'])
  await photograph(page, 'forgotten-password')
  await page.getByLabel('Username').fill(USERNAME)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await photograph(page, 'forgotten-password-sent')
  await page.getByRole('link', { name: 'Back to the sign-in' }).click()
  expect(await heading(page)).toBe('Sign in')

  const mail = await received(smtp, `Set a new password for ${new URL(server.issuer).host}`)
  expect(mail.recipients).toEqual([ADDRESS])
  expect(mail.from?.text).toBe('"Example" <id@example.com>')
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')

  // A scanner of mails opens the link with scripts, and presses nothing.
  const scanner = await device()
  await scanner.goto(linkIn(mail))
  await scanner.waitForLoadState('networkidle')

  const other = await device()
  await other.goto(linkIn(mail))
  expect(await heading(other)).toBe('Set a new password')
  await photograph(other, 'reset-password')
  await other.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await other.locator('#new_password_again').fill(NEW_PASSWORD)
  await other.keyboard.press('Enter')
  await other.getByRole('status').waitFor()
  await photograph(other, 'reset-password-done')
  await other.getByRole('link', { name: 'Sign in' }).click()
  await other.getByLabel('Username').fill(USERNAME)
  await other.getByLabel('Password').fill(PASSWORD)
  await other.keyboard.press('Enter')
  await other.getByRole('alert').waitFor()
  await other.getByLabel('Password').fill(NEW_PASSWORD)
  await other.keyboard.press('Enter')
  await other.waitForURL(`${server.issuer}/account`)
  await received(smtp, `Your account at ${new URL(server.issuer).host} was changed`)
  await scanner.reload()
  expect(await heading(scanner)).toBe('This link does not work')
  await photograph(scanner, 'reset-password-bad')
})

it('a mail server that refuses the recipient is not asked again', async () => {
  const { smtp, server } = await mailWorld({ refuse: { [ADDRESS]: 550 } })
  await askForMail(server.issuer, USERNAME)
  await eventually(() =>
    expect(server.logged('mail.failed')).toMatchObject([{ reason: 'smtp_550', next_attempt_at: null }]),
  )
  expect(smtp.mails).toEqual([])
})
