/** Passkeys in Chromium, with an authenticator that it simulates: created, used and removed. */

import { type VirtualAuthenticator, virtualAuthenticator } from '@ostiary/test-kit/authenticators/virtual'
import { heading } from '@ostiary/test-kit/chromium'
import { eventually } from '@ostiary/test-kit/eventually'
import { configFor, IN_MEMORY, type ServerProcess, startServer } from '@ostiary/test-kit/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPasskey, button, codesOn, factorsOn, follow, givePassword } from './factor-forms.ts'
import { BANK, inChromium } from './in-chromium.ts'

const USERS = Array.from({ length: 30 }, (_, index) => `user-${index}`)

const { device: newPage, redirectUri, authorizeUrl, answer, idToken } = inChromium()

let server: ServerProcess
/** Of the running test: failures of one user do not count for another. */
let username = ''
const unused = [...USERS]

beforeAll(async () => {
  server = await startServer({ config: configured, env: IN_MEMORY })
})
afterAll(async () => void (await server.stop()))
beforeEach(() => {
  username = unused.pop() ?? ''
})

function configured(port: number) {
  const config = configFor(redirectUri())(port)
  const trusted = { client_id: BANK, redirect_uris: [redirectUri()], trusted: true }
  const users = USERS.flatMap((name) => config.users.map((user) => ({ ...user, username: name })))
  return { ...config, clients: [trusted], users }
}

const accountUrl = () => `${server.issuer}/account`

async function signedIn(): Promise<Page> {
  const page = await newPage()
  await page.goto(accountUrl())
  await givePassword(page, username)
  expect(await heading(page)).toBe('Your account')
  return page
}

/** As another browser, with the authenticators that the page has. */
const forgetSession = (page: Page): Promise<void> => page.context().clearCookies()

/** What the ID token says of the sign-in, once the browser is back at the client. */
async function signInOf(page: Page): Promise<Record<string, unknown>> {
  const { amr, acr } = await idToken(server, (await answer(page)).code)
  return { amr, acr }
}

/** The sentence of the form, once the authenticator has refused. */
async function refusal(page: Page): Promise<string | null> {
  const sentence = page.locator('[data-passkey-error]:visible')
  await sentence.waitFor()
  return sentence.textContent()
}

const KINDS = [
  ['of the device, copied to others', { transport: 'internal', synced: true }, 'swk'],
  ['of a security key', { transport: 'usb', synced: false }, 'hwk'],
  ['of the device', { transport: 'internal', synced: false }, 'hwk'],
  ['of a security key, copied to others', { transport: 'usb', synced: true }, 'swk'],
] as const

describe.each(process.env.OSTIARY_LONG ? KINDS : KINDS.slice(0, 2))('a passkey %s', (_, kind, amr) => {
  it('is created on the account page, with ten recovery codes', async () => {
    const page = await signedIn()
    const authenticator = await virtualAuthenticator(page, kind)
    await follow(page, button.add('passkey'))
    await follow(page, button.passkey)
    expect(new Set(await codesOn(page)).size).toBe(10)
    await follow(page, button.saved)
    expect(page.url()).toBe(accountUrl())
    expect(await factorsOn(page)).toEqual(['Passkey'])
    expect(await authenticator.credentials()).toMatchObject([
      {
        rpId: 'localhost',
        isResidentCredential: true,
        userName: username,
        userDisplayName: 'Ann Example',
        backupEligibility: kind.synced,
        backupState: kind.synced,
      },
    ])
  })

  it('signs in with the button', async () => {
    const page = await signedIn()
    const authenticator = await virtualAuthenticator(page, kind)
    await addPasskey(page)
    await forgetSession(page)
    await openSignIn(page, authenticator)
    await page.locator(button.passkey).click()
    expect(await signInOf(page)).toEqual({ amr: [amr, 'user', 'mfa'], acr: '2' })
  })

  it('is the second step, once the user wants one', async () => {
    const page = await signedIn()
    const authenticator = await virtualAuthenticator(page, kind)
    await addPasskey(page)
    await follow(page, button.secondStep)
    await forgetSession(page)
    await openSignIn(page, authenticator)
    await givePassword(page, username)
    expect(await heading(page)).toBe('Confirm that it is you')
    await page.locator(button.passkey).click()
    expect(await signInOf(page)).toEqual({ amr: ['pwd', amr, 'user', 'mfa'], acr: '2' })
  })
})

/** The list of the name field waits for its user: the authenticator is not touched before the page has loaded. */
async function openSignIn(page: Page, authenticator: VirtualAuthenticator): Promise<void> {
  await authenticator.attend(false)
  await page.goto(authorizeUrl(server))
  await page.locator(button.passkey).waitFor()
  await authenticator.attend(true)
}

it('a passkey of the device signs in from the name field: nothing is typed, and no button is pressed', async () => {
  const page = await signedIn()
  await virtualAuthenticator(page)
  await addPasskey(page)
  await forgetSession(page)
  await page.goto(authorizeUrl(server))
  expect(await signInOf(page)).toEqual({ amr: ['hwk', 'user', 'mfa'], acr: '2' })
})

it('an authenticator that has a passkey of the account makes no second one', async () => {
  const page = await signedIn()
  const authenticator = await virtualAuthenticator(page)
  await addPasskey(page)
  await follow(page, button.add('passkey'))
  await page.locator(button.passkey).click()
  expect(await refusal(page)).toBe('There is a passkey for your account on this device already.')
  expect(await authenticator.credentials()).toHaveLength(1)
})

describe('a removed passkey', () => {
  it('is taken from its authenticator, and the others stay', async () => {
    const page = await signedIn()
    const first = await virtualAuthenticator(page, { transport: 'internal' })
    await addPasskey(page)
    await rename(page, 'The first one')
    const second = await virtualAuthenticator(page, { transport: 'usb' })
    // The authenticator of the first one is not touched.
    await first.attend(false)
    await addPasskey(page)
    expect(await first.credentials()).toHaveLength(1)
    const kept = await second.credentials()
    expect(kept).toHaveLength(1)
    await follow(page, button.remove((await factorsOn(page)).indexOf('The first one')))
    expect(await page.getByRole('status').textContent()).toContain('It is removed')
    expect(await factorsOn(page)).toEqual(['Passkey'])
    await eventually(async () => expect(await first.credentials()).toEqual([]))
    expect(await second.credentials()).toEqual(kept)
  })

  it('signs in no more, also with the authenticator of a browser that was not told', async () => {
    const page = await signedIn()
    // Not of the device: with one, each refused page would offer it again by itself.
    const authenticator = await virtualAuthenticator(page, { transport: 'usb' })
    await addPasskey(page)
    const kept = await authenticator.credentials()
    await follow(page, button.remove(0))
    expect(await factorsOn(page)).toEqual([])
    await eventually(async () => expect(await authenticator.credentials()).toEqual([]))
    for (const credential of kept) await authenticator.add(credential)
    await forgetSession(page)
    await page.goto(authorizeUrl(server))
    await follow(page, button.passkey)
    expect(await page.locator('#error').textContent()).toContain('This passkey could not be used.')
  })
})

describe('without the verification of the user', () => {
  const UNVERIFIED = [
    ['the authenticator cannot', { verifies: false, verified: false }],
    ['the authenticator does not recognize the user', { verifies: true, verified: false }],
  ] as const

  it.each(UNVERIFIED)('no passkey is created: %s', async (_, kind) => {
    const page = await signedIn()
    const authenticator = await virtualAuthenticator(page, kind)
    await follow(page, button.add('passkey'))
    await page.locator(button.passkey).click()
    expect(await refusal(page)).toBe('No passkey was created. You can try again.')
    expect(await authenticator.credentials()).toEqual([])
    await page.goto(accountUrl())
    expect(await factorsOn(page)).toEqual([])
  })

  it.each(UNVERIFIED)('a passkey does not sign in: %s', async (_, kind) => {
    const page = await signedIn()
    const verifying = await virtualAuthenticator(page, { transport: 'usb' })
    await addPasskey(page)
    const [credential] = await verifying.credentials()
    await verifying.remove()
    const authenticator = await virtualAuthenticator(page, { ...kind, transport: 'usb' })
    if (credential) await authenticator.add(credential)
    await forgetSession(page)
    await page.goto(authorizeUrl(server))
    await page.locator(button.passkey).click()
    expect(await refusal(page)).toBe('No passkey was used. You can try again.')
    expect(await heading(page)).toBe('Sign in')
  })

  it('the next try succeeds, once the user is recognized', async () => {
    const page = await signedIn()
    const authenticator = await virtualAuthenticator(page, { verified: false })
    await follow(page, button.add('passkey'))
    await page.locator(button.passkey).click()
    await refusal(page)
    await authenticator.verify(true)
    await follow(page, button.passkey)
    expect(await codesOn(page)).toHaveLength(10)
    expect(await authenticator.credentials()).toHaveLength(1)
  })
})

/** Of the only one. */
async function rename(page: Page, name: string): Promise<void> {
  await page.locator('li:has(#factor-0) summary').click()
  await page.locator('#factor-0-label').fill(name)
  await follow(page, button.rename(0))
  expect(await factorsOn(page)).toEqual([name])
}
