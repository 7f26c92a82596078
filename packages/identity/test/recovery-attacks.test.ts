/** Attacks on the operator's link, and on the pages after it. */

import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword, upsertUser } from '../src/index.js'
import { NEW_PASSWORD, signedIn, subOf } from './_account.js'
import { addPasskey, sessionOf, syncedPasskey, withFactors } from './_factors.js'
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
import { type Browser, browser, plainPasswords, type Setup, setup } from './_setup.js'

const TICKET = 'https://id.example/login/ticket'
const BAD = 'This link does not work'
const passwords = plainPasswords
const start = () => setup({ stored: plainPasswords, identity: { passwords } })

/** The link is refused, to look at and to use, on the same page as any other bad one. */
async function expectBad(s: Setup, url: string): Promise<void> {
  const never = await browser(s).get(`${TICKET}?t=${'A'.repeat(45)}`)
  const page = await never.text()
  expect([never.status, page]).toEqual([400, expect.stringContaining(BAD)])
  const b = browser(s)
  const shown = await b.get(url)
  expect([shown.status, await shown.text()]).toEqual([400, page])
  const t = new URL(url).searchParams.get('t') ?? ''
  const posted = await b.post(TICKET, { action: 'begin', csrf_token: 'x', t })
  expect([posted.status, await posted.text()]).toEqual([400, page])
}

const isGood = async (s: Setup, url: string) => (await browser(s).get(url)).status === 200

describe('a ticket', () => {
  it('stays good whatever reads its page: a mail scanner, a prefetch, a scripted browser', async () => {
    const s = await start()
    const old = await signedIn(s)
    const url = await linkFor(s)
    const b = browser(s)
    for (const method of ['GET', 'HEAD', 'GET'])
      for (const headers of [{}, { purpose: 'prefetch', 'sec-purpose': 'prefetch' }])
        expect((await b.get(url, { method, headers })).status).toBe(200)
    expect((await b.get(url, { method: 'PUT' })).status).toBe(405)
    expect(await sessionOf(s, old)).not.toBeNull()
    expect(await pressLink(browser(s), url)).toContain('How will you sign in')
  })

  it('is used by one of 50 parallel POSTs', async () => {
    const s = await start()
    const url = await linkFor(s)
    const b = browser(s)
    const form = await openLink(b, url)
    const answers = await Promise.all(Array.from({ length: 50 }, () => b.post(form.url, form.fields)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect(s.events.filter(({ type }) => type === 'recovery.started')).toHaveLength(1)
    await expectBad(s, url)
  })

  it('works until its last second', async () => {
    const s = await start()
    const url = await linkFor(s)
    s.clock.now += 3599
    expect(await isGood(s, url)).toBe(true)
    s.clock.now += 1
    await expectBad(s, url)
  })

  const CHANGES: Readonly<Record<string, (s: Setup, sub: string) => Promise<unknown>>> = {
    'a newer ticket': (s) => linkFor(s),
    'a new password': (s, sub) =>
      setPassword(s.users('default'), { sub, password: NEW_PASSWORD }, { passwords }),
    'the user is disabled': (s, sub) => setDisabled(s.users('default'), { sub, disabled: true }),
    'the user is disabled and enabled again': async (s, sub) => {
      await setDisabled(s.users('default'), { sub, disabled: true })
      await setDisabled(s.users('default'), { sub, disabled: false })
    },
    'a changed factor': async (s, sub) => {
      const user = await s.users('default').find(sub)
      const credential_version = user?.credential_version ?? -1
      expect(await s.factors('default').change({ sub }, { credential_version, now: 5 })).toBe(true)
    },
    'the user is deleted': (s, sub) => s.users('default').delete(sub),
    'the user is deleted, and another one has the name': async (s, sub) => {
      await s.users('default').delete(sub)
      await upsertUser(s.users('default'), { username: 'ada', password: NEW_PASSWORD }, { passwords })
    },
  }

  it.each(Object.entries(CHANGES))('is refused after: %s', async (_, change) => {
    const s = await start()
    const url = await linkFor(s)
    const b = browser(s)
    const form = await openLink(b, url)
    await change(s, await subOf(s))
    await expectBad(s, url)
    const answer = await b.post(form.url, form.fields)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(BAD)])
  })

  it('is refused when the account changes between the look and the use', async () => {
    const s = await start()
    const url = await linkFor(s)
    const b = browser(s)
    const form = await openLink(b, url)
    const tickets = s.tickets('default')
    const sub = await subOf(s)
    const { take } = tickets
    tickets.take = async (hash) => {
      await setDisabled(s.users('default'), { sub, disabled: true })
      return take(hash)
    }
    expect((await b.post(form.url, form.fields)).status).toBe(400)
    tickets.take = take
  })

  it('of another realm is unknown', async () => {
    const s = await setup({
      stored: plainPasswords,
      identity: { passwords },
      oidc: { issuer: 'https://id.example', routes: { realms: 'path' }, realms: { a: {}, b: {} } },
    })
    const url = await linkFor(s, { realm: 'a' })
    expect(url.startsWith('https://id.example/realms/a/login/ticket?t=')).toBe(true)
    expect((await browser(s).get(url.replace('/realms/a/', '/realms/b/'))).status).toBe(400)
    expect(await isGood(s, url)).toBe(true)
    // Neither is the state of a recovery.
    const b = browser(s)
    await pressLink(b, url)
    expect((await b.get('https://id.example/realms/a/login/ticket')).status).toBe(200)
    expect((await b.get('https://id.example/realms/b/login/ticket')).status).toBe(400)
  })

  it('that is malformed asks no storage', async () => {
    const s = await start()
    const calls: string[] = []
    const spied = s.tickets('default')
    const { find } = spied
    spied.find = (hash) => {
      calls.push(hash)
      return find(hash)
    }
    const good = new URL(await linkFor(s)).searchParams.get('t') ?? ''
    for (const t of [
      '',
      'x',
      good.slice(0, -1),
      `${good}A`,
      `${good} `,
      `${good.slice(0, -1)}=`,
      '%00'.repeat(45),
    ])
      expect((await browser(s).get(`${TICKET}?${new URLSearchParams({ t })}`)).status).toBe(400)
    expect((await browser(s).get(`${TICKET}?t=${good}&t=${good}`)).status).toBe(400)
    expect((await browser(s).get(TICKET)).status).toBe(400)
    expect(calls).toEqual([])
    expect((await browser(s).get(`${TICKET}?t=${good}`)).status).toBe(200)
    expect(calls).toHaveLength(1)
  })

  it('its link has the issuer, whatever Host the browser sends', async () => {
    const s = await start()
    const url = await linkFor(s)
    expect(url.startsWith(`${TICKET}?t=`)).toBe(true)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const html = await (await browser(s).get(url, { headers })).text()
    expect(html).not.toContain('evil.example')
    const b = browser(s)
    const form = await openLink(b, url)
    expect((await b.post(form.url, form.fields, { headers })).headers.get('location')).toBe(TICKET)
  })

  it('is stored as a hash alone', async () => {
    const s = await start()
    const t = new URL(await linkFor(s)).searchParams.get('t') ?? ''
    expect(t).toMatch(/^[\w-]{45}$/)
    expect(await s.tickets('default').find(t)).toBeNull()
  })

  it('is not used by a form of another site', async () => {
    const s = await start()
    const url = await linkFor(s)
    const b = browser(s)
    const form = await openLink(b, url)
    const elsewhere = await b.post(form.url, form.fields, { headers: { 'sec-fetch-site': 'cross-site' } })
    const other = await browser(s).post(form.url, form.fields)
    expect([elsewhere.status, other.status]).toEqual([403, 403])
    expect(await isGood(s, url)).toBe(true)
    expect(s.events).toContainEqual(expect.objectContaining({ type: 'recovery.refused', reason: 'csrf' }))
  })
})

describe('the pages after a link', () => {
  const copy = (s: Setup, from: Browser): Browser => {
    const b = browser(s)
    for (const [name, value] of from.cookies) b.cookies.set(name, value)
    return b
  }

  it('a copied state ends with the first of its browsers', async () => {
    const s = await start()
    const { b, html } = await begun(s)
    const thief = copy(s, b)
    const set = await follow(b, await send(b, html, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    expect((await thief.get(TICKET)).status).toBe(400)
    const second = copy(s, b)
    expect((await send(b, set, { action: 'finish' })).status).toBe(303)
    expect((await send(second, set, { action: 'finish' })).status).toBe(400)
    expect(await sessionOf(s, second)).toBeNull()
  })

  it('the state alone does nothing in a browser without the cookie of its forms', async () => {
    const s = await start()
    const { b, html } = await begun(s)
    const thief = browser(s)
    for (const [name, value] of b.cookies) if (name.includes('recovery')) thief.cookies.set(name, value)
    const answer = await send(thief, html, { action: 'password', ...newPassword(NEW_PASSWORD) })
    expect(answer.status).toBe(403)
    expect(s.counts.hash).toBe(0)
  })

  it.each([
    [
      'a new password',
      (s: Setup, sub: string) =>
        setPassword(s.users('default'), { sub, password: NEW_PASSWORD }, { passwords }),
    ],
    [
      'a disabled account',
      (s: Setup, sub: string) => setDisabled(s.users('default'), { sub, disabled: true }),
    ],
  ])('%s from elsewhere ends the recovery', async (_, change) => {
    const s = await start()
    const { b, html } = await begun(s)
    await change(s, await subOf(s))
    expect((await send(b, html, { action: 'password', ...newPassword('another long one') })).status).toBe(400)
    expect((await b.get(TICKET)).status).toBe(400)
  })

  it('they last 600 seconds', async () => {
    const s = await start()
    const { b } = await begun(s)
    s.clock.now += 599
    expect((await b.get(TICKET)).status).toBe(200)
    const state = copy(s, b)
    s.clock.now += 1
    expect((await b.get(TICKET)).status).toBe(400)
    // Whatever the browser keeps.
    expect((await state.get(TICKET)).status).toBe(400)
  })

  it('a forged state is none', async () => {
    const s = await start()
    const { b } = await begun(s)
    const [name, value] = [...b.cookies].find(([key]) => key.includes('recovery')) ?? ['', '']
    const at = value.length - 10
    b.cookies.set(name, value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1))
    expect((await b.get(TICKET)).status).toBe(400)
  })

  it('no step is there without the link, and no other action', async () => {
    const s = await withFactors()
    await addPasskey(s, await signedIn(s), syncedPasskey())
    const sub = await subOf(s)
    const before = [await s.users('default').find(sub), await s.factors('default').list(sub)]
    const token = { csrf_token: 'x' }
    for (const action of [
      'decide',
      'enrol',
      'enrolled',
      'password',
      'finish',
      'download',
      'saved',
      'rename_factor',
    ])
      expect((await browser(s).post(TICKET, { ...token, action, ...newPassword(NEW_PASSWORD) })).status).toBe(
        400,
      )
    const { b, html } = await begun(s)
    const [factor_id = ''] = asked(html)
    const { csrf_token } = { csrf_token: /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '' }
    for (const action of ['rename_factor', 'remove_factor', 'new_codes', 'unknown'])
      expect((await b.post(TICKET, { csrf_token, action, factor_id, label: 'mine' })).status).toBe(400)
    expect([await s.users('default').find(sub), await s.factors('default').list(sub)]).toEqual(before)
    expect((await b.post(TICKET, { csrf_token, action: 'saved' })).status).toBe(200)
    expect(await sessionOf(s, b)).toBeNull()
  })

  it('a session that began meanwhile with the old password ends', async () => {
    const s = await start()
    const { b, html } = await begun(s)
    const thief = await signedIn(s)
    expect(await sessionOf(s, thief)).not.toBeNull()
    const set = await follow(b, await send(b, html, { action: 'password', ...newPassword(NEW_PASSWORD) }))
    await send(b, set, { action: 'finish' })
    expect(await sessionOf(s, thief)).toBeNull()
    expect(await sessionOf(s, b)).not.toBeNull()
  })

  it('a name with markup is text', async () => {
    const s = await withFactors()
    const sub = await subOf(s)
    await addPasskey(s, await signedIn(s), syncedPasskey())
    const factors = await s.factors('default').list(sub)
    const passkey = factors.find(({ kind }) => kind === 'passkey')
    await s.factors('default').rename(passkey?.factor_id ?? '', '<b>x</b>')
    const { html } = await begun(s)
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(decideAll(html, 'keep')).not.toEqual({})
  })
})
