/** A sign-up, in Chromium and with a mail server: from the sign-in page of an application to the application. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { button, codesOn } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()
const ADDRESS = 'ann@corp.example'
const NEW_PASSWORD = 'seven words that ann has chosen'

const world = () => mailWorld({}, redirectUri(), { signup: 'domains', signup_domains: ['corp.example'] })

type World = Awaited<ReturnType<typeof world>>

/** Enters the address, by keyboard. */
async function ask(page: Page, address = ADDRESS): Promise<void> {
  await page.locator('#address').fill(address)
  await followByKeyboard(page, 'main form button')
}

const confirmation = ({ smtp, server }: World) =>
  received(smtp, `Confirm your address – ${new URL(server.issuer).host}`)

/** Consents, and returns what the application learns. */
async function arrive(page: Page, { server }: World): Promise<Record<string, unknown>> {
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await pressEnterAt(page, 'button[value=allow], button:has-text("Allow")')
  const { code } = await answer(page)
  return idToken(server, code ?? '', 'notes')
}

it('a user makes an account with a passkey, from the link on the sign-in page to the application', async () => {
  const w = await world()
  const page = await device()
  const authenticator = await virtualAuthenticator(page, { synced: true })
  await page.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid email' }))
  await followByKeyboard(page, 'a:has-text("Create an account")')
  expect(await heading(page)).toBe('Create an account')
  expect(await focusOrder(page)).toEqual(['address', 'Send the email', 'Back to the sign-in'])
  await photograph(page, 'sign-up')
  await ask(page, 'ann@evil.example')
  expect(await page.locator('[role=alert]').textContent()).toContain('corp.example')
  await photograph(page, 'sign-up-other-domain')
  await ask(page)
  expect(await heading(page)).toBe('Check your email')
  await photograph(page, 'sign-up-sent')

  const mail = await confirmation(w)
  expect(mail.recipients).toEqual([ADDRESS])
  // Another browser, as of a program that looks into mails.
  const scanner = await device()
  await scanner.goto(linkIn(mail))
  await scanner.waitForLoadState('networkidle')
  await page.goto(linkIn(mail))
  expect(await heading(page)).toBe('Confirm your address')
  await photograph(page, 'sign-up-link')
  await followByKeyboard(page, 'main form button')
  expect(page.url()).toBe(`${w.server.issuer}/login/ticket`)
  await followByKeyboard(page, button.add('passkey'))
  await followByKeyboard(page, '[data-passkey-button]')
  await followByKeyboard(page, 'form.back button')
  expect(await codesOn(page)).toHaveLength(10)
  await followByKeyboard(page, button.saved)
  expect(await arrive(page, w)).toMatchObject({
    email: ADDRESS,
    email_verified: true,
    amr: ['otp', 'swk', 'user', 'mfa'],
  })
  expect(await authenticator.credentials()).toHaveLength(1)
  await eventually(() => expect(w.server.logged('signup.completed')).toHaveLength(1))
  await eventually(() => expect(w.server.logged('signup.started')).toHaveLength(1))
  await eventually(() => expect(JSON.stringify(w.server.logged('signup.started'))).not.toContain(ADDRESS))

  await scanner.reload()
  await followByKeyboard(scanner, 'main form button')
  expect(await heading(scanner)).toBe('You already have an account')
  await photograph(scanner, 'sign-up-known')
})

it('with prompt=create and a password; the next sign-up is told of the account', async () => {
  const w = await world()
  const page = await device()
  await page.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid email', prompt: 'create' }))
  expect(await heading(page)).toBe('Create an account')
  await ask(page)
  await page.goto(linkIn(await confirmation(w)))
  await followByKeyboard(page, 'main form button')
  await pressEnterAt(page, 'summary')
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill(NEW_PASSWORD)
  await followByKeyboard(page, 'form:has(#new_password) button')
  await followByKeyboard(page, 'form.back button')
  expect(await arrive(page, w)).toMatchObject({ email: ADDRESS, email_verified: true })

  const other = await device()
  await other.goto(`${w.server.issuer}/login/signup`)
  await ask(other, 'Ann@Corp.Example')
  const mail = await received(w.smtp, `You already have an account – ${new URL(w.server.issuer).host}`)
  expect([mail.recipients, linkIn(mail)]).toEqual([[ADDRESS], ''])
  expect([...mail.headers.keys()]).not.toContain('bcc')
})
