/** The contents of the account page. */

import type { Session } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { createUser, upsertUser } from '../src/index.js'
import { allow, openAccount, signedIn, subOf } from './_account.js'
import { PASSWORD, REDIRECT_URI, type Setup, setup } from './_setup.js'

const API = {
  resources: { api: { scopes: ['notes.read', 'notes.write', 'internal'] } },
  scopes: { 'notes.read': { description: 'Read your notes' }, internal: { hidden: true } },
}

const section = (html: string, id: string): string =>
  new RegExp(`<section aria-labelledby="${id}">[\\s\\S]*?</section>`).exec(html)?.[0] ?? ''

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

async function shown(s: Setup, id: string, b?: Parameters<typeof openAccount>[1]): Promise<string> {
  return textOf(section((await openAccount(s, b ?? (await signedIn(s)))).html, id))
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'

/** A session of another browser. */
async function addSessions(s: Setup, sessions: Partial<Session>[]): Promise<void> {
  const store = s.storage('default').sessions
  const [own] = await store.list(await subOf(s))
  if (!own) throw new Error('No session')
  for (const [i, more] of sessions.entries())
    await store.create({ ...own, sid: `sid-${i}`, session_hash: `hash-${i}`, client_ids: [], ...more })
}

describe('the user section', () => {
  it('shows the username, and the name and the email when they are known', async () => {
    const s = await setup()
    expect(await shown(s, 'person')).toBe('Who you are Username Ada Name Ada Lovelace')
    const email = { email: 'ada@example.com', email_verified: false }
    await upsertUser(s.users('default'), { username: 'Ada', ...email })
    expect(await shown(s, 'person')).toBe('Who you are Username Ada Email ada@example.com (not confirmed)')
  })
})

describe('the sessions section', () => {
  it('shows this device first, then the last used, each with its times, methods and applications', async () => {
    const s = await setup()
    const b = await signedIn(s)
    await allow(s, b)
    const at = Date.UTC(2026, 0, 31, 23, 5) / 1000
    await addSessions(s, [
      { auth_time: at, created_at: 5, amr: ['pwd', 'otp', 'mfa'], client_ids: ['app', 'gone'] },
      { auth_time: null, created_at: at + 3600, amr: [], last_used_at: at + 86_400, user_agent: FIREFOX },
      { auth_time: at, created_at: 4, amr: ['unheard'] },
    ])
    const { html } = await openAccount(s, b)
    const rows = section(html, 'sessions').match(/<li>[\s\S]*?<\/li>/g) ?? []
    expect(rows.map(textOf)).toEqual([
      expect.stringMatching(
        /^This device Signed in 15 January 2027.* 08:00 UTC with your password Used for Quarterly Reports Sign out$/,
      ),
      expect.stringMatching(
        /^Firefox on Linux Signed in 1 February 2026.* 00:05 UTC Last used 1 February 2026.* 23:05 UTC Sign out there$/,
      ),
      expect.stringMatching(
        /^Another device Signed in 31 January 2026.* 23:05 UTC with your password and a one-time code Last used 1 January 1970.* 00:00 UTC Used for Quarterly Reports , gone Sign out there$/,
      ),
      expect.stringMatching(
        /^Another device Signed in 31 January 2026.* 23:05 UTC with unheard Last used 1 January 1970.* 00:00 UTC Sign out there$/,
      ),
    ])
    expect(rows[1]).toContain('<time datetime="2026-02-01T00:05:00.000Z">')
    expect(section(html, 'sessions')).toContain('Sign out everywhere else')
  })

  it('names the browser and the system of a session, and shows nothing else of its header', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const hostile = 'Your account is locked: call 0800 1234 <b>now</b>'
    await addSessions(s, [
      { user_agent: FIREFOX, created_at: 4 },
      { user_agent: `${hostile} (Windows)`, created_at: 3 },
      { user_agent: hostile, created_at: 2 },
      { user_agent: null, created_at: 1 },
    ])
    const { html } = await openAccount(s, b)
    const names = [...html.matchAll(/<h3 id="session-\d">(.*?)<\/h3>/g)].map(([, name]) => name)
    expect(names).toEqual(['This device', 'Firefox on Linux', 'Windows', 'Another device', 'Another device'])
    expect(html).not.toContain('0800')
  })

  it('marks the session of this browser, which has no last use', async () => {
    const s = await setup()
    const b = await signedIn(s, { headers: { 'user-agent': FIREFOX } })
    const text = await shown(s, 'sessions', b)
    expect(text).toContain('Firefox on Linux This device Signed in')
    expect(text).not.toContain('Last used')
  })

  it('leaves out expired sessions, and counts those that are not shown', async () => {
    const s = await setup()
    const b = await signedIn(s)
    await addSessions(s, [{ expires_at: s.clock.now }])
    expect(await shown(s, 'sessions', b)).toContain('You are not signed in anywhere else.')
    await addSessions(
      s,
      Array.from({ length: 60 }, (_, i) => ({ sid: `more-${i}`, session_hash: `more-${i}` })),
    )
    const { html } = await openAccount(s, b)
    expect(html.match(/Another device/g)).toHaveLength(49)
    expect(textOf(html)).toContain('And 11 more, not shown.')
  })

  it('limits the applications of a session', async () => {
    const s = await setup()
    const b = await signedIn(s)
    await addSessions(s, [{ client_ids: Array.from({ length: 30 }, (_, i) => `client-${i}`) }])
    expect(await shown(s, 'sessions', b)).toMatch(/client-9 and 20 more/)
  })

  it.each([
    ['Europe/Paris', /23:30 (?:CET|GMT\+1)/],
    ['Asia/Kolkata', /04:00 (?:IST|GMT\+5:30)/],
    ['Nowhere/Land', /22:30 UTC/],
    ['', /22:30 UTC/],
  ])('shows the time in the time zone %j', async (zoneinfo, time) => {
    const s = await setup()
    s.clock.now = Date.UTC(2027, 0, 15, 22, 30) / 1000
    await createUser(s.users('default'), { username: 'bob', password: PASSWORD, zoneinfo })
    expect(await shown(s, 'sessions', await signedIn(s, { username: 'bob' }))).toMatch(time)
  })

  it('has no link to sign out when the logout endpoint is disabled', async () => {
    const on = await setup()
    expect((await openAccount(on, await signedIn(on))).html).toContain(
      'href="https://id.example/oauth/logout"',
    )
    const s = await setup({ oidc: { handlers: { logout: false } } })
    expect((await openAccount(s, await signedIn(s))).html).not.toContain('/oauth/logout')
  })
})

describe('the applications section', () => {
  it('shows each resource with the descriptions of its scopes and its date, without hidden scopes', async () => {
    const s = await setup({ oidc: API })
    const b = await signedIn(s)
    const resource = 'https://id.example/api'
    await allow(s, b, { scope: 'openid profile offline_access' })
    await allow(s, b, { resource, scope: 'notes.read internal' })
    s.clock.now += 86_400 * 3
    await allow(s, b, { resource, scope: 'notes.read notes.write' })
    expect(await shown(s, 'clients', b)).toBe(
      'Applications that you allowed ' +
        'When you withdraw access, the application has to ask you again. ' +
        'Quarterly Reports Withdraw all ' +
        'With your account at https://id.example/api it can Read your notes notes.write ' +
        'Allowed 15 January 2027 , last 18 January 2027 Withdraw this ' +
        'With your account here it can Know who you are See your name and profile Keep its access when you are not using it ' +
        'Allowed 15 January 2027 Withdraw this',
    )
  })

  it('a sensitive scope comes first, and says that it is sensitive', async () => {
    const scopes = { ...API.scopes, 'notes.write': { severity: 'high' as const } }
    const s = await setup({ oidc: { ...API, scopes } })
    const b = await signedIn(s)
    await allow(s, b, { resource: 'https://id.example/api', scope: 'notes.read notes.write' })
    expect(await shown(s, 'clients', b)).toContain('it can notes.write (sensitive) Read your notes')
  })

  it('withdraws one resource and leaves the other', async () => {
    const s = await setup({ oidc: API })
    const b = await signedIn(s)
    const resource = 'https://id.example/api'
    await allow(s, b)
    await allow(s, b, { resource, scope: 'notes.read' })
    const { csrf_token } = await openAccount(s, b)
    expect(await shown(s, 'clients', b)).toContain('Read your notes')
    await b.post('https://id.example/account', { csrf_token, action: 'withdraw', client_id: 'app', resource })
    const rows = await s.storage('default').consents.list(await subOf(s))
    expect(rows.filter(({ revoked_at }) => revoked_at !== null).map((row) => row.resource)).toEqual([
      resource,
    ])
    const text = await shown(s, 'clients', b)
    expect(text).toContain('See your name and profile')
    expect(text).not.toContain('Read your notes')
  })

  it('marks a client that is revoked, removed or self-registered', async () => {
    const s = await setup({ client: { origin: 'registered' } })
    const b = await signedIn(s)
    await allow(s, b)
    expect(await shown(s, 'clients', b)).toContain('This application registered itself.')
    const { clients, consents } = s.storage('default')
    await clients.revoke('app', s.clock.now)
    // The provider caches clients for some seconds.
    s.clock.now += 60
    expect(await shown(s, 'clients', b)).toContain('This application is no longer in use.')
    const approved = [{ resource: 'https://id.example', scopes: [] }]
    await consents.merge({ sub: await subOf(s), client_id: 'gone', approved }, s.clock.now + 5)
    expect(await shown(s, 'clients', b)).toContain(
      'gone Withdraw This application is no longer in use. With your account here it can Know that you are signed in',
    )
  })

  it('shows fifty applications, and the others after these are withdrawn', async () => {
    const s = await setup()
    const b = await signedIn(s)
    const sub = await subOf(s)
    const approved = [{ resource: 'https://id.example', scopes: [] }]
    for (let i = 0; i < 53; i++)
      await s.storage('default').consents.merge({ sub, client_id: `client-${i}`, approved }, s.clock.now + i)
    const text = await shown(s, 'clients', b)
    expect(text).toContain('And 3 more')
    expect(text).toContain('client-52')
    expect(text).not.toContain('client-2 ')
    await s.storage('default').consents.revoke({ sub, client_id: 'client-52' }, s.clock.now)
    expect(await shown(s, 'clients', b)).toContain('client-2 ')
  })
})

it('every button has a description, and every id is unique', async () => {
  const s = await setup({ oidc: API })
  const b = await signedIn(s)
  await allow(s, b, { redirect_uri: REDIRECT_URI })
  await allow(s, b, { resource: 'https://id.example/api', scope: 'notes.read' })
  await addSessions(s, [{}, {}])
  const { html } = await openAccount(s, b)
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const referred = [...html.matchAll(/ (?:aria-describedby|aria-labelledby|for)="([^"]*)"/g)].flatMap(
    ([, names = '']) => names.split(' '),
  )
  expect(referred.length).toBeGreaterThan(10)
  expect(referred.filter((id) => !ids.includes(id))).toEqual([])
})
