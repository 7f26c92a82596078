/** A realm without passwords: `password.enabled` is false. */

import type { Realm } from '@ostiary/core'
import { passkeyCredential } from '@ostiary/test-kit/authenticators/authenticator'
import { describe, expect, it } from 'vitest'
import { type IdentitySettings, settingsFaults, signInSettings } from '../src/index.js'
import { alertOf, CHANGE, openAccount, postAccount, signedIn, signInAt, subOf } from './_account.js'
import {
  addApp,
  addPasskey,
  appCode,
  codesIn,
  formWith,
  passkeyFormOf,
  sessionOf,
  signedInWithPasskey,
  startPage,
  syncedPasskey,
  toSecondStep,
  useWith,
  withFactors,
} from './_factors.js'
import { type Browser, browser, hidden, openLogin, PASSWORD, type Setup, withoutTokens } from './_setup.js'

/** A realm whose passwords are turned off after Ada has added a passkey: her password is still stored. */
async function passkeysAlone(settings: IdentitySettings = {}, credential = syncedPasskey()) {
  const before = await withFactors({ settings: { second_factor: 'optional', ...settings } })
  const owner = await signedIn(before)
  const codes = await addPasskey(before, owner, credential)
  /** The same accounts in a server with the new settings. */
  const turnedOff = async (): Promise<Setup> => {
    const { users, factors } = before
    const s = await withFactors({
      settings: { second_factor: 'optional', ...settings, password: { enabled: false } },
      identity: { users, factors },
    })
    s.clock.now = before.clock.now
    return { ...s, users, factors }
  }
  return { before, owner, credential, codes, turnedOff }
}

async function world(settings?: IdentitySettings) {
  const { credential, codes, turnedOff } = await passkeysAlone(settings)
  return { s: await turnedOff(), credential, codes }
}

/** The fields of the sign-in page for the account page. */
async function fieldsOf(s: Setup, b: Browser) {
  const html = await startPage(s, b)
  return { return_to: hidden(html, 'return_to'), csrf_token: hidden(html, 'csrf_token') }
}

const LOGIN = 'https://id.example/login'

describe('the sign-in page', () => {
  it('has the button for passkeys, and neither a name nor a password', async () => {
    const { s, credential } = await world()
    const b = browser(s)
    const { html, page } = await openLogin(s, b, { login_hint: 'ada' })
    expect(page.status).toBe(200)
    expect(html).not.toMatch(/name="(?:username|password)"|webauthn|data-conditional/)
    expect(html).toMatch(
      /<noscript><p class="note" role="alert">This sign-in needs a browser with JavaScript and passkeys\./,
    )
    expect(html).toContain('Sign in with a passkey')
    expect(html).toContain('data-passkey-missing')
    expect(html).toContain('Back to <bdi>Quarterly Reports</bdi>')
    const answer = await useWith(b, { form: passkeyFormOf(html), credential })
    expect(answer.status).toBe(303)
    expect(await sessionOf(s, b)).toMatchObject({ acr: '2', amr: ['swk', 'user', 'mfa'] })
  })

  it('refuses each password as a wrong one, and looks nothing up', async () => {
    const { s } = await world()
    const calls: string[] = []
    const users = s.users('default')
    for (const name of ['find', 'findByUsername'] as const) {
      const inner = users[name]
      users[name] = async (key: string) => {
        calls.push(name)
        return inner(key)
      }
    }
    const b = browser(s)
    const fields = await fieldsOf(s, b)
    const answers: string[] = []
    for (const username of ['ada', 'nobody', '', 'x'.repeat(300)]) {
      const answer = await b.post(LOGIN, { ...fields, username, password: PASSWORD })
      const html = withoutTokens(await answer.text())
      answers.push(
        `${answer.status} ${html.replace(/data-options="[^"]*"|name="passkey_ticket" value="[^"]*"/g, '')}`,
      )
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^422 [\s\S]*The username or password is not right\./)
    expect([calls, s.counts.verify, s.counts.hash]).toEqual([[], 0, 0])
    expect(await sessionOf(s, b)).toBeNull()
    expect(s.events).toMatchObject(
      answers.map(() => ({ type: 'login.refused', reason: 'no_password', sub: null })),
    )
  })

  it('a form of a password with the action of a passkey is that of the password', async () => {
    const { s } = await world()
    const b = browser(s)
    const fields = await fieldsOf(s, b)
    const sent = { ...fields, action: 'start', proof: 'passkey', username: 'ada', password: PASSWORD }
    expect((await b.post(LOGIN, sent)).status).toBe(422)
    expect(await sessionOf(s, b)).toBeNull()
  })
})

it('a sign-in that began with a password before they were turned off does not go on', async () => {
  const { before, owner, turnedOff } = await passkeysAlone()
  const { secret } = await addApp(before, owner)
  before.clock.now += 30
  const b = browser(before)
  const { url, fields } = formWith(await toSecondStep(before, b), { proof: 'totp' })
  const s = await turnedOff()
  const later = browser(s)
  for (const [name, value] of b.cookies) later.cookies.set(name, value)
  const answer = await later.post(url, { ...fields, code: appCode(secret, s.clock.now) })
  expect(answer.status).toBe(400)
  expect(await sessionOf(s, later)).toBeNull()
  // The same form where passwords are on.
  expect((await b.post(url, { ...fields, code: appCode(secret, s.clock.now) })).status).toBe(303)
})

describe('the account page', () => {
  it('has no section of the password, and no form of it does anything', async () => {
    const { s, credential } = await world()
    const b = await signedInWithPasskey(s, credential)
    const before = await s.users('default').find(await subOf(s))
    const { html } = await openAccount(s, b)
    expect(html).not.toMatch(/id="password"|type="password"|_password/)
    expect(html).toContain('Create a passkey')
    expect(html).not.toContain('Add an authenticator app')
    const set = { new_password: 'four words in a row', new_password_again: 'four words in a row' }
    for (const fields of [
      CHANGE,
      { action: 'open_password' },
      { action: 'remove_password' },
      { action: 'set_password', ...set },
      { action: 'enrol', method: 'totp' },
    ])
      expect([fields.action, (await postAccount(s, b, fields)).status]).toEqual([fields.action, 400])
    expect(await s.users('default').find(await subOf(s))).toEqual(before)
  })

  it.each([
    [
      'by a password manager',
      true,
      'If you cannot open your password manager any more, you cannot get back in',
    ],
    ['on one device', false, 'Without your one passkey you cannot get back in'],
  ])('says how to get back in with one passkey that is kept %s', async (_, backed_up, sentence) => {
    const { turnedOff, credential } = await passkeysAlone(
      {},
      passkeyCredential({ backup_eligible: backed_up, backed_up, counter: 0 }),
    )
    const s = await turnedOff()
    const { html } = await openAccount(s, await signedInWithPasskey(s, credential))
    expect(html).toContain(sentence)
  })

  it('sets no password for an account without one', async () => {
    const { s, credential } = await world()
    const b = await signedInWithPasskey(s, credential)
    const user = await s.users('default').find(await subOf(s))
    if (!user) throw new Error('no user')
    const none = { ...user, password_hash: null, updated_at: user.updated_at + 1 }
    await s.users('default').update(none, user.updated_at)
    const fields = { new_password: 'four words in a row', new_password_again: 'four words in a row' }
    expect((await postAccount(s, b, { action: 'set_password', ...fields })).status).toBe(400)
    expect(await s.users('default').find(user.sub)).toEqual(none)
  })

  it('asks for the passkey or a recovery code, and never for the password', async () => {
    const { s, credential, codes } = await world()
    const b = await signedInWithPasskey(s, credential)
    s.clock.now += 300
    for (const proof of [{}, { proof: 'password', current_password: PASSWORD }]) {
      const html = await (await postAccount(s, b, { action: 'new_codes', ...proof })).text()
      expect(html).toContain('Confirm that it is you')
      expect(html).not.toContain('current_password')
      expect(passkeyFormOf(html).options).not.toBeNull()
    }
    const lost = { action: 'new_codes', proof: 'recovery', recovery_code: codes[0] ?? '' }
    expect(codesIn(await (await postAccount(s, b, lost)).text())).toHaveLength(10)
    expect(s.counts.verify).toBe(0)
  })

  it('ends other sessions without a password, and only after a proof', async () => {
    const { s, credential } = await world()
    const b = await signedInWithPasskey(s, credential)
    const other = await signedInWithPasskey(s, credential)
    s.clock.now += 900
    const html = await (await postAccount(s, b, { action: 'end_others' })).text()
    expect(html).not.toContain('current_password')
    expect(await sessionOf(s, other)).not.toBeNull()
    await useWith(b, { form: passkeyFormOf(html), credential })
    expect(await sessionOf(s, other)).toBeNull()
  })

  it('keeps the last passkey, although a password is stored', async () => {
    const { s, credential } = await world()
    const b = await signedInWithPasskey(s, credential)
    const sub = await subOf(s)
    const passkey = (await s.factors('default').list(sub)).find(({ kind }) => kind === 'passkey')
    const remove = { action: 'remove_factor', factor_id: passkey?.factor_id ?? '' }
    const answer = await postAccount(s, b, remove)
    expect([answer.status, await alertOf(answer)]).toEqual([422, expect.stringContaining('only way')])
    expect(await s.factors('default').list(sub)).toHaveLength(2)
    expect((await s.users('default').find(sub))?.password_hash).not.toBeNull()
  })
})

describe('settings', () => {
  const at = (issuer: string): Pick<Realm, 'issuer'> => ({ issuer })
  const off: IdentitySettings = { password: { enabled: false } }

  it('without passkeys there is no way in: a fault that names both keys', () => {
    for (const [issuer, passkeys] of [
      ['https://id.example', { enabled: false }],
      ['https://192.0.2.1', {}],
    ] as const)
      expect(settingsFaults(at(issuer), { ...off, passkeys })).toEqual([
        { path: 'password.enabled', message: expect.stringContaining('passkeys.enabled') },
      ])
  })

  it('are what the realm has', () => {
    expect(settingsFaults(at('https://id.example'), off)).toEqual([])
    expect(signInSettings(at('https://id.example'), off).password).toBe(false)
    for (const settings of [{}, { password: {} }, { password: { enabled: true } }])
      expect(signInSettings(at('https://id.example'), settings).password).toBe(true)
    expect(settingsFaults(at('https://192.0.2.1'), { password: { enabled: true } })).toEqual([])
  })

  it('belong to the realm', async () => {
    const s = await withFactors({
      oidc: { routes: { realms: 'path' }, realms: { a: {}, b: {} } },
      identity: { settings: (realm) => (realm === 'a' ? off : {}) },
    })
    const pages = await Promise.all(
      ['a', 'b'].map(async (realm) =>
        (await browser(s).get(`${s.base(realm)}/login?return_to=%2Faccount`)).text(),
      ),
    )
    expect(pages.map((html) => html.includes('name="password"'))).toEqual([false, true])
    expect((await signInAt(s, browser(s), { realm: 'a' })).status).toBe(422)
    expect((await signInAt(s, browser(s), { realm: 'b' })).status).toBe(303)
  })
})
