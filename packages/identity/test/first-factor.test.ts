/** An account without a second factor where one is needed: who may add it, and the way back to the client. */

import { describe, expect, it } from 'vitest'
import { alertOf, openAccount, postAccount, signedIn, signInAt, subOf } from './_account.js'
import {
  addApp,
  addPasskey,
  createWith,
  formWith,
  passkeyFormOf,
  sessionOf,
  signedInWithPasskey,
  syncedPasskey,
  toSecondStep,
  withFactors,
} from './_factors.js'
import { type Browser, browser, type Setup, setup } from './_setup.js'

const LEVEL_2 = { acr_values: '2' }
const ASK = 'Ask the person who manages your account'

const requiring = (settings: Parameters<typeof withFactors>[0] = {}) =>
  withFactors({ oidc: { acr: 'require' }, ...settings })

const press = (b: Browser, html: string, action: string) => {
  const { url, fields } = formWith(html, { action })
  return b.post(url, fields)
}

const answerOf = (response: Response) => {
  const to = new URL(response.headers.get('location') ?? '')
  return {
    to: to.origin + to.pathname,
    error: to.searchParams.get('error'),
    code: to.searchParams.get('code'),
  }
}

const factorsOf = async (s: Setup) => s.factors('default').list(await subOf(s))

describe('a client that asks for level 2', () => {
  it('an account without a second factor: the page names the client; back, the client learns why', async () => {
    const s = await requiring()
    const b = browser(s)
    const html = await toSecondStep(s, b, LEVEL_2)
    expect(html).toContain('<bdi>Quarterly Reports</bdi> needs a second way')
    const answer = await press(b, html, 'cancel')
    expect(answerOf(answer)).toEqual({
      to: 'https://app.example/cb',
      error: 'unmet_authentication_requirements',
      code: null,
    })
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringContaining('__Host-ostiary_pending=; Path=/; Max-Age=0'),
    )
    expect(s.provider_events.at(-1)).toMatchObject({ type: 'authorization.cancelled', client_id: 'app' })
    expect((await press(b, html, 'cancel')).status).toBe(400)
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('an account with one: the way back is at the second step too', async () => {
    const s = await requiring()
    await addApp(s, await signedIn(s))
    const b = browser(s)
    const html = await toSecondStep(s, b, LEVEL_2)
    expect(html).toContain('Back to <bdi>Quarterly Reports</bdi>')
    expect(answerOf(await press(b, html, 'cancel')).error).toBe('unmet_authentication_requirements')
  })

  it('the session that the user has stays, with its level', async () => {
    const s = await requiring()
    const b = await signedIn(s)
    const before = await sessionOf(s, b)
    await press(b, await toSecondStep(s, b, LEVEL_2), 'cancel')
    expect(await sessionOf(s, b)).toEqual(before)
  })

  it('the password alone does not go on: neither by "continue" nor by the way back of the sign-in', async () => {
    const s = await requiring()
    const b = browser(s)
    const html = await toSecondStep(s, b, LEVEL_2)
    const { url, fields } = formWith(html, { action: 'cancel' })
    const answer = await b.post(url, { ...fields, action: 'continue' })
    expect(new URL(answer.headers.get('location') ?? '').pathname).toBe('/login')
    expect(answerOf(await b.post(url, { ...fields, action: 'back' })).error).toBe('access_denied')
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('the way back needs the token of the page, and a sign-in that has begun', async () => {
    const s = await requiring()
    const b = browser(s)
    const { url, fields } = formWith(await toSecondStep(s, b, LEVEL_2), { action: 'cancel' })
    expect((await b.post(url, { ...fields, csrf_token: 'another' })).status).toBe(403)
    const other = browser(s)
    const csrf = b.cookies.get('__Host-ostiary_csrf') ?? ''
    other.cookies.set('__Host-ostiary_csrf', csrf)
    expect((await other.post(url, fields)).status).toBe(400)
    expect(answerOf(await b.post(url, fields)).error).toBe('unmet_authentication_requirements')
  })
})

describe('a second factor that the realm or the account asks for', () => {
  it('back from the page that adds one: access_denied, since the client asks for nothing', async () => {
    const s = await requiring({ settings: { second_factor: 'required' } })
    const b = browser(s)
    const html = await toSecondStep(s, b, {})
    expect(html).toContain('Your account needs a second way')
    expect(answerOf(await press(b, html, 'cancel')).error).toBe('access_denied')
  })

  it('for the account page there is no client to go back to', async () => {
    const s = await withFactors({ settings: { second_factor: 'required' } })
    const b = browser(s)
    const html = await toSecondStep(s, b)
    expect(html).not.toContain('value="cancel"')
    const { url, fields } = formWith(html, { action: 'restart' })
    expect((await b.post(url, { ...fields, action: 'cancel' })).status).toBe(400)
  })

  it('the second step of the account alone is the page that it was', async () => {
    const s = await withFactors()
    await addApp(s, await signedIn(s))
    expect(await toSecondStep(s, browser(s), {})).not.toContain('value="cancel"')
  })
})

describe('identity.enrolment "invited"', () => {
  const invited = (second_factor: 'optional' | 'required') =>
    requiring({ settings: { second_factor, enrolment: 'invited' } })

  /** An account whose first factor came by a link of an operator. */
  async function withInvited(second_factor: 'optional' | 'required') {
    const settings: { second_factor: 'optional' | 'required'; enrolment: 'self' | 'invited' } = {
      second_factor: 'optional',
      enrolment: 'self',
    }
    const s = await requiring({ settings })
    const credential = syncedPasskey()
    await addPasskey(s, await signedIn(s), credential)
    const t = await invited(second_factor)
    const sub = await subOf(t)
    const { credential_version = 0 } = (await t.users('default').find(sub)) ?? {}
    const add = (await factorsOf(s)).map((factor) => ({ ...factor, sub }))
    await t.factors('default').change({ sub, add }, { credential_version, now: t.clock.now })
    return { s: t, credential }
  }

  it.each(['optional', 'required'] as const)(
    'second_factor %s: the password alone adds none at a sign-in; the page says whom to ask, and leads back',
    async (second_factor) => {
      const s = await invited(second_factor)
      const b = browser(s)
      const html = await toSecondStep(s, b, LEVEL_2)
      expect(html).toContain(`<bdi>Quarterly Reports</bdi> needs a second way`)
      expect(html).toContain(ASK)
      expect(html).not.toContain('value="enrol"')
      const { url, fields } = formWith(html, { action: 'cancel' })
      for (const method of ['passkey', 'totp'])
        for (const action of ['enrol', 'enrolled']) {
          const answer = await b.post(url, { ...fields, action, method, code: '123456' })
          expect(await answer.text()).toContain(ASK)
        }
      expect(await factorsOf(s)).toEqual([])
      expect(answerOf(await b.post(url, fields)).error).toBe('unmet_authentication_requirements')
    },
  )

  it('for the account page, the same page names the account alone', async () => {
    const s = await invited('required')
    const b = browser(s)
    const html = await toSecondStep(s, b)
    expect(html).toContain(`Your account needs a second way to confirm that it is you. ${ASK}`)
    expect(html).toContain('Use another account')
  })

  it.each(['passkey', 'totp'])(
    'on the account page, a session by the password alone adds no %s, however recent it is',
    async (method) => {
      const s = await invited('optional')
      const b = await signedIn(s)
      const { html } = await openAccount(s, b)
      expect(html).toContain(`You sign in with your password alone. To add a second way, ask`)
      expect(html).not.toContain('value="enrol"')
      for (const action of ['enrol', 'enrolled']) {
        const answer = await postAccount(s, b, { action, method, code: '123456' })
        expect([answer.status, await alertOf(answer)]).toEqual([
          403,
          expect.stringContaining('ask the person'),
        ])
      }
      expect(await factorsOf(s)).toEqual([])
    },
  )

  it('who has a factor adds another with it, and not with the password', async () => {
    const { s, credential } = await withInvited('optional')
    const thief = await signedIn(s)
    const asked = await postAccount(s, thief, { action: 'enrol', method: 'totp' })
    expect(await asked.text()).toContain('Confirm that it is you')
    const owner = await signedInWithPasskey(s, credential)
    const page = await (await postAccount(s, owner, { action: 'enrol', method: 'passkey' })).text()
    await createWith(owner, { form: passkeyFormOf(page), credential: syncedPasskey() })
    expect((await factorsOf(s)).filter(({ kind }) => kind === 'passkey')).toHaveLength(2)
  })

  it('the last factor stays: the user could not add another one', async () => {
    const { s, credential } = await withInvited('optional')
    const owner = await signedInWithPasskey(s, credential)
    const before = await factorsOf(s)
    const factor_id = before.find(({ kind }) => kind === 'passkey')?.factor_id ?? ''
    const answer = await postAccount(s, owner, { action: 'remove_factor', factor_id })
    expect([answer.status, await alertOf(answer)]).toEqual([
      422,
      expect.stringContaining('Add another one first'),
    ])
    expect(await factorsOf(s)).toEqual(before)
  })

  it('the password signs in where nothing asks for more', async () => {
    const s = await invited('optional')
    const b = browser(s)
    expect((await signInAt(s, b)).headers.get('location')).toBe('https://id.example/account')
  })

  it.each([
    [{ enrolment: 'invited', passkeys: { enabled: false } }, 'set passkeys.enabled to true or second_factor'],
    [{ enrolment: 'nobody' as 'self' }, 'give "self" or "invited"'],
  ] as const)('settings that contradict are refused: %j', async (settings, message) => {
    const s = await setup({ settings })
    const answer = await browser(s).get('https://id.example/login')
    expect(answer.status).toBe(500)
    expect(JSON.stringify(s.events.map((event) => String((event as { cause?: unknown }).cause)))).toContain(
      message.replaceAll('"', String.raw`\"`),
    )
  })

  it('with an app alone, or passkeys alone, it is a setting like others', async () => {
    for (const settings of [
      { enrolment: 'invited', passkeys: { enabled: false }, second_factor: 'optional' },
      { enrolment: 'invited' },
    ] as const)
      expect((await browser(await setup({ settings })).get('https://id.example/login')).status).toBe(303)
  })
})
