import { describe, expect, it } from 'vitest'
import { upsertUser } from '../src/index.js'
import {
  accountUrl,
  alertOf,
  allow,
  CHANGE,
  confirmed,
  NEW_PASSWORD,
  openAccount,
  postAccount,
  sidOf,
  sidsOf,
  signedIn,
  signedInByApplication,
  signInAt,
  subOf,
} from './_account.js'
import { authorizeUrl, browser, PASSWORD, setup } from './_setup.js'

const PATH = { routes: { realms: 'path' as const }, realms: { one: {}, two: {} } }
/** The deliveries that are due. */
const claim = (now: number) => ({ now, lease: 60, limit: 10, share: 10, except: { hosts: [], subs: [] } })
const BACKCHANNEL = { backchannel_logout_uri: 'https://app.example/logout' }

describe.each([
  ['single', 'default', {}],
  ['path', 'one', PATH],
] as const)('realms by %s', (_, realm, oidc) => {
  it('redirects a browser without a session to the sign-in, and back', async () => {
    const s = await setup({ oidc })
    const b = browser(s)
    const sent = await b.get(accountUrl(s, realm))
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toBe(`${s.base(realm)}/login?return_to=%2Faccount`)
    const form = await b.get(sent.headers.get('location') ?? '')
    expect(await form.text()).toContain('<p>to see your account</p>')
    const back = await signInAt(s, b, { realm })
    expect([back.status, back.headers.get('location')]).toEqual([303, accountUrl(s, realm)])
    const { page, html } = await openAccount(s, b, realm)
    expect(page.status).toBe(200)
    for (const part of ['Your account', 'Ada Lovelace', 'This device']) expect(html).toContain(part)
  })

  it('reports a refused sign-in without a client', async () => {
    const s = await setup({ oidc })
    const refused = await signInAt(s, browser(s), { realm, password: 'wrong' })
    expect(refused.status).toBe(422)
    const sub = await subOf(s, 'ada', realm)
    expect(s.events).toMatchObject([
      { type: 'login.refused', realm, reason: 'wrong_password', client_id: null, sub },
    ])
  })

  it('changes the password: every session ends, and this browser has a new one', async () => {
    const s = await setup({ oidc, client: BACKCHANNEL })
    const here = await signedIn(s, { realm })
    const there = await signedIn(s, { realm })
    await allow(s, there, { realm })
    const sub = await subOf(s, 'ada', realm)
    const old = await sidOf(s, here, realm)
    const ended = await sidOf(s, there, realm)
    const before = browser(s)
    for (const [name, value] of here.cookies) before.cookies.set(name, value)
    s.clock.now += 3600
    const changed = await postAccount(s, here, { ...CHANGE, realm })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, accountUrl(s, realm)])

    const kept = await sidOf(s, here, realm)
    expect(kept).not.toBe(old)
    expect(await sidsOf(s, sub, realm)).toEqual([kept])
    const [session] = await s.storage(realm).sessions.list(sub)
    expect(session).toMatchObject({ amr: ['pwd'], auth_time: s.clock.now - 3600 })
    expect(await confirmed(here, changed)).toBe(
      'Your password is changed. Everywhere else, and in applications, you have to sign in again.',
    )
    expect((await openAccount(s, here, realm)).html).not.toContain('role="status"')
    for (const b of [there, before])
      expect((await b.get(accountUrl(s, realm))).headers.get('location')).toContain('/login?')
    expect((await signInAt(s, browser(s), { realm })).status).toBe(422)
    expect((await signInAt(s, browser(s), { realm, password: NEW_PASSWORD })).status).toBe(303)

    expect(s.events[0]).toMatchObject({ type: 'account.password_changed', realm, sub, sid: old })
    for (const sid of [old, ended])
      expect(s.provider_events).toContainEqual(
        expect.objectContaining({ type: 'session.ended', sid, reason: 'password_changed' }),
      )
    // The clients of the ended session are notified.
    expect(await s.storage(realm).logouts.claim(claim(s.clock.now))).toMatchObject([
      { client_id: 'app', sid: ended, uri: 'https://app.example/logout' },
    ])
    expect(JSON.stringify([s.events, s.provider_events])).not.toMatch(
      new RegExp(`${PASSWORD}|${NEW_PASSWORD}`),
    )
  })

  it('ends one session and its grants, and notifies its clients', async () => {
    const s = await setup({ oidc, client: BACKCHANNEL })
    const here = await signedIn(s, { realm })
    const there = await signedIn(s, { realm })
    const third = await signedIn(s, { realm })
    await allow(s, there, { realm })
    const sid = await sidOf(s, there, realm)
    const ended = await postAccount(s, here, { action: 'end_session', sid, realm })
    expect(await confirmed(here, ended)).toBe('The other device is signed out.')
    expect((await sidsOf(s, await subOf(s, 'ada', realm), realm)).sort()).toEqual(
      [await sidOf(s, here, realm), await sidOf(s, third, realm)].sort(),
    )
    expect(s.provider_events.at(-1)).toMatchObject({ type: 'session.ended', sid, reason: 'account_page' })
    expect(await s.storage(realm).grants.revoke({ sid }, s.clock.now)).toBe(0)
    expect(await s.storage(realm).logouts.claim(claim(s.clock.now))).toMatchObject([
      { client_id: 'app', sid },
    ])
    const again = await postAccount(s, here, { action: 'end_session', sid, realm })
    expect(await confirmed(here, again)).toBe('That device was signed out already.')
  })

  it('ends all other sessions, also more than are ended at a time', async () => {
    const s = await setup({ oidc })
    const here = await signedIn(s, { realm })
    for (let i = 0; i < 25; i++) await signedIn(s, { realm })
    const ended = await postAccount(s, here, { action: 'end_others', realm })
    expect(await confirmed(here, ended)).toBe('All other devices are signed out.')
    expect(await sidsOf(s, await subOf(s, 'ada', realm), realm)).toEqual([await sidOf(s, here, realm)])
    expect((await openAccount(s, here, realm)).html).toContain('You are not signed in anywhere else.')
  })

  it('withdraws a consent: the next request asks for it again, and the tokens end', async () => {
    const s = await setup({ oidc })
    const b = await signedIn(s, { realm })
    await allow(s, b, { realm })
    expect((await b.get(authorizeUrl(s, { realm }))).status).toBe(302)
    const sub = await subOf(s, 'ada', realm)
    const withdrawn = await postAccount(s, b, { action: 'withdraw', client_id: 'app', resource: '', realm })
    expect(await confirmed(b, withdrawn)).toBe(
      'The access is withdrawn. The application has to ask you again.',
    )
    expect((await b.get(authorizeUrl(s, { realm }))).status).toBe(200)
    expect(s.provider_events).toContainEqual(
      expect.objectContaining({ type: 'consent.revoked', realm, sub, client_id: 'app', resource: null }),
    )
    expect(s.provider_events).toContainEqual(
      expect.objectContaining({ type: 'grant.revoked', sub, client_id: 'app', grants: 2 }),
    )
    expect(await s.storage(realm).grants.list(sub, s.clock.now)).toEqual([])
    const again = await postAccount(s, b, { action: 'withdraw', client_id: 'app', resource: '', realm })
    expect(await confirmed(b, again)).toBe('This access was withdrawn already.')
    expect((await openAccount(s, b, realm)).html).toContain('You have not allowed any application')
  })
})

describe('a new password', () => {
  it.each([
    { fault: 'too short', new_password: '1234567', text: 'The new password has fewer than 8 characters.' },
    {
      fault: 'too long',
      new_password: 'x'.repeat(1025),
      text: 'The new password has more than 1,024 characters.',
    },
    {
      fault: 'not repeated',
      new_password: NEW_PASSWORD,
      again: `${NEW_PASSWORD} `,
      text: 'The new password is not the same in both fields.',
    },
    {
      fault: 'the old one',
      new_password: PASSWORD,
      text: 'The new password is the current one. Choose another.',
    },
  ])('is refused when it is $fault', async ({ new_password, again, text }) => {
    const new_password_again = again ?? new_password
    const s = await setup()
    const b = await signedIn(s)
    const { verify, hash } = { ...s.counts }
    const refused = await postAccount(s, b, { ...CHANGE, new_password, new_password_again })
    expect(refused.status).toBe(422)
    const html = await refused.text()
    expect(html).toContain(`role="alert">${text}</p>`)
    expect(html).toContain('<details open>')
    expect(html).toMatch(/aria-describedby="password-error[^"]*" aria-invalid="true" autofocus/)
    expect([s.counts.verify, s.counts.hash]).toEqual([verify, hash])
  })

  it('of 1,024 characters fits in the form, three times', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const long = '汉'.repeat(1024)
    expect(
      (await postAccount(s, b, { ...CHANGE, new_password: long, new_password_again: long })).status,
    ).toBe(303)
    const longer = '漢'.repeat(1024)
    const fields = { ...CHANGE, current_password: long, new_password: longer, new_password_again: longer }
    expect((await postAccount(s, b, fields)).status).toBe(303)
    expect((await signInAt(s, browser(s), { password: longer })).status).toBe(303)
  })

  it('is not stored when the account has changed in between', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const sub = await subOf(s)
    const store = s.users('default')
    const { update } = store
    // Another change comes first, once.
    store.update = async (user, seen) => {
      store.update = update
      await upsertUser(store, { username: 'Ada', email: 'ada@example.com' })
      return update(user, seen)
    }
    const refused = await postAccount(s, b, CHANGE)
    expect(refused.status).toBe(409)
    expect(await alertOf(refused)).toContain('changed somewhere else just now')
    expect(s.events).toMatchObject([{ type: 'account.refused', reason: 'changed_meanwhile', sub }])
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
    expect((await store.find(sub))?.claims).toEqual({ email: 'ada@example.com' })
  })

  it('is answered with 503 while too many password checks are waiting', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const { csrf_token } = await openAccount(s, b)
    const { BusyError } = await import('../src/index.js')
    const busy = await setup({
      identity: {
        users: s.users,
        passwords: {
          stale: () => false,
          hash: async () => '',
          verify: () => Promise.reject(new BusyError()),
        },
      },
    })
    const handled = await busy.identity.fetch(
      s.provider,
      new Request(accountUrl(s), {
        method: 'POST',
        headers: { cookie: [...b.cookies].map((pair) => pair.join('=')).join('; ') },
        body: new URLSearchParams({ ...CHANGE, csrf_token }),
      }),
    )
    expect([handled?.status, handled?.headers.get('retry-after')]).toEqual([503, '5'])
    expect(busy.events).toMatchObject([
      { type: 'account.refused', reason: 'busy', action: 'change_password' },
    ])
  })

  it('cannot be set on an account without a password', async () => {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'bob' })
    const login = { sub: await subOf(s, 'bob'), amr: ['hwk'] }
    const b = await signedInByApplication(s, login)
    const there = await signedInByApplication(s, login)
    expect((await openAccount(s, b)).html).toContain('Your account has no password.')
    for (const current_password of ['', 'null', PASSWORD])
      expect((await postAccount(s, b, { ...CHANGE, current_password })).status).toBe(422)
    // So no password can be required to end other sessions.
    s.clock.now += 3600
    expect((await postAccount(s, b, { action: 'end_others' })).status).toBe(303)
    expect((await openAccount(s, there)).page.status).toBe(303)
  })
})

describe('an old sign-in', () => {
  it.each([
    [899, 303],
    [900, 200],
    [86_400, 200],
  ])('of %i seconds ago is answered with %i when other sessions are to be ended', async (age, status) => {
    const s = await setup()
    const here = await signedIn(s)
    const there = await signedIn(s)
    s.clock.now += age
    const sid = await sidOf(s, there)
    expect((await postAccount(s, here, { action: 'end_session', sid })).status).toBe(status)
    expect((await postAccount(s, here, { action: 'end_others' })).status).toBe(status)
    expect((await sidsOf(s, await subOf(s))).includes(sid)).toBe(status === 200)
  })

  it('requires the password before the action', async () => {
    const s = await setup()
    const here = await signedIn(s)
    const there = await signedIn(s)
    s.clock.now += 3600
    const fields = { action: 'end_session', sid: await sidOf(s, there) }
    const question = await postAccount(s, here, fields)
    const html = await question.text()
    expect(html).toContain('Confirm that it is you')
    for (const [name, value] of Object.entries(fields))
      expect(html).toContain(`name="${name}" value="${value}"`)
    const wrong = await postAccount(s, here, { ...fields, current_password: 'wrong' })
    expect(wrong.status).toBe(422)
    expect(await alertOf(wrong)).toBe('That is not your current password.')
    expect(s.events).toMatchObject([
      { type: 'account.refused', action: 'end_session', reason: 'wrong_password' },
    ])
    expect(await sidsOf(s, await subOf(s))).toHaveLength(2)
    const right = await postAccount(s, here, { ...fields, current_password: PASSWORD })
    expect(await confirmed(here, right)).toBe('The other device is signed out.')
  })

  it('includes one of an unknown time', async () => {
    const s = await setup()
    const there = await signedIn(s)
    const here = await signedInByApplication(s, { sub: await subOf(s), amr: [], auth_time: null })
    expect((await postAccount(s, here, { action: 'end_others' })).status).toBe(200)
    expect((await openAccount(s, there)).page.status).toBe(200)
  })

  it('is enough to withdraw a consent', async () => {
    const s = await setup()
    const b = await signedIn(s)
    await allow(s, b)
    s.clock.now += 86_400
    const withdrawn = await postAccount(s, b, { action: 'withdraw', client_id: 'app', resource: '' })
    expect(await confirmed(b, withdrawn)).toContain('The access is withdrawn.')
  })
})

describe('account: false', () => {
  it('disables the page and the sign-in for it', async () => {
    const s = await setup({ identity: { account: false } })
    const b = browser(s)
    for (const method of ['GET', 'POST'])
      expect((await b.get(accountUrl(s), { method })).status, method).toBe(404)
    expect((await b.get(`${s.base('default')}/login?return_to=%2Faccount`)).status).toBe(400)
  })
})
