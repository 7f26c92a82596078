/** A change of the email address, in Chromium and with a mail server: confirmed on another device, undone, and ended by an operator. */

import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import type { ReceivedMail } from '@ostiary/test-kit/mail/smtp'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { givePassword } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import { linkIn, mailWorld, received } from './mail-world.ts'
import { focusOrder, followByKeyboard, photograph, pressEnterAt } from './photograph.ts'

vi.setConfig({ testTimeout: 300_000 })

const { device, redirectUri, authorizeUrl, answer, idToken } = inChromium()
const FORMER = 'mia@corp.example'
const NEW = 'mia@home.example'
const PASSWORD = 'seven words that mia has chosen'
const button = 'main form button'

/** A user whose username is the address, signed in with the password on a laptop. */
async function world() {
  const w = await mailWorld({}, redirectUri(), { email_change: true })
  const host = new URL(w.server.issuer).host
  expect((await w.command(`user invite ${FORMER}`)).code).toBe(0)
  const laptop = await device()
  await laptop.goto(linkIn(await received(w.smtp, `An account at ${host} was made for you: ${FORMER}`)))
  await followByKeyboard(laptop, button)
  await pressEnterAt(laptop, 'summary')
  await laptop.locator('#new_password').fill(PASSWORD)
  await laptop.locator('#new_password_again').fill(PASSWORD)
  await followByKeyboard(laptop, 'form:has(#new_password) button')
  await followByKeyboard(laptop, 'form.back button')
  expect(laptop.url()).toBe(`${w.server.issuer}/account`)
  return {
    ...w,
    laptop,
    confirmation: () => received(w.smtp, `Confirm your address – ${host}`),
    told: () => received(w.smtp, `Your email address was changed – ${host}`),
    /** To both addresses. */
    undone: (): Promise<ReceivedMail[]> =>
      eventually(() => {
        const subject = `The change of an email address was undone – ${host}`
        const found = w.smtp.mails.filter((mail) => mail.subject === subject)
        expect(found).toHaveLength(2)
        return found
      }),
  }
}

/** On the account page, by keyboard. */
async function ask(page: Page, address: string): Promise<void> {
  await pressEnterAt(page, 'section[aria-labelledby=address] summary')
  await page.locator('#new_address').fill(address)
  await followByKeyboard(page, 'form:has(#new_address) button')
}

it('a user changes the address, which counts once it is confirmed; the former one undoes it', async () => {
  const w = await world()
  const { laptop } = w
  await photograph(laptop, 'email-change')
  await ask(laptop, 'no address')
  expect(await laptop.locator('[role=alert]').textContent()).toContain('ann@example.com')
  await ask(laptop, ` ${NEW.toUpperCase()}`)
  expect(await heading(laptop)).toBe('Check your email')
  await photograph(laptop, 'email-change-sent')
  await laptop.goto(`${w.server.issuer}/account`)
  expect(await laptop.locator('#address-waits').textContent()).toContain('waits')

  const mail = await w.confirmation()
  expect(mail.recipients).toEqual([NEW])
  expect(mail.text).not.toContain(FORMER)
  // Another browser, as of a program that looks into mails.
  const scanner = await device()
  await scanner.goto(linkIn(mail))
  await scanner.waitForLoadState('networkidle')
  const phone = await device()
  await phone.goto(linkIn(mail))
  expect(await heading(phone)).toBe('Confirm your address')
  expect(await focusOrder(phone)).toEqual(['Confirm the address'])
  await photograph(phone, 'email-change-link')
  await followByKeyboard(phone, button)
  expect(await heading(phone)).toBe('The address is confirmed')
  await photograph(phone, 'email-change-confirmed')

  await laptop.goto(authorizeUrl(w.server, { client_id: 'notes', scope: 'openid email' }))
  await laptop.getByRole('button', { name: 'Allow' }).waitFor()
  await pressEnterAt(laptop, 'button[value=allow], button:has-text("Allow")')
  const { code } = await answer(laptop)
  expect(await idToken(w.server, code ?? '', 'notes')).toMatchObject({ email: NEW, email_verified: true })

  const notice = await w.told()
  expect(notice.recipients).toEqual([FORMER])
  expect(notice.text).not.toContain(NEW)
  await scanner.goto(linkIn(notice))
  await scanner.waitForLoadState('networkidle')
  const owner = await device()
  await owner.goto(linkIn(notice))
  expect(await heading(owner)).toBe('Undo the change of the address')
  await photograph(owner, 'email-change-undo')
  await followByKeyboard(owner, button)
  expect(await heading(owner)).toBe('The change is undone')
  await photograph(owner, 'email-change-undone')
  const mails = await w.undone()
  expect(mails.flatMap(({ recipients }) => recipients).sort()).toEqual([FORMER, NEW])
  expect((await laptop.request.get(`${w.server.issuer}/account`, { maxRedirects: 0 })).status()).toBe(303)

  await scanner.reload()
  expect(await heading(scanner)).toBe('This link does not work')
  await owner.goto(`${w.server.issuer}/account`)
  await givePassword(owner, FORMER, PASSWORD)
  expect(owner.url()).toBe(`${w.server.issuer}/account`)
  expect(await owner.locator('#address-now').textContent()).toBe(FORMER)
  for (const type of ['address.requested', 'address.changed', 'address.undone']) {
    await eventually(() => expect(w.server.logged(type)).toHaveLength(1))
    await eventually(() => expect(JSON.stringify(w.server.logged(type))).not.toContain('@'))
  }
})

it('an operator who sets an address ends what waits', async () => {
  const w = await world()
  await ask(w.laptop, NEW)
  const link = linkIn(await w.confirmation())
  const set = await w.command(
    `user update ${FORMER} --claim email=mia@other.example --claim email_verified=true`,
  )
  expect(set.code).toBe(0)
  const phone = await device()
  await phone.goto(link)
  expect(await heading(phone)).toBe('This link does not work')
  await w.laptop.goto(`${w.server.issuer}/account`)
  expect(await w.laptop.locator('#address-now').textContent()).toBe('mia@other.example')
  expect(await w.laptop.locator('#address-waits').count()).toBe(0)
})
