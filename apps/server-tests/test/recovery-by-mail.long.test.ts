/** A recovery by mail, in Chromium and with a mail server: after the delay, with a recovery code, and cancelled. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { ReceivedMail } from '@ostiary/test-kit/mail/smtp'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { button, codesOn, factorsOn } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri } = inChromium()
const ADDRESS = 'bob@example.com'
const DELAY = 3600

/** A user with one passkey and recovery codes, and no password, who is signed in on a device. */
async function world() {
  const w = await mailWorld({}, redirectUri(), { recovery: { mail: true, delay: DELAY } })
  const host = new URL(w.server.issuer).host
  const invited = await w.command(`user invite ${ADDRESS} --username bob`)
  expect(invited.code).toBe(0)
  const laptop = await device()
  await virtualAuthenticator(laptop, { synced: true })
  await laptop.goto(linkIn(await received(w.smtp, `An account at ${host} was made for you: bob`)))
  await followByKeyboard(laptop, 'main form button')
  await followByKeyboard(laptop, button.add('passkey'))
  await followByKeyboard(laptop, '[data-passkey-button]')
  await followByKeyboard(laptop, 'form.back button')
  const codes = await codesOn(laptop)
  await followByKeyboard(laptop, button.saved)
  expect(laptop.url()).toBe(`${w.server.issuer}/account`)
  const subject = `Get back into your account – ${host}`
  /** The mails with this subject, when there are so many. */
  const mails = (wanted: string, count: number): Promise<ReceivedMail[]> =>
    eventually(() => {
      const found = w.smtp.mails.filter((mail) => mail.subject === wanted)
      expect(found).toHaveLength(count)
      return found
    })
  return {
    ...w,
    laptop,
    codes,
    notices: (count: number) => mails(`A recovery of your account waits – ${host}`, count),
    links: (count: number) => mails(subject, count),
    /** Not by the page, whose simulated authenticator signs in again by itself. */
    async statusOf(page: Page) {
      return (await page.request.get(`${w.server.issuer}/account`, { maxRedirects: 0 })).status()
    },
    /** As if the recovery had begun so many seconds earlier. */
    async pass(seconds: number) {
      for (const [table, columns] of [
        ['oidc_tickets', ['created_at', 'expires_at']],
        ['oidc_mails', ['next_attempt_at']],
      ] as const)
        await w.executor.query(
          `update ${table} set ${columns.map((name) => `${name} = ${name} - $1::bigint`).join(', ')}`,
          [seconds],
        )
    },
  }
}

type World = Awaited<ReturnType<typeof world>>

/** Asks for the mail on the sign-in page, and opens its link. */
async function openMailed(w: World, page: Page, count = 1): Promise<void> {
  await page.goto(`${w.server.issuer}/account`)
  await followByKeyboard(page, 'a:has-text("Get back into your account")')
  expect(await heading(page)).toBe('Get back into your account')
  await page.locator('#username').fill('bob')
  await followByKeyboard(page, 'main form button')
  expect(await heading(page)).toBe('Check your email')
  const mail = (await w.links(count)).at(-1)
  expect(mail?.recipients).toEqual([ADDRESS])
  await page.goto(linkIn(mail as ReceivedMail))
}

/** Removes the lost passkey, adds one of this device, and saves the codes. */
async function chooseAnew(page: Page): Promise<void> {
  expect(await page.locator('input[type=radio]:checked').count()).toBe(0)
  await page.locator('input[type=radio][value=remove]').check()
  await followByKeyboard(page, 'main form button')
  await followByKeyboard(page, button.add('passkey'))
  await followByKeyboard(page, '[data-passkey-button]')
  await followByKeyboard(page, 'form.back button')
  expect(await codesOn(page)).toHaveLength(10)
  await followByKeyboard(page, button.saved)
}

it('a user who has lost the passkey gets in after the delay, and chooses anew', async () => {
  const w = await world()
  const page = await device()
  await virtualAuthenticator(page, { synced: true })
  await openMailed(w, page)
  expect(await focusOrder(page)).toEqual(['recovery_code', 'Continue', 'Wait, without a code'])
  await photograph(page, 'recovery-by-mail')
  await followByKeyboard(page, 'form:has(input[value=wait]) button')
  expect(await heading(page)).toBe('The waiting time has begun')
  await photograph(page, 'recovery-by-mail-waits')
  const [notice] = await w.notices(1)
  // Another browser, as of a program that looks into mails.
  const scanner = await device()
  await scanner.goto(linkIn(notice as ReceivedMail))
  await scanner.waitForLoadState('networkidle')
  expect(await heading(scanner)).toBe('Cancel the recovery')
  await photograph(scanner, 'recovery-by-mail-cancel')
  await w.laptop.reload()
  expect(await w.laptop.locator('[role=alert]').textContent()).toContain('A recovery of this account')
  await photograph(w.laptop, 'recovery-by-mail-account')
  const shown = await w.command('user show bob')
  expect(shown.stdout).toMatch(/A recovery by mail waits or can begin until: 20/)

  await w.pass(DELAY)
  await w.notices(2)
  const link = linkIn((await w.links(2)).at(-1) as ReceivedMail)
  await scanner.goto(link)
  await scanner.waitForLoadState('networkidle')
  await page.goto(link)
  await photograph(page, 'recovery-by-mail-over')
  await followByKeyboard(page, 'main form button')
  expect(page.url()).toBe(`${w.server.issuer}/login/ticket`)
  expect(await w.statusOf(w.laptop)).toBe(303)
  await chooseAnew(page)
  expect(page.url()).toBe(`${w.server.issuer}/account`)
  expect(await factorsOn(page)).toHaveLength(1)
  await eventually(() => expect(w.server.logged('recovery.completed')).toHaveLength(1))
  await eventually(() => expect(w.server.logged('recovery.started')).toMatchObject([{ by: 'delay' }]))
  await eventually(() => {
    const told = JSON.stringify(w.server.logged('recovery.requested'))
    expect(told).toContain('until')
    expect(told).not.toContain(ADDRESS)
  })
})

it('with a recovery code at once', async () => {
  const w = await world()
  const page = await device()
  await virtualAuthenticator(page, { synced: true })
  await openMailed(w, page)
  await page.locator('#recovery_code').fill('0000-0000-0000-0000')
  await followByKeyboard(page, 'form:has(#recovery_code) button')
  expect(await page.locator('[role=alert]').textContent()).toContain('not one of your recovery codes')
  await photograph(page, 'recovery-by-mail-wrong-code')
  await page.locator('#recovery_code').fill(w.codes[0] ?? '')
  await followByKeyboard(page, 'form:has(#recovery_code) button')
  await chooseAnew(page)
  expect(page.url()).toBe(`${w.server.issuer}/account`)
  expect(await w.statusOf(w.laptop)).toBe(303)
  await eventually(() => expect(w.server.logged('recovery.started')).toMatchObject([{ by: 'code' }]))
})

it('the owner cancels: before a sign-in with the passkey goes on, with the link of the mail, or the operator does', async () => {
  const w = await world()
  const thief = await device()
  const begin = async (count: number) => {
    await openMailed(w, thief, count)
    await followByKeyboard(thief, 'form:has(input[value=wait]) button')
    return (await w.notices(count)).at(-1) as ReceivedMail
  }
  await begin(1)
  await w.laptop.context().clearCookies()
  await w.laptop.goto(`${w.server.issuer}/account`)
  await w.laptop.waitForURL('**/login/regain?next=*')
  await photograph(w.laptop, 'recovery-by-mail-before')
  await followByKeyboard(w.laptop, 'form:has(input[value=end]) button')
  expect(w.laptop.url()).toBe(`${w.server.issuer}/account`)
  expect(await w.laptop.locator('[role=alert]').count()).toBe(0)

  const page = await device()
  await page.goto(linkIn(await begin(2)))
  await followByKeyboard(page, 'main form button')
  expect(await heading(page)).toBe('The recovery is cancelled')
  await photograph(page, 'recovery-by-mail-cancelled')

  await begin(3)
  expect((await w.command('user recovery-link bob --cancel')).code).toBe(0)
  const again = await w.command('user recovery-link bob --cancel')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('no recovery of bob waits')])
  await w.pass(DELAY)
  await eventually(async () => expect(await w.executor.query('select mail_id from oidc_mails')).toEqual([]))
  expect(await w.links(3)).toHaveLength(3)
  await eventually(() =>
    expect(w.server.logged('recovery.cancelled')).toMatchObject([
      { reason: 'session' },
      { reason: 'not_me' },
    ]),
  )
})
