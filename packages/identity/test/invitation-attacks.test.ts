/** Attacks on an invitation, and on an account that was invited. */

import { describe, expect, it } from 'vitest'
import { setDisabled, setPassword, updateUser, upsertUser } from '../src/index.js'
import { mailThrottles } from '../src/mail/index.js'
import {
  acceptWithPassword,
  BOB,
  BOBS_PASSWORD,
  bob,
  invite,
  invitingWorld,
  mailedLink,
  printedLink,
} from './_invitation.js'
import type { MailWorld } from './_mail.js'
import { ask } from './_mail.js'
import { linkFor, newPassword, openLink, pressLink, send } from './_recovery.js'
import { browser, plainPasswords, SECRET, tryLogin, withoutTokens } from './_setup.js'

const TICKET = 'https://id.example/login/ticket'
const passwords = plainPasswords
const WEEK = 604_800

/** Refused, to look at and to use, on the same page as any other bad link. */
async function expectBad(s: MailWorld, url: string): Promise<void> {
  const never = await browser(s).get(`${TICKET}?t=${'A'.repeat(88)}`)
  const page = await never.text()
  expect([never.status, page]).toEqual([400, expect.stringContaining('This link does not work')])
  const shown = await browser(s).get(url)
  expect([shown.status, await shown.text()]).toEqual([400, page])
  const t = new URL(url).searchParams.get('t') ?? ''
  const posted = await browser(s).post(TICKET, { action: 'begin', csrf_token: 'x', t })
  expect([posted.status, await posted.text()]).toEqual([400, page])
}

const KINDS = [
  ['mailed', mailedLink],
  ['handed over', printedLink],
] as const

describe.each(KINDS)('an invitation that is %s', (_, linkTo) => {
  it('stays good whatever reads its page: a mail scanner, a prefetch, a scripted browser', async () => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    const b = browser(s)
    for (const method of ['GET', 'HEAD', 'GET'])
      for (const headers of [{}, { purpose: 'prefetch', 'sec-purpose': 'prefetch' }])
        expect((await b.get(url, { method, headers })).status).toBe(200)
    expect((await bob(s)).claims.email_verified).toBeUndefined()
    expect((await acceptWithPassword(browser(s), url)).status).toBe(303)
    await expectBad(s, url)
  })

  it('is used by one of 50 parallel POSTs', async () => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    const b = browser(s)
    const form = await openLink(b, url)
    const answers = await Promise.all(Array.from({ length: 50 }, () => b.post(form.url, form.fields)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect(s.events.filter(({ type }) => type === 'invitation.used')).toHaveLength(1)
  })

  it('works for seven days, until the last second', async () => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    s.clock.now += WEEK - 1
    expect((await browser(s).get(url)).status).toBe(200)
    s.clock.now += 1
    await expectBad(s, url)
  })

  const CHANGES: Readonly<Record<string, (s: MailWorld, sub: string) => Promise<unknown>>> = {
    'a newer one': (s) => invite(s),
    'a newer one that is handed over': (s) => printedLink(s),
    'a password': (s, sub) =>
      setPassword(s.users('default'), { sub, password: BOBS_PASSWORD }, { passwords }),
    'the user is disabled': (s, sub) => setDisabled(s.users('default'), { sub, disabled: true }),
    'the user is disabled and enabled again': async (s, sub) => {
      await setDisabled(s.users('default'), { sub, disabled: true })
      await setDisabled(s.users('default'), { sub, disabled: false })
    },
    'a changed factor': async (s, sub) => {
      const { credential_version } = await bob(s)
      expect(await s.factors('default').change({ sub }, { credential_version, now: 5 })).toBe(true)
    },
    'the user is deleted': (s, sub) => s.users('default').delete(sub),
    'the user is deleted, and another one has the name': async (s, sub) => {
      await s.users('default').delete(sub)
      await upsertUser(s.users('default'), BOB, { passwords })
    },
    'the user is deleted, and another one of the name is invited': async (s, sub) => {
      await s.users('default').delete(sub)
      await invite(s)
    },
  }

  it.each(Object.entries(CHANGES))('is refused after: %s', async (__, change) => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    const b = browser(s)
    const form = await openLink(b, url)
    await change(s, (await bob(s)).sub)
    await expectBad(s, url)
    const answer = await b.post(form.url, form.fields)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('does not work')])
  })

  it('of another realm is unknown', async () => {
    const oidc = { routes: { realms: 'path' }, realms: { a: {}, b: {} } } as const
    const s = await invitingWorld({ oidc: { issuer: 'https://id.example', ...oidc }, mailing: ['a', 'b'] })
    const url = await linkTo(s, { realm: 'a' })
    expect(url.startsWith('https://id.example/realms/a/login/ticket?t=')).toBe(true)
    expect((await browser(s).get(url.replace('/realms/a/', '/realms/b/'))).status).toBe(400)
    expect((await browser(s).get(url)).status).toBe(200)
  })

  it('is stored as a hash alone', async () => {
    const s = await invitingWorld()
    const t = new URL(await linkTo(s)).searchParams.get('t') ?? ''
    expect(await s.tickets('default').find(t)).toBeNull()
    const [ticket] = await s.tickets('default').list({ purpose: 'invite', limit: 9 })
    expect(t).not.toContain(ticket?.ticket_hash)
    expect(ticket?.ticket_hash).not.toContain(t.slice(0, 43))
    expect(JSON.stringify(ticket)).not.toContain(BOB.email)
  })

  it('is not used by a form of another site, or without its cookie', async () => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    const b = browser(s)
    const form = await openLink(b, url)
    const elsewhere = await b.post(form.url, form.fields, { headers: { 'sec-fetch-site': 'cross-site' } })
    const other = await browser(s).post(form.url, form.fields)
    expect([elsewhere.status, other.status]).toEqual([403, 403])
    expect(await elsewhere.text()).toContain('<h1>Welcome</h1>')
    expect((await browser(s).get(url)).status).toBe(200)
  })

  it('leads to the issuer, whatever Host the browser sends', async () => {
    const s = await invitingWorld()
    const url = await linkTo(s)
    expect(url.startsWith(`${TICKET}?t=`)).toBe(true)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const b = browser(s)
    const form = await openLink(b, url)
    expect(await (await b.get(url, { headers })).text()).not.toContain('evil.example')
    expect((await b.post(form.url, form.fields, { headers })).headers.get('location')).toBe(TICKET)
  })
})

describe('the address of an invitation', () => {
  const giveEmail = async (s: MailWorld, email: string) =>
    updateUser(s.users('default'), {
      sub: (await bob(s)).sub,
      change: ({ claims }) => ({ claims: { ...claims, email } }),
    })

  it('that the account no longer has ends the link, which verifies no other one', async () => {
    const s = await invitingWorld()
    const url = await mailedLink(s)
    const b = browser(s)
    const form = await openLink(b, url)
    await giveEmail(s, 'victim@example.com')
    await expectBad(s, url)
    expect((await b.post(form.url, form.fields)).status).toBe(400)
    expect((await bob(s)).claims).toEqual({ email: 'victim@example.com' })
  })

  it('that changes while the link is used is not verified', async () => {
    const s = await invitingWorld()
    const url = await mailedLink(s)
    const users = s.users('default')
    const { update } = users
    let is_first = true
    users.update = async (user, expected) => {
      if (is_first) {
        is_first = false
        await giveEmail(s, 'victim@example.com')
      }
      return update(user, expected)
    }
    await pressLink(browser(s), url)
    users.update = update
    expect((await bob(s)).claims).toEqual({ email: 'victim@example.com' })
  })

  it('cannot be put into a link, taken out of it, or taken from another one', async () => {
    const s = await invitingWorld()
    const printed = new URL(await printedLink(s)).searchParams.get('t') ?? ''
    const mailed = new URL(await mailedLink(s)).searchParams.get('t') ?? ''
    const [random, address, tag] = [mailed.slice(0, 43), mailed.slice(43, 86), mailed.slice(86)]
    expect(printed).toHaveLength(45)
    for (const t of [
      random + tag,
      printed.slice(0, 43) + address + tag,
      random + 'A'.repeat(43) + tag,
      mailed + address,
    ])
      expect((await browser(s).get(`${TICKET}?t=${t}`)).status).toBe(400)
    expect((await browser(s).get(`${TICKET}?t=${mailed}`)).status).toBe(200)
  })

  it('is not verified by the link of an operator', async () => {
    const s = await invitingWorld()
    await invite(s)
    await acceptWithPassword(browser(s), await linkFor(s, { username: 'bob' }))
    expect((await bob(s)).claims).toEqual({ email: BOB.email })
  })
})

describe('before the link is used', () => {
  it('the account does not sign in, and looks like a name that nobody has', async () => {
    // Without passkeys, whose challenges differ from page to page.
    const s = await invitingWorld({ settings: { passkeys: { enabled: false }, second_factor: 'optional' } })
    await invite(s)
    const shown = async (username: string) => {
      const answer = await tryLogin(s, { username, password: BOBS_PASSWORD })
      const html = withoutTokens(await answer.text()).replace(/return_to=[^"]*/g, '')
      return { status: answer.status, html: html.replaceAll(username, 'NAME'), checks: s.counts.verify }
    }
    const [bobs, eves] = [await shown('bob'), await shown('eve')]
    expect({ ...bobs, checks: 2 }).toEqual(eves)
    expect(bobs).toMatchObject({ status: 422, html: expect.stringContaining('NAME'), checks: 1 })
  })

  it('the account gets no mail for a forgotten password, and the page is the same', async () => {
    const s = await invitingWorld()
    // The operator has seen a letter of Bob.
    await invite(s, { mailed: false, input: { email_verified: true } })
    const asked = await Promise.all(['bob', 'eve'].map((username) => ask(s, { username })))
    const [known, unknown] = asked.map(({ status, headers }) => [status, headers.get('location')])
    expect(known).toEqual(unknown)
    expect(s.sent).toEqual([])
    expect(s.events).toContainEqual(
      expect.objectContaining({
        type: 'mail.failed',
        mail: 'reset',
        reason: 'invited',
        next_attempt_at: null,
      }),
    )
    const { expires_at } = await invite(s, { mailed: false })
    s.clock.now = expires_at
    await ask(s, { username: 'bob' })
    expect(s.sent.map(({ to }) => to)).toEqual([BOB.email])
  })

  it('and after, the account gets one', async () => {
    const s = await invitingWorld()
    await acceptWithPassword(browser(s), await mailedLink(s))
    await s.deliver()
    const before = s.sent.length
    await ask(s, { username: 'bob' })
    expect(s.sent.slice(before).map(({ subject }) => subject)).toEqual(['Set a new password for id.example'])
  })
})

describe('a mail that waits', () => {
  it.each<[string, (s: MailWorld) => Promise<unknown>, string]>([
    ['the account is deleted', async (s) => s.users('default').delete((await bob(s)).sub), 'unknown_user'],
    [
      'the account is disabled',
      async (s) => setDisabled(s.users('default'), { sub: (await bob(s)).sub, disabled: true }),
      'disabled',
    ],
    ['a link is handed over instead', (s) => printedLink(s), 'changed_meanwhile'],
    [
      'the account has a password',
      async (s) =>
        setPassword(s.users('default'), { sub: (await bob(s)).sub, password: BOBS_PASSWORD }, { passwords }),
      'changed_meanwhile',
    ],
  ])('is not sent when %s', async (_, change, reason) => {
    const s = await invitingWorld()
    await invite(s)
    await change(s)
    await s.deliver()
    expect(s.sent).toEqual([])
    expect(s.events).toContainEqual(
      expect.objectContaining({ type: 'mail.failed', mail: 'invite', reason, next_attempt_at: null }),
    )
  })

  it('is sent again with the same link', async () => {
    const s = await invitingWorld()
    s.failures.push(new Error('no connection'))
    await invite(s)
    await s.deliver()
    expect(s.sent).toEqual([])
    s.clock.now += 10
    await s.deliver()
    expect(s.sent).toHaveLength(1)
  })
})

describe('the limits of an hour', () => {
  const inNewHour = async () => {
    const s = await invitingWorld()
    s.clock.now += 3600 - (s.clock.now % 3600)
    return s
  }

  it('three mails to one account, two accounts apart, and nothing is lost by the fourth', async () => {
    const s = await inNewHour()
    for (let n = 0; n < 3; n += 1) await invite(s)
    const before = [await bob(s), await s.tickets('default').list({ purpose: 'invite', limit: 9 })]
    s.clock.now += 600
    await expect(invite(s, { input: { name: 'Robert' } })).rejects.toThrow(
      /nothing was done\. Try again in 50 min$/,
    )
    expect([await bob(s), await s.tickets('default').list({ purpose: 'invite', limit: 9 })]).toEqual(before)
    await invite(s, { input: { username: 'cem' } })
    // It is no mail.
    await printedLink(s)
    const counters = mailThrottles({
      realm: 'default',
      throttle: s.storage('default').throttle,
      secret: SECRET,
    })
    const counted = await counters.list({ username: 'bob' }, s.clock.now)
    expect(counted).toEqual([
      { limit: 'mail_account (invitations)', mails: 3, maximum: 3, until: s.clock.now + 3000 },
    ])
    s.clock.now += 3000
    await invite(s)
  })

  it('operators have the quarter of the realm that strangers do not have', async () => {
    const s = await inNewHour()
    for (let n = 0; n < 6; n += 1) await invite(s, { per_hour: 8, input: { username: `u${n}` } })
    for (let n = 6; n < 8; n += 1) await invite(s, { per_hour: 8, input: { username: `u${n}` } })
    await expect(invite(s, { per_hour: 8, input: { username: 'u8' } })).rejects.toThrow(/used up/)
    expect(await s.users('default').findByUsername('u8')).toBeNull()
  })

  it('an input that is refused uses up no mail', async () => {
    const s = await inNewHour()
    for (let n = 0; n < 5; n += 1)
      await expect(invite(s, { input: { groups: [''] } })).rejects.toThrow(/groups/)
    for (let n = 0; n < 3; n += 1) await invite(s)
  })
})

it('a state that was begun by an invitation does not outlive a change of the account', async () => {
  const s = await invitingWorld()
  const b = browser(s)
  const html = await pressLink(b, await mailedLink(s))
  await setDisabled(s.users('default'), { sub: (await bob(s)).sub, disabled: true })
  const answer = await send(b, html, { action: 'password', ...newPassword(BOBS_PASSWORD) })
  expect(answer.status).toBe(400)
})
