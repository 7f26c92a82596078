/** An invitation, in Chromium and with a mail server: from the operator's command to a sign-in with the passkey alone. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { button, codesOn, factorsOn } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()
const ADDRESS = 'bob@example.com'
const NEW_PASSWORD = 'seven words that bob has chosen'

async function invited(more = '') {
  const world = await mailWorld({}, redirectUri())
  const subject = `An account at ${new URL(world.server.issuer).host} was made for you: bob`
  const { code, stdout, stderr } = await world.command(`user invite ${ADDRESS} --username bob${more}`)
  expect([code, stderr]).toEqual([0, expect.stringMatching(/link/)])
  const sub = /^sub +(\S+)$/m.exec(stdout)?.[1] ?? ''
  return { ...world, stdout, sub, mail: () => received(world.smtp, subject) }
}

/** Adds a passkey on the page of the choice, by keyboard, and goes on to the recovery codes. */
async function choosePasskey(page: Page): Promise<void> {
  await followByKeyboard(page, button.add('passkey'))
  await followByKeyboard(page, '[data-passkey-button]')
  await followByKeyboard(page, 'form.back button')
}

it('a new user comes from the mail to a sign-in with a passkey, by keyboard and without a password', async () => {
  const begun = performance.now()
  const { server, sub, mail: mailed } = await invited()
  const mail = await mailed()
  expect(mail.recipients).toEqual([ADDRESS])
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  const page = await device()
  const authenticator = await virtualAuthenticator(page, { synced: true })
  await page.goto(linkIn(mail))
  expect(await heading(page)).toBe('Welcome')
  await followByKeyboard(page, 'main form button')
  await choosePasskey(page)
  expect(await codesOn(page)).toHaveLength(10)
  await followByKeyboard(page, button.saved)
  expect(page.url()).toBe(`${server.issuer}/account`)
  expect(await factorsOn(page)).toEqual(['Passkey'])

  // As another browser, with the same authenticator: nothing is typed.
  await page.context().clearCookies()
  const scope = 'openid email'
  await page.goto(authorizeUrl(server, { client_id: 'notes', scope }))
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await pressEnterAt(page, 'button[value=allow], button:has-text("Allow")')
  const { code } = await answer(page)
  const took = Math.round(performance.now() - begun)
  console.log(`from the command to the sign-in with a passkey in an application: ${took} ms`)
  expect(await idToken(server, code ?? '', 'notes')).toMatchObject({
    sub,
    email: ADDRESS,
    email_verified: true,
    amr: ['swk', 'user', 'mfa'],
  })
  expect(await authenticator.credentials()).toHaveLength(1)
  await eventually(() => expect(server.logged('invitation.used')).toMatchObject([{ sub }]))
})

it('each page can be used by keyboard, and a scanner that runs scripts uses nothing', async () => {
  const { server, command, smtp, mail: mailed } = await invited()
  const link = linkIn(await mailed())
  const scanner = await device()
  await scanner.goto(link)
  await scanner.waitForLoadState('networkidle')

  const page = await device()
  await virtualAuthenticator(page)
  await page.goto(link)
  expect(await focusOrder(page)).toEqual(['Continue'])
  await photograph(page, 'invitation')
  await followByKeyboard(page, 'main form button')
  expect(page.url()).toBe(`${server.issuer}/login/ticket`)
  await photograph(page, 'invitation-choose')
  await pressEnterAt(page, 'summary')
  await page.locator('#new_password').fill(NEW_PASSWORD)
  await page.locator('#new_password_again').fill(NEW_PASSWORD)
  await followByKeyboard(page, 'form:has(#new_password) button')
  await photograph(page, 'invitation-password')
  await choosePasskey(page)
  await photograph(page, 'invitation-codes')
  // The browser has lost the codes: the page says that the account is ready.
  await page.goto(`${server.issuer}/login/ticket`)
  await photograph(page, 'invitation-done')
  await followByKeyboard(page, 'main form button')
  expect(page.url()).toBe(`${server.issuer}/account`)
  await scanner.reload()
  expect(await heading(scanner)).toBe('This link does not work')
  await received(smtp, `Your account at ${new URL(server.issuer).host} was changed`)

  const again = await command(`user invite ${ADDRESS} --username bob`)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('can sign in already')])
})

it('a second invitation ends the first one', async () => {
  const { smtp, command, mail: mailed } = await invited()
  const first = linkIn(await mailed())
  const { stdout } = await command(`user invite ${ADDRESS} --username bob --print`)
  const second = /^link +(\S+)$/m.exec(stdout)?.[1] ?? ''
  expect(smtp.mails).toHaveLength(1)
  const page = await device()
  await page.goto(first)
  expect(await heading(page)).toBe('This link does not work')
  await page.goto(second)
  expect(await heading(page)).toBe('Welcome')
})
