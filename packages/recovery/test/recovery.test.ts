/** The way back by mail: with a recovery code at once, without one after the delay. */

import { authenticatorApp } from '@ostiary/test-kit/authenticators/app'
import { describe, expect, it } from 'vitest'
import { createRecovery, recoveryFaults } from '../src/index.js'
import {
  type AtBrowser,
  browserAt,
  CODE,
  DELAY,
  FLOW,
  lastLink,
  linkAfterDelay,
  linkFor,
  linkIn,
  PASSWORD,
  type Place,
  place,
  types,
  waitingFor,
} from './_place.js'

/** A form of the pages that follow. */
async function send(b: AtBrowser, action: string, fields: Record<string, string> = {}): Promise<Response> {
  const html = await b.text(FLOW)
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? ''
  return b.post(FLOW, { csrf_token, action, ...fields })
}

/** Decides, sets a password, and ends the recovery of this browser. The answer of the last form. */
async function choose(b: AtBrowser): Promise<Response> {
  const html = await b.text(FLOW)
  expect(html).not.toMatch(/<input type="radio"[^>]*checked/)
  const ids = [...new Set([...html.matchAll(/type="radio" name="([^"]*)"/g)].map(([, id = '']) => id))]
  expect(ids).toHaveLength(1)
  await send(b, 'decide', Object.fromEntries(ids.map((id) => [id, 'remove'])))
  await send(b, 'password', { new_password: `new ${PASSWORD}`, new_password_again: `new ${PASSWORD}` })
  return send(b, 'finish')
}

/** The same with an authenticator app, which has a level of its own at the sign-in at the end. */
async function chooseApp(p: Place, b: AtBrowser): Promise<Response> {
  const html = await b.text(FLOW)
  const ids = [...html.matchAll(/type="radio" name="([^"]*)" value="keep"/g)].map(([, id = '']) => id)
  await send(b, 'decide', Object.fromEntries(ids.map((id) => [id, 'keep'])))
  const page = await (await send(b, 'enrol', { method: 'totp' })).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const key = /secret=([A-Z2-7]+)/.exec(page)?.[1] ?? /<code[^>]*>([A-Z2-7 ]+)</.exec(page)?.[1] ?? ''
  await b.post(FLOW, {
    csrf_token: field('csrf_token'),
    action: 'enrolled',
    method: 'totp',
    totp_secret: field('totp_secret'),
    code: authenticatorApp(key.replaceAll(' ', '')).code(p.clock.now),
  })
  await send(b, 'finish')
  return send(b, 'saved')
}

describe('the mail', () => {
  it('for an account with passkeys and no password has the link of a recovery', async () => {
    const p = await place()
    const link = await linkFor(p, 'ann')
    const [mail] = p.sent
    expect(link).toMatch(/^https:\/\/id\.example\/login\/regain\?t=[\w-]{88}$/)
    expect([mail?.to, mail?.subject]).toEqual(['ann@corp.example', 'Get back into your account – id.example'])
    expect(mail?.text).not.toContain('/login/reset')
    expect(mail?.html).toContain('Get back into your account</a>')
  })

  it('for an account with a password and a factor has the link for a new password, and that of a recovery', async () => {
    const p = await place()
    await linkFor(p, 'cem')
    expect(p.sent[0]?.text).toMatch(
      /\/login\/reset\?t=[\s\S]*If you have lost your passkey or your app[\s\S]*\/login\/regain\?t=/,
    )
  })

  it('for an account with a password alone is that for a new password', async () => {
    const [on, off] = [await place(), await place({ recovery: null })]
    for (const p of [on, off]) {
      await browserAt(p).ask('dan')
      await p.deliver()
    }
    const texts = [on, off].map(({ sent }) => sent[0]?.text.replace(/t=\S+/, ''))
    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toContain('/login/reset')
  })

  it.each([
    ['de', 'Zurück in Ihr Konto – id.example', 'Wiederherstellungscode'],
    ['fr', 'Retrouver votre compte – id.example', 'codes de secours'],
  ])('and the pages are in the language of the browser: %s', async (language, subject, word) => {
    const p = await place()
    const headers = { 'accept-language': language }
    await browserAt(p).ask('ann', headers)
    await p.deliver()
    expect(p.sent[0]?.subject).toBe(subject)
    const html = await (await browserAt(p).send(linkIn(p.sent[0], 't'), { headers })).text()
    expect(html).toContain(word)
  })
})

describe('with a recovery code', () => {
  it('the user gets in at once, and chooses anew: sessions end, and what is removed is gone', async () => {
    const p = await place()
    const before = browserAt(p)
    await before.enter(await p.user('ann'))
    const link = await linkFor(p, 'ann')
    const b = browserAt(p)
    expect((await b.useCode(link)).headers.get('location')).toBe(FLOW)
    expect((await before.send('/account')).headers.get('location')).toContain('/login')
    const end = await choose(b)
    expect([end.status, end.headers.get('location')]).toEqual([303, 'https://id.example/account'])
    const { sub } = await p.user('ann')
    expect(await p.factors('default').list(sub)).toEqual([])
    expect(types(p).filter((type) => type !== 'mail.sent')).toEqual([
      'recovery.requested',
      'recovery_codes.used',
      'recovery.started',
      'recovery.password_set',
      'factor.removed',
      'recovery.completed',
    ])
    expect(p.events).toContainEqual(expect.objectContaining({ type: 'recovery.started', sub, by: 'code' }))
    expect((await browserAt(p).signIn('ann')).status).toBe(422)
  })

  it('a recovery that waited ends', async () => {
    const p = await place()
    await waitingFor(p, 'ann')
    await browserAt(p).useCode(await linkFor(p, 'ann'))
    const { sub } = await p.user('ann')
    expect(await p.tickets('default').findOf(sub, 'wait')).toBeNull()
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'recovery.cancelled', reason: 'newer', sub }),
    )
  })
})

describe('without a code', () => {
  it('the user waits: a mail at once, one before the end, and one with the link at the end', async () => {
    const p = await place()
    const begun_at = p.clock.now
    const link = await linkFor(p, 'bob')
    const b = browserAt(p)
    const page = await (await b.follow(await b.wait(link))).text()
    expect(page).toContain('The waiting time has begun')
    const { sub } = await p.user('bob')
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'recovery.requested', sub, until: begun_at + DELAY }),
    )
    await p.deliver()
    const subjects = () => p.sent.map(({ subject }) => subject)
    const NOTICE = 'A recovery of your account waits – id.example'
    const FIRST = 'Get back into your account – id.example'
    expect(subjects()).toEqual([FIRST, NOTICE])
    expect(p.sent.at(-1)?.text).not.toContain('regain?t=')
    p.clock.now = begun_at + DELAY * 0.75 - 1
    await p.deliver()
    expect(subjects()).toHaveLength(2)
    p.clock.now += 1
    await p.deliver()
    expect(subjects()).toEqual([FIRST, NOTICE, NOTICE])
    p.clock.now = begun_at + DELAY - 1
    await p.deliver()
    expect(subjects()).toHaveLength(3)
    p.clock.now += 1
    await p.deliver()
    expect(subjects()).toEqual([FIRST, NOTICE, NOTICE, FIRST])
    expect(await p.queue.page({ limit: 9 })).toEqual([])
    expect((await b.begin(lastLink(p, 't'))).headers.get('location')).toBe(FLOW)
    expect(p.events).toContainEqual(expect.objectContaining({ type: 'recovery.started', sub, by: 'delay' }))
  })

  it('the sign-in at the end has level 1, and all other sessions have ended', async () => {
    const p = await place()
    const before = browserAt(p)
    await before.enter(await p.user('bob'))
    const b = browserAt(p)
    await b.begin(await linkAfterDelay(p, 'bob'))
    expect((await before.send('/account')).headers.get('location')).toContain('/login')
    expect((await choose(b)).headers.get('location')).toBe('https://id.example/account')
    const { sub } = await p.user('bob')
    const [session, ...others] = await p.storage('default').sessions.list(sub)
    expect(others).toEqual([])
    expect(session).toMatchObject({ amr: ['otp'], acr: '1' })
  })

  it.each([
    ['after the delay it has level 1', 'bob', { amr: ['otp'], acr: '1' }],
    ['with a recovery code it has level 2', 'ann', { amr: ['otp', 'mfa'], acr: '2' }],
  ])('with a new factor, too: %s', async (_, name, session) => {
    const p = await place()
    const b = browserAt(p)
    if (name === 'ann') await b.useCode(await linkFor(p, name))
    else await b.begin(await linkAfterDelay(p, name))
    expect((await chooseApp(p, b)).headers.get('location')).toBe('https://id.example/account')
    const { sub } = await p.user(name)
    expect(await p.storage('default').sessions.list(sub)).toMatchObject([session])
  })

  it('the delay is that of the settings', async () => {
    const p = await place({ recovery: { mail: true, delay: 3600 } })
    await waitingFor(p, 'bob')
    p.clock.now += 3600
    await p.deliver()
    expect((await browserAt(p).begin(lastLink(p, 't'))).headers.get('location')).toBe(FLOW)
  })
})

describe('a recovery that waits', () => {
  it('is shown on the account page of every session, whose button cancels it', async () => {
    const p = await place()
    const user = await p.user('bob')
    const browsers = [browserAt(p), browserAt(p)]
    for (const b of browsers) await b.enter(user)
    expect(await browsers[0]?.text('/account')).not.toContain('A recovery of this account')
    await waitingFor(p, 'bob')
    for (const b of browsers) {
      const html = await b.text('/account')
      expect(html).toContain('A recovery of this account was requested by email')
      expect(html).toContain('2027')
    }
    const [b, other] = browsers
    if (!b) throw new Error('a browser')
    const html = await b.text('/account')
    const [, form = ''] = /<form method="post" action="\/login\/regain">([\s\S]*?)<\/form>/.exec(html) ?? []
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const answer = await b.post(b.regain, Object.fromEntries(fields))
    expect(answer.headers.get('location')).toBe('https://id.example/account')
    expect(await other?.text('/account')).not.toContain('A recovery of this account')
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'recovery.cancelled', reason: 'session', sub: user.sub }),
    )
    p.clock.now += DELAY
    const mails = p.sent.length
    await p.deliver()
    expect(p.sent).toHaveLength(mails)
  })

  it('is shown before a sign-in goes on, which then goes on to the application', async () => {
    const p = await place()
    await waitingFor(p, 'cem')
    const b = browserAt(p)
    const answer = await b.signIn('cem')
    expect(answer.headers.get('location')).toContain('https://id.example/login/regain?next=')
    const html = await (await b.follow(answer)).text()
    expect(html).toContain('A recovery of this account was requested by email')
    const location = /href="([^"]*)">Go on without cancelling/.exec(html)?.[1] ?? ''
    expect((await b.send(location.replaceAll('&amp;', '&'))).headers.get('location')).toContain(
      'https://app.example/cb?code=',
    )
    const again = browserAt(p)
    const stopped = await (await again.follow(await again.signIn('cem'))).text()
    const [, form = ''] =
      /<form method="post" action="\/login\/regain">([\s\S]*?)<\/form>/.exec(stopped) ?? []
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const sent = Object.fromEntries(fields)
    // A form that is not confirmed does not lead on.
    const foreign = await again.post(again.regain, sent, { 'sec-fetch-site': 'cross-site' })
    expect(await (await again.follow(foreign)).text()).toContain('A recovery of this account was requested')
    const cancelled = await again.post(again.regain, sent)
    expect((await again.follow(cancelled)).headers.get('location')).toContain('https://app.example/cb?code=')
    expect((await browserAt(p).signIn('cem')).headers.get('location')).not.toContain('regain')
  })

  it.each([
    [2 * DELAY - 1, 200],
    [2 * DELAY, 400],
  ])('after %i seconds, the link that cancels: %i', async (seconds, status) => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    p.clock.now += seconds
    expect((await browserAt(p).send(cancel)).status).toBe(status)
  })

  it('ends with the link in its mails: GET shows a button, POST cancels', async () => {
    const p = await place()
    const { cancel } = await waitingFor(p, 'bob')
    const b = browserAt(p)
    expect(await b.text(cancel)).toContain('Cancel the recovery</button>')
    const { sub } = await p.user('bob')
    expect(await p.tickets('default').findOf(sub, 'wait')).not.toBeNull()
    const answer = await b.cancel(cancel)
    expect(await (await b.follow(answer)).text()).toContain('The recovery is cancelled')
    expect(await p.tickets('default').findOf(sub, 'wait')).toBeNull()
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'recovery.cancelled', reason: 'not_me', sub }),
    )
    // A second time, the page does not say that it has cancelled something.
    const second = await b.follow(await b.cancel(cancel))
    expect([second.status, await second.text()]).toEqual([409, expect.stringContaining('No recovery waits')])
  })
})

it('off: the pages and the mails are those without the package', async () => {
  const [none, off] = [await place({ recovery: null }), await place({ recovery: { mail: false } })]
  const seen = []
  for (const p of [none, off]) {
    const b = browserAt(p)
    await b.enter(await p.user('cem'))
    const pages = []
    for (const path of ['/account', '/login/recover', '/login/regain', '/login?return_to=/account'])
      pages.push((await (await b.send(path)).text()).replace(/(?:value|data-options)="[^"]*"/g, ''))
    await b.ask('ann')
    await p.deliver()
    seen.push([pages, p.sent.map(({ text, subject }) => [text, subject])])
  }
  const [first, second] = seen
  expect(first).toEqual(second)
  expect(JSON.stringify(first)).not.toContain('regain')
})

it('where there are no passwords, the sign-in page leads to it', async () => {
  const settings = { password: { enabled: false } }
  const on = await browserAt(await place({ settings })).text('/login?return_to=/account')
  expect(on).toMatch(/href="\/login\/recover\?return_to=[^"]*">Get back into your account/)
  const off = await browserAt(await place({ settings, recovery: null })).text('/login?return_to=/account')
  expect(off).not.toContain('/login/recover')
})

describe('the settings', () => {
  it.each([
    [{ mail: true }, []],
    [{ mail: true, delay: 3600 }, []],
    [{ mail: true, delay: 2_592_000 }, []],
    [{ mail: false }, []],
    [{ mail: true, delay: 3599 }, ['delay: give a whole number of seconds from 3600 to 2592000']],
    [{ mail: true, delay: 2_592_001 }, ['delay: give a whole number of seconds from 3600 to 2592000']],
    [{ mail: true, delay: 3600.5 }, ['delay: give a whole number of seconds from 3600 to 2592000']],
    [
      { mail: false, delay: 3600 },
      ['delay: it has no effect while identity.recovery.mail is false: set that to true, or remove this key'],
    ],
    [{ mail: 'yes' as unknown as boolean }, ['mail: give true or false']],
  ])('%j: %j', (settings, faults) => {
    expect(
      recoveryFaults(settings, 'identity.recovery.').map(({ path, message }) => `${path}: ${message}`),
    ).toEqual(faults)
  })

  it('createRecovery names the fault and its realm', () => {
    expect(() => createRecovery({ realms: { one: { mail: true, delay: 1 } } })).toThrow(/realms\.one\.delay/)
    const unknown = { mail: true, dely: 7200 }
    expect(() => createRecovery({ realms: { one: unknown } })).toThrow(/realms\.one\.dely: there is no such/)
  })

  it.each([['mail'], ['factors']])('createIdentity refuses the option without %s', async (name) => {
    await expect(place({ identity: { [name]: undefined } })).rejects.toThrow(
      /recovery: it needs mail and factors/,
    )
  })

  it('a code is not asked for where the realm does not have the recovery', async () => {
    const p = await place({ recovery: { mail: false } })
    expect((await browserAt(p).send(`/login/regain?t=${'x'.repeat(88)}`)).status).toBe(404)
    expect(CODE).toHaveLength(19)
  })
})
