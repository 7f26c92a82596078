/** The offer of a passkey after a sign-in with the password: when it comes, its three answers, and what it must not open. */

import { describe, expect, it } from 'vitest'
import { accountUrl, openAccount, signedIn, subOf } from './_account.js'
import {
  addApp,
  addPasskey,
  codesIn,
  createWith,
  formWith,
  passkeyFormOf,
  sessionOf,
  signedInWithPasskey,
  syncedPasskey,
  withFactors,
} from './_factors.js'
import { authorizeUrl, type Browser, browser, openLogin, PASSWORD, type Setup } from './_setup.js'

const TITLE = 'Sign in faster next time'
const DAY = 86_400

/** Signs in with the password for a client, as a browser whose device can make passkeys. */
async function giveTo(s: Setup, b: Browser, more: Record<string, string> = { can_add_passkey: '1' }) {
  const { url, fields } = await openLogin(s, b, { prompt: 'login' })
  return b.post(url, { ...fields, username: 'ada', password: PASSWORD, ...more })
}

const next = async (b: Browser, answer: Response) => b.get(answer.headers.get('location') ?? '')

async function offered(s: Setup, b: Browser): Promise<string> {
  const html = await (await next(b, await giveTo(s, b))).text()
  expect(html).toContain(TITLE)
  return html
}

/** Whether the answer ends the sign-in: it leads to the client, with a code. */
const codeOf = async (b: Browser, answer: Response) =>
  new URL((await next(b, answer)).headers.get('location') ?? '').searchParams.get('code')

/** Where nothing is offered, the answer leads on at once: to the authorization request. */
const isOffered = async (s: Setup, b: Browser): Promise<boolean> => {
  const answer = await giveTo(s, b)
  return new URL(answer.headers.get('location') ?? '').pathname === '/login'
}

const press = (b: Browser, html: string, more: Record<string, string> = {}) => {
  const { url, fields } = formWith(html, { action: 'continue' })
  return b.post(url, { ...fields, ...more })
}

const factorsOf = async (s: Setup) => s.factors('default').list(await subOf(s))

describe('the offer', () => {
  it('comes before the session; "Not now" goes on, and it comes again after 30 days', async () => {
    const s = await withFactors()
    const b = browser(s)
    const html = await offered(s, b)
    expect(await sessionOf(s, b)).toBeNull()
    expect(await codeOf(b, await press(b, html))).toEqual(expect.any(String))
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd'], acr: '1' })
    expect(await isOffered(s, b)).toBe(false)
  })

  it.each([
    ['later', {}, 30 * DAY],
    ['never', { offer: 'never' }, 400 * DAY],
  ])('a cookie of the device says when it comes again: %s', async (value, more, seconds) => {
    const s = await withFactors()
    const b = browser(s)
    const shown = await giveTo(s, b)
    const answer = await press(b, await (await next(b, shown)).text(), more)
    // The password has let the user in: the device is known, as without the offer.
    expect(shown.headers.getSetCookie().join()).toContain('__Host-ostiary_device=')
    const set = [...shown.headers.getSetCookie(), ...answer.headers.getSetCookie()]
    expect(set.filter((cookie) => cookie.includes('ostiary_offer')).at(-1)).toBe(
      `__Host-ostiary_offer=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax; Secure`,
    )
    expect(await isOffered(s, b)).toBe(false)
    b.cookies.delete('__Host-ostiary_offer')
    expect(await isOffered(s, b)).toBe(true)
  })

  it('"Create" stores the passkey, shows the codes, and goes on at level 1', async () => {
    const s = await withFactors()
    const b = browser(s)
    const credential = syncedPasskey()
    const page = await createWith(b, { form: passkeyFormOf(await offered(s, b)), credential })
    const html = await page.text()
    expect(codesIn(html)).toHaveLength(10)
    expect(await sessionOf(s, b)).toBeNull()
    expect(await codeOf(b, await press(b, html))).toEqual(expect.any(String))
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd'], acr: '1' })
    const passkey = await signedInWithPasskey(s, credential)
    expect(await sessionOf(s, passkey)).toMatchObject({ acr: '2' })
  })

  it('for the account page too; a passkey that was not accepted leaves the way on', async () => {
    const s = await withFactors()
    const b = browser(s)
    const sent = await b.get(accountUrl(s))
    const start = await (await b.get(sent.headers.get('location') ?? '')).text()
    const { url, fields } = formWith(start, { return_to: '/account' })
    const given = { ...fields, username: 'ada', password: PASSWORD, can_add_passkey: '1' }
    const html = await (await next(b, await b.post(url, given))).text()
    const form = passkeyFormOf(html)
    const failed = await b.post(form.url, { ...form.fields, passkey: '{}' })
    expect(failed.status).toBe(422)
    const again = await failed.text()
    expect(again).toContain(TITLE)
    expect((await press(b, again)).headers.get('location')).toBe(accountUrl(s))
    expect((await openAccount(s, b)).page.status).toBe(200)
  })
})

describe('no offer', () => {
  it.each([[{}], [{ can_add_passkey: '' }], [{ can_add_passkey: '0' }]])(
    'to a browser that does not say that it can (%j): the answer is the direct redirect',
    async (more) => {
      const s = await withFactors()
      const plain = await withFactors({ settings: { passkeys: { enabled: false } } })
      const answer = await giveTo(s, browser(s), more)
      const before = await giveTo(plain, browser(plain), {})
      const shape = (response: Response) => ({
        status: response.status,
        to: new URL(response.headers.get('location') ?? '').pathname,
        cookies: response.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
      })
      expect(shape(answer)).toEqual(shape(before))
      expect(await factorsOf(s)).toEqual([])
    },
  )

  it.each([
    ['passkeys are off', { passkeys: { enabled: false }, second_factor: 'optional' }],
    ['the first factor is for invited users', { enrolment: 'invited' }],
  ] as const)('where %s', async (_, settings) => {
    const s = await withFactors({ settings })
    expect(await isOffered(s, browser(s))).toBe(false)
  })

  it('to an account with a passkey or an app', async () => {
    const s = await withFactors()
    await addPasskey(s, await signedIn(s), syncedPasskey())
    expect(await isOffered(s, browser(s))).toBe(false)
    const t = await withFactors()
    const b = await signedIn(t)
    await addApp(t, b)
    const sub = await subOf(t)
    const { credential_version = 0 } = (await t.users('default').find(sub)) ?? {}
    await t.factors('default').change({ sub, second_step: false }, { credential_version, now: t.clock.now })
    expect(await isOffered(t, browser(t))).toBe(false)
  })

  it('where a second factor is needed: its page asks, and the passkey raises the level', async () => {
    const s = await withFactors({ settings: { second_factor: 'required' } })
    const b = browser(s)
    const html = await (await next(b, await giveTo(s, b))).text()
    expect(html).toContain('Make your account safer')
    expect(html).not.toContain(TITLE)
    expect((await giveTo(s, browser(s))).headers.getSetCookie().join()).not.toContain('ostiary_offer')
  })

  it('to a client that asks with prompt=none', async () => {
    const s = await withFactors()
    const b = browser(s)
    const url = authorizeUrl(s, { prompt: 'none' })
    const silent = await b.get(url)
    expect(new URL(silent.headers.get('location') ?? '').searchParams.get('error')).toBe('login_required')
    await press(b, await offered(s, b))
    b.cookies.delete('__Host-ostiary_offer')
    const signed = await b.get(url)
    expect(new URL(signed.headers.get('location') ?? '').searchParams.get('code')).toEqual(expect.any(String))
  })
})

describe('attacks on the offer', () => {
  it('an app is not added by it: it would turn on the second step, and is no passkey', async () => {
    const s = await withFactors()
    const b = browser(s)
    const { url, fields } = formWith(await offered(s, b), { action: 'continue' })
    for (const action of ['enrol', 'enrolled']) {
      const answer = await b.post(url, { ...fields, action, method: 'totp', code: '123456' })
      expect(answer.status).toBe(400)
    }
    expect(await factorsOf(s)).toEqual([])
  })

  it('ends when the owner has added a factor meanwhile: nothing is added, and no session begins', async () => {
    const s = await withFactors()
    const b = browser(s)
    const html = await offered(s, b)
    await addPasskey(s, await signedIn(s), syncedPasskey())
    const before = await factorsOf(s)
    expect((await createWith(b, { form: passkeyFormOf(html), credential: syncedPasskey() })).status).toBe(400)
    expect((await press(b, html)).status).toBe(400)
    expect(await factorsOf(s)).toEqual(before)
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('adds one passkey: a second one needs the account page', async () => {
    const s = await withFactors()
    const b = browser(s)
    const form = passkeyFormOf(await offered(s, b))
    await createWith(b, { form, credential: syncedPasskey() })
    const before = await factorsOf(s)
    const again = await createWith(b, { form, credential: syncedPasskey() })
    expect(await again.text()).toContain('Confirm that it is you')
    expect(await factorsOf(s)).toEqual(before)
  })

  it('its answer counts once, in the browser that gave the password, with its token', async () => {
    const s = await withFactors()
    const b = browser(s)
    const html = await offered(s, b)
    const copy = browser(s)
    for (const [name, value] of b.cookies) copy.cookies.set(name, value)
    const other = browser(s)
    expect((await press(other, html)).status).toBe(403)
    expect((await press(b, html, { csrf_token: 'another' })).status).toBe(403)
    expect(await codeOf(b, await press(b, html))).toEqual(expect.any(String))
    expect((await press(copy, html)).status).toBe(400)
    expect(await sessionOf(s, copy)).toBeNull()
  })

  it('"Not now" does not go around a second step that the account has got meanwhile', async () => {
    const s = await withFactors()
    const b = browser(s)
    const html = await offered(s, b)
    await addApp(s, await signedIn(s))
    expect((await press(b, html)).status).toBe(400)
    expect(await sessionOf(s, b)).toBeNull()
  })
})
