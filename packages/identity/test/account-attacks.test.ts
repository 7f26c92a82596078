/** Attacks on the account page. */

import { describe, expect, it } from 'vitest'
import { upsertUser } from '../src/index.js'
import {
  accountUrl,
  alertOf,
  allow,
  CHANGE,
  confirmed,
  openAccount,
  postAccount,
  sidOf,
  sidsOf,
  signedIn,
  signInAt,
  subOf,
} from './_account.js'
import { browser, hidden, openLogin, PASSWORD, setup } from './_setup.js'

const PATH = { routes: { realms: 'path' as const }, realms: { one: {}, two: {} } }

describe('records of another user', () => {
  async function two() {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'eve', password: 'evil evil evil' })
    const ada = await signedIn(s)
    await allow(s, ada)
    const eve = await signedIn(s, { username: 'eve', password: 'evil evil evil' })
    // A second session, so that the page has a form.
    await signedIn(s, { username: 'eve', password: 'evil evil evil' })
    return { s, ada, eve }
  }

  it('a session cannot be ended, and the answer is the same as for an unknown one', async () => {
    const { s, ada, eve } = await two()
    const told = []
    for (const sid of [await sidOf(s, ada), 'made-up', '', '\0', 'x'.repeat(5000)])
      told.push(await confirmed(eve, await postAccount(s, eve, { action: 'end_session', sid })))
    expect(new Set(told)).toEqual(new Set(['That device was signed out already.']))
    expect((await openAccount(s, ada)).page.status).toBe(200)
    await postAccount(s, eve, { action: 'end_others' })
    expect((await openAccount(s, ada)).page.status).toBe(200)
  })

  it('a consent cannot be withdrawn, and the answer is the same as for an unknown one', async () => {
    const { s, ada, eve } = await two()
    const told = []
    for (const client_id of ['app', 'made-up', '', '\0'])
      for (const resource of ['', 'https://id.example', '\0'])
        told.push(
          await confirmed(eve, await postAccount(s, eve, { action: 'withdraw', client_id, resource })),
        )
    expect(new Set(told)).toEqual(new Set(['This access was withdrawn already.']))
    expect(await s.storage('default').consents.list(await subOf(s))).toMatchObject([{ revoked_at: null }])
    expect((await openAccount(s, ada)).html).toContain('Quarterly Reports')
  })

  it('a form cannot name another user', async () => {
    const { s, ada, eve } = await two()
    const sub = await subOf(s)
    const fields = { ...CHANGE, current_password: 'evil evil evil', sub, username: 'ada' }
    expect((await postAccount(s, eve, fields)).status).toBe(303)
    expect((await signInAt(s, browser(s))).status).toBe(303)
    expect((await openAccount(s, ada)).html).toContain('Ada Lovelace')
  })
})

describe('from another realm', () => {
  it('a session cookie is not accepted', async () => {
    const s = await setup({ oidc: PATH })
    const b = await signedIn(s, { realm: 'one' })
    for (const response of [
      await b.get(accountUrl(s, 'two')),
      await b.post(accountUrl(s, 'two'), { action: 'end_others', csrf_token: '' }),
    ])
      expect(response.headers.get('location')).toBe(
        'https://id.example/realms/two/login?return_to=%2Faccount',
      )
  })

  it('a session, a consent and a form are not accepted', async () => {
    const s = await setup({ oidc: PATH })
    const sub = 'the-same'
    for (const realm of ['one', 'two'])
      await upsertUser(s.users(realm), { username: 'same', sub, password: PASSWORD })
    const login = { username: 'same' }
    const one = await signedIn(s, { realm: 'one', ...login })
    const two = await signedIn(s, { realm: 'two', ...login })
    await signedIn(s, { realm: 'one', ...login })
    await allow(s, two, { realm: 'two' })
    const sid = await sidOf(s, two, 'two')
    for (const fields of [
      { action: 'end_session', sid },
      { action: 'end_others' },
      { action: 'withdraw', client_id: 'app', resource: '' },
      { action: 'withdraw', client_id: 'app', resource: 'https://id.example/realms/two' },
    ])
      await postAccount(s, one, { ...fields, realm: 'one' })
    expect(await sidsOf(s, sub, 'two')).toEqual([sid])
    expect(await s.storage('two').consents.list(sub)).toMatchObject([{ revoked_at: null }])

    const there = await openAccount(s, two, 'two')
    two.cookies.set('__Host-ostiary_session.one', one.cookies.get('__Host-ostiary_session.one') ?? '')
    const { csrf_token } = there
    const crossed = await two.post(accountUrl(s, 'one'), { action: 'end_others', csrf_token })
    expect(crossed.status).toBe(403)
  })
})

describe('the return address of the sign-in', () => {
  it.each([
    'https://evil.example/account',
    '//evil.example/account',
    '/\\evil.example',
    '/account/../evil',
    '/account?x=https://evil.example',
    '/account#x',
    '/account/',
    ' /account',
    '/ACCOUNT',
    'account',
    'javascript:alert(1)',
  ])('%s is refused', async (return_to) => {
    const s = await setup()
    const b = browser(s)
    const shown = await b.get(`${s.base('default')}/login?${new URLSearchParams({ return_to })}`)
    expect(shown.status).toBe(400)
    const html = await (await b.get(`${s.base('default')}/login?return_to=%2Faccount`)).text()
    const fields = { csrf_token: hidden(html, 'csrf_token'), username: 'ada', password: PASSWORD }
    const posted = await b.post(`${s.base('default')}/login`, { ...fields, return_to })
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null])
    expect(await sidsOf(s, await subOf(s))).toEqual([])
  })

  it('is refused when it is repeated', async () => {
    const s = await setup()
    const url = `${s.base('default')}/login?return_to=%2Faccount&return_to=%2Faccount`
    expect((await browser(s).get(url)).status).toBe(400)
  })

  it('is not interchangeable with the token of a client’s request', async () => {
    const s = await setup()
    const b = browser(s)
    const client = await openLogin(s, b)
    const html = await (await b.get(`${s.base('default')}/login?return_to=%2Faccount`)).text()
    const credentials = { username: 'ada', password: PASSWORD }
    const { csrf_token } = client.fields
    expect((await b.post(client.url, { ...credentials, csrf_token, return_to: '/account' })).status).toBe(403)
    const ours = { ...client.fields, csrf_token: hidden(html, 'csrf_token') }
    expect((await b.post(client.url, { ...credentials, ...ours })).status).toBe(403)
  })

  it('a planted session is not continued', async () => {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'eve', password: 'evil evil evil' })
    const eve = await signedIn(s, { username: 'eve', password: 'evil evil evil' })
    const name = '__Host-ostiary_session'
    const planted = eve.cookies.get(name) ?? ''
    const b = browser(s)
    b.cookies.set(name, planted)
    const html = await (await b.get(`${s.base('default')}/login?return_to=%2Faccount`)).text()
    const fields = { return_to: '/account', csrf_token: hidden(html, 'csrf_token') }
    await b.post(`${s.base('default')}/login`, { ...fields, username: 'ada', password: PASSWORD })
    expect(b.cookies.get(name)).not.toBe(planted)
    expect((await openAccount(s, b)).html).toContain('Ada Lovelace')
    // The planted session has ended too.
    expect((await openAccount(s, eve)).page.status).toBe(303)
  })
})

describe('guesses at the current password', () => {
  const limits = { limits: { failures: 3 } }

  it('are counted, and after the limit the right one is refused too', async () => {
    const s = await setup({ identity: limits })
    const b = await signedIn(s)
    for (const _ of [1, 2, 3])
      expect((await postAccount(s, b, { ...CHANGE, current_password: 'wrong' })).status).toBe(422)
    const { verify } = s.counts
    const stopped = await postAccount(s, b, CHANGE)
    expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([429, '900'])
    expect(await alertOf(stopped)).toBe('Too many attempts. Please wait 15 minutes, then try again.')
    expect(s.counts.verify).toBe(verify)
    expect(s.events.map((event) => ('reason' in event ? event.reason : ''))).toEqual([
      'wrong_password',
      'wrong_password',
      'wrong_password',
      'throttled',
    ])
    s.clock.now += 901
    expect((await postAccount(s, b, CHANGE)).status).toBe(303)
  })

  it('are counted when other sessions are to be ended', async () => {
    const s = await setup({ identity: limits })
    const b = await signedIn(s)
    const there = await signedIn(s)
    s.clock.now += 3600
    const guess = { action: 'end_others', current_password: 'wrong' }
    for (const _ of [1, 2, 3]) expect((await postAccount(s, b, guess)).status).toBe(422)
    expect((await postAccount(s, b, { ...guess, current_password: PASSWORD })).status).toBe(429)
    expect((await openAccount(s, there)).page.status).toBe(200)
  })

  it('do not count when the password is right', async () => {
    const s = await setup({ identity: limits })
    const b = await signedIn(s)
    s.clock.now += 3600
    const right = { action: 'end_others', current_password: PASSWORD }
    for (const _ of [1, 2, 3, 4, 5]) expect((await postAccount(s, b, right)).status).toBe(303)
  })

  it('of any length cost one verification, and long ones never match', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const before = s.counts.verify
    expect((await postAccount(s, b, { ...CHANGE, current_password: 'x'.repeat(9000) })).status).toBe(422)
    expect(s.counts.verify).toBe(before + 1)
    expect(s.counts.hashes.at(-1)).toBeNull()
  })
})

it('markup in names, claims, scopes and cookies is escaped', async () => {
  const evil = (where: string) => `"'><script>${where}()</script><img src=x onerror=${where}()>`
  const s = await setup({
    client: { client_name: evil('client') },
    oidc: {
      resources: { api: { scopes: ['read'] } },
      scopes: { read: { description: evil('scope') } },
    },
  })
  const claims = { name: evil('name'), email: evil('email'), zoneinfo: evil('zone') }
  await upsertUser(s.users('default'), { username: evil('user'), password: PASSWORD, ...claims })
  const b = await signedIn(s, { username: evil('user') })
  await allow(s, b, { resource: 'https://id.example/api', scope: 'read' })
  b.cookies.set('__Host-ostiary_account_done', evil('done'))
  const [session] = await s.storage('default').sessions.list(await subOf(s, evil('user').toLowerCase()))
  if (!session) throw new Error('No session')
  await s.storage('default').sessions.create({
    ...session,
    sid: evil('sid'),
    session_hash: 'other',
    amr: [evil('amr')],
    client_ids: [evil('gone')],
  })
  const { html, page } = await openAccount(s, b)
  for (const where of ['client', 'scope', 'name', 'email', 'user', 'sid', 'amr', 'gone'])
    expect(html, where).toContain(`&lt;script&gt;${where}()&lt;/script&gt;`)
  expect(html).not.toMatch(/<script|<img/)
  expect(html).not.toContain('done()')
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  s.clock.now += 3600
  const asked = await postAccount(s, b, { action: 'end_session', sid: evil('sid') })
  expect(await asked.text()).not.toMatch(/<script|<img/)
})

it('the page is not cached, cannot be framed and sends no referrer', async () => {
  const s = await setup()
  const b = await signedIn(s)
  for (const response of [
    (await openAccount(s, b)).page,
    await postAccount(s, b, { ...CHANGE, new_password: 'x' }),
    await b.get(accountUrl(s), { method: 'HEAD' }),
  ])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
})

it('a disabled user has no access to the page', async () => {
  const s = await setup()
  const b = await signedIn(s)
  const { csrf_token } = await openAccount(s, b)
  const store = s.users('default')
  const user = await store.find(await subOf(s))
  if (!user) throw new Error('No user')
  await store.update({ ...user, disabled_at: s.clock.now, updated_at: user.updated_at + 1 }, user.updated_at)
  expect((await openAccount(s, b)).page.status).toBe(303)
  const sent = await b.post(accountUrl(s), { ...CHANGE, csrf_token })
  expect(sent.headers.get('location')).toContain('/login?')
  expect((await store.find(user.sub))?.password_hash).toBe(user.password_hash)
})
