/** The offer of a passkey, the first factor of an account, and what browsers are told: checked, and by keyboard. */

import { virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading, inPage } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { USERNAME } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { addPasskey, button, codesOn, factorsOn, follow, givePassword } from './factor-forms.ts'
import { inChromium } from './in-chromium.ts'
import type { InProcess } from './in-process.ts'
import { focusOrder, photograph } from './photograph.ts'

// A photograph of a long page takes a second, and there are four of each.
vi.setConfig({ testTimeout: 300_000 })

const { device, serve, authorizeUrl, answer } = inChromium()

/** The sign-in page of the client, whose form says that the device can make a passkey. */
async function openLogin(server: InProcess, page: Page): Promise<void> {
  await page.goto(authorizeUrl(server))
  await page.locator('input[name=can_add_passkey]').waitFor({ state: 'attached' })
}

const OFFER = 'Sign in faster next time'

describe('the offer after a sign-in with the password', () => {
  it('creates a passkey, shows the codes, and goes on to the application', async () => {
    const server = await serve()
    const page = await device()
    const authenticator = await virtualAuthenticator(page)
    await openLogin(server, page)
    await givePassword(page, USERNAME)
    expect(await heading(page)).toBe(OFFER)
    await page.locator(button.passkey).waitFor()
    expect(await focusOrder(page)).toEqual(['Create the passkey', 'Not now', 'offer'])
    await photograph(page, 'offer')
    await authenticator.verify(false)
    await page.locator(button.passkey).click()
    await page.locator('[data-passkey-error]:visible').waitFor()
    await photograph(page, 'offer-cancelled')
    await authenticator.verify(true)
    await follow(page, button.passkey)
    expect(await codesOn(page)).toHaveLength(10)
    await follow(page, button.saved)
    expect((await answer(page)).code).toEqual(expect.any(String))
    await page.goto(`${server.issuer}/account`)
    expect(await factorsOn(page)).toEqual(['Passkey'])
  })

  it.each(['Not now', 'Do not ask on this device'])(
    '"%s" goes on by keyboard, and it does not come again',
    async (name) => {
      const server = await serve()
      const page = await device()
      await virtualAuthenticator(page)
      await openLogin(server, page)
      await givePassword(page, USERNAME)
      await page.getByRole('button', { name }).focus()
      await page.keyboard.press('Enter')
      expect((await answer(page)).code).toEqual(expect.any(String))
      const kept = (await page.context().cookies(server.issuer)).filter((cookie) =>
        cookie.name.endsWith('ostiary_offer'),
      )
      await page.context().clearCookies()
      await page.context().addCookies(kept)
      await openLogin(server, page)
      await givePassword(page, USERNAME)
      expect((await answer(page)).code).toEqual(expect.any(String))
    },
  )

  it.each([
    ['without JavaScript', { javaScriptEnabled: false }],
    ['on a device without an authenticator of its own', {}],
  ])('does not come %s', async (_, options) => {
    const server = await serve()
    const page = await device(options)
    await page.goto(authorizeUrl(server))
    await givePassword(page, USERNAME)
    expect((await answer(page)).code).toEqual(expect.any(String))
  })
})

describe('a client that asks for more than the password', () => {
  it('gets the user back from the page that offers a second factor', async () => {
    const server = await serve()
    const page = await device()
    await virtualAuthenticator(page)
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    expect(await page.locator('h1 + p').textContent()).toContain('The Bank needs a second way')
    await photograph(page, 'stronger')
    await page.getByRole('button', { name: 'Back to The Bank' }).click()
    expect(await answer(page)).toMatchObject({ error: 'unmet_authentication_requirements' })
  })

  it('and from the second step', async () => {
    const server = await serve()
    const page = await device()
    const authenticator = await virtualAuthenticator(page)
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    if ((await heading(page)) === OFFER) await follow(page, '.later .quiet')
    await addPasskey(page)
    await authenticator.attend(false)
    await page.context().clearCookies()
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    await page.locator(button.passkey).waitFor()
    await photograph(page, 'second-step-client')
    await page.getByRole('button', { name: 'Back to The Bank' }).click()
    expect(await answer(page)).toMatchObject({ error: 'unmet_authentication_requirements' })
  })

  it('where the first factor is for invited users, the pages say whom to ask', async () => {
    const server = await serve({ second_factor: 'optional', enrolment: 'invited' })
    const page = await device()
    await virtualAuthenticator(page)
    await openLogin(server, page)
    await givePassword(page, USERNAME)
    await answer(page)
    await page.goto(authorizeUrl(server, { acr_values: '2' }))
    await givePassword(page, USERNAME)
    await photograph(page, 'invited')
    await page.getByRole('button', { name: 'Back to The Bank' }).click()
    expect(await answer(page)).toMatchObject({ error: 'unmet_authentication_requirements' })
    await page.goto(`${server.issuer}/account`)
    expect(await page.locator('section[aria-labelledby=ways]').textContent()).toContain(
      'ask the person who manages',
    )
    await photograph(page, 'ways-invited')
  })
})

describe('browsers are told', () => {
  it('that the last passkey is removed, and the name that an account has now', async () => {
    const server = await serve()
    const page = await device()
    await page.goto(`${server.issuer}/account`)
    await givePassword(page, USERNAME)
    const authenticator = await virtualAuthenticator(page)
    await addPasskey(page)
    const [made] = await authenticator.credentials()
    await authenticator.forget(made?.credentialId ?? '')
    await authenticator.add({ ...made, userName: 'a former name', userDisplayName: 'A Former Name' } as never)
    await page.reload()
    await eventually(async () =>
      expect((await authenticator.credentials())[0]).toMatchObject({ userName: USERNAME }),
    )
    await follow(page, button.remove(0))
    await eventually(async () => expect(await authenticator.credentials()).toEqual([]))
  })
})

it('the recovery codes are printed with the product, the account and the date alone', async () => {
  const server = await serve()
  const page = await device()
  await virtualAuthenticator(page)
  await page.goto(`${server.issuer}/account`)
  await givePassword(page, USERNAME)
  if ((await heading(page)) === OFFER) await follow(page, '.later .quiet')
  await follow(page, button.add('passkey'))
  await follow(page, button.passkey)
  await inPage(page, () => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  expect(await page.locator('body[data-printed]').count()).toBe(1)
  expect(await page.locator('.printed').isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const printed = await page.locator('main > :visible, .codes code').allTextContents()
  expect(printed.map((text) => text.trim()).filter((text) => !text.includes('\n'))).toEqual([
    new URL(server.issuer).host,
    expect.stringMatching(`^Recovery codes for the account ${USERNAME}, .*20\\d\\d`),
    ...(await codesOn(page)),
  ])
  expect(
    await page
      .locator('.codes code')
      .first()
      .evaluate((code) => getComputedStyle(code).color),
  ).toBe('rgb(0, 0, 0)')
  expect(await page.getByRole('button').count()).toBe(0)
})
