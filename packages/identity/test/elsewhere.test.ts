/** Users who sign in at another provider in place of a password, as an extension says. */

import { describe, expect, it } from 'vitest'
import type { Extension } from '../src/index.js'
import { accountUrl, CHANGE, NEW_PASSWORD, openAccount, postAccount, signedIn, signInAt } from './_account.js'
import { addPasskey, syncedPasskey } from './_factors.js'
import { ask, askWith, forgotUrl, giveAddress, lastLink, mailWorld, openReset } from './_mail.js'
import { begun, newPassword, send } from './_recovery.js'
import { browser, PASSWORD, type SetupOptions } from './_setup.js'

const CORP_PAGE = 'https://corp.example/authorize'
/** Users of this domain sign in there, from the moment on that it is turned on. */
const corp = { on: true }

const extension: Extension = {
  name: 'corp',
  replacesPassword: (_, { username, claims: { email } }) =>
    corp.on && [username, email].some((name) => String(name).endsWith('@example.com')),
  begin: (c, { username }) =>
    corp.on && username.endsWith('@example.com') ? Promise.resolve(c.redirect(CORP_PAGE)) : null,
}

/** Ada's user name has no domain. Her address has that of the provider. */
async function world(options: SetupOptions = {}) {
  corp.on = false
  const s = await mailWorld({ ...options, identity: { extensions: [extension] } })
  const turnOn = () => {
    corp.on = true
  }
  return { ...s, turnOn }
}

const leadsAway = (answer: Response) => answer.headers.get('location') === CORP_PAGE

describe('the password of such a user', () => {
  it('signs in no more, as if it was wrong', async () => {
    const s = await world()
    expect((await signInAt(s, browser(s))).status).toBe(303)
    s.turnOn()
    const right = await signInAt(s, browser(s))
    const wrong = await signInAt(s, browser(s), { password: 'wrong' })
    expect([right.status, wrong.status]).toEqual([422, 422])
    expect(s.events.slice(-2)).toMatchObject([{ reason: 'no_password' }, { reason: 'no_password' }])
  })

  it('costs as much as one that is checked', async () => {
    const s = await world()
    s.turnOn()
    const before = s.counts.verify
    await signInAt(s, browser(s))
    expect(s.counts.verify).toBe(before + 1)
    expect(s.counts.hashes.at(-1)).toBeNull()
  })

  it('is not changed and not shown on the account page', async () => {
    const s = await world()
    const b = await signedIn(s)
    const former = await openAccount(s, b)
    s.turnOn()
    const { csrf_token } = former
    expect((await openAccount(s, b)).html).not.toContain('new_password')
    expect((await b.post(accountUrl(s), { csrf_token, ...CHANGE })).status).toBe(400)
    expect((await s.users('default').findByUsername('ada'))?.credential_version).toBe(0)
    await giveAddress(s, { email: 'ada@home.example' })
    expect((await openAccount(s, b)).html).toContain('new_password')
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
  })

  it('is not set beside a passkey', async () => {
    const s = await world({ settings: {} })
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    expect((await openAccount(s, b)).html).toContain('new_password')
    s.turnOn()
    expect((await openAccount(s, b)).html).not.toContain('new_password')
  })

  it('does not finish a sign-in that it has begun', async () => {
    const s = await world({ settings: { second_factor: 'required' } })
    const b = browser(s)
    const next = (await signInAt(s, b)).headers.get('location') ?? ''
    expect(await (await b.get(next)).text()).toContain('Make your account safer')
    s.turnOn()
    expect(await (await b.get(next)).text()).not.toContain('Make your account safer')
  })
})

describe('a forgotten password', () => {
  it('leads to the other provider where the name says so, for known and unknown names alike', async () => {
    const s = await world()
    s.turnOn()
    for (const username of ['ann@example.com', 'no-one@example.com'])
      expect(leadsAway(await askWith(s, browser(s), { username }))).toBe(true)
    await s.deliver()
    expect(s.sent).toEqual([])
    const page = await browser(s).get(forgotUrl(s))
    // The browser checks where the answer to a form leads to.
    expect(page.headers.get('content-security-policy')).not.toContain("form-action 'self'")
  })

  it('is mailed a sentence, and no link, where only the address says so', async () => {
    const s = await world()
    s.turnOn()
    expect(leadsAway(await ask(s))).toBe(false)
    expect(s.sent[0]?.text).toContain('sign in with the button of your organization')
    expect(s.sent[0]?.text).not.toContain('/login/reset')
  })

  it('of a link that was mailed before is not set', async () => {
    const s = await world()
    await ask(s)
    const url = lastLink(s)
    const form = await openReset(browser(s), url)
    s.turnOn()
    await expect(openReset(browser(s), url)).rejects.toThrow(/^400/)
    const b = browser(s)
    const fields = { ...form.fields, new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }
    expect((await b.post(form.url, fields)).status).toBe(400)
    expect((await s.users('default').findByUsername('ada'))?.password_hash).toContain(PASSWORD)
  })
})

it('a link of an operator offers no password', async () => {
  const s = await world({ settings: {} })
  const { b, html } = await begun(s)
  expect(html).toContain('name="new_password"')
  s.turnOn()
  expect((await send(b, html, { action: 'password', ...newPassword(NEW_PASSWORD) })).status).toBe(400)
  const { html: after } = await begun(s)
  expect(after).not.toContain('name="new_password"')
})
