import { hash } from '@node-rs/argon2'
import { personTag, tagOf } from '@ostiary/core'
import { describe, expect, it } from 'vitest'
import { argon2Passwords, setDisabled, setPassword, upsertUser } from '../src/index.js'
import {
  authorizeUrl,
  browser,
  hidden,
  openLogin,
  PASSWORD,
  REDIRECT_URI,
  setup,
  tryLogin,
} from './_setup.js'

describe('signing in', () => {
  it('redirects to the sign-in page, which names the client and has a labeled form', async () => {
    const s = await setup()
    const { page, html } = await openLogin(s, browser(s))
    expect(page.status).toBe(200)
    expect(html).toContain('to continue to <bdi>Quarterly Reports</bdi>')
    expect(html).toContain('<label for="username">')
    expect(html).toContain('autocomplete="username"')
    expect(html).toContain('<label for="password">')
    expect(html).toContain('autocomplete="current-password"')
    expect(html).not.toContain('role="alert"')
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html.match(/ autofocus/g)).toHaveLength(1)
  })

  it('redirects a GET with 303 too where the policy of the realm says so', async () => {
    const s = await setup()
    const got = await browser(s).get(authorizeUrl(s, { prompt: 'login' }))
    const return_to = new URL(got.headers.get('location') ?? '').searchParams.get('return_to') ?? ''
    const prompt = await s.provider.loginPrompt(new Request(new URL(authorizeUrl(s)).origin), return_to)
    if (!prompt) throw new Error('no prompt')
    const policy = { ...prompt.realm.policy, redirect_status: () => 303 as const }
    const login = { ...prompt, realm: { ...prompt.realm, policy } }
    expect((await s.identity.interactions.login(login)).status).toBe(303)
  })

  it('redirects a GET with 302 and a POST with 303', async () => {
    const s = await setup()
    const url = new URL(authorizeUrl(s, { prompt: 'login' }))
    const got = await browser(s).get(url.href)
    expect(got.status).toBe(302)
    expect(got.headers.get('location')).toMatch(/^https:\/\/id\.example\/login\?return_to=/)
    const { interactions } = s.identity
    const request = new Request(url.origin + url.pathname, { method: 'POST' })
    const prompt = await s.provider.loginPrompt(
      request,
      new URL(got.headers.get('location') ?? '').searchParams.get('return_to') ?? '',
    )
    if (!prompt) throw new Error('no prompt')
    expect((await interactions.login(prompt)).status).toBe(303)
  })

  it('signs in the user of the name, whatever else the form says', async () => {
    const s = await setup()
    const users = s.users('default')
    const { sub: eve } = await upsertUser(users, { username: 'Eve', password: PASSWORD })
    const ada = await users.findByUsername('ada')
    const victim = { sub: ada?.sub ?? '', sid: 'sid-of-ada', user: 'Ada', username_key: 'ada', bucket: '7' }
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const response = await b.post(url, { ...victim, ...fields, username: 'Eve', password: PASSWORD })
    expect(response.status).toBe(303)
    const { sessions } = s.storage('default')
    const [session, ...others] = await sessions.list(eve)
    expect([others, await sessions.list(victim.sub)]).toEqual([[], []])
    expect([session?.sid, session?.session_hash].map((id) => tagOf(id ?? ''))).toEqual([
      personTag(eve),
      personTag(eve),
    ])
  })

  it('takes no sub for a name', async () => {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'Eve', sub: 'eve-1', password: PASSWORD })
    expect((await tryLogin(s, { username: 'eve-1', password: PASSWORD })).status).toBe(422)
    expect((await tryLogin(s, { username: 'eve', password: PASSWORD })).status).toBe(303)
  })

  it('runs the whole flow: wrong password, right password, consent, code', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const wrong = await b.post(url, { ...fields, username: 'Ada', password: 'battery staple' })
    expect(wrong.status).toBe(422)
    const again = await wrong.text()
    expect(again).toContain('role="alert">The username or password is not right.')
    expect(again).toContain('value="Ada"')
    expect(again).not.toContain('battery')

    const right = await b.post(url, {
      return_to: hidden(again, 'return_to'),
      csrf_token: hidden(again, 'csrf_token'),
      username: ' ADA ',
      password: PASSWORD,
    })
    expect(right.status).toBe(303)
    const consent = await (await b.get(right.headers.get('location') ?? '')).text()
    expect(consent).toContain('Allow <bdi>Quarterly Reports</bdi> to use your account?')
    const action = /action="([^"]*)"/.exec(consent)?.[1] ?? ''
    const done = await b.post(action, { auth_token: hidden(consent, 'auth_token') })
    expect(done.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?code=/)
  })

  it('the second button of the consent form denies', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    const right = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    const consent = await (await b.get(right.headers.get('location') ?? '')).text()
    expect(consent).toContain('<button type="submit" class="quiet" name="_method" value="DELETE">')
    const action = /action="([^"]*)"/.exec(consent)?.[1] ?? ''
    const denied = await b.post(action, { auth_token: hidden(consent, 'auth_token'), _method: 'DELETE' })
    expect(denied.headers.get('location')).toMatch(`${REDIRECT_URI}?error=access_denied`)
  })

  it('lets another account sign in from the consent page', async () => {
    const s = await setup()
    await upsertUser(s.users('default'), { username: 'grace', password: PASSWORD, name: 'Grace Hopper' })
    const b = browser(s)
    const first = await openLogin(s, b)
    const right = await b.post(first.url, { ...first.fields, username: 'ada', password: PASSWORD })
    const consent = await (await b.get(right.headers.get('location') ?? '')).text()
    const link = /<a class="switch" href="([^"]*)"/.exec(consent)?.[1] ?? ''
    const html = await (await b.get(s.base('default') + link)).text()
    const fields = { return_to: hidden(html, 'return_to'), csrf_token: hidden(html, 'csrf_token') }
    const other = await b.post(first.url, { ...fields, username: 'grace', password: PASSWORD })
    expect(await (await b.get(other.headers.get('location') ?? '')).text()).toContain('Grace Hopper')
  })

  it('keeps the realms apart', async () => {
    const s = await setup({ oidc: { routes: { realms: 'path' }, realms: { one: {}, two: {} } } })
    await upsertUser(s.users('one'), { username: 'only-one', password: PASSWORD })
    const inRealm = async (realm: string) => {
      const b = browser(s)
      const { url, fields, html } = await openLogin(s, b, { realm })
      expect(url).toBe(`https://id.example/realms/${realm}/login`)
      expect(html).toContain(`href="/realms/${realm}/login/style.css?v=`)
      return b.post(url, { ...fields, username: 'only-one', password: PASSWORD })
    }
    expect((await inRealm('one')).status).toBe(303)
    expect((await inRealm('two')).status).toBe(422)
  })
})

describe('the answer to a refused login', () => {
  it.each(['nobody', 'disabled', 'passwordless', 'broken', 'a\0b', '', 'x'.repeat(300)])(
    'answers %j as it answers a wrong password, after one verification',
    async (username) => {
      const s = await setup()
      const store = s.users('default')
      await upsertUser(store, { username: 'disabled', password: PASSWORD, sub: 'd' })
      await setDisabled(store, { sub: 'd', disabled: true })
      await upsertUser(store, { username: 'passwordless' })
      await upsertUser(store, { username: 'broken', password: PASSWORD, sub: 'b' })
      const broken = await store.find('b')
      if (broken) await store.update({ ...broken, password_hash: '$argon2id$broken' }, broken.updated_at)
      s.counts.verify = 0
      const response = await tryLogin(s, { username, password: PASSWORD })
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('The username or password is not right.')
      expect(s.counts.verify).toBe(1)
    },
  )

  it.each(['', 'x'.repeat(1025), `${PASSWORD}\0`, `${PASSWORD} `])(
    'verifies the password %j once, and refuses it',
    async (password) => {
      const s = await setup()
      expect((await tryLogin(s, { username: 'ada', password })).status).toBe(422)
      expect(s.counts.verify).toBe(1)
    },
  )

  it('a password of 1,025 characters is not cut to 1,024', async () => {
    const s = await setup()
    const long = 'x'.repeat(1024)
    await upsertUser(s.users('default'), { username: 'long', password: long })
    expect((await tryLogin(s, { username: 'long', password: long })).status).toBe(303)
    expect((await tryLogin(s, { username: 'long', password: `${long}x` })).status).toBe(422)
  })

  it('does not tell the reason, which is in the event', async () => {
    const s = await setup()
    await tryLogin(s, { username: 'nobody', password: 'x', address: '192.0.2.1' })
    await tryLogin(s, { username: 'ada', password: 'x', address: '192.0.2.1' })
    expect(s.events).toMatchObject([
      { type: 'login.refused', reason: 'unknown_user', sub: null, address: '192.0.2.1', client_id: 'app' },
      { type: 'login.refused', reason: 'wrong_password', sub: expect.any(String) },
    ])
  })

  it('does not tell that the account is disabled or has no password, which is in the event', async () => {
    const s = await setup()
    const store = s.users('default')
    await upsertUser(store, { username: 'disabled', password: PASSWORD, sub: 'd' })
    await setDisabled(store, { sub: 'd', disabled: true })
    await upsertUser(store, { username: 'passwordless', sub: 'p' })
    for (const username of ['disabled', 'passwordless']) await tryLogin(s, { username, password: PASSWORD })
    expect(s.events).toMatchObject([
      { type: 'login.refused', reason: 'disabled', sub: 'd', client_id: 'app' },
      { type: 'login.refused', reason: 'no_password', sub: 'p', client_id: 'app' },
    ])
  })
})

describe('hashes', () => {
  it('renews a weak hash when its password is known', async () => {
    const s = await setup()
    const store = s.users('default')
    await upsertUser(store, { username: 'old', password: PASSWORD, sub: 'old' })
    const user = await store.find('old')
    if (!user) throw new Error('no user')
    const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1 })
    await store.update({ ...user, password_hash: weak, updated_at: user.updated_at + 1 }, user.updated_at)
    expect((await tryLogin(s, { username: 'old', password: PASSWORD })).status).toBe(303)
    expect((await store.find('old'))?.password_hash).toContain('m=19456,t=2,p=1')
    expect((await tryLogin(s, { username: 'old', password: PASSWORD })).status).toBe(303)
    expect(s.counts.hash).toBe(1)
  })

  it('does not overwrite a password that is changed at the same time', async () => {
    const inner = argon2Passwords()
    const s = await setup({
      identity: {
        passwords: {
          ...inner,
          stale: () => true,
          async hash(password) {
            await setPassword(s.users('default'), { sub: 'old', password: 'a new password' })
            return inner.hash(password)
          },
        },
      },
    })
    await upsertUser(s.users('default'), { username: 'old', password: PASSWORD, sub: 'old' })
    // The password was right when it was checked, but has been replaced: no session starts.
    expect((await tryLogin(s, { username: 'old', password: PASSWORD })).status).toBe(400)
    const stored = (await s.users('default').find('old'))?.password_hash ?? null
    expect(await inner.verify(stored, 'a new password')).toBe(true)
  })

  it('answers 503 with Retry-After and the form when too many checks are waiting', async () => {
    const s = await setup({ identity: { passwords: argon2Passwords({ concurrent: 1, waiting: 1 }) } })
    const login = () => tryLogin(s, { username: 'ada', password: PASSWORD })
    const answers = await Promise.all([login(), login(), login(), login()])
    const busy = answers.filter(({ status }) => status === 503)
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 503, 503])
    expect(busy[0]?.headers.get('retry-after')).toBe('5')
    const html = (await busy[0]?.text()) ?? ''
    expect(html).toContain('Please try again in a few seconds')
    expect(hidden(html, 'csrf_token')).not.toBe('')
    expect(html).toContain('value="ada"')
  })
})

describe('return_to', () => {
  it.each(['?return_to=unknown', '?return_to=https://evil.example/', '?return_to=a&return_to=b'])(
    'GET /login%s is an error page that says what to do, and redirects nowhere',
    async (query) => {
      const s = await setup()
      const response = await browser(s).get(`${s.base('default')}/login${query}`)
      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await response.text()).toContain('Go back to the application and start again.')
    },
  )

  it('an expired one is refused on GET and on POST, and no session starts', async () => {
    const s = await setup()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b)
    s.clock.now += 601
    const answer = await b.post(url, { ...fields, username: 'ada', password: PASSWORD })
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await b.get(`${url}?return_to=${fields.return_to}`)).status).toBe(400)
    expect(s.counts.verify).toBe(0)
  })
})
