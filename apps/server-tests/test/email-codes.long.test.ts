/** A sign-in with a mailed code, in Chromium and with a mail server. */

import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { addApp, giveCode, givePassword } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { mailWorld, received } from './mail-world.ts'
import { createShow, type Show } from './page-variants.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { browser, device, redirectUri, authorizeUrl, answer, idToken } = inChromium()
let show: Show
beforeAll(async () => {
  show = await createShow(browser())
})

const world = () => mailWorld({}, redirectUri(), { email_codes: true, second_factor: 'optional' })

type World = Awaited<ReturnType<typeof world>>

const ASK = 'button[formaction="/login/code"]'
const ENTER = 'form:has(#code) button'

const codeIn = async ({ smtp, server }: World, title = 'Your code to sign in'): Promise<string> => {
  const { text, recipients } = await received(smtp, `${title} – ${new URL(server.issuer).host}`)
  expect(recipients).toEqual(['ann@example.com'])
  expect(text).not.toMatch(/https?:/)
  return /^[B-Z]{4}-[B-Z]{4}$/m.exec(text ?? '')?.[0] ?? ''
}

/** What the application learns. */
async function arrive(page: Page, { server }: World, allow = 'Allow'): Promise<Record<string, unknown>> {
  await page.getByRole('button', { name: allow, exact: true }).waitFor()
  await pressEnterAt(page, `button:has-text("${allow}")`)
  const { code } = await answer(page)
  return idToken(server, code ?? '', 'notes')
}

it('a user signs in with a code, by keyboard, in the browser that has asked for it', async () => {
  const w = await world()
  const page = await device()
  await page.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid email' }))
  await photograph(page, 'email-code-sign-in')
  await show(page, 'email-code-sign-in')
  await page.locator('#username').fill(USERNAME)
  await followByKeyboard(page, ASK)
  expect(await heading(page)).toBe('Check your email')
  expect(await focusOrder(page)).toEqual(['code', 'Sign in', 'Send a new code', 'Sign in another way'])
  await photograph(page, 'email-code')
  await show(page, 'email-code')
  const code = await codeIn(w)

  const thief = await device()
  await thief.goto(`${w.server.issuer}/login/code?return_to=%2Faccount`)
  expect(await heading(thief)).toBe('Sign in with a code')
  await show(thief, 'email-code-name')
  await thief.locator('#username').fill(USERNAME)
  await followByKeyboard(thief, 'main form button')
  await thief.locator('#code').fill(code)
  await followByKeyboard(thief, ENTER)
  expect(await thief.locator('[role=alert]').textContent()).toBe(
    'This is not the code. Use the newest email.',
  )
  await photograph(thief, 'email-code-wrong')
  await show(thief, 'email-code-wrong')

  await page.reload()
  await page.locator('#code').fill(code.toLowerCase().replace('-', ' '))
  await followByKeyboard(page, ENTER)
  const claims = await arrive(page, w)
  expect(claims).toMatchObject({ email: 'ann@example.com', acr: '1' })
  expect(claims).not.toHaveProperty('amr')
  await page.goto(`${w.server.issuer}/account`)
  expect(await page.locator('#email-codes').textContent()).toBe('Codes by email')
  await show(page, 'email-code-account')
  await eventually(() => expect(w.server.logged('login.refused')).toMatchObject([{ reason: 'wrong_code' }]))
  await eventually(() => expect(w.server.logged('mail.sent')).toHaveLength(2))
  await eventually(() =>
    expect(JSON.stringify(w.server.logged('mail.sent'))).not.toContain('ann@example.com'),
  )
})

it('the second step follows the code, and the page is in German', async () => {
  const w = await world()
  const own = await device()
  await own.goto(`${w.server.issuer}/account`)
  await givePassword(own, USERNAME)
  const { app } = await addApp(own)

  const page = await device({ locale: 'de-DE' })
  await page.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid', ui_locales: 'de' }))
  await show(page, 'email-code-sign-in-de')
  await page.locator('#username').fill(USERNAME)
  await followByKeyboard(page, ASK)
  await show(page, 'email-code-de')
  await page.locator('#code').fill(await codeIn(w, 'Ihr Code für die Anmeldung'))
  await followByKeyboard(page, ENTER)
  await page.locator('input[name=proof][value=totp]').waitFor({ state: 'attached' })
  await giveCode(page, app.code())
  expect(await arrive(page, w, 'Erlauben')).toMatchObject({ amr: ['otp', 'mfa'], acr: '2' })
})
