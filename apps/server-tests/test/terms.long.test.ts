/** The terms of service, in Chromium: before the session of a sign-in and of a sign-up, accepted and not. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { PASSWORD, USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { button, codesOn } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()
const ADDRESS = 'ann@corp.example'
const TERMS = { version: '2026-11-01', url: '/terms', privacy_url: '/privacy' }
const ACCEPT = 'form:has(input[value=accept]) button'
const DECLINE = 'form:has(input[value=decline]) button'

const world = () => mailWorld({}, redirectUri(), { signup: 'open', terms: TERMS })

type World = Awaited<ReturnType<typeof world>>

const ask = ({ server }: World, page: Page) =>
  page.goto(authorizeUrl(server, { client_id: 'notes', scope: 'openid email' }))

/** With the password, by keyboard. */
async function signIn(page: Page): Promise<void> {
  await page.locator('#username').fill(USERNAME)
  await page.locator('#password').fill(PASSWORD)
  await followByKeyboard(page, 'form:has(#password) button')
}

/** Consents, and returns what the application learns. */
async function arrive(page: Page, { server }: World): Promise<Record<string, unknown>> {
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await pressEnterAt(page, 'button[value=allow], button:has-text("Allow")')
  const { code } = await answer(page)
  return idToken(server, code ?? '', 'notes')
}

it('a user does not accept them and goes back, accepts them at the next sign-in, and is not asked again', async () => {
  const w = await world()
  const page = await device()
  await ask(w, page)
  await signIn(page)
  expect(await heading(page)).toBe('Terms of service')
  expect(page.url()).toMatch(/\/login\/terms\?return_to=/)
  expect(await page.locator('main').textContent()).toContain(USERNAME)
  const links = ['Read the terms of service', 'Read the privacy notice']
  expect(await focusOrder(page)).toEqual([...links, 'Accept and continue', 'Do not accept'])
  await photograph(page, 'terms')
  // The page stays: the terms are in another tab.
  const [opened] = await Promise.all([page.waitForEvent('popup'), pressEnterAt(page, 'a:has-text("terms")')])
  await opened.waitForURL('**/terms')
  await opened.close()
  const account = () => page.request.get(`${w.server.issuer}/account`, { maxRedirects: 0 })
  expect((await account()).status()).toBe(303)
  await followByKeyboard(page, DECLINE)
  expect(await answer(page)).toMatchObject({ error: 'access_denied' })
  expect((await w.command(`user show ${USERNAME}`)).stdout).not.toContain('accepted terms')

  await page.goto(`${w.server.issuer}/account`)
  await signIn(page)
  await followByKeyboard(page, DECLINE)
  expect(await heading(page)).toBe('The sign-in has ended')
  await photograph(page, 'terms-not-accepted')
  await followByKeyboard(page, 'a.switch')

  await signIn(page)
  await followByKeyboard(page, ACCEPT)
  expect(page.url()).toBe(`${w.server.issuer}/account`)
  expect((await w.command(`user show ${USERNAME}`)).stdout).toMatch(/accepted terms +2026-11-01 at 20/)
  await eventually(() =>
    expect(w.server.logged('terms.accepted')).toMatchObject([
      { version: TERMS.version, sub: expect.any(String) },
    ]),
  )

  const other = await device()
  await ask(w, other)
  await signIn(other)
  expect(await arrive(other, w)).toMatchObject({ amr: ['pwd'] })
})

it('a user who signs up accepts them at the end, and comes to the application', async () => {
  const w = await world()
  const page = await device()
  await virtualAuthenticator(page, { synced: true })
  await page.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid email', prompt: 'create' }))
  await page.locator('#address').fill(ADDRESS)
  await followByKeyboard(page, 'main form button')
  const host = new URL(w.server.issuer).host
  await page.goto(linkIn(await received(w.smtp, `Confirm your address – ${host}`)))
  await followByKeyboard(page, 'main form button')
  await followByKeyboard(page, button.add('passkey'))
  await followByKeyboard(page, '[data-passkey-button]')
  await followByKeyboard(page, 'form.back button')
  expect(await codesOn(page)).toHaveLength(10)
  await followByKeyboard(page, button.saved)
  expect(await heading(page)).toBe('Terms of service')
  expect(await page.locator('main').textContent()).toContain(ADDRESS)
  await followByKeyboard(page, ACCEPT)
  expect(await arrive(page, w)).toMatchObject({ email: ADDRESS, amr: ['otp', 'swk', 'user', 'mfa'] })
  await eventually(() => expect(w.server.logged('terms.accepted')).toHaveLength(1))
})
