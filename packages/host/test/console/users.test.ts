/** What one user has: each way to sign in, session and account is ended by a form of its own. */

import { createUser } from '@ostiary/identity'
import { withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { hiddenField } from '@ostiary/test-kit/browser'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { describe, expect, it, vi } from 'vitest'
import { type Place, place, UPSTREAM } from '../remote/_places.ts'
import { giveWays, idOf } from '../remote/_records.ts'
import { consoleServer, ORIGIN } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const CONFIG = { ...UPSTREAM, admin: { ...UPSTREAM.admin, console: true } }
const BOB = '/admin/realms/default/users/bob-1'
const PASSKEY = `${BOB}/factors/${idOf('key')}`
const APP = `${BOB}/factors/${idOf('app')}`
const LINK = `${BOB}/links/google`
const SESSION = `${BOB}/sessions/${idOf('s')}`

type Role = Parameters<Awaited<ReturnType<typeof consoleServer>>['administrator']>[1]

/** A server, and the browser of an administrator, where bob has a passkey, an app, a linked account and a session. */
async function withBob(role: Role = 'owner') {
  const here = await place({ config: CONFIG })
  await giveWays(here)
  const server = await consoleServer({
    config: CONFIG,
    env: { DATABASE_URL: here.url, GOOGLE_CLIENT_SECRET: 'x' },
  })
  const passkey = await server.administrator('ann', role)
  return { here, server, passkey, ...(await server.signedIn(passkey)) }
}

const kindsOf = async ({ factors }: Place) => (await factors.list('bob-1')).map(({ kind }) => kind).sort()
const sessionsOf = ({ storage }: Place) => storage.sessions.list('bob-1')

describe('the page of a user', () => {
  it('has a form for each passkey, app, linked account and session, and none for the password', async () => {
    const { browser, here } = await withBob()
    await here.command(['user', 'set-password', 'bob'], { stdin: 'an unusual passphrase of five' })
    const { html } = await browser.send(BOB)
    for (const path of [PASSKEY, APP]) expect(html).toContain(`href="${path}" aria-label="Remove: Phone"`)
    expect(html).toContain(`href="${LINK}" aria-label="Unlink: ada@corp.example"`)
    expect(html).toContain('>Password</td>')
    expect(html.match(/\/factors\//g)).toHaveLength(2)
  })

  it('a group whose name does not fit is whole in the tooltip', async () => {
    const { browser, here } = await withBob()
    const [fits, long] = ['g'.repeat(24), 'h'.repeat(25)]
    await here.command(['user', 'update', 'bob', `--add-group=${fits}`, `--add-group=${long}`])
    const { html } = await browser.send(BOB)
    expect(html).toContain(`<span class="pill plain">${fits}</span>`)
    expect(html).toContain(`<span class="pill plain" title="${long}">${long}</span>`)
  })

  it('a factor is removed, with what the page says, and the page of the user says so', async () => {
    const { browser, here } = await withBob()
    const form = await browser.send(APP)
    for (const text of ['<bdi>bob</bdi>: Authenticator app <bdi>Phone</bdi>', '1 session', 'applications: 2'])
      expect(form.html).toContain(text)
    expect(await kindsOf(here)).toEqual(['passkey', 'recovery', 'totp'])
    const done = await browser.post(form)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${BOB}?done=factor_removed`])
    expect(await kindsOf(here)).toEqual(['passkey', 'recovery'])
    expect(await sessionsOf(here)).toEqual([])
    expect((await browser.send(`${BOB}?done=factor_removed`)).html).toContain(
      'The way to sign in is removed.',
    )
    expect((await browser.send(APP)).status).toBe(404)
  })

  it('a session ends alone, and an account is unlinked', async () => {
    const { browser, here } = await withBob()
    const ended = await browser.post(await browser.send(SESSION))
    expect(ended.headers.get('location')).toBe(`${BOB}?done=session_ended`)
    expect(await sessionsOf(here)).toEqual([])
    expect((await browser.send(`${BOB}?done=session_ended`)).html).toContain('The session has ended.')
    // Offline access stays.
    expect(await here.storage.grants.list('bob-1', 0)).toHaveLength(1)
    const form = await browser.send(LINK)
    expect(form.html).toContain('Account at google <bdi>ada@corp.example</bdi>')
    const unlinked = await browser.post(form)
    expect(unlinked.headers.get('location')).toBe(`${BOB}?done=link_removed`)
    expect(await here.links.list('bob-1')).toEqual([])
    expect((await browser.send(`${BOB}?done=link_removed`)).html).toContain('The account is unlinked.')
  })

  it('the last way to sign in stays: the page says so, and names the recovery link', async () => {
    const { browser, here } = await withBob()
    await browser.post(await browser.send(LINK))
    const refused = await browser.send(PASSKEY)
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('It is the last way to sign in')
    expect(refused.html).toContain(`href="${BOB}/recovery-link"`)
    expect(refused.html).not.toContain('class="act"')
    expect(await kindsOf(here)).toEqual(['passkey', 'recovery', 'totp'])
  })

  it('what became the last way after the form was shown stays too', async () => {
    const { browser, here } = await withBob()
    const another = factorRecord('other', 'bob-1')
    await here.factors.change({ sub: 'bob-1', add: [another] }, { credential_version: 2, now: 1 })
    const form = await browser.send(LINK)
    expect(form.status).toBe(200)
    await here.factors.change({ sub: 'bob-1', remove: [idOf('key')] }, { credential_version: 3, now: 1 })
    const refused = await browser.post(form)
    expect(refused.status).toBe(409)
    expect(refused.html).toContain(`href="${BOB}/recovery-link"`)
    expect(await here.links.list('bob-1')).toHaveLength(1)
  })

  it('removing a way to sign in needs a sign-in of the last minutes, ending a session does not', async () => {
    const { browser, server, passkey } = await withBob()
    server.clock.ahead = 241
    for (const path of [APP, LINK]) {
      const asked = await browser.send(path)
      expect([asked.status, asked.html.includes('Confirm that it is you')]).toEqual([401, true])
    }
    expect((await browser.send(SESSION)).status).toBe(200)
    const begun = await browser.post(await browser.send(APP))
    const again = await browser.open(begun.headers.get('location') ?? '')
    const form = await withPasskey(browser, again, { passkey, origin: ORIGIN })
    expect(form.url.pathname).toBe(APP)
    expect(form.html).toContain('class="act"')
  })

  it('a session, a factor and an account of another user, and other paths, are not there', async () => {
    const { browser, here } = await withBob()
    await here.command('user create cem --sub cem-1 --no-password')
    for (const path of [
      BOB.replace('bob', 'cem') + SESSION.slice(BOB.length),
      BOB.replace('bob', 'cem') + APP.slice(BOB.length),
      BOB.replace('bob', 'cem') + LINK.slice(BOB.length),
      `${BOB}/factors/${idOf('codes')}`,
      `${BOB}/factors`,
      `${BOB}/grants/x`,
      `${BOB}/constructor/x`,
    ])
      expect([path, (await browser.send(path)).status]).toEqual([path, 404])
  })
})

describe.each([
  ['factor', APP],
  ['link', LINK],
  ['session', SESSION],
])('the form of a %s', (_name, path) => {
  it('is refused from another site and without its token, and nothing ends', async () => {
    const { browser, here } = await withBob()
    const form = await browser.send(path)
    const untouched = [await kindsOf(here), await here.links.list('bob-1'), await sessionsOf(here)]
    expect(hiddenField(form.html, 'csrf_token')).not.toBe('')
    for (const [fields, headers] of [
      [{}, { origin: 'https://evil.example' }],
      [{ csrf_token: 'x' }, {}],
    ] as const)
      expect((await browser.post(form, fields, headers)).status).toBe(403)
    expect([await kindsOf(here), await here.links.list('bob-1'), await sessionsOf(here)]).toEqual(untouched)
  })
})

describe('limits', () => {
  /** Bob, after one attempt with a wrong password, and the keys of its counters. */
  async function withFailure() {
    const all = await withBob()
    const { here, server } = all
    await here.command(['user', 'set-password', 'bob', '--password-stdin'], {
      stdin: 'an unusual passphrase',
    })
    const visitor = server.browser()
    await visitor.submit(await visitor.open('/account'), { username: 'bob', password: 'a wrong one' })
    const { throttle } = here.storage
    const counters = await throttle.list('login:account:', server.now())
    const keyOf = (end: RegExp) => counters.map(({ key }) => key).find((key) => end.test(key)) ?? ''
    const hit = async (key: string, times: number) => {
      for (let n = 0; n < times; n += 1) await throttle.hit(key, 900, server.now())
    }
    const shown = async () => (await all.browser.send(BOB)).html
    const account = keyOf(/:account$/)
    const address = keyOf(/:account_and_address:/)
    expect([account, address]).not.toContain('')
    return { ...all, account, address, hit, shown, throttle }
  }

  it('are named in words, with the name that events have', async () => {
    const { shown, hit, account } = await withFailure()
    await hit(`${account.slice(0, -'account'.length)}code_day`, 1)
    const html = await shown()
    for (const cell of [
      '<span>Failed sign-ins from all addresses</span><br><code>account</code>',
      '<span>Failed sign-ins from one address</span><br><code>account_and_address</code>',
      '<span>Wrong codes in a day</span><br><code>code_day</code>',
    ])
      expect(html).toContain(cell)
    expect(html).toContain('1 / 200')
    expect(html).toContain('active</span>')
    expect(html).not.toContain('Locked until')
  })

  it.each([
    ['account', 199, 'only browsers that have signed in before may try'],
    ['address', 19, 'from elsewhere, the user may try'],
  ] as const)(
    'a user is locked when that of the %s is reached, and not one attempt before',
    async (name, more, says) => {
      const { browser, hit, shown, ...keys } = await withFailure()
      await hit(keys[name], more - 1)
      expect(await shown()).not.toContain('Locked until')
      await hit(keys[name], 1)
      const html = await shown()
      expect(html).toMatch(/<h1><bdi>bob<\/bdi> <span class="pill bad">locked<\/span>/)
      expect(html).toMatch(
        /Locked until <time datetime="[^"]+">[^<]+<\/time>\. There were too many failed attempts/,
      )
      expect(html).toContain(says)
      expect(html.match(/class="pill bad">reached</g)).toHaveLength(1)
      // The list does not read the counters of each user.
      expect((await browser.send('/admin/realms/default/users')).html).not.toContain('locked')
      expect((await browser.post(await browser.send(`${BOB}/limits`))).status).toBe(303)
      expect(await shown()).not.toContain('Locked until')
    },
  )

  it('a user who is disabled is that', async () => {
    const { here, hit, account, shown } = await withFailure()
    await hit(account, 199)
    await here.command('user disable bob')
    const html = await shown()
    expect(html).toContain('class="pill bad">disabled<')
    expect(html).not.toContain('class="pill bad">locked<')
  })

  it('each is named in the language of the browser', async () => {
    const { browser } = await withFailure()
    const words = async (language: string) =>
      (await browser.send(BOB, { headers: { 'accept-language': language } })).html
    expect(await words('de')).toContain('Fehlgeschlagene Anmeldungen von allen Adressen')
    expect(await words('fr')).toContain('Connexions échouées depuis toutes les adresses')
  })
})

describe('roles', () => {
  it('an auditor sees what a user has, and has no form', async () => {
    const { browser } = await withBob('auditor')
    const { html } = await browser.send(BOB)
    for (const text of ['Authenticator app', 'ada@corp.example', 'Browser']) expect(html).toContain(text)
    for (const path of [APP, LINK, SESSION]) {
      expect(html).not.toContain(path)
      expect((await browser.send(path)).status).toBe(403)
    }
  })

  it('support ends nothing of an owner', async () => {
    const { browser, here, server } = await withBob('support')
    await server.administrator('eva')
    const [factor] = await here.factors.list('eva-1')
    const path = `${BOB.replace('bob', 'eva')}/factors/${factor?.factor_id}`
    expect((await browser.send(path)).status).toBe(403)
    expect((await browser.send(path.replace('eva-1', 'bob-1'))).status).toBe(404)
    expect(await here.factors.list('eva-1')).toEqual([factor])
  })
})

it('a group that was stored with spaces stays when another one is added', async () => {
  const server = await consoleServer()
  const { users } = server
  await createUser(users, { username: 'bob', sub: 'bob-1', groups: [' staff '] })
  const { browser } = await server.signedIn(await server.administrator('ann'))
  const form = await browser.send('/admin/realms/default/users/bob-1/edit')
  const fields = { username: 'bob', name: '', email: '', groups: ' staff \r\n new ' }
  expect((await browser.post(form, fields)).status).toBe(303)
  expect((await users.find('bob-1'))?.groups).toEqual([' staff ', 'new'])
})

it('the page of a user whom the configuration has says where the user is changed, and has no form that the API refuses', async () => {
  const { browser } = await withBob()
  const acts = ['edit', 'disable', 'end-access', 'delete']
  const linked = (html: string, path: string) => acts.filter((act) => html.includes(`href="${path}/${act}"`))
  const fay = '/admin/realms/default/users/fay-1'
  const { html } = await browser.send(fay)
  expect(html).toContain('The configuration sets this: change it there, and reload the server. The key is')
  expect(linked(html, fay)).toEqual(['disable', 'end-access'])
  expect(linked((await browser.send(BOB)).html, BOB)).toEqual(acts)
})
