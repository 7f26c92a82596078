/** The sign-in of the console, its session, and who gets in. */

import { createHash } from 'node:crypto'
import { openRoleStore } from '@ostiary/admin'
import { type Passkey, withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { hiddenField } from '@ostiary/test-kit/browser'
import type { Page } from '@ostiary/test-kit/person'
import { describe, expect, it } from 'vitest'
import { configure, FILE, faults } from '../support.ts'
import { CONFIG, type ConsoleBrowser, consoleServer, leadsTo, ORIGIN } from './_console.ts'

const HOME = '/admin/realms/default'
const USERS = `${HOME}/users`

it('signs an administrator in, and shows the first page', async () => {
  const server = await consoleServer()
  const ann = await server.administrator('ann')
  const { browser, page } = await server.signedIn(ann)
  expect([page.status, page.url.pathname]).toEqual([200, HOME])
  expect(page.html).toContain('<bdi>ann</bdi>')
  expect(browser.cookies.get('ostiary_console')).toMatch(/^[\w-]{43}\.0$/)
  expect(browser.cookies.has('ostiary_console_sign_in')).toBe(false)
  for (const [name, value] of Object.entries({
    'content-security-policy':
      "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  }))
    expect(page.headers.get(name)).toBe(value)
  expect(page.html).not.toContain('<script')
})

it.each([
  ['without DPoP', { acr: 'require' }],
  ['with nonces of DPoP', { acr: 'require', dpop: 'nonce', keys: { algorithms: ['ES256'] } }],
  ['with pushed requests', { acr: 'require', dpop: 'on', par: 'required' }],
])('signs in %s', async (_name, oidc) => {
  const server = await consoleServer({ config: { ...CONFIG, oidc } })
  const { page } = await server.signedIn(await server.administrator('ann'))
  expect([page.status, page.url.pathname]).toEqual([200, HOME])
})

it('signs in to a realm with a path of its own, for the realms in which the administrator has a role', async () => {
  const config = {
    ...CONFIG,
    clients: [],
    oidc: { acr: 'require', routes: { realms: 'path' }, realms: { default: {}, staff: {}, other: {} } },
  }
  const server = await consoleServer({ config })
  const { browser, page } = await server.signedIn(
    await server.administrator('ann', 'owner', ['other', 'staff']),
  )
  expect([page.status, page.url.pathname]).toEqual([200, '/admin/realms/staff'])
  expect(page.html).toContain('<a href="/admin/realms/other">other</a>')
  expect(page.html).not.toContain('/admin/realms/default')
  expect((await browser.send(USERS)).status).toBe(404)
  expect((await browser.send('/admin/realms/other/users')).status).toBe(200)
  expect((await browser.send('/admin/realms/none/users')).status).toBe(404)
})

describe('who gets in', () => {
  it('a user without a role signs in, and sees nothing', async () => {
    const server = await consoleServer()
    const { browser, page } = await server.signedIn(await server.administrator('ann', null))
    expect(page.status).toBe(403)
    expect(page.html).toContain('This is not yours to do')
    expect(page.html).not.toContain(USERS)
    expect((await browser.send(USERS)).status).toBe(403)
  })

  it('an auditor reads, and has no forms; the API refuses one that is sent anyway', async () => {
    const server = await consoleServer()
    await server.administrator('bob', null)
    const { browser, page } = await server.signedIn(await server.administrator('ann', 'auditor'))
    expect(page.html).not.toContain('/users/new')
    const bob = await browser.send(`${USERS}/bob-1`)
    expect(bob.status).toBe(200)
    for (const name of ['edit', 'disable', 'end-access', 'delete'])
      expect(bob.html).not.toContain(`/bob-1/${name}"`)
    expect((await browser.send(`${USERS}/bob-1/disable`)).status).toBe(403)
    expect((await browser.post(page, {}, {})).status).toBe(403)
    expect(await server.users.find('bob-1')).toMatchObject({ disabled_at: null })
  })

  it('a role that is taken away no longer counts at the next request', async () => {
    const server = await consoleServer()
    const { browser } = await server.signedIn(await server.administrator('ann'))
    const form = await browser.send(`${USERS}/new`)
    await openRoleStore(server.storage).change('default', () => ({
      remove: { holder: 'sub:ann-1', role: 'owner' },
    }))
    expect((await browser.post(form, { username: 'eva' })).status).toBe(403)
    expect((await browser.send(USERS)).status).toBe(403)
    expect(await server.users.findByUsername('eva')).toBeNull()
  })

  it('there is nothing at its addresses without the switch, and nothing more in the documents', async () => {
    const off = await consoleServer({ config: { ...CONFIG, admin: { enabled: true, console: false } } })
    const on = await consoleServer()
    const documents = (server: typeof off) =>
      Promise.all(
        ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource/admin/api/v1'].map(
          async (path) => (await server.browser().send(path)).html,
        ),
      )
    expect(await documents(on)).toEqual(await documents(off))
    for (const path of ['/admin', USERS, '/admin/style.css', '/admin/callback'])
      expect((await off.browser().send(path)).status).toBe(404)
    expect((await on.browser().send('/admin')).status).toBe(303)
    expect(await off.storage.storage('default').clients.find('ostiary-console')).toBeNull()
    expect(await on.storage.storage('default').clients.find('ostiary-console')).toMatchObject({
      redirect_uris: [`${ORIGIN}/admin/callback`],
      trusted: true,
      access_token_lifetime: 3600,
      dpop_bound_access_tokens: true,
    })
  })

  it('only addresses that the configuration allows have pages', async () => {
    const admin = { enabled: true, console: true, allowed_addresses: ['10.0.0.0/8'] }
    const server = await consoleServer({ config: { ...CONFIG, admin } })
    expect((await server.browser().send('/admin')).status).toBe(404)
  })

  it('a client of the configuration with its id is a fault, and so is a realm with confidential clients alone', async () => {
    const own = { client_id: 'ostiary-console', redirect_uris: ['https://app.example.com/cb'] }
    expect(await faults({ ...CONFIG, clients: [own] })).toEqual([
      'clients.0.client_id: admin.console adds a client with this id: take another one',
    ])
    expect(await faults({ ...CONFIG, admin: { enabled: true }, clients: [own] })).toEqual([])
    const fapi2 = { ...CONFIG, clients: [], oidc: { acr: 'require', profile: 'fapi2' } }
    expect(await faults(fapi2)).toEqual([
      expect.stringMatching(/^admin\.console: a realm with oidc\.profile/),
    ])
    expect((await configure({ ...FILE, admin: { console: true } })).admin_console).toBeUndefined()
  })
})

/** Signs in, up to the answer that the browser has not brought yet. */
async function answerFor(own: ConsoleBrowser, passkey: Passkey): Promise<URL> {
  const form = await own.open('/admin')
  const stopping = { ...own, submit: (page: Page, fields = {}) => stopped(own, page, fields) }
  const { url } = await withPasskey(stopping, form, { passkey, origin: ORIGIN })
  expect(url.pathname).toBe('/admin/callback')
  return url
}

describe('attacks on the sign-in', () => {
  it('an answer with another state is refused, and its code is not used', async () => {
    const server = await consoleServer()
    const ann = await server.administrator('ann')
    const own = server.browser()
    const right = await answerFor(own, ann)
    const cookie = own.cookies.get('ostiary_console_sign_in') ?? ''
    for (const state of ['of-another-sign-in', null]) {
      const wrong = new URL(right)
      if (state === null) wrong.searchParams.delete('state')
      else wrong.searchParams.set('state', state)
      const { status, html } = await own.send(wrong.href)
      expect([status, html.includes('does not belong to the sign-in')]).toEqual([400, true])
      expect(own.cookies.has('ostiary_console')).toBe(false)
      own.cookies.set('ostiary_console_sign_in', cookie)
    }
    expect((await own.send(right.href)).status).toBe(200)
  })

  it('the answer to a sign-in of another browser is refused', async () => {
    const server = await consoleServer()
    const ann = await server.administrator('ann')
    const own = server.browser()
    const victim = server.browser()
    await victim.send('/admin')
    const path = (await answerFor(own, ann)).href
    for (const other of [victim, server.browser()]) {
      const answer = await other.send(path)
      expect(answer.status).toBe(400)
      expect(other.cookies.has('ostiary_console')).toBe(false)
    }
    // In its own browser, it is good once.
    expect((await own.send(path)).status).toBe(200)
    expect((await own.send(path)).status).toBe(400)
  })

  it('a changed or expired cookie of the sign-in is refused', async () => {
    const server = await consoleServer()
    await server.administrator('ann')
    const browser = server.browser()
    await browser.send('/admin')
    const cookie = browser.cookies.get('ostiary_console_sign_in') ?? ''
    const code = '/admin/callback?code=x&state=y'
    const pageAfter = async () => (await browser.send(code)).html
    expect(await pageAfter()).toContain('does not belong to the sign-in')
    browser.cookies.set('ostiary_console_sign_in', `${cookie}AAAA`)
    expect(await pageAfter()).toContain('in another browser')
    browser.cookies.set('ostiary_console_sign_in', cookie)
    server.clock.ahead = 899
    expect(await pageAfter()).toContain('does not belong to the sign-in')
    browser.cookies.set('ostiary_console_sign_in', cookie)
    server.clock.ahead = 901
    expect(await pageAfter()).toContain('in another browser')
  })

  it('a user who cancels gets a page', async () => {
    const server = await consoleServer()
    const browser = server.browser()
    const { headers } = await browser.send('/admin')
    const asked = new URL(headers.get('location') ?? '').searchParams
    expect(asked.get('max_age')).toBe('1800')
    const state = asked.get('state')
    const path = `/admin/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(ORIGIN)}`
    const page = await browser.send(path)
    expect([page.status, page.html.includes('You have not signed in')]).toEqual([400, true])
  })

  it.each([
    'https://evil.example.com/',
    '//evil.example.com/admin',
    '/admin/../login',
    '/\\evil.example.com',
    '/administrator',
    'admin',
    '',
  ])('a new sign-in leads to no other place: %s', async (to) => {
    const server = await consoleServer()
    const ann = await server.administrator('ann')
    const { browser, page } = await server.signedIn(ann)
    const csrf_token = hiddenField(page.html, 'csrf_token')
    const begun = await browser.send('/admin/fresh', {
      method: 'POST',
      body: new URLSearchParams({ csrf_token, to }),
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    })
    const sign_in = await browser.open(begun.headers.get('location') ?? '')
    const end = await withPasskey(browser, sign_in, { passkey: ann, origin: ORIGIN })
    expect(end.url.pathname).toBe(HOME)
  })

  it('a link of another site opens the page that it names, in the session', async () => {
    const server = await consoleServer()
    const { browser } = await server.signedIn(await server.administrator('ann'))
    const path = `${USERS}?prefix=a&amp=%22%3E`
    // The browser does not send the cookie of the session.
    const first = await server.browser({ 'sec-fetch-site': 'cross-site' }).send(path)
    expect([first.status, leadsTo(first.html)]).toEqual([200, path])
    expect((await browser.send(leadsTo(first.html) ?? '')).status).toBe(200)
  })
})

/** Posts the form, and follows redirects up to the answer of the sign-in. */
async function stopped(browser: ConsoleBrowser, page: Page, fields: Record<string, string> = {}) {
  let answer = await browser.post(page, fields)
  for (;;) {
    const location = answer.headers.get('location')
    if (location === null) return answer
    const next = new URL(location, ORIGIN)
    if (next.pathname === '/admin/callback') return { ...answer, url: next }
    answer = await browser.send(next.href)
  }
}

describe('the session', () => {
  it('has a row that is of no use without the secret, and a cookie for this site alone', async () => {
    const server = await consoleServer()
    const ann = await server.administrator('ann')
    const { pending } = server.storage.storage('default')
    const { browser } = await server.signedIn(ann)
    const [id = '', step = ''] = (browser.cookies.get('ostiary_console') ?? '').split('.')
    const hash = createHash('sha256')
      .update(JSON.stringify(['console', id, step]))
      .digest('base64url')
    const row = await pending.find(hash)
    expect(row).toEqual({
      kind: 'sealed',
      pending_hash: hash,
      expires_at: expect.any(Number),
      sealed: expect.any(String),
    })
    expect(JSON.stringify(row)).not.toMatch(/eyJ[\w-]+\.|ann-1|access_token/)
    expect(JSON.stringify(row)).not.toContain(id)
  })

  it('has cookies that no subdomain sets on https, and no request of another site sends', async () => {
    const config = { ...CONFIG, app: { url: 'https://id.example.com' } }
    const server = await consoleServer({ config })
    const browser = server.browser()
    const page = await browser.send('https://id.example.com/admin')
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-ostiary_console_sign_in=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
  })

  it('ends at a sign-out, at once and for every cookie that it had', async () => {
    const server = await consoleServer()
    const { browser, page } = await server.signedIn(await server.administrator('ann'))
    const first = browser.cookies.get('ostiary_console') ?? ''
    server.clock.ahead = 60
    await browser.send(USERS)
    const second = browser.cookies.get('ostiary_console') ?? ''
    expect(second).toBe(first.replace('.0', '.1'))
    const csrf_token = hiddenField(page.html, 'csrf_token')
    const out = await browser.send('/admin/sign-out', {
      method: 'POST',
      body: new URLSearchParams({ csrf_token }),
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([out.status, browser.cookies.has('ostiary_console')]).toEqual([200, false])
    expect(out.html).toContain('You are signed out')
    for (const cookie of [first, second]) {
      browser.cookies.set('ostiary_console', cookie)
      expect((await browser.send(USERS)).status).toBe(303)
    }
  })

  it('is listed with no time of its last use before there is one', async () => {
    const server = await consoleServer()
    const { browser } = await server.signedIn(await server.administrator('ann'))
    const { sessions } = server.storage.storage('default')
    expect(await sessions.list('ann-1')).toMatchObject([{ last_used_at: null }])
    const { html } = await browser.send(`${USERS}/ann-1`)
    expect([html.includes('datetime="1970'), html.includes('>Sessions<')]).toEqual([false, true])
  })

  it('ends with the session of the browser at the server', async () => {
    const server = await consoleServer()
    const { browser } = await server.signedIn(await server.administrator('ann'))
    expect((await browser.send(USERS)).status).toBe(200)
    const { sessions } = server.storage.storage('default')
    const admin = await server.signedIn(await server.administrator('eva'))
    const form = await admin.browser.send(`${USERS}/ann-1/end-access`)
    expect((await sessions.list('ann-1')).length).toBe(1)
    expect((await admin.browser.post(form)).status).toBe(303)
    expect((await browser.send(USERS)).status).toBe(303)
  })

  it('ends after 30 minutes without a request, and asks for a new sign-in', async () => {
    const server = await consoleServer()
    const { browser } = await server.signedIn(await server.administrator('ann'))
    server.clock.ahead = 1780
    expect((await browser.send(USERS)).status).toBe(200)
    server.clock.ahead = 1780 + 1790
    expect((await browser.send('/admin/none')).status).toBe(404)
    server.clock.ahead = 1780 + 1790 + 1801
    expect((await browser.send('/admin/none')).status).toBe(303)
  })

  it('needs a new sign-in an hour after the last one, and leads back to the page', async () => {
    const server = await consoleServer()
    const ann = await server.administrator('ann')
    const { browser } = await server.signedIn(ann)
    for (const ahead of [1700, 3300]) {
      server.clock.ahead = ahead
      expect((await browser.send(USERS)).status).toBe(200)
    }
    server.clock.ahead = 3700
    const sign_in = await browser.open(`${USERS}?prefix=an`)
    expect(sign_in.url.pathname).toBe('/login')
  })
})

describe('forms', () => {
  const disabled = async (server: Awaited<ReturnType<typeof consoleServer>>) =>
    (await server.users.find('bob-1'))?.disabled_at !== null

  it.each([
    ['of another site', { origin: 'https://evil.example.com' }],
    ['of another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:4000' }],
    ['of a page without an origin', { origin: 'null' }],
  ])('one %s is refused', async (_name, headers) => {
    const server = await consoleServer()
    await server.administrator('bob', null)
    const { browser } = await server.signedIn(await server.administrator('ann'))
    const form = await browser.send(`${USERS}/bob-1/disable`)
    const answer = await browser.post(form, {}, headers)
    expect([answer.status, answer.html.includes('It came from another site')]).toEqual([403, true])
    expect(await disabled(server)).toBe(false)
    expect((await browser.post(form)).status).toBe(303)
    expect(await disabled(server)).toBe(true)
  })

  it('one of an earlier sign-in is refused, and so is one without its token', async () => {
    const server = await consoleServer()
    await server.administrator('bob', null)
    const ann = await server.administrator('ann')
    const { browser } = await server.signedIn(ann)
    const old = await browser.send(`${USERS}/bob-1/disable`)
    browser.cookies.clear()
    await withPasskey(browser, await browser.open('/admin'), { passkey: ann, origin: ORIGIN })
    for (const fields of [{}, { csrf_token: '' }]) {
      const answer = await browser.post(old, fields)
      expect([answer.status, answer.html.includes('earlier sign-in')]).toEqual([403, true])
    }
    expect(await disabled(server)).toBe(false)
  })

  it('one that comes after the end of the session is not done', async () => {
    const server = await consoleServer()
    await server.administrator('bob', null)
    const { browser } = await server.signedIn(await server.administrator('ann'))
    const form = await browser.send(`${USERS}/bob-1/disable`)
    browser.cookies.delete('ostiary_console')
    expect((await browser.post(form)).status).toBe(401)
    expect(await disabled(server)).toBe(false)
  })

  it('one of another type is refused, and so is another method', async () => {
    const server = await consoleServer()
    const { browser, page } = await server.signedIn(await server.administrator('ann'))
    const csrf_token = hiddenField(page.html, 'csrf_token')
    const typed = { origin: ORIGIN, 'content-type': 'text/plain' }
    const body = new URLSearchParams({ csrf_token }).toString()
    expect((await browser.send('/admin/sign-out', { method: 'POST', body, headers: typed })).status).toBe(413)
    expect((await browser.send(USERS, { method: 'DELETE' })).status).toBe(405)
    expect(
      (
        await browser.post({
          ...page,
          html: `<form method="post" action="${USERS}"><input type="hidden" name="csrf_token" value="${csrf_token}"></form>`,
        })
      ).status,
    ).toBe(405)
    const head = await browser.send(USERS, { method: 'HEAD' })
    expect([head.status, head.html]).toEqual([200, ''])
  })

  it('what destroys asks for the name, shows what ends, and needs a recent sign-in', async () => {
    const server = await consoleServer()
    const bob = await server.administrator('bob', null)
    await server.signedIn(bob)
    const ann = await server.administrator('ann')
    const { browser } = await server.signedIn(ann)
    server.clock.ahead = 230
    expect((await browser.send(`${USERS}/bob-1/delete`)).status).toBe(200)
    server.clock.ahead = 241
    const stale = await browser.send(`${USERS}/bob-1/delete`)
    expect([stale.status, stale.html.includes('Confirm that it is you')]).toEqual([401, true])
    const begun = await browser.post(stale)
    const again = await withPasskey(browser, await browser.open(begun.headers.get('location') ?? ''), {
      passkey: ann,
      origin: ORIGIN,
    })
    expect(again.url.pathname).toBe(`${USERS}/bob-1/delete`)
    const form = await browser.send(`${USERS}/bob-1/delete`)
    expect(form.html).toMatch(/1 session</)
    const wrong = await browser.post(form, { confirm: 'bo' })
    expect([wrong.status, wrong.html.includes('exactly as it is shown')]).toEqual([422, true])
    expect(await server.users.find('bob-1')).not.toBeNull()
    // Another administrator has changed the user meanwhile.
    const eva = await server.signedIn(await server.administrator('eva'))
    const edit = await eva.browser.send(`${USERS}/bob-1/edit`)
    expect((await eva.browser.post(edit, { username: 'bob', name: 'Bob' })).status).toBe(303)
    const late = await browser.post(form, { confirm: 'bob' })
    expect([late.status, late.html.includes('was changed after you opened')]).toEqual([412, true])
    const done = await browser.post(await browser.send(`${USERS}/bob-1/delete`), { confirm: 'bob' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${USERS}?done=user_deleted`])
    expect(await server.users.find('bob-1')).toBeNull()
  })
})
