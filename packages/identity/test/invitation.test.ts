/** An invitation: the account that it makes, the mail, its page, and the way from there to a session. */

import { describe, expect, it } from 'vitest'
import { createUser, inviteUser, setDisabled, setPassword } from '../src/index.js'
import { openTicket } from '../src/users/invitation.js'
import { signedIn } from './_account.js'
import {
  codesIn,
  createWith,
  passkeyFormOf,
  sessionOf,
  signedInWithPasskey,
  syncedPasskey,
} from './_factors.js'
import {
  acceptWithPassword,
  BOB,
  BOBS_PASSWORD,
  bob,
  invite,
  invitingWorld,
  linkOf,
  mailedLink,
  printedLink,
} from './_invitation.js'
import { FROM } from './_mail.js'
import { follow, newPassword, pressLink, send } from './_recovery.js'
import { browser, plainPasswords, SECRET, setup } from './_setup.js'

const WEEK = 604_800

/** Accepts with a passkey. Returns the recovery codes, and the page that shows them. */
async function acceptWithPasskey(b: ReturnType<typeof browser>, url: string, credential = syncedPasskey()) {
  const html = await pressLink(b, url)
  const page = await (await send(b, html, { action: 'enrol', method: 'passkey' })).text()
  const added = await follow(b, await createWith(b, { form: passkeyFormOf(page), credential }))
  const last = await (await send(b, added, { action: 'finish' })).text()
  return { html, codes: codesIn(last), last }
}

describe('an invitation by mail', () => {
  it('goes to the address alone, in the language of the user, and is from the issuer', async () => {
    const s = await invitingWorld()
    const invited = await invite(s, { input: { locale: 'de-CH', name: 'Bob' } })
    expect(invited).toMatchObject({ again: false, url: null, expires_at: s.clock.now + WEEK })
    expect(invited.user).toMatchObject({ username: 'Bob', password_hash: null, disabled_at: null })
    expect(s.sent).toEqual([])
    await s.deliver()
    expect(s.sent).toHaveLength(1)
    const [mail] = s.sent
    expect(mail).toMatchObject({
      to: BOB.email,
      from: FROM,
      subject: 'Für Sie wurde ein Konto bei id.example angelegt: Bob',
    })
    expect(mail?.text).toContain('Für Sie wurde ein Konto bei id.example angelegt: Bob')
    expect(linkOf(s)).toMatch(/^https:\/\/id\.example\/login\/ticket\?t=[\w-]{88}$/)
    expect(mail?.html).toContain('lang="de"')
    expect(mail?.html).toContain(linkOf(s))
    expect(mail?.html).not.toMatch(/<img|http:/)
    expect(s.events).toContainEqual(
      expect.objectContaining({ type: 'mail.sent', mail: 'invite', sub: invited.user.sub }),
    )
    expect(JSON.stringify(s.events)).not.toContain(BOB.email)
  })

  it.each([
    ['without a language', {}, 'An account at id.example was made for you: Bob'],
    ['in a language that there is not', { locale: 'xx' }, 'An account at id.example was made for you: Bob'],
    [
      'with a language that is no tag',
      { locale: '\r\nBcc: x' },
      'An account at id.example was made for you: Bob',
    ],
    ['in French', { locale: 'fr' }, 'Un compte chez id.example a été créé pour vous\u00a0: Bob'],
  ])('%s', async (_, input, subject) => {
    const s = await invitingWorld()
    await invite(s, { input })
    await s.deliver()
    expect(s.sent.map((mail) => mail.subject)).toEqual([subject])
  })

  it('leads to a passkey, recovery codes and the account page, with a verified address and no password', async () => {
    const s = await invitingWorld()
    const b = browser(s)
    const credential = syncedPasskey()
    const { html, codes, last } = await acceptWithPasskey(b, await mailedLink(s), credential)
    expect(html).toContain('How will you sign in')
    expect(html.indexOf('value="passkey"')).toBeLessThan(html.indexOf('new_password'))
    expect(codes).toHaveLength(10)
    const end = await send(b, last, { action: 'saved' })
    expect([end.status, end.headers.get('location')]).toEqual([303, 'https://id.example/account'])
    expect(await sessionOf(s, b)).toMatchObject({ acr: '2' })
    expect(await bob(s)).toMatchObject({
      password_hash: null,
      claims: { email: BOB.email, email_verified: true },
    })
    expect(await sessionOf(s, await signedInWithPasskey(s, credential))).not.toBeNull()
    const types = s.events.map(({ type }) => type)
    expect(types).toContain('invitation.used')
    expect(types.filter((type) => type.startsWith('recovery.'))).toEqual([])
  })

  it('used before, leads to the sign-in: who has finished needs no other link', async () => {
    const s = await invitingWorld()
    const link = await mailedLink(s)
    await acceptWithPassword(browser(s), link)
    const html = await (await browser(s).get(link)).text()
    expect(html).toContain('If you cannot sign in, please ask your administrator for another link.')
    expect(html).toContain('<a class="switch" href="/account">Sign in</a>')
  })

  it('leads to a password too', async () => {
    const s = await invitingWorld()
    const b = browser(s)
    const end = await acceptWithPassword(b, await mailedLink(s))
    expect([end.status, end.headers.get('location')]).toEqual([303, 'https://id.example/account'])
    expect(await sessionOf(s, await signedIn(s, { username: 'bob', password: BOBS_PASSWORD }))).not.toBeNull()
    expect((await bob(s)).claims.email_verified).toBe(true)
  })

  it('leads to a password in an application without factors and without an account page', async () => {
    const s = await invitingWorld({ settings: undefined as never, identity: { account: false } })
    const end = await acceptWithPassword(browser(s), await mailedLink(s))
    expect([end.status, await end.text()]).toEqual([
      200,
      expect.stringContaining('From now on, sign in with what you have chosen.'),
    ])
    expect((await bob(s)).password_hash).not.toBeNull()
  })

  it('ends with the page that says so when it is loaded again', async () => {
    const s = await invitingWorld()
    const b = browser(s)
    await acceptWithPasskey(b, await mailedLink(s))
    const page = await (await b.get('https://id.example/login/ticket')).text()
    expect(page).toContain('<h1>Welcome</h1>')
    expect(page).toContain('From now on, sign in with what you have chosen.')
  })

  it('keeps to what the realm requires: a second factor, also where only the invited may add the first one', async () => {
    const s = await invitingWorld({ settings: { second_factor: 'required', enrolment: 'invited' } })
    const b = browser(s)
    const html = await pressLink(b, await mailedLink(s))
    const set = await follow(b, await send(b, html, { action: 'password', ...newPassword(BOBS_PASSWORD) }))
    expect(set).toContain('needs a second way')
    expect(set).not.toContain('value="finish"')
    const page = await (await send(b, set, { action: 'enrol', method: 'passkey' })).text()
    const credential = syncedPasskey()
    const added = await follow(b, await createWith(b, { form: passkeyFormOf(page), credential }))
    expect(codesIn(await (await send(b, added, { action: 'finish' })).text())).toHaveLength(10)
  })

  it('offers no password in a realm without passwords', async () => {
    const s = await invitingWorld({ settings: { password: { enabled: false } } })
    const html = await pressLink(browser(s), await mailedLink(s))
    expect(html).toContain('value="passkey"')
    expect(html).not.toContain('new_password')
  })

  it('tells the new user of each change by mail from then on, and of no recovery', async () => {
    const s = await invitingWorld()
    await acceptWithPasskey(browser(s), await mailedLink(s))
    await s.deliver()
    const texts = s.sent.slice(1).map((mail) => mail.text)
    expect(texts.join('')).toContain('A passkey was added.')
    expect(texts.join('')).not.toContain('recovery link')
    expect(s.sent.every(({ to }) => to === BOB.email)).toBe(true)
  })
})

describe('the page of an invitation', () => {
  it('says what it is for, and gives its address to nobody', async () => {
    const s = await invitingWorld()
    const url = await mailedLink(s)
    const answer = await browser(s).get(url)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('<h1>Welcome</h1>')
    expect(html).toContain('An account at id.example was made for you: <bdi>Bob</bdi>')
    expect(html).not.toContain('signed out everywhere')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    // The one place is the form, which is posted.
    expect(html.split(new URL(url).searchParams.get('t') ?? '')).toHaveLength(2)
    expect(html).not.toContain('<script')
  })

  it('shows a name with markup as text, as the mail does', async () => {
    const s = await invitingWorld()
    const url = await mailedLink(s, { input: { username: '<b>bob</b>\u202e' } })
    expect(await (await browser(s).get(url)).text()).toContain('<bdi>&lt;b&gt;bob&lt;/b&gt;\u202e</bdi>')
    expect(s.sent[0]?.html).toContain('\u2068&lt;b&gt;bob&lt;/b&gt;\u202e\u2069')
  })
})

describe('a link that was not mailed', () => {
  it('is returned once, lets the user in, and verifies no address', async () => {
    const s = await invitingWorld()
    const url = await printedLink(s)
    expect(url).toMatch(/^https:\/\/id\.example\/login\/ticket\?t=[\w-]{45}$/)
    await s.deliver()
    expect(s.sent).toEqual([])
    await acceptWithPassword(browser(s), url)
    expect((await bob(s)).claims).toEqual({ email: BOB.email })
  })

  it('needs no address, no mail and no factors', async () => {
    const s = await setup({ stored: plainPasswords, identity: { passwords: plainPasswords } })
    const located = await s.provider.locate(new Request('https://id.example/login'))
    if (!located) throw new Error('No realm')
    const { users, tickets, storage, clock } = s
    const options = {
      users,
      tickets,
      throttle: () => storage('default').throttle,
      secret: SECRET,
      now: () => clock.now,
    }
    const { url } = await inviteUser(options, located.realm, { username: 'Bob' })
    await acceptWithPassword(browser(s), url ?? '')
    expect((await bob(s)).password_hash).not.toBeNull()
  })
})

describe('another invitation', () => {
  it('changes what it names, and keeps the rest and the account', async () => {
    const s = await invitingWorld()
    const first = await invite(s, { input: { name: 'Bob', groups: ['staff'], attributes: { level: 1 } } })
    s.clock.now += 60
    const again = await invite(s, {
      input: { username: 'BOB', email: 'robert@example.com', groups: ['board'] },
    })
    expect(again).toMatchObject({ again: true, expires_at: s.clock.now + WEEK })
    expect(await bob(s)).toMatchObject({
      sub: first.user.sub,
      username: 'Bob',
      claims: { name: 'Bob', email: 'robert@example.com', email_verified: false },
      groups: ['board'],
      attributes: { level: 1 },
    })
    await s.deliver()
    // The mail to the mistyped address was not sent yet: its link has ended.
    expect(s.sent.map(({ to }) => to)).toEqual(['robert@example.com'])
    expect(s.events).toContainEqual(
      expect.objectContaining({ type: 'mail.failed', mail: 'invite', reason: 'changed_meanwhile' }),
    )
  })

  it('of an account that an operator has made without a way in', async () => {
    const s = await invitingWorld()
    await createUser(s.users('default'), { ...BOB, email_verified: true })
    const { again } = await invite(s)
    expect([again, (await bob(s)).claims.email_verified]).toEqual([true, true])
    // An address that is another one was not verified.
    await invite(s, { input: { email: 'robert@example.com' } })
    expect((await bob(s)).claims).toEqual({ email: 'robert@example.com', email_verified: false })
  })

  it('is there after the link was used and nothing was chosen', async () => {
    const s = await invitingWorld()
    await pressLink(browser(s), await mailedLink(s))
    const end = await acceptWithPassword(browser(s), await mailedLink(s))
    expect(end.status).toBe(303)
  })

  it('is refused for a user who can sign in, or is disabled, and for values that are invalid', async () => {
    const s = await invitingWorld()
    const refused = async (input: object, message: RegExp) =>
      expect(invite(s, { input })).rejects.toThrow(message)
    await refused({ username: 'ada' }, /can sign in already/)
    await refused({ email: 'bob' }, /one address/)
    await refused({ email: undefined }, /one address/)
    await refused({ email: 'bob@example.com\r\nBcc: eve@example.com' }, /one address/)
    await refused({ username: '' }, /1 to 255 characters/)
    await refused({ groups: [''] }, /groups\.0/)
    expect(await s.users('default').findByUsername('bob')).toBeNull()
    await acceptWithPasskey(browser(s), await mailedLink(s))
    await refused({}, /can sign in already/)
    await setDisabled(s.users('default'), { sub: (await bob(s)).sub, disabled: true })
    await refused({}, /is disabled/)
    await refused({ sub: 'other' }, /with the sub/)
  })
})

it('an open invitation is found until it is used, has expired, or the account has changed', async () => {
  const s = await invitingWorld()
  const open = async () =>
    (await openTicket(s.tickets('default'), { user: await bob(s), purpose: 'invite' }, s.clock.now))
      ?.expires_at
  const { expires_at } = await invite(s)
  s.clock.now = expires_at - 1
  expect(await open()).toBe(expires_at)
  s.clock.now = expires_at
  expect(await open()).toBeUndefined()
  const url = await mailedLink(s)
  expect(await open()).toBe(expires_at + WEEK)
  await pressLink(browser(s), url)
  expect(await open()).toBeUndefined()
  await invite(s)
  const { sub } = await bob(s)
  await setPassword(s.users('default'), { sub, password: BOBS_PASSWORD }, { passwords: plainPasswords })
  expect(await open()).toBeUndefined()
})

it('invitation.created has the user, and no address', async () => {
  const s = await invitingWorld()
  const events: unknown[] = []
  const on_event = (event: unknown) => void events.push(event)
  const { user } = await invite(s, { on_event })
  await printedLink(s, { on_event })
  const event = { type: 'invitation.created', realm: 'default', time: s.clock.now, sub: user.sub }
  expect(events).toEqual([
    { ...event, mailed: true },
    { ...event, mailed: false },
  ])
})
