/** The operator's link: what its page says, what its button does, and the way from there to a session. */

import { factorRecord } from '@ostiary/test-kit/factors/record'
import { describe, expect, it } from 'vitest'
import { NEW_PASSWORD, signedIn, signInAt, subOf } from './_account.js'
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
  syncedPasskey,
  withFactors,
} from './_factors.js'
import {
  asked,
  begun,
  decideAll,
  follow,
  linkFor,
  newPassword,
  openLink,
  pressLink,
  send,
} from './_recovery.js'
import { browser, plainPasswords, type Setup, setup } from './_setup.js'
import { GOOD, REFRESHES, REFUSED, tokensFrom, uses } from './_tokens.js'

const withPasswords = () => setup({ stored: plainPasswords, identity: { passwords: plainPasswords } })

const stateOf = async (s: Setup) => {
  const sub = await subOf(s)
  return { user: await s.users('default').find(sub), factors: await s.factors('default').list(sub) }
}
const kindsOf = async (s: Setup) => (await stateOf(s)).factors.map(({ kind }) => kind).sort()

describe('the page of the link', () => {
  it('says whose account it is and what the button does, and gives its address to nobody', async () => {
    const s = await withPasswords()
    const url = await linkFor(s)
    const answer = await browser(s).get(url)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('Account: <bdi>Ada</bdi>')
    expect(html).toContain('signed out everywhere')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const secret = new URL(url).searchParams.get('t') ?? ''
    // The one place is the form, which is posted.
    expect(html.split(secret)).toHaveLength(2)
    expect(html).toContain(`name="t" value="${secret}"`)
    expect(html).not.toContain('<script')
  })

  it('the button leads to an address without the ticket', async () => {
    const s = await withPasswords()
    const b = browser(s)
    const form = await openLink(b, await linkFor(s))
    const answer = await b.post(form.url, form.fields)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://id.example/login/ticket'])
  })

  it('is not there without a store of tickets', async () => {
    const s = await setup({ identity: { tickets: undefined as never } })
    const answer = await s.identity.fetch(s.provider, new Request('https://id.example/login/ticket'))
    expect(answer).toBeNull()
  })

  it('a store of tickets needs one of values that are used once', async () => {
    await expect(setup({ identity: { replays: undefined as never } })).rejects.toThrow(
      /replays.*tickets need it/s,
    )
  })
})

describe('the button', () => {
  it('ends all sessions and grants of the user, offline ones too', async () => {
    const s = await withFactors({ client: { ...REFRESHES, trusted: true } })
    const old = await signedIn(s)
    const online = await tokensFrom(s, old)
    const offline = await tokensFrom(s, old, { scope: 'openid offline_access', prompt: 'consent' })
    const url = await linkFor(s)
    await browser(s).get(url)
    expect(await uses(s, { ...offline, refresh_token: online.refresh_token })).toEqual(GOOD)
    await pressLink(browser(s), url)
    expect(await sessionOf(s, old)).toBeNull()
    expect(await uses(s, offline)).toEqual(REFUSED)
    expect(s.events.map(({ type }) => type)).toContain('recovery.started')
    expect(s.provider_events).toContainEqual(
      expect.objectContaining({ type: 'session.ended', reason: 'administrator' }),
    )
  })
})

describe('with passwords alone', () => {
  it('the user sets a new password, and is signed in with level 1', async () => {
    const s = await withPasswords()
    const { b, html } = await begun(s)
    expect(html).not.toContain('value="finish"')
    expect(html).toContain('<details open>')
    const next = await follow(b, await send(b, html, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    expect(next).toContain('Your password is set.')
    const end = await send(b, next, { action: 'finish' })
    expect([end.status, end.headers.get('location')]).toEqual([303, 'https://id.example/account'])
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['otp'], acr: '1' })
    expect(await sessionOf(s, await signedIn(s, { password: NEW_PASSWORD }))).not.toBeNull()
    expect((await signInAt(s, browser(s))).status).toBe(422)
    const types = s.events.map(({ type }) => type).filter((type) => type.startsWith('recovery'))
    expect(types).toEqual(['recovery.started', 'recovery.password_set', 'recovery.completed'])
  })

  it.each([
    ['too short', newPassword('short'), 'new_password'],
    ['too long', newPassword('a'.repeat(1025)), 'new_password'],
    ['not repeated', { ...newPassword(NEW_PASSWORD), new_password_again: 'other' }, 'new_password_again'],
  ])('a password that is %s is refused, and the flow goes on', async (_, fields, field) => {
    const s = await withPasswords()
    const { b, html } = await begun(s)
    const answer = await send(b, html, { action: 'password', ...fields })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true" autofocus`))
    expect((await send(b, page, { action: 'password', ...newPassword(NEW_PASSWORD) })).status).toBe(303)
  })

  it('without an account page, the last page says that it is done', async () => {
    const s = await setup({ stored: plainPasswords, identity: { passwords: plainPasswords, account: false } })
    const { b, html } = await begun(s)
    const next = await follow(b, await send(b, html, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    const end = await send(b, next, { action: 'finish' })
    expect([end.status, await end.text()]).toEqual([200, expect.stringContaining('From now on, sign in')])
  })
})

describe('with factors', () => {
  const lostAll = async () => {
    const s = await withFactors()
    const first = await signedIn(s)
    const codes = await addPasskey(s, first, syncedPasskey())
    const { secret } = await addApp(s, first)
    return { s, codes, secret }
  }

  it('nothing is preselected, and each has to be decided', async () => {
    const { s } = await lostAll()
    const before = await stateOf(s)
    const { b, html } = await begun(s)
    expect(asked(html)).toHaveLength(2)
    expect(html).not.toContain('checked')
    const [first = '', second = ''] = asked(html)
    const wrong: Record<string, string>[] = [{}, { [first]: 'keep' }, { [first]: 'keep', [second]: 'other' }]
    for (const decided of wrong) {
      const answer = await send(b, html, { action: 'decide', ...decided })
      expect(answer.status).toBe(422)
      const page = await answer.text()
      expect(page).toContain('Choose “Keep” or “Remove” for each of them.')
      expect(page.split(' checked').length - 1).toBe(first in decided ? 1 : 0)
    }
    for (const action of ['finish', 'enrol', 'password']) {
      const { url, fields } = { url: 'https://id.example/login/ticket', fields: tokenOf(html) }
      const more = { method: 'passkey', ...newPassword(NEW_PASSWORD) }
      expect(await (await b.post(url, { ...fields, ...more, action })).text()).toContain(
        'What do you still have?',
      )
    }
    expect(await stateOf(s)).toEqual(before)
  })

  const tokenOf = (html: string) => ({
    csrf_token: /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '',
  })

  it('a new passkey, everything else removed: new codes, level 2, and the old ones are dead', async () => {
    const { s, codes } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'remove') }))
    expect(choice).not.toContain('value="finish"')
    const credential = syncedPasskey()
    const page = await (await send(b, choice, { action: 'enrol' })).text()
    const added = await follow(b, await createWith(b, { form: passkeyFormOf(page), credential }))
    expect(added).toContain('Your new way to sign in is added.')
    expect(added).not.toContain('value="enrol"')
    // Nothing is removed before the end.
    expect(await kindsOf(s)).toEqual(['passkey', 'passkey', 'recovery', 'totp'])
    const shown = await (await send(b, added, { action: 'finish' })).text()
    const fresh = codesIn(shown)
    expect(fresh).toHaveLength(10)
    expect(fresh.some((code) => codes.includes(code))).toBe(false)
    expect(await kindsOf(s)).toEqual(['passkey', 'recovery'])
    const file = await send(b, shown, { action: 'download', codes: fresh.join(' ') })
    expect(file.headers.get('content-type')).toContain('text/plain')
    expect((await send(b, shown, { action: 'saved' })).headers.get('location')).toBe(
      'https://id.example/account',
    )
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['otp', 'swk', 'user', 'mfa'], acr: '2' })
    expect(await sessionOf(s, await signedInWithPasskey(s, credential))).not.toBeNull()
  })

  it('a new app and a new password, the passkey kept', async () => {
    const { s } = await lostAll()
    const { b, html } = await begun(s)
    const { factors } = await stateOf(s)
    const passkey = factors.find(({ kind }) => kind === 'passkey')?.factor_id ?? ''
    const decided = { ...decideAll(html, 'remove'), [passkey]: 'keep' }
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decided }))
    const set = await follow(b, await send(b, choice, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    const page = await (
      await b.post('https://id.example/login/ticket', { ...tokenOf(set), action: 'enrol', method: 'totp' })
    ).text()
    const wrong = await send(b, page, { action: 'enrolled', code: '000000' })
    expect(wrong.status).toBe(422)
    const again = await wrong.text()
    expect(secretIn(again)).toEqual(secretIn(page))
    const code = appCode(secretIn(page), s.clock.now)
    const added = await follow(b, await send(b, again, { action: 'enrolled', code }))
    const shown = await (await send(b, added, { action: 'finish' })).text()
    expect(codesIn(shown)).toHaveLength(10)
    expect(await kindsOf(s)).toEqual(['passkey', 'recovery', 'totp'])
    expect((await stateOf(s)).user).toMatchObject({ second_step: true })
    await send(b, shown, { action: 'saved' })
    expect(await sessionOf(s, b)).toMatchObject({ acr: '2' })
  })

  it('everything kept: new codes, and a session of level 1', async () => {
    const { s } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'keep') }))
    const shown = await (await send(b, choice, { action: 'finish' })).text()
    expect(await kindsOf(s)).toEqual(['passkey', 'recovery', 'totp'])
    await send(b, shown, { action: 'saved' })
    expect(await sessionOf(s, b)).toMatchObject({ amr: ['otp'], acr: '1' })
  })

  it('the codes are shown once: whoever loads the page again goes on without them', async () => {
    const { s } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'keep') }))
    await send(b, choice, { action: 'finish' })
    const after = await stateOf(s)
    for (const again of [
      await send(b, choice, { action: 'finish' }),
      await b.get('https://id.example/login/ticket'),
    ]) {
      const page = await again.text()
      expect([codesIn(page), page.includes('value="saved"')]).toEqual([[], true])
    }
    expect(await stateOf(s)).toEqual(after)
    const page = await (await b.get('https://id.example/login/ticket')).text()
    expect((await send(b, page, { action: 'saved' })).status).toBe(303)
  })

  it('all removed and only a password: the codes and the second step end too', async () => {
    const { s } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'remove') }))
    const set = await follow(b, await send(b, choice, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    expect((await send(b, set, { action: 'finish' })).status).toBe(303)
    expect(await kindsOf(s)).toEqual([])
    expect((await stateOf(s)).user).toMatchObject({ second_step: false })
    expect(await sessionOf(s, b)).toMatchObject({ acr: '1' })
  })

  it('where a second factor is required, a password alone is not the end', async () => {
    const s = await withFactors({ settings: { second_factor: 'required' } })
    const sub = await subOf(s)
    await s
      .factors('default')
      .change({ sub, add: [factorRecord('f', sub)] }, { credential_version: 0, now: 1 })
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'remove') }))
    const set = await follow(b, await send(b, choice, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    expect(set).toContain('Your account needs a second way')
    expect(set).not.toContain('value="finish"')
    const answer = await b.post('https://id.example/login/ticket', { ...tokenOf(set), action: 'finish' })
    expect(await answer.text()).toContain('Your account needs a second way')
    expect(await kindsOf(s)).toEqual(['totp'])
  })

  it('an app alone is no way in without a password', async () => {
    const { s } = await lostAll()
    const { user } = await stateOf(s)
    if (!user) throw new Error('no user')
    await s
      .users('default')
      .update({ ...user, password_hash: null, updated_at: user.updated_at + 1 }, user.updated_at)
    const { b, html } = await begun(s)
    const app = (await stateOf(s)).factors.find(({ kind }) => kind === 'totp')?.factor_id ?? ''
    const choice = await follow(
      b,
      await send(b, html, { action: 'decide', ...decideAll(html, 'remove'), [app]: 'keep' }),
    )
    expect(choice).not.toContain('value="finish"')
    expect(choice).toContain('Set a password')
  })

  it('whoever goes away in the middle has the account as before, and what was added', async () => {
    const { s, secret } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'remove') }))
    await send(b, choice, { action: 'password', ...newPassword(NEW_PASSWORD) })
    s.clock.now += 600
    expect(await (await b.get('https://id.example/login/ticket')).text()).toContain('This link does not work')
    expect(await kindsOf(s)).toEqual(['passkey', 'recovery', 'totp'])
    const other = browser(s)
    const answer = await signInAt(s, other, { password: NEW_PASSWORD })
    const step = await (await other.get(answer.headers.get('location') ?? '')).text()
    const { url, fields } = formWithProof(step)
    expect((await other.post(url, { ...fields, code: appCode(secret, s.clock.now) })).status).toBe(303)
    expect(await sessionOf(s, other)).toMatchObject({ acr: '2' })
  })

  const formWithProof = (html: string) => {
    const form =
      /<form[^>]*action="([^"]*)"[^>]*>((?:(?!<\/form>)[\s\S])*value="totp"(?:(?!<\/form>)[\s\S])*)<\/form>/.exec(
        html,
      )
    const fields = [...(form?.[2] ?? '').matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    )
    return {
      url: new URL(form?.[1] ?? '', 'https://id.example').href,
      fields: Object.fromEntries(fields) as Record<string, string>,
    }
  }

  it('the passkey that is made anew on its device is not refused because the old one is listed', async () => {
    const { s } = await lostAll()
    const { b, html } = await begun(s)
    const choice = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'remove') }))
    const { options } = passkeyFormOf(await (await send(b, choice, { action: 'enrol' })).text())
    expect((options as unknown as { excludeCredentials?: unknown[] }).excludeCredentials ?? []).toEqual([])
  })
})

describe('a realm without passwords', () => {
  const withPasskeysAlone = () =>
    withFactors({ settings: { second_factor: 'optional', password: { enabled: false } } })

  it('asks for a passkey, and takes no password', async () => {
    const s = await withPasskeysAlone()
    const { b, html } = await begun(s)
    expect(html).not.toContain('name="new_password"')
    expect(html).not.toContain('Your password is set')
    const { url, fields } = formWith(html, { action: 'enrol' })
    const refused = await b.post(url, { ...fields, action: 'password', ...newPassword(NEW_PASSWORD) })
    expect(refused.status).toBe(400)
    const ended = await b.post(url, { ...fields, action: 'finish' })
    expect([ended.status, (await stateOf(s)).user?.credential_version]).toEqual([200, 0])
    expect((await b.get('https://id.example/account')).status).toBe(303)
  })

  it('a stored password and an app are no way in', async () => {
    const s = await withPasskeysAlone()
    const sub = await subOf(s)
    await s
      .factors('default')
      .change({ sub, add: [factorRecord('app', sub)] }, { credential_version: 0, now: s.clock.now })
    const { b, html } = await begun(s)
    const page = await follow(b, await send(b, html, { action: 'decide', ...decideAll(html, 'keep') }))
    const { url, fields } = formWith(page, { action: 'enrol' })
    const ended = await b.post(url, { ...fields, action: 'finish' })
    expect(ended.status).toBe(200)
    expect((await b.get('https://id.example/account')).status).toBe(303)
  })
})

it('the link is the invitation where only the operator lets users add a first factor', async () => {
  const s = await withFactors({ settings: { second_factor: 'required', enrolment: 'invited' } })
  const { b, html } = await begun(s)
  const page = await (await send(b, html, { action: 'enrol' })).text()
  const added = await follow(
    b,
    await createWith(b, { form: passkeyFormOf(page), credential: syncedPasskey() }),
  )
  const shown = await (await send(b, added, { action: 'finish' })).text()
  expect(codesIn(shown)).toHaveLength(10)
  await send(b, shown, { action: 'saved' })
  expect(await sessionOf(s, b)).toMatchObject({ acr: '2' })
  expect(await kindsOf(s)).toEqual(['passkey', 'recovery'])
})
