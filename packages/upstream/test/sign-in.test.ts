import { expect, it } from 'vitest'
import {
  atAccount,
  browserAt,
  isSignedIn,
  linkCorp,
  place,
  refusals,
  signInWithCorp,
  signInWithPassword,
} from './_place.js'
import type { Breaks } from './_upstream.js'

const SIGNUP = { signup: true }

it('a button on the sign-in page leads to the provider, and back to the application', async () => {
  const p = await place({ corp: SIGNUP })
  const b = browserAt(p)
  const { html } = await b.openLogin()
  expect(html).toContain('action="/login/upstream/corp"')
  expect(html).toContain('Sign in with Corp')
  const { response, location } = await b.start('corp')
  expect([response.status, new URL(location).origin]).toEqual([303, 'https://login.corp.example'])
  expect(response.headers.getSetCookie().join()).toMatch(
    /__Host-ostiary_upstream=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure/,
  )
  const back = await b.callback('corp', p.corp.signIn(location))
  expect(isSignedIn(back)).toBe(true)
  const [user] = await p
    .users('default')
    .list({ limit: 9, after: '' })
    .then((all) => all.filter(({ password_hash }) => password_hash === null))
  expect(user).toMatchObject({
    username: 'ada',
    claims: { name: 'Ada Lovelace', email: 'ada@corp.example', email_verified: false },
  })
  expect(p.events.map(({ type }) => type)).toEqual(['user.signed_up', 'link.added'])
  expect(p.provider_events).toContainEqual(
    expect.objectContaining({ type: 'session.started', amr: [], sub: user?.sub }),
  )
  expect([...b.cookies.keys()].filter((name) => name.includes('upstream'))).toEqual([])
})

it('the same account elsewhere is the same user, whatever its name and address are now', async () => {
  const p = await place({ corp: SIGNUP })
  await signInWithCorp(p, browserAt(p))
  p.corp.person = { sub: 'ada-1', email: 'new@corp.example', name: 'Other' }
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
  expect(await p.users('default').list({ limit: 9 })).toHaveLength(2)
  p.corp.person = { sub: 'eve-1', email: 'ada@corp.example', email_verified: true }
  await signInWithCorp(p, browserAt(p))
  expect(await p.users('default').list({ limit: 9 })).toHaveLength(3)
})

it('without a sign-up a user who is not known is told whom to ask, and no user is made', async () => {
  const p = await place()
  const response = await signInWithCorp(p, browserAt(p))
  const html = await response.text()
  expect([response.status, refusals(p)]).toEqual([403, ['upstream_no_account']])
  expect(html).toContain('ask the administrator')
  expect(html).toContain('href="/login?return_to=')
  expect(await p.users('default').list({ limit: 9 })).toHaveLength(1)
})

it('the domains say who may sign up, by a verified address', async () => {
  const p = await place({ corp: { ...SIGNUP, domains: ['corp.example'] } })
  const as = async (claims: Record<string, unknown>) => {
    p.corp.person = { sub: `s-${Math.random()}`, ...claims }
    return isSignedIn(await signInWithCorp(p, browserAt(p)))
  }
  expect(await as({ email: 'a@corp.example', email_verified: true })).toBe(true)
  expect(await as({ email: 'a@CORP.example', email_verified: true })).toBe(true)
  expect(await as({ email: 'a@corp.example' })).toBe(false)
  expect(await as({ email: 'a@corp.example', email_verified: 'true' })).toBe(false)
  expect(await as({ email: 'a@other.example', email_verified: true })).toBe(false)
  expect(await as({ email: 'a@corp.example@other.example', email_verified: true })).toBe(false)
  expect(await as({ email: 'a@sub.corp.example', email_verified: true })).toBe(false)
  expect(await as({})).toBe(false)
})

it('an account at Google has an address of its own, or of the organization that Google hosts', async () => {
  const { isAuthoritative } = await import('../src/rules/domains.js')
  const settings = {
    type: 'oidc',
    client_id: 'a',
    name: 'Google',
    authoritative_domains: ['corp.example', 'gmail.com'],
  } as const
  const of = (email: string, hosted_domain: string | null, issuer = 'https://accounts.google.com') =>
    isAuthoritative(settings, {
      issuer,
      subject: '1',
      email,
      email_verified: true,
      hosted_domain,
      preferred_username: null,
      name: null,
      given_name: null,
      family_name: null,
      session: null,
      groups: null,
    })
  expect(of('a@gmail.com', null)).toBe(true)
  expect(of('a@corp.example', 'corp.example')).toBe(true)
  expect(of('a@corp.example', null)).toBe(false)
  expect(of('a@corp.example', 'other.example')).toBe(false)
  expect(of('a@corp.example', null, 'https://login.corp.example')).toBe(true)
})

it('a typed name of its domains leads to the provider, known or not, without a look at the password', async () => {
  const p = await place({ corp: { domains: ['corp.example'] } })
  for (const username of ['ada@corp.example', 'unknown@Corp.example ']) {
    const b = browserAt(p)
    const { fields } = await b.openLogin()
    const response = await b.post('/login', { ...fields, username, password: 'any' })
    const location = new URL(response.headers.get('location') ?? '')
    expect([response.status, location.origin, location.searchParams.get('login_hint')]).toEqual([
      303,
      'https://login.corp.example',
      username,
    ])
  }
  const b = browserAt(p)
  const { fields } = await b.openLogin()
  expect((await b.post('/login', { ...fields, username: 'ada@other.example', password: 'any' })).status).toBe(
    422,
  )
  expect(refusals(p)).toEqual(['unknown_user'])
})

it('a name that cannot be had gets another one; 25 accounts with one name are 25 users', async () => {
  const p = await place({ corp: SIGNUP })
  for (let i = 0; i < 25; i++) {
    p.corp.person = { sub: `s-${i}`, preferred_username: 'Ada' }
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
  }
  const names = (await p.users('default').list({ limit: 99 })).map(({ username }) => username)
  expect(new Set(names).size).toBe(26)
  expect(names).toEqual(expect.arrayContaining(['Ada', 'Ada-2', 'Ada-20']))
})

it('groups of the map follow the claim at each sign-in; others stay', async () => {
  const groups = { claim: 'roles', map: { admins: 'staff', devs: 'developers' } }
  const p = await place({ corp: { ...SIGNUP, groups } })
  const signIn = async (roles: unknown) => {
    p.corp.breaks = { claims: { roles } }
    expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
    const user = (await p.users('default').list({ limit: 9 })).find(
      ({ password_hash }) => password_hash === null,
    )
    return { user, groups: user?.groups }
  }
  const { user } = await signIn(['admins', 'unknown', '__proto__'])
  if (!user) throw new Error('no user')
  expect(user.groups).toEqual(['staff'])
  const updated_at = user.updated_at + 1
  await p.users('default').update({ ...user, groups: ['staff', 'own'], updated_at }, user.updated_at)
  expect((await signIn(['devs'])).groups).toEqual(['own', 'developers'])
  expect((await signIn(undefined)).groups).toEqual(['own', 'developers'])
  const ignored = () => p.events.filter(({ type }) => type === 'groups.ignored').length
  expect(ignored()).toBe(0)
  expect((await signIn(Array.from({ length: 201 }, () => 'admins'))).groups).toEqual(['own', 'developers'])
  expect(ignored()).toBe(1)
  expect((await signIn(Array.from({ length: 200 }, () => 'admins'))).groups).toEqual(['own', 'staff'])
  expect((await signIn([])).groups).toEqual(['own'])
  expect(ignored()).toBe(1)
})

it('with require_second_factor the session waits for a factor of this server', async () => {
  const p = await place({
    corp: { ...SIGNUP, require_second_factor: true },
    settings: { second_factor: 'optional' },
  })
  const b = browserAt(p)
  const response = await signInWithCorp(p, b)
  expect(response.headers.get('location')).toMatch(/^https:\/\/id\.example\/login\?return_to=/)
  const html = await (await b.send(response.headers.get('location') ?? '')).text()
  expect(html).toContain('value="totp"')
  // The page of a first factor has no way around it.
  const { fields } = await b.openLogin()
  for (const action of ['continue', 'download'])
    expect(isSignedIn(await b.post('/login', { ...fields, action }))).toBe(false)
  expect(p.provider_events.filter(({ type }) => type === 'session.started')).toEqual([])
})

it('where the realm has no second factor, it signs in no user', async () => {
  const p = await place({ corp: { ...SIGNUP, require_second_factor: true } })
  expect((await signInWithCorp(p, browserAt(p))).status).toBe(403)
  expect(refusals(p)).toEqual(['upstream_second_factor'])
})

it('a provider that is down affects its button alone: the page says so, and the password signs in', async () => {
  const p = await place()
  p.corp.is_down = true
  const b = browserAt(p)
  const { response } = await b.start('corp')
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining('Corp cannot be reached'),
  ])
  const { fields } = await b.openLogin()
  expect(
    isSignedIn(
      await b.post('/login', { ...fields, username: 'ada@corp.example', password: 'correct horse battery' }),
    ),
  ).toBe(true)
  expect((await browserAt(p).start('evil')).response.status).toBe(303)
})

it('an answer that is posted becomes one by GET, to the same path, with nothing else', async () => {
  const p = await place({ corp: SIGNUP })
  const b = browserAt(p)
  const { location } = await b.start('corp')
  const params = p.corp.signIn(location)
  // The page of the provider posts it: without cookies.
  const form = new URLSearchParams([
    ...params,
    ['user', '{}'],
    ['return_to', 'https://evil.example'],
    ['id_token', 'x'],
  ])
  const posted = await p.send(
    new Request('https://id.example/login/callback/corp', { method: 'POST', body: form }),
  )
  const target = new URL(posted.headers.get('location') ?? '')
  expect([posted.status, target.origin + target.pathname, [...target.searchParams.keys()]]).toEqual([
    303,
    'https://id.example/login/callback/corp',
    ['code', 'state', 'user'],
  ])
  expect(isSignedIn(await b.send(target.href))).toBe(true)
})

it('GitHub signs in by its number', async () => {
  const p = await place()
  const b = browserAt(p)
  await signInWithPassword(b)
  const sent = await atAccount(b, 'link', { upstream: 'github' })
  expect((await b.callback('github', p.hub.signIn(sent.headers.get('location') ?? ''))).status).toBe(303)
  p.hub.user = { id: 583231, login: 'renamed' }
  const other = browserAt(p)
  expect(
    isSignedIn(await other.callback('github', p.hub.signIn((await other.start('github')).location))),
  ).toBe(true)
  p.hub.user = { id: 1, login: 'ada' }
  const third = browserAt(p)
  expect(
    isSignedIn(await third.callback('github', p.hub.signIn((await third.start('github')).location))),
  ).toBe(false)
})

it('speaks three languages', async () => {
  const p = await place()
  for (const [language, text] of [
    ['de', 'Mit Corp anmelden'],
    ['fr', 'Se connecter avec Corp'],
    ['nl', 'Sign in with Corp'],
  ] as const) {
    const { html } = await browserAt(p).openLogin({ ui_locales: language })
    expect(html).toContain(text)
  }
})

const CASES: [string, Breaks][] = [
  ['the name', { claims: { name: '<script>alert(1)</script>' } }],
  ['the address', { claims: { email: '"><img src=x onerror=alert(1)>@corp.example' } }],
  ['the user name', { claims: { preferred_username: '<script>alert(1)</script>' } }],
]
it.each(CASES)('markup in %s is shown as text', async (_, breaks) => {
  const p = await place({ corp: SIGNUP })
  p.corp.breaks = breaks
  const b = browserAt(p)
  expect(isSignedIn(await signInWithCorp(p, b))).toBe(true)
  const html = await (await b.send('https://id.example/account')).text()
  expect(html).toContain('&lt;')
  expect(html).not.toMatch(/<script>|<img/)
  expect((await b.openLogin()).html).not.toContain('<b>Evil')
})

it('a link shows on the account page, signs in, and can be removed', async () => {
  const p = await place()
  const b = browserAt(p)
  await signInWithPassword(b)
  expect((await linkCorp(p, b)).status).toBe(303)
  expect(await (await b.send('https://id.example/account')).text()).toContain('<bdi>ada@corp.example</bdi>')
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(true)
  const [link] = await p
    .links('default')
    .list((await p.users('default').findByUsername('ada@corp.example'))?.sub ?? '')
  expect(link?.last_used_at).toBe(p.clock.now)
  const removed = await atAccount(b, 'unlink', { issuer: link?.issuer ?? '', subject: link?.subject ?? '' })
  expect(removed.status).toBe(303)
  expect(isSignedIn(await signInWithCorp(p, browserAt(p)))).toBe(false)
  expect(p.events.map(({ type }) => type)).toEqual(['link.added', 'link.removed', 'login.refused'])
})

it('in a realm of passkeys and providers, a browser without scripts is told of the passkeys alone', async () => {
  const p = await place({ settings: { password: { enabled: false } } })
  const { html } = await browserAt(p).openLogin()
  expect(html).toContain('<noscript><p class="aside" role="alert">Passkeys need JavaScript')
  expect(html).toMatch(/<p class="aside" role="alert" hidden data-passkey-missing>/)
  expect(html).not.toContain('needs a browser with JavaScript')
})

it('the account page says of a session that it began elsewhere', async () => {
  const p = await place({ corp: SIGNUP })
  const b = browserAt(p)
  await signInWithCorp(p, b)
  const since = async () => {
    const html = await (await b.send('https://id.example/account')).text()
    return /<p id="session-0-since">(?:<[^>]+>|[^<])*?<\/p>/.exec(html)?.[0].replaceAll(/<[^>]+>/g, '')
  }
  expect(await since()).toMatch(/^Signed in .* with an account elsewhere or a link$/)
  await signInWithPassword(b)
  const other = browserAt(p)
  await signInWithPassword(other)
  const page = await (await other.send('https://id.example/account')).text()
  expect(page).toContain(' with your password')
  expect(page).not.toContain('elsewhere or a link')
})

it('a browser that comes back from a provider that there is not gets a page, and a program the answer of the server', async () => {
  const p = await place()
  const b = browserAt(p)
  const url = 'https://id.example/login/callback/nix?code=x&state=y'
  const page = await b.send(url, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).not.toContain('nix')
  for (const headers of [{}, { accept: 'text/html', 'sec-fetch-mode': 'cors' }]) {
    const answer = await b.send(url, { headers })
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'not_found' }),
    ])
  }
  const other = await b.send('https://id.example/login/nix', { headers: { accept: 'text/html' } })
  expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/json'])
  expect(p.events).toEqual([])
})
