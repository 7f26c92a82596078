/** Passkeys, authenticator apps and recovery codes: added on the account page, and used at a sign-in. */

import { passkeyCredential } from '@ostiary/test-kit/authenticators/authenticator'
import { describe, expect, it } from 'vitest'
import type { IdentitySettings } from '../src/index.js'
import {
  alertOf,
  allow,
  confirmed,
  openAccount,
  postAccount,
  sidOf,
  signedIn,
  signInAt,
  subOf,
} from './_account.js'
import {
  addApp,
  addPasskey,
  appCode,
  codesIn,
  createWith,
  formWith,
  passkeyFormOf,
  secretIn,
  sessionOf,
  signedInWithPasskey,
  startPage,
  syncedPasskey,
  toSecondStep,
  useWith,
  withFactors,
} from './_factors.js'
import { authorizeUrl, browser } from './_setup.js'

const MFA_PASSKEY = { amr: ['swk', 'user', 'mfa'], acr: '2' }

describe('a passkey', () => {
  it('is added on the account page, with ten recovery codes that are shown once', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const codes = await addPasskey(s, b, syncedPasskey())
    expect(new Set(codes).size).toBe(10)
    const { html } = await openAccount(s, b)
    expect(html).toContain('Passkey')
    expect(html).toContain('a recovery code (10 left)')
    expect(codesIn(html)).toEqual([])
  })

  it('signs in alone, without a name, at level 2', async () => {
    const s = await withFactors()
    const credential = syncedPasskey()
    await addPasskey(s, await signedIn(s), credential)
    const b = await signedInWithPasskey(s, credential)
    expect(await sessionOf(s, b)).toMatchObject({ sub: await subOf(s), ...MFA_PASSKEY })
  })

  it('is not asked for after the password, until the user wants it', async () => {
    const s = await withFactors()
    const credential = syncedPasskey()
    const b = await signedIn(s)
    await addPasskey(s, b, credential)
    expect(await sessionOf(s, await signedIn(s))).toMatchObject({ amr: ['pwd'], acr: '1' })
    expect(await confirmed(b, await postAccount(s, b, { action: 'second_step', on: 'true' }))).toContain(
      'second step',
    )
    const other = browser(s)
    const page = await toSecondStep(s, other)
    await useWith(other, { form: passkeyFormOf(page), credential })
    expect(await sessionOf(s, other)).toMatchObject({ amr: ['pwd', 'swk', 'user', 'mfa'], acr: '2' })
  })

  it('of the second kind is added without new recovery codes', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    const page = await (await postAccount(s, b, { action: 'enrol', method: 'passkey' })).text()
    const answer = await createWith(b, { form: passkeyFormOf(page), credential: syncedPasskey() })
    expect(await confirmed(b, answer)).toContain('It is added')
  })
})

describe('an authenticator app', () => {
  it('is asked for after the password from then on', async () => {
    const s = await withFactors()
    const { secret, codes } = await addApp(s, await signedIn(s))
    expect(codes).toHaveLength(10)
    s.clock.now += 30
    const b = browser(s)
    const { url, fields } = formWith(await toSecondStep(s, b), { proof: 'totp' })
    expect(await sessionOf(s, b)).toBeNull()
    await b.post(url, { ...fields, code: appCode(secret, s.clock.now) })
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })
  })

  it('refuses a wrong code, and keeps the secret of the page that adds it', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const page = await (await postAccount(s, b, { action: 'enrol', method: 'totp' })).text()
    const { url, fields } = formWith(page, { action: 'enrolled' })
    const refused = await b.post(url, { ...fields, code: '000000' })
    expect(refused.status).toBe(422)
    const again = await refused.text()
    expect(secretIn(again)).toEqual(secretIn(page))
    expect(again).toMatch(
      /Then enter the code that the app shows\.<\/p>\n<p class="note" id="error" role="alert">/,
    )
    const form = formWith(again, { action: 'enrolled' })
    const answer = await b.post(form.url, { ...form.fields, code: appCode(secretIn(page), s.clock.now) })
    expect(codesIn(await answer.text())).toHaveLength(10)
  })
})

describe('a recovery code', () => {
  it('stands in for the app, once', async () => {
    const s = await withFactors()
    const { codes } = await addApp(s, await signedIn(s))
    const use = async () => {
      const b = browser(s)
      const { url, fields } = formWith(await toSecondStep(s, b), { proof: 'recovery' })
      const answer = await b.post(url, { ...fields, recovery_code: (codes[0] ?? '').toUpperCase() })
      return { b, answer }
    }
    const first = await use()
    expect(await sessionOf(s, first.b)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })
    expect((await openAccount(s, first.b)).html).toContain('a recovery code (9 left)')
    const second = await use()
    expect(second.answer.status).toBe(422)
    expect(await alertOf(second.answer)).toContain('used before')
    expect(await sessionOf(s, second.b)).toBeNull()
  })

  it('of an older set is refused after a new one', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const { codes: old } = await addApp(s, b)
    s.clock.now += 301
    const page = await (await postAccount(s, b, { action: 'new_codes' })).text()
    expect(codesIn(page)).toEqual([])
    const { url, fields } = formWith(page, { proof: 'recovery' })
    const answer = await b.post(url, {
      ...fields,
      current_password: 'correct horse',
      recovery_code: old[0] ?? '',
    })
    const fresh = codesIn(await answer.text())
    expect(fresh).toHaveLength(10)
    expect(fresh.filter((code) => old.includes(code))).toEqual([])
    const other = browser(s)
    const form = formWith(await toSecondStep(s, other), { proof: 'recovery' })
    expect((await other.post(form.url, { ...form.fields, recovery_code: old[1] ?? '' })).status).toBe(422)
    const again = formWith(await toSecondStep(s, other), { proof: 'recovery' })
    await other.post(again.url, { ...again.fields, recovery_code: fresh[0] ?? '' })
    expect(await sessionOf(s, other)).toMatchObject({ acr: '2' })
  })
})

describe('a client that asks for level 2', () => {
  it('gets it from an account with an app; the session is raised, and others keep their access', async () => {
    const s = await withFactors({ oidc: { acr: 'require' } })
    const b = await signedIn(s)
    const { secret } = await addApp(s, b)
    await s
      .factors('default')
      .change({ sub: await subOf(s), second_step: false }, { credential_version: 1, now: s.clock.now })
    const other = await signedIn(s)
    const sid = await sidOf(s, other)
    expect((await allow(s, other)).headers.get('location')).toContain('code=')
    s.clock.now += 60
    const page = await toSecondStep(s, other, { acr_values: '2' })
    const { url, fields } = formWith(page, { proof: 'totp' })
    const answer = await other.post(url, { ...fields, code: appCode(secret, s.clock.now) })
    expect((await other.get(answer.headers.get('location') ?? '')).headers.get('location')).toContain('code=')
    expect(await sidOf(s, other)).toBe(sid)
    expect(await sessionOf(s, other)).toMatchObject({ acr: '2' })
  })

  it('lets an account without a second factor add one, and goes on with it', async () => {
    const s = await withFactors({ oidc: { acr: 'require' } })
    const b = browser(s)
    const page = await toSecondStep(s, b, { acr_values: '2' })
    const choice = formWith(page, { action: 'enrol', method: 'passkey' })
    const enrolment = await (await b.post(choice.url, choice.fields)).text()
    const shown = await (
      await createWith(b, { form: passkeyFormOf(enrolment), credential: syncedPasskey() })
    ).text()
    expect(codesIn(shown)).toHaveLength(10)
    const go = formWith(shown, { action: 'continue' })
    const answer = await b.post(go.url, go.fields)
    expect((await b.get(answer.headers.get('location') ?? '')).headers.get('location')).toContain('code=')
    expect(await sessionOf(s, b)).toMatchObject({ acr: '2' })
  })
})

describe('a realm that requires a second factor', () => {
  const required = () => withFactors({ settings: { second_factor: 'required' } })

  it('asks each user for one at the next sign-in: an app, the codes, and on', async () => {
    const s = await required()
    const b = browser(s)
    const page = await toSecondStep(s, b)
    expect(page).toContain('Your account needs a second way')
    const choice = formWith(page, { action: 'enrol', method: 'totp' })
    const enrolment = await (await b.post(choice.url, choice.fields)).text()
    const form = formWith(enrolment, { action: 'enrolled' })
    const code = appCode(secretIn(enrolment), s.clock.now)
    const shown = await (await b.post(form.url, { ...form.fields, code })).text()
    const go = formWith(shown, { action: 'continue' })
    expect(await sessionOf(s, b)).toBeNull()
    await b.post(go.url, go.fields)
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: '2' })
  })

  it('keeps the last one', async () => {
    const s = await required()
    const credential = syncedPasskey()
    const b = browser(s)
    const page = await toSecondStep(s, b)
    const choice = formWith(page, { action: 'enrol', method: 'passkey' })
    const enrolment = await (await b.post(choice.url, choice.fields)).text()
    const shown = await (await createWith(b, { form: passkeyFormOf(enrolment), credential })).text()
    const go = formWith(shown, { action: 'continue' })
    await b.post(go.url, go.fields)
    const { html } = await openAccount(s, b)
    const { factor_id = '' } = formWith(html, { action: 'remove_factor' }).fields
    const refused = await postAccount(s, b, { action: 'remove_factor', factor_id })
    expect(await alertOf(refused)).toContain('needs a second factor')
  })
})

describe('a factor that is not offered any more', () => {
  it('is still asked for: an app, after second_factor is off', async () => {
    const settings: IdentitySettings = { second_factor: 'optional' }
    const s = await withFactors({ settings })
    const { secret } = await addApp(s, await signedIn(s))
    const later = await withFactors({
      identity: { users: s.users, factors: s.factors, settings: () => ({}) },
    })
    later.clock.now = s.clock.now + 30
    const b = browser(later)
    const { url, fields } = formWith(await toSecondStep(later, b), { proof: 'totp' })
    await b.post(url, { ...fields, code: appCode(secret, later.clock.now) })
    expect(await sessionOf(later, b)).toMatchObject({ acr: '2' })
    const { html } = await openAccount(later, b)
    expect(html).toContain('Authenticator app')
    expect(html).not.toContain('Add an authenticator app')
  })

  it('a passkey of another relying party ID: a recovery code, and then the sentence; never the password alone', async () => {
    const s = await withFactors({ settings: {} })
    const b = await signedIn(s)
    const codes = await addPasskey(s, b, syncedPasskey())
    await confirmed(b, await postAccount(s, b, { action: 'second_step', on: 'true' }))
    const stored = await s.factors('default').list(await subOf(s))
    const passkey = stored.find(({ kind }) => kind === 'passkey')
    const set = stored.find(({ kind }) => kind === 'recovery')
    if (!passkey || !set) throw new Error('no factors')
    const moved = { ...passkey, data: { ...passkey.data, rp_id: 'other.example' } }
    const sub = await subOf(s)
    const change = async (changes: object) => {
      const version = (await s.users('default').find(sub))?.credential_version ?? 0
      await s
        .factors('default')
        .change({ sub, ...changes }, { credential_version: version, now: s.clock.now })
    }
    await change({ remove: [passkey.factor_id] })
    await change({ add: [moved] })
    const other = browser(s)
    const page = await toSecondStep(s, other)
    const { url, fields } = formWith(page, { proof: 'recovery' })
    await other.post(url, { ...fields, recovery_code: codes[0] ?? '' })
    expect(await sessionOf(s, other)).toMatchObject({ acr: '2' })
    await change({ remove: [set.factor_id] })
    const last = browser(s)
    const nothing = await toSecondStep(s, last)
    expect(nothing).toContain('Please contact the provider')
    expect(nothing).not.toContain('name="method"')
    expect(await sessionOf(s, last)).toBeNull()
  })
})

describe('the account page', () => {
  it('renames and removes; with the last one the recovery codes end, and the password alone signs in', async () => {
    const s = await withFactors()
    const credential = syncedPasskey()
    const b = await signedIn(s)
    await addPasskey(s, b, credential)
    const other = await signedInWithPasskey(s, credential)
    const { html } = await openAccount(s, other)
    const { factor_id = '' } = formWith(html, { action: 'rename_factor' }).fields
    await confirmed(
      other,
      await postAccount(s, other, { action: 'rename_factor', factor_id, label: 'My <key>' }),
    )
    expect((await openAccount(s, other)).html).toContain('My &lt;key&gt;')
    const removed = await postAccount(s, other, { action: 'remove_factor', factor_id })
    expect(await confirmed(other, removed)).toContain('It is removed')
    expect(await s.factors('default').list(await subOf(s))).toEqual([])
    expect(await sessionOf(s, await signedIn(s))).toMatchObject({ amr: ['pwd'] })
    const last = browser(s)
    const refused = await useWith(last, { form: passkeyFormOf(await startPage(s, last)), credential })
    expect(await alertOf(refused)).toContain('could not be used')
  })

  it('takes a name of 60 characters, and none of 61', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    const { html } = await openAccount(s, b)
    const { factor_id = '' } = formWith(html, { action: 'rename_factor' }).fields
    const rename = (label: string) => postAccount(s, b, { action: 'rename_factor', factor_id, label })
    expect(await confirmed(b, await rename('x'.repeat(60)))).toContain('The name is changed')
    for (const label of ['x'.repeat(61), ' ', 'a\u0000b', 'a\u202eb'])
      expect(await alertOf(await rename(label))).toContain('a name of 1 to 60 characters')
  })

  it('has room for 20 factors, the recovery codes among them', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    for (const credential of Array.from({ length: 19 }, syncedPasskey)) await addPasskey(s, b, credential)
    expect(await s.factors('default').list(await subOf(s))).toHaveLength(20)
    const page = await (await postAccount(s, b, { action: 'enrol', method: 'passkey' })).text()
    const answer = await createWith(b, { form: passkeyFormOf(page), credential: syncedPasskey() })
    expect(await confirmed(b, answer)).toContain('too many')
    expect(await s.factors('default').list(await subOf(s))).toHaveLength(20)
  })

  it('answers with the codes as a file, 20 at most, and with nothing else', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const file = (codes: string[]) => postAccount(s, b, { action: 'download', codes: codes.join(' ') })
    const code = 'abcd-efgh-jkmn-pqrs'
    const answer = await file([code, code])
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect((await answer.text()).split('\r\n').slice(0, 4)).toEqual([
      'Recovery codes for id.example, account Ada',
      '',
      code,
      code,
    ])
    const many = await (await file(Array.from({ length: 21 }, () => code))).text()
    expect(many.split('\r\n').filter((line) => line === code)).toHaveLength(20)
    for (const wrong of ['', '<script>', `${code}x`]) expect((await file([wrong])).status).toBe(400)
  })

  it('does not remove the only way in', async () => {
    const s = await withFactors()
    const credential = syncedPasskey()
    await addPasskey(s, await signedIn(s), credential)
    const user = await s.users('default').findByUsername('ada')
    if (!user) throw new Error('no user')
    await s
      .users('default')
      .update({ ...user, password_hash: null, updated_at: user.updated_at + 1 }, user.updated_at)
    const b = await signedInWithPasskey(s, credential)
    const { html } = await openAccount(s, b)
    const { factor_id = '' } = formWith(html, { action: 'remove_factor' }).fields
    expect(await alertOf(await postAccount(s, b, { action: 'remove_factor', factor_id }))).toContain(
      'only way',
    )
  })

  it.each<[string, { app?: boolean; passkeys?: number; codes?: boolean }, string]>([
    ['nothing', {}, 'You sign in with your password alone. Add a second way'],
    [
      'a passkey, and no second step',
      { passkeys: 1 },
      'If you lose a device: sign in with your password. To change your account, you then need a recovery code (10 left)',
    ],
    [
      'a passkey, no second step and no codes',
      { passkeys: 1, codes: false },
      'If you lose a device: sign in with your password. You have no recovery codes left: get new ones.',
    ],
    [
      'an app',
      { app: true },
      'If you lose this device: sign in with your password and a recovery code (10 left).',
    ],
    ['an app, and no codes', { app: true, codes: false }, 'If you lose this device, you cannot get back in'],
    [
      'an app and a passkey',
      { app: true, passkeys: 1 },
      'sign in with your password and a recovery code (10 left), or with a way below that you still have.',
    ],
    [
      'an app, a passkey, and no codes',
      { app: true, passkeys: 1, codes: false },
      'you can sign in only with a way below that you still have.',
    ],
  ])(
    'answers a user with %s: how do I get back in?',
    async (_, { app, passkeys = 0, codes = true }, sentence) => {
      const s = await withFactors()
      const b = await signedIn(s)
      for (let i = 0; i < passkeys; i += 1) await addPasskey(s, b, syncedPasskey())
      if (app) await addApp(s, b)
      const sub = await subOf(s)
      const factors = await s.factors('default').list(sub)
      const remove = factors.filter(({ kind }) => kind === 'recovery').map(({ factor_id }) => factor_id)
      const { credential_version = 0 } = (await s.users('default').find(sub)) ?? {}
      if (!codes) await s.factors('default').change({ sub, remove }, { credential_version, now: s.clock.now })
      expect((await openAccount(s, b)).html).toContain(sentence)
    },
  )

  it.each([
    [299, true],
    [300, false],
  ])(
    'an app that is added %s s after the password is a second factor of the session: %s',
    async (age, is_strong) => {
      const s = await withFactors()
      const b = await signedIn(s)
      const page = await (await postAccount(s, b, { action: 'enrol', method: 'totp' })).text()
      s.clock.now += age
      const { url, fields } = formWith(page, { action: 'enrolled' })
      await b.post(url, { ...fields, code: appCode(secretIn(page), s.clock.now) })
      expect(await sessionOf(s, b)).toMatchObject(
        is_strong ? { amr: ['pwd', 'otp', 'mfa'], acr: '2' } : { amr: ['pwd', 'otp'], acr: '1' },
      )
      // The next change asks for no further proof, or for the password and another code.
      const next = await (await postAccount(s, b, { action: 'enrol', method: 'passkey' })).text()
      expect([next.includes('data-passkey="create"'), next.includes('current_password')]).toEqual([
        is_strong,
        !is_strong,
      ])
    },
  )

  it('says of each passkey whether it is lost with a device', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    await addPasskey(s, b, syncedPasskey())
    expect((await openAccount(s, b)).html).toContain('Kept by your password manager')
    await addPasskey(s, b, passkeyCredential({ algorithm: -7, backup_eligible: false, backed_up: false }))
    await addApp(s, b)
    const { html } = await openAccount(s, b)
    expect(html.split('On one device alone')).toHaveLength(2)
    expect(html.split('Kept by your password manager')).toHaveLength(2)
  })
})

it('a program that sends the hidden fields of all forms of the page, and a password, signs in', async () => {
  const s = await withFactors()
  const b = browser(s)
  const page = await startPage(s, b)
  const all = Object.fromEntries(
    [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(all.action).toBe('start')
  await b.post('https://id.example/login', { ...all, username: 'ada', password: 'correct horse' })
  expect(await sessionOf(s, b)).toMatchObject({ amr: ['pwd'] })
})

it('the sign-in page offers a passkey to browsers with JavaScript, and stays as it is without the settings', async () => {
  const s = await withFactors()
  const page = await startPage(s, browser(s))
  expect(page).toContain('autocomplete="username webauthn"')
  expect(passkeyFormOf(page).options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
  const off = await withFactors({ settings: { passkeys: { enabled: false } } })
  const without = await startPage(off, browser(off))
  expect(without).not.toContain('webauthn')
  expect(without).not.toContain('<script')
  expect((await signInAt(off, browser(off))).status).toBe(303)
  expect(authorizeUrl(s)).toContain('/oauth/authorize')
})
