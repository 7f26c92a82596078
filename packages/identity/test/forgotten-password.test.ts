/** A forgotten password: the page that asks for a mail, the mail, and the page of its link. */

import { describe, expect, it } from 'vitest'
import { createRecoveryLink, type IdentitySettings, setDisabled } from '../src/index.js'
import { ticketHash } from '../src/users/recovery-link.js'
import { signedIn, signInAt, subOf } from './_account.js'
import {
  ADDRESS,
  ask,
  askWith,
  FROM,
  forgotUrl,
  giveAddress,
  lastLink,
  mailWorld,
  NEW_PASSWORD,
  openReset,
  resetWith,
} from './_mail.js'
import { browser, openLogin, PASSWORD, setup, withoutTokens } from './_setup.js'

const OTHER = 'another password of words'

describe('without mail', () => {
  it('the sign-in page has no such link, and there are no such pages', async () => {
    const s = await setup()
    const { html } = await openLogin(s, browser(s))
    expect(html).not.toContain('/login/recover')
    for (const path of ['/login/recover', '/login/reset', '/login/reset?done'])
      expect((await browser(s).get(s.base('default') + path)).status).toBe(404)
    expect(s.identity.mail).toBeNull()
  })

  it('a realm that mails nothing beside one that does has none either', async () => {
    const oidc = { routes: { realms: 'path' }, realms: { one: {}, two: {} } } as const
    const s = await mailWorld({ oidc: { issuer: 'https://id.example', ...oidc }, mailing: ['one'] })
    expect((await browser(s).get(forgotUrl(s, 'one'))).status).toBe(200)
    expect((await browser(s).get(forgotUrl(s, 'two'))).status).toBe(404)
  })
})

describe('a forgotten password', () => {
  it('is set anew with the link of a mail', async () => {
    const s = await mailWorld()
    const before = await signedIn(s)
    const b = browser(s)
    const login = await openLogin(s, b)
    const [, link = ''] =
      /<a class="switch" href="(\/login\/recover\?return_to=[^"]+)">/.exec(login.html) ?? []
    const page = await (await b.get(new URL(link, s.base('default')).href)).text()
    expect(page).toContain('Enter your username')
    expect(page).toContain(`href="/login?return_to=${encodeURIComponent(login.fields.return_to)}"`)
    const asked = await askWith(s, b, { username: ' ADA ' })
    expect(asked.status).toBe(303)
    const sent = await (await b.get(asked.headers.get('location') ?? '')).text()
    expect(sent).toContain('If there is an account with this username')

    await s.deliver()
    expect(s.sent).toMatchObject([{ to: ADDRESS, from: FROM, subject: 'Set a new password for id.example' }])
    const url = lastLink(s)
    const form = await openReset(b, url)
    const differ = await b.post(form.url, {
      ...form.fields,
      new_password: NEW_PASSWORD,
      new_password_again: 'x',
    })
    expect(differ.status).toBe(422)
    const done = await resetWith(b, url)
    expect([done.status, done.headers.get('location')]).toEqual([303, 'https://id.example/login/reset?done'])
    expect(await (await b.get(done.headers.get('location') ?? '')).text()).toContain('Sign in with it now.')

    expect((await signInAt(s, browser(s), { password: PASSWORD })).status).toBe(422)
    expect((await signInAt(s, browser(s), { password: NEW_PASSWORD })).status).toBe(303)
    // What was signed in before has ended.
    expect((await before.get(`${s.base('default')}/account`)).status).toBe(303)
    expect(s.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['recovery.requested', 'mail.sent', 'account.password_reset']),
    )
    expect(s.events.filter(({ type }) => type === 'server.error')).toEqual([])
  })

  it('may be forgotten by an account that has none yet', async () => {
    const s = await mailWorld()
    const user = await s.users('default').findByUsername('ada')
    if (user)
      await s
        .users('default')
        .update({ ...user, password_hash: null, updated_at: user.updated_at + 1 }, user.updated_at)
    await ask(s)
    expect((await resetWith(browser(s), lastLink(s))).status).toBe(303)
    expect((await signInAt(s, browser(s), { password: NEW_PASSWORD })).status).toBe(303)
  })

  it('after 20 wrong passwords from elsewhere, the browser of the link signs in', async () => {
    const s = await mailWorld({ identity: { limits: { failures: 1 } } })
    for (let n = 0; n < 11; n += 1) await signInAt(s, browser(s), { password: OTHER })
    expect((await signInAt(s, browser(s), { password: PASSWORD })).status).toBe(429)
    await ask(s)
    const b = browser(s)
    await resetWith(b, lastLink(s))
    expect((await signInAt(s, b, { password: NEW_PASSWORD })).status).toBe(303)
  })
})

describe('the page that asks', () => {
  const NAMES = [
    'ada',
    'unknown',
    'disabled',
    'without-address',
    'unverified',
    'with a line\nend',
    'x'.repeat(256),
  ]

  /** Users of each kind. */
  async function people() {
    const s = await mailWorld()
    const ada = await s.users('default').findByUsername('ada')
    if (!ada) throw new Error('There is no Ada')
    for (const [username, claims] of [
      ['disabled', { email: 'd@example.com', email_verified: true }],
      ['without-address', {}],
      ['unverified', { email: 'u@example.com', email_verified: false }],
    ] as const)
      await s
        .users('default')
        .create({ ...ada, sub: `sub-${username}`, username, username_key: username, claims })
    await setDisabled(s.users('default'), { sub: 'sub-disabled', disabled: true })
    return s
  }

  it('answers each name alike, to the last byte', async () => {
    const s = await people()
    const answers = []
    for (const name of NAMES) {
      const b = browser(s)
      const asked = await askWith(s, b, { username: name })
      const page = await b.get(asked.headers.get('location') ?? '')
      answers.push([asked.status, [...asked.headers], withoutTokens(await page.text())])
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('stores a mail for each name that an account could have, and sends the one that has an account and an address', async () => {
    const s = await people()
    for (const name of NAMES) await askWith(s, browser(s), { username: name })
    await s.deliver()
    expect(s.sent.map(({ to }) => to)).toEqual([ADDRESS])
    const reasons = s.events.flatMap((event) => (event.type === 'mail.failed' ? [event.reason] : []))
    expect(reasons.sort()).toEqual(['disabled', 'no_verified_email', 'no_verified_email', 'unknown_user'])
    expect(await s.queue.page({ limit: 10 })).toEqual([])
  })

  it('takes no form of another site', async () => {
    const s = await mailWorld()
    const b = browser(s)
    const answer = await askWith(s, b, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.status).toBe(403)
    expect((await b.post(forgotUrl(s), { username: 'ada' })).status).toBe(400)
    await s.deliver()
    expect(s.sent).toEqual([])
  })

  it('has no link to another site', async () => {
    const s = await mailWorld()
    for (const return_to of ['https://evil.example', '//evil.example', 'javascript:alert(1)']) {
      const html = await (
        await browser(s).get(`${forgotUrl(s)}?${new URLSearchParams({ return_to })}`)
      ).text()
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g))
        expect(href).toMatch(/^\/(?:login\?|account$)/)
    }
  })

  it('gives back where the sign-in leads, up to 4,096 characters', async () => {
    const s = await mailWorld()
    const linkOf = async (return_to: string) => {
      const html = await (
        await browser(s).get(`${forgotUrl(s)}?${new URLSearchParams({ return_to })}`)
      ).text()
      return /<a class="switch" href="([^"]*)"/.exec(html)?.[1]
    }
    expect(await linkOf('x'.repeat(4096))).toBe(`/login?return_to=${'x'.repeat(4096)}`)
    expect(await linkOf('x'.repeat(4097))).toBe('/account')
  })

  it('makes the link from the issuer, whatever host the request names', async () => {
    const s = await mailWorld()
    const b = browser(s)
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    await askWith(s, b, { headers })
    await s.deliver()
    expect(s.sent[0]?.text).toContain('https://id.example/login/reset?t=')
    expect(JSON.stringify(s.sent)).not.toContain('evil')
  })
})

describe('the link', () => {
  it('is consumed by the form alone: not by GET, HEAD or a prefetch', async () => {
    const s = await mailWorld()
    await ask(s)
    const url = lastLink(s)
    const b = browser(s)
    for (const init of [{}, { method: 'HEAD' }, { headers: { purpose: 'prefetch' } }])
      expect((await b.get(url, init)).status).toBe(200)
    expect((await resetWith(browser(s), url)).status).toBe(303)
  })

  it('keeps its referrer to itself', async () => {
    const s = await mailWorld()
    await ask(s)
    const { headers } = await browser(s).get(lastLink(s))
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('works for one of 50 parallel forms', async () => {
    const s = await mailWorld()
    await ask(s)
    const b = browser(s)
    const form = await openReset(b, lastLink(s))
    const fields = { ...form.fields, new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }
    const answers = await Promise.all(Array.from({ length: 50 }, () => b.post(form.url, fields)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect(await s.tickets('default').find(ticketHash(form.fields.t) ?? '')).toBeNull()
  })

  it('works for 1,800 seconds', async () => {
    const s = await mailWorld()
    await ask(s)
    const url = lastLink(s)
    s.clock.now += 1799
    expect((await browser(s).get(url)).status).toBe(200)
    s.clock.now += 1
    expect((await browser(s).get(url)).status).toBe(400)
  })

  const ENDS: Record<string, (s: Awaited<ReturnType<typeof mailWorld>>, sub: string) => Promise<unknown>> = {
    'a newer mail': async (s) => ask(s),
    'a change of the password': async (s, sub) => {
      const user = await s.users('default').find(sub)
      if (user)
        await s.users('default').update(
          {
            ...user,
            password_hash: 'plain x',
            credential_version: user.credential_version + 1,
            updated_at: user.updated_at + 1,
          },
          user.updated_at,
        )
    },
    'the account was disabled': async (s, sub) => setDisabled(s.users('default'), { sub, disabled: true }),
    'the account was deleted': async (s, sub) => s.users('default').delete(sub),
    'the name belongs to another account': async (s, sub) => {
      const user = await s.users('default').find(sub)
      await s.users('default').delete(sub)
      if (user) await s.users('default').create({ ...user, sub: 'another' })
    },
  }
  it.each(Object.keys(ENDS))('does not work after: %s', async (name) => {
    const s = await mailWorld()
    const b = browser(s)
    await ask(s)
    const url = lastLink(s)
    const form = await openReset(b, url)
    await ENDS[name]?.(s, await subOf(s))
    const fields = { ...form.fields, new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }
    expect([(await b.get(url)).status, (await b.post(form.url, fields)).status]).toEqual([400, 400])
  })

  it('and the link of an operator are not each other', async () => {
    const s = await mailWorld({ settings: {} })
    await ask(s)
    const secret = new URL(lastLink(s)).searchParams.get('t')
    const located = await s.provider.locate(new Request(`${s.base('default')}/login`))
    const user = await s.users('default').findByUsername('ada')
    if (!located || !user) throw new Error('No realm or user')
    expect((await browser(s).get(`${s.base('default')}/login/ticket?t=${secret}`)).status).toBe(400)
    const made = await createRecoveryLink(s.tickets('default'), {
      realm: located.realm,
      user,
      now: s.clock.now,
    })
    const operators = new URL(made.url).searchParams.get('t')
    expect((await browser(s).get(`${s.base('default')}/login/reset?t=${operators}`)).status).toBe(400)
    expect((await browser(s).get(made.url)).status).toBe(200)
    expect((await browser(s).get(lastLink(s))).status).toBe(200)
  })

  it('takes no form of another site, and no other text', async () => {
    const s = await mailWorld()
    await ask(s)
    const url = lastLink(s)
    const b = browser(s)
    const form = await openReset(b, url)
    const fields = { ...form.fields, new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD }
    const forged = await b.post(form.url, fields, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(forged.status).toBe(403)
    expect((await browser(s).post(form.url, fields)).status).toBe(403)
    for (const t of ['', 'x', `${fields.t}x`, `${fields.t?.slice(0, -1)}`, `${fields.t}${fields.t}`])
      expect((await b.post(form.url, { ...fields, t })).status).toBe(400)
    expect((await resetWith(b, url)).status).toBe(303)
  })

  it('of a password that the rules refuse stays as it is', async () => {
    const s = await mailWorld()
    await ask(s)
    const b = browser(s)
    expect((await resetWith(b, lastLink(s), 'short')).status).toBe(422)
    expect((await resetWith(b, lastLink(s))).status).toBe(303)
  })
})

describe('an account with more than a password', () => {
  it('is asked for its second step after the link, and the browser gets no limits of its own', async () => {
    const s = await mailWorld({ settings: { second_factor: 'optional' } })
    const sub = await subOf(s)
    await addApp(s, sub)
    await ask(s)
    const b = browser(s)
    await resetWith(b, lastLink(s))
    expect([...b.cookies.keys()].filter((name) => name.includes('device'))).toEqual([])
    const answer = await signInAt(s, b, { password: NEW_PASSWORD })
    const step = await (await b.get(answer.headers.get('location') ?? '')).text()
    expect(step).toContain('one-time-code')
    expect((await b.get(`${s.base('default')}/account`)).status).toBe(303)
  })

  it('and without a password gets no link: a password would be a way around its passkey', async () => {
    const s = await mailWorld({ settings: {} })
    const sub = await subOf(s)
    const user = await s.users('default').find(sub)
    if (user)
      await s
        .users('default')
        .update({ ...user, password_hash: null, updated_at: user.updated_at + 1 }, user.updated_at)
    await addApp(s, sub)
    await ask(s)
    expect(s.sent).toHaveLength(1)
    expect(s.sent[0]?.text).not.toContain('/login/reset')
    expect(s.sent[0]?.text).toContain('signs in with a passkey')
  })

  it('in a realm without passwords gets no link, and a link of before sets none', async () => {
    let settings: IdentitySettings = {}
    const s = await mailWorld({ settings })
    await ask(s)
    const url = lastLink(s)
    settings = { password: { enabled: false } }
    const passwordless = await mailWorld({
      settings,
      identity: { users: s.users, tickets: s.tickets, factors: s.factors },
    })
    expect((await browser(passwordless).get(url)).status).toBe(400)
    await ask(passwordless)
    expect(passwordless.sent[0]?.text).not.toContain('/login/reset')
    expect((await browser(s).get(url)).status).toBe(200)
  })
})

/** An authenticator app, with the switch that it turns on. */
async function addApp(s: Awaited<ReturnType<typeof mailWorld>>, sub: string): Promise<void> {
  const user = await s.users('default').find(sub)
  const factor = {
    factor_id: 'app',
    sub,
    kind: 'totp',
    label: 'App',
    created_at: s.clock.now,
    last_used_at: null,
    state: '0',
    data: {},
  } as const
  const change = { sub, add: [factor], second_step: true }
  await s
    .factors('default')
    .change(change, { credential_version: user?.credential_version ?? 0, now: s.clock.now })
}

it('a user with an address that is not one is sent nothing', async () => {
  for (const email of [
    'a@b\r\nBcc: x@evil.example',
    '"a b"@c.example',
    'a@b@c',
    'no address',
    42,
    'a,b@c.example',
    `${'x'.repeat(250)}@c.de`,
  ]) {
    const s = await mailWorld()
    await giveAddress(s, { email, email_verified: true })
    await ask(s)
    expect(s.sent).toEqual([])
  }
})
