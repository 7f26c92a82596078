/** Attacks on the second step, on the account page of an account with factors, and on a pending sign-in. */

import { registrationResponse } from '@ostiary/test-kit/authenticators/authenticator'
import { describe, expect, it } from 'vitest'
import {
  accountUrl,
  alertOf,
  allow,
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
  formWith,
  ORIGIN,
  passkeyFormOf,
  RP_ID,
  secretIn,
  sessionOf,
  signedInWithPasskey,
  startPage,
  syncedPasskey,
  toSecondStep,
  useWith,
  withFactors,
} from './_factors.js'
import { authorizeUrl, type Browser, browser, openLogin, PASSWORD, type Setup } from './_setup.js'

/** An account with a passkey and the password, and a browser that has shown the password alone. */
async function stolenPassword() {
  const s = await withFactors()
  const credential = syncedPasskey()
  await addPasskey(s, await signedIn(s), credential)
  const thief = await signedIn(s)
  return { s, credential, thief }
}

const stateOf = async (s: Setup) => {
  const sub = await subOf(s)
  return { user: await s.users('default').find(sub), factors: await s.factors('default').list(sub) }
}

describe('with the password alone, an account with a second factor stays as it is', () => {
  const ACTIONS: Readonly<Record<string, Record<string, string>>> = {
    'a passkey': { action: 'enrol', method: 'passkey' },
    'an app': { action: 'enrol', method: 'totp' },
    'recovery codes': { action: 'new_codes' },
    'a removed factor': { action: 'remove_factor', factor_id: 'its id' },
    'the switch': { action: 'second_step', on: 'true' },
    'the end of other sessions': { action: 'end_others' },
    'another password': {
      action: 'change_password',
      current_password: PASSWORD,
      new_password: 'four words in a row',
      new_password_again: 'four words in a row',
    },
  }

  it.each(Object.entries(ACTIONS))(
    '%s: the page asks for the factor, also after the password',
    async (_, fields) => {
      const { s, thief } = await stolenPassword()
      const before = await stateOf(s)
      const factor_id = before.factors.find(({ kind }) => kind === 'passkey')?.factor_id ?? ''
      const sent = { ...fields, ...(fields.factor_id !== undefined && { factor_id }) }
      for (const proof of [{}, { proof: 'password', current_password: PASSWORD }, { proof: 'unknown' }]) {
        const page = await postAccount(s, thief, { ...sent, ...proof })
        const html = await page.text()
        expect(html).toContain('Confirm that it is you')
        expect(passkeyFormOf(html).options).toMatchObject({ userVerification: 'required' })
        expect(codesIn(html)).toEqual([])
      }
      expect(await stateOf(s)).toEqual(before)
      expect(await sessionOf(s, thief)).toMatchObject({ amr: ['pwd'] })
    },
  )

  it('also long after the second factor was shown', async () => {
    const { s, credential } = await stolenPassword()
    const b = await signedInWithPasskey(s, credential)
    s.clock.now += 299
    expect(codesIn(await (await postAccount(s, b, { action: 'new_codes' })).text())).toHaveLength(10)
    s.clock.now += 1
    expect(codesIn(await (await postAccount(s, b, { action: 'new_codes' })).text())).toEqual([])
  })

  it('a passkey that is made for the challenge of the sign-in page is not added', async () => {
    const { s, thief } = await stolenPassword()
    const before = await stateOf(s)
    const page = await (await postAccount(s, thief, { action: 'enrol', method: 'passkey' })).text()
    const { fields, options } = passkeyFormOf(page)
    const own = syncedPasskey()
    const request = { challenge: String(options?.challenge), origin: ORIGIN, rp_id: RP_ID }
    const passkey = JSON.stringify(registrationResponse(own, request))
    const { csrf_token } = await openAccount(s, thief)
    const sent = { ...fields, csrf_token, action: 'enrolled', method: 'passkey', passkey }
    const answer = await thief.post(accountUrl(s), sent)
    expect(await alertOf(answer)).toContain('could not be added')
    expect(await stateOf(s)).toEqual(before)
  })

  it('the secret of an app from before the owner had a factor is not added after it', async () => {
    const s = await withFactors({ settings: { second_factor: 'required' } })
    const thief = browser(s)
    const choice = formWith(await toSecondStep(s, thief), { action: 'enrol', method: 'totp' })
    const page = await (await thief.post(choice.url, choice.fields)).text()
    const { fields } = formWith(page, { action: 'enrolled' })
    const owner = browser(s)
    const theirs = formWith(await toSecondStep(s, owner), { action: 'enrol', method: 'totp' })
    const shown = await (await owner.post(theirs.url, theirs.fields)).text()
    const form = formWith(shown, { action: 'enrolled' })
    await owner.post(form.url, { ...form.fields, code: appCode(secretIn(shown), s.clock.now) })
    const before = await stateOf(s)
    const again = formWith(await toSecondStep(s, thief), { proof: 'totp' })
    const code = appCode(secretIn(page), s.clock.now)
    const answer = await thief.post(again.url, { ...fields, csrf_token: again.fields.csrf_token ?? '', code })
    expect(await answer.text()).toContain('Code from your authenticator app')
    expect(await stateOf(s)).toEqual(before)
  })

  it('a code without the password is not enough on the account page', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const { secret, codes } = await addApp(s, b)
    s.clock.now += 301
    const code = { proof: 'totp', code: appCode(secret, s.clock.now) }
    const recovery = { proof: 'recovery', recovery_code: codes[0] ?? '' }
    for (const sent of [code, recovery, { ...code, current_password: 'wrong' }]) {
      const answer = await postAccount(s, b, { action: 'new_codes', ...sent })
      expect(await alertOf(answer)).toContain('not your current password')
    }
    const answer = await postAccount(s, b, { action: 'new_codes', ...code, current_password: PASSWORD })
    expect(codesIn(await answer.text())).toHaveLength(10)
  })

  it('an account without a password shows its passkey or a recovery code, and no code of an app', async () => {
    const s = await withFactors()
    const b = await signedIn(s)
    const credential = syncedPasskey()
    const codes = await addPasskey(s, b, credential)
    const { secret } = await addApp(s, b)
    await change(s, { password_hash: null })
    const user = await signedInWithPasskey(s, credential)
    s.clock.now += 301
    const code = { proof: 'totp', code: appCode(secret, s.clock.now) }
    const html = await (await postAccount(s, user, { action: 'new_codes', ...code })).text()
    expect(html).not.toContain('name="code"')
    expect(codesIn(html)).toEqual([])
    const lost = { proof: 'recovery', recovery_code: codes[0] ?? '' }
    expect(codesIn(await (await postAccount(s, user, { action: 'new_codes', ...lost })).text())).toHaveLength(
      10,
    )
  })

  it('a sign-in that needs the second step adds no factor', async () => {
    const s = await withFactors()
    await addApp(s, await signedIn(s))
    const before = await stateOf(s)
    const thief = browser(s)
    const page = await toSecondStep(s, thief)
    const { url, fields } = formWith(page, { proof: 'totp' })
    for (const action of ['enrol', 'enrolled'])
      for (const method of ['passkey', 'totp']) {
        const html = await (await thief.post(url, { ...fields, action, method })).text()
        expect(html).toContain('Code from your authenticator app')
      }
    expect(await stateOf(s)).toEqual(before)
    const skipped = await thief.post(url, { ...fields, action: 'continue' })
    expect(skipped.headers.get('location')).toContain('/login?')
    expect(await sessionOf(s, thief)).toBeNull()
  })
})

describe('a pending sign-in', () => {
  async function withApp() {
    const s = await withFactors()
    const { secret, codes } = await addApp(s, await signedIn(s))
    s.clock.now += 30
    const b = browser(s)
    const page = await toSecondStep(s, b)
    return { s, b, page, secret, codes }
  }

  /** The same cookies in another browser. */
  function copyOf(s: Setup, b: Browser): Browser {
    const copy = browser(s)
    for (const [name, value] of b.cookies) copy.cookies.set(name, value)
    return copy
  }

  it('that is copied signs in once', async () => {
    const { s, b, page, codes } = await withApp()
    const copy = copyOf(s, b)
    const { url, fields } = formWith(page, { proof: 'recovery' })
    await b.post(url, { ...fields, recovery_code: codes[0] ?? '' })
    const second = await copy.post(url, { ...fields, recovery_code: codes[1] ?? '' })
    expect(second.status).toBe(400)
    expect(await sessionOf(s, copy)).toBeNull()
    expect(await sessionOf(s, b)).not.toBeNull()
  })

  it.each<[string, (s: Setup) => Promise<unknown>]>([
    ['its ten minutes', async (s) => (s.clock.now += 600)],
    ['a new password', async (s) => change(s, { password_hash: 'plain another' })],
    ['the user was disabled', async (s) => change(s, { disabled_at: s.clock.now })],
    [
      'a factor was removed',
      async (s) => {
        const sub = await subOf(s)
        const user = await s.users('default').find(sub)
        const version = { credential_version: user?.credential_version ?? 0, now: s.clock.now }
        return s.factors('default').change({ sub, second_step: true }, version)
      },
    ],
  ])('ends after %s', async (_, event) => {
    const { s, b, page, secret } = await withApp()
    await event(s)
    const { url, fields } = formWith(page, { proof: 'totp' })
    const answer = await b.post(url, { ...fields, code: appCode(secret, s.clock.now) })
    expect(answer.status).toBe(400)
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('lasts ten minutes less a second', async () => {
    const { s, b, page, secret } = await withApp()
    s.clock.now += 599
    const { url, fields } = formWith(page, { proof: 'totp' })
    await b.post(url, { ...fields, code: appCode(secret, s.clock.now) })
    expect(await sessionOf(s, b)).not.toBeNull()
  })

  it('for one request does not continue another, and without it there is no second step', async () => {
    const { s, b, secret } = await withApp()
    const { url, fields, html } = await openLogin(s, b)
    expect(html).toContain('name="password"')
    const sent = { ...fields, action: 'second_step', proof: 'totp', code: appCode(secret, s.clock.now) }
    expect((await b.post(url, sent)).status).toBe(400)
    const other = browser(s)
    const opened = await openLogin(s, other)
    expect((await other.post(opened.url, { ...sent, ...opened.fields })).status).toBe(400)
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('of one realm does not continue in another', async () => {
    const s = await withFactors({ oidc: { routes: { realms: 'path' }, realms: { a: {}, b: {} } } })
    for (const realm of ['a', 'b']) {
      const sub = await subOf(s, 'ada', realm)
      await s.factors(realm).change({ sub, second_step: true }, { credential_version: 0, now: s.clock.now })
    }
    const b = browser(s)
    const waits = await signInAt(s, b, { realm: 'a' })
    expect(await (await b.get(waits.headers.get('location') ?? '')).text()).toContain('second way')
    const elsewhere = await b.get(`${s.base('b')}/login?return_to=%2Faccount`)
    expect(await elsewhere.text()).toContain('name="password"')
  })

  it('with another account begins again', async () => {
    const { b, page } = await withApp()
    const { url, fields } = formWith(page, { action: 'restart' })
    const answer = await b.post(url, fields)
    expect(await (await b.get(answer.headers.get('location') ?? '')).text()).toContain('name="password"')
  })
})

const change = async (s: Setup, changes: Record<string, unknown>) => {
  const user = await s.users('default').find(await subOf(s))
  if (!user) throw new Error('no user')
  const { updated_at, credential_version } = user
  const changed = {
    ...user,
    ...changes,
    updated_at: updated_at + 1,
    credential_version: credential_version + 1,
  }
  return s.users('default').update(changed, updated_at)
}

describe('a passkey', () => {
  it('response counts once', async () => {
    const { s, credential } = await stolenPassword()
    const b = browser(s)
    const form = passkeyFormOf(await startPage(s, b))
    await useWith(b, { form, credential })
    expect(await sessionOf(s, b)).not.toBeNull()
    const copy = browser(s)
    for (const [name, value] of b.cookies) if (name.includes('csrf')) copy.cookies.set(name, value)
    expect((await useWith(copy, { form, credential })).status).toBe(400)
    expect(await sessionOf(s, copy)).toBeNull()
  })

  it('response of another browser, of another tab, or of five minutes ago is refused', async () => {
    const { s, credential } = await stolenPassword()
    const page = await startPage(s, browser(s))
    const other = browser(s)
    const here = formWith(await startPage(s, other), { action: 'start' })
    const theirs = passkeyFormOf(page)
    const mixed = { ...theirs, fields: { ...theirs.fields, csrf_token: here.fields.csrf_token ?? '' } }
    expect(await alertOf(await useWith(other, { form: mixed, credential }))).toContain('could not be used')
    const tab = await openLogin(s, other)
    const of_tab = passkeyFormOf(tab.html)
    const swapped = {
      ...of_tab,
      fields: { ...of_tab.fields, ...tab.fields, passkey_ticket: here.fields.passkey_ticket ?? '' },
      options: here.options,
    }
    expect(await alertOf(await useWith(other, { form: swapped, credential }))).toContain('could not be used')
    s.clock.now += 301
    expect(await alertOf(await useWith(other, { form: of_tab, credential }))).toContain('could not be used')
    expect(await sessionOf(s, other)).toBeNull()
  })

  it('of another realm, of a disabled user, unknown, or of a user without it: the same page', async () => {
    const s = await withFactors({ oidc: { routes: { realms: 'path' }, realms: { a: {}, b: {} } } })
    const credential = syncedPasskey()
    const b = await signedIn(s, { realm: 'a' })
    const page = await (await postAccount(s, b, { realm: 'a', action: 'enrol', method: 'passkey' })).text()
    const form = passkeyFormOf(page)
    credential.user_handle = (form.options as unknown as { user: { id: string } }).user.id
    const request = { challenge: String(form.options?.challenge), origin: ORIGIN, rp_id: RP_ID }
    const passkey = JSON.stringify(registrationResponse(credential, request))
    expect(codesIn(await (await b.post(form.url, { ...form.fields, passkey })).text())).toHaveLength(10)
    const answers: string[] = []
    const tryAt = async (realm: string, with_credential = credential) => {
      const other = browser(s)
      const html = await (await other.get(`${s.base(realm)}/login?return_to=%2Faccount`)).text()
      const answer = await useWith(other, { form: passkeyFormOf(html), credential: with_credential })
      answers.push(`${answer.status} ${await alertOf(answer)}`)
    }
    await tryAt('b')
    await tryAt('a', { ...syncedPasskey(), user_handle: credential.user_handle })
    await tryAt('a', { ...credential, user_handle: null })
    await tryAt('a', { ...credential, user_handle: 'AAAA' })
    const sub = await subOf(s, 'ada', 'a')
    const user = await s.users('a').find(sub)
    if (!user) throw new Error('no user')
    await s.users('a').update({ ...user, disabled_at: 1, updated_at: user.updated_at + 1 }, user.updated_at)
    await tryAt('a')
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('422 This passkey could not be used')
    const reasons = s.events.flatMap((event) => (event.type === 'login.refused' ? [event.reason] : []))
    expect(reasons).toEqual(Array.from({ length: 5 }, () => 'passkey_unknown'))
  })

  it('of another relying party ID is not asked for, and not accepted', async () => {
    const { s, credential } = await stolenPassword()
    const sub = await subOf(s)
    const passkey = (await s.factors('default').list(sub)).find(({ kind }) => kind === 'passkey')
    if (!passkey) throw new Error('no passkey')
    const data = { ...passkey.data, rp_id: 'other.example' }
    const now = s.clock.now
    await s.factors('default').change({ sub, remove: [passkey.factor_id] }, { credential_version: 1, now })
    await s.factors('default').change({ sub, add: [{ ...passkey, data }] }, { credential_version: 2, now })
    const b = browser(s)
    const answer = await useWith(b, { form: passkeyFormOf(await startPage(s, b)), credential })
    expect(await alertOf(answer)).toContain('could not be used')
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('that cannot be checked reads no storage', async () => {
    const { s } = await stolenPassword()
    const b = browser(s)
    const form = formWith(await startPage(s, b), { action: 'start' })
    let reads = 0
    const { find } = s.factors('default')
    s.factors('default').find = async (id) => {
      reads += 1
      return find(id)
    }
    for (const passkey of ['', '{}', 'x'.repeat(15_000), JSON.stringify({ id: 'AA', response: {} })])
      expect((await b.post(form.url, { ...form.fields, passkey })).status).toBe(422)
    expect((await b.post(form.url, { ...form.fields, passkey: '{}', passkey_ticket: 'x' })).status).toBe(422)
    expect(reads).toBe(0)
  })
})

describe('many at once', () => {
  it.each(['recovery', 'totp'] as const)('20 parallel uses of one %s code: one sign-in', async (proof) => {
    const s = await withFactors()
    const { secret, codes } = await addApp(s, await signedIn(s))
    s.clock.now += 30
    const browsers = Array.from({ length: 20 }, () => browser(s))
    const pages = await Promise.all(browsers.map((b) => toSecondStep(s, b)))
    const forms = pages.map((page) => formWith(page, { proof }))
    const typed =
      proof === 'totp' ? { code: appCode(secret, s.clock.now) } : { recovery_code: codes[3] ?? '' }
    await Promise.all(
      browsers.map((b, index) => {
        const { url, fields } = forms[index] ?? { url: '', fields: {} }
        return b.post(url, { ...fields, ...typed })
      }),
    )
    const sessions = await Promise.all(browsers.map((b) => sessionOf(s, b)))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
  })
})

describe('wrong codes', () => {
  it('six from elsewhere stop at the limit; the device of the owner still signs in', async () => {
    const s = await withFactors()
    const { secret } = await addApp(s, await signedIn(s))
    s.clock.now += 30
    const owner = browser(s)
    const again = formWith(await toSecondStep(s, owner), { proof: 'totp' })
    await owner.post(again.url, { ...again.fields, code: appCode(secret, s.clock.now) })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      const thief = browser(s)
      const { url, fields } = formWith(await toSecondStep(s, thief), { proof: 'totp' })
      statuses.push((await thief.post(url, { ...fields, code: '000000' })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    s.clock.now += 30
    for (const name of owner.cookies.keys()) if (!name.includes('device')) owner.cookies.delete(name)
    const { url, fields } = formWith(await toSecondStep(s, owner), { proof: 'totp' })
    const answer = await owner.post(url, { ...fields, code: appCode(secret, s.clock.now) })
    expect(answer.status).toBe(303)
  })

  it('a browser that has signed in with the password alone, before there was an app, is not a known device', async () => {
    const s = await withFactors()
    const thief = await signedIn(s)
    const { secret } = await addApp(s, await signedIn(s))
    s.clock.now += 30
    const another = browser(s)
    for (let attempt = 0; attempt < 5; attempt++) {
      const { url, fields } = formWith(await toSecondStep(s, another), { proof: 'totp' })
      await another.post(url, { ...fields, code: '000000' })
    }
    for (const name of thief.cookies.keys()) if (!name.includes('device')) thief.cookies.delete(name)
    const { url, fields } = formWith(await toSecondStep(s, thief), { proof: 'totp' })
    expect((await thief.post(url, { ...fields, code: appCode(secret, s.clock.now) })).status).toBe(429)
  })

  it('a browser that has shown the password alone gets no limit of its own', async () => {
    const s = await withFactors()
    const { secret } = await addApp(s, await signedIn(s))
    s.clock.now += 30
    const thief = browser(s)
    for (let attempt = 0; attempt < 5; attempt++) {
      const { url, fields } = formWith(await toSecondStep(s, thief), { proof: 'totp' })
      await thief.post(url, { ...fields, code: '000000' })
    }
    const { url, fields } = formWith(await toSecondStep(s, thief), { proof: 'totp' })
    expect((await thief.post(url, { ...fields, code: appCode(secret, s.clock.now) })).status).toBe(429)
  })
})

it('a client that asks for level 2, and a user who goes back: nobody is signed out', async () => {
  const s = await withFactors({ oidc: { acr: 'require' } })
  const b = await signedIn(s)
  await addApp(s, b)
  const sub = await subOf(s)
  await s.factors('default').change({ sub, second_step: false }, { credential_version: 1, now: s.clock.now })
  const user = await signedIn(s)
  const sid = await sidOf(s, user)
  expect((await allow(s, user)).headers.get('location')).toContain('code=')
  const page = await toSecondStep(s, user, { acr_values: '2' })
  const { url, fields } = formWith(page, { action: 'restart' })
  await user.post(url, fields)
  const login = await openLogin(s, user, { acr_values: '2' })
  const back = await user.post(login.url, { ...login.fields, action: 'back' })
  expect(back.headers.get('location')).toContain('error=access_denied')
  expect(await sidOf(s, user)).toBe(sid)
  expect(s.provider_events.filter(({ type }) => type === 'session.ended')).toEqual([])
  expect((await user.get(authorizeUrl(s, { prompt: 'none' }))).headers.get('location')).toContain('code=')
})
