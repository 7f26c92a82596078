/** The pages of keys, roles and mails: what they show, what a role may not do, and the attacks on their forms. */

import { openRoleStore } from '@ostiary/admin'
import { withPasskey } from '@ostiary/test-kit/authenticators/passkey-person'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inMemory } from '../support.ts'
import { CONFIG, type ConsoleBrowser, consoleServer, ORIGIN } from './_console.ts'

const REALM = '/admin/realms/default'
const KEYS = `${REALM}/keys`
const ROLES = `${REALM}/roles`
const MAIL = `${REALM}/mail`

type Server = Awaited<ReturnType<typeof consoleServer>>

const keysOf = ({ storage }: Server) => storage.storage('default').keys.list()
const rolesOf = ({ storage }: Server) => openRoleStore(storage).list('default')
const kidOf = async (server: Server) => (await keysOf(server))[0]?.kid ?? ''

/** The owner ann, and bob without a role. */
async function opened(options: Parameters<typeof consoleServer>[0] = {}) {
  const server = await consoleServer(options)
  await server.administrator('bob', null)
  const ann = await server.administrator('ann')
  return { server, ann, ...(await server.signedIn(ann)) }
}

async function mailing(options: Parameters<typeof startSmtp>[0] = {}) {
  const mail_server = await startSmtp(options)
  onTestFinished(() => mail_server.close())
  const config = { ...CONFIG, identity: { mail: { from: 'id@example.com' } } }
  const env = { SMTP_URL: mail_server.url }
  return { mail_server, ...(await opened({ config, env, storage: inMemory() })) }
}

describe('keys', () => {
  it('are listed with what they do now, the newest first, and a new one waits', async () => {
    const { server, browser } = await opened()
    const { html } = await browser.send(KEYS)
    expect(html).toContain(await kidOf(server))
    expect(html).toContain('Signs now')
    const form = await browser.send(`${KEYS}/new`)
    const done = await browser.post(form, { publish_before: '7200' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${KEYS}?done=key_rotated`])
    const after = (await browser.send(`${KEYS}?done=key_rotated`)).html
    expect(after).toMatch(
      /role="status">The new key is published[\s\S]*Published, signs from[\s\S]*Signs now/,
    )
    server.clock.ahead = 200
    const keys = await keysOf(server)
    expect(keys.map(({ signs_from, created_at }) => signs_from - created_at).sort()).toEqual([0, 7200])
  })

  it('a number that is none is a fault at its field, and makes no key', async () => {
    const { server, browser } = await opened()
    const form = await browser.send(`${KEYS}/new`)
    for (const publish_before of ['soon', '-1', '5', '<b>']) {
      const answer = await browser.post(form, { publish_before })
      expect([publish_before, answer.status]).toEqual([publish_before, 400])
      expect(answer.html).toContain('id="publish_before-error"')
    }
    expect(await keysOf(server)).toHaveLength(1)
  })

  it('one is revoked after its kid is typed, with a sign-in of the last minutes', async () => {
    const { server, ann, browser } = await opened()
    const kid = await kidOf(server)
    const form = await browser.send(`${KEYS}/${kid}/revoke`)
    expect(form.html).toContain('<li>1 signing key, and what it has signed</li>')
    for (const confirm of ['', kid.slice(1), 'ES256'])
      expect((await browser.post(form, { confirm })).status).toBe(422)
    expect(await kidOf(server)).toBe(kid)
    server.clock.ahead = 241
    const stale = await browser.post(form, { confirm: kid })
    expect([stale.status, stale.html.includes('Confirm that it is you')]).toEqual([401, true])
    expect(await kidOf(server)).toBe(kid)
    const begun = await browser.post(stale)
    const again = await withPasskey(browser, await browser.open(begun.headers.get('location') ?? ''), {
      passkey: ann,
      origin: ORIGIN,
    })
    expect(again.url.pathname).toBe(`${KEYS}/${kid}/revoke`)
    const done = await browser.post(await browser.send(again.url.pathname), { confirm: kid })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${KEYS}?done=key_revoked`])
    expect((await keysOf(server)).map((key) => key.kid)).not.toContain(kid)
    // The token of the session was signed with it.
    expect((await browser.send(KEYS)).status).toBe(303)
  })

  it('the list needs a sign-in of the last minutes too', async () => {
    const { server, browser } = await opened()
    server.clock.ahead = 301
    const { status, html } = await browser.send(KEYS)
    expect([status, html.includes('Confirm that it is you')]).toEqual([401, true])
    expect(html).not.toContain(await kidOf(server))
  })
})

describe('roles', () => {
  it('are listed with names, given to a user by name, and taken', async () => {
    const { server, browser } = await opened()
    expect((await browser.send(ROLES)).html).toMatch(/<bdi>ann<\/bdi>[\s\S]*owner[\s\S]*All realms/)
    expect((await browser.send(`${ROLES}/new`)).html).toContain(`href="${ROLES}/new/support"`)
    const form = await browser.send(`${ROLES}/new/support`)
    const done = await browser.post(form, { holder: 'Bob', realms: 'default\n' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${ROLES}?done=role_granted`])
    expect(await rolesOf(server)).toContainEqual({
      holder: 'sub:bob-1',
      role: 'support',
      realms: ['default'],
    })
    const take = await browser.send(`${ROLES}/users/bob-1/support`)
    expect((await browser.post(take, { confirm: 'bo' })).status).toBe(422)
    expect((await browser.post(take, { confirm: 'bob' })).status).toBe(303)
    expect(await rolesOf(server)).toEqual([{ holder: 'sub:ann-1', role: 'owner', realms: ['*'] }])
    expect((await browser.send(`${ROLES}/users/bob-1/support`)).status).toBe(404)
  })

  it('a name that no user and no client has gets none, and the last owner stays', async () => {
    const { server, browser } = await opened()
    const form = await browser.send(`${ROLES}/new/owner`)
    for (const fields of [
      { holder: 'nobody' },
      { holder: 'bob', is_client: '1' },
      { holder: '../bob' },
      { holder: '' },
    ]) {
      const answer = await browser.post(form, fields)
      expect([fields, answer.status >= 400 && answer.status < 500]).toEqual([fields, true])
      expect(answer.html).toContain('role="alert"')
    }
    const unknown = await browser.post(form, { holder: 'bob', realms: 'nowhere' })
    expect(unknown.status).toBe(400)
    const take = await browser.send(`${ROLES}/users/ann-1/owner`)
    expect([take.status, (await browser.post(take, { confirm: 'ann' })).status]).not.toContain(303)
    expect(await rolesOf(server)).toEqual([{ holder: 'sub:ann-1', role: 'owner', realms: ['*'] }])
  })

  it('has pages for more roles than a page has, and a cursor that is none is the first page', async () => {
    const { server, browser } = await opened()
    for (let each = 100; each < 160; each += 1)
      await openRoleStore(server.storage).change('default', () => ({
        put: { holder: `sub:gone-${each}`, role: 'auditor', realms: ['*'] },
      }))
    const first = (await browser.send(ROLES)).html
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first) ?? []
    const second = (await browser.send(next)).html
    const named = (html: string) =>
      [...(html.split('<main')[1] ?? '').matchAll(/<bdi>(gone-\d+|ann)<\/bdi>/g)].map(([, name]) => name)
    expect([named(first).length, named(second).length]).toEqual([50, 11])
    expect(new Set([...named(first), ...named(second)]).size).toBe(61)
    for (const cursor of ['-1', '1e3', 'x', '61', '99999'])
      expect(named((await browser.send(`${ROLES}?cursor=${cursor}`)).html).length).toBe(50)
  })

  it('are shown in the realm of the administrators alone', async () => {
    const config = {
      ...CONFIG,
      oidc: { ...CONFIG.oidc, routes: { realms: 'path' }, realms: { default: {}, acme: {} } },
      realms: { acme: {} },
    }
    const { page, browser } = await opened({ config })
    expect(page.html).toContain('/admin/realms/default/roles"')
    const other = await browser.send('/admin/realms/acme/users')
    expect(other.html).toContain('/admin/realms/acme/keys"')
    expect(other.html).not.toContain('/roles"')
    expect((await browser.send('/admin/realms/acme/roles')).status).toBe(404)
  })
})

describe('mail', () => {
  it('a test mail is sent, and the page says so', async () => {
    const { mail_server, browser } = await mailing()
    expect((await browser.send(MAIL)).html).toContain('No mail waits')
    const form = await browser.send(`${MAIL}/test`)
    const done = await browser.post(form, { to: ' bob@example.org ' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${MAIL}?done=mail_sent`])
    expect(mail_server.mails).toMatchObject([{ recipients: ['bob@example.org'] }])
    expect((await browser.send(`${MAIL}?done=mail_sent`)).html).toContain('has accepted the test mail')
  })

  it('one that is refused says why, without the words of the mail server', async () => {
    const { browser } = await mailing({ refuse: { 'bob@example.org': 550 } })
    const form = await browser.send(`${MAIL}/test`)
    const refused = await browser.post(form, { to: 'bob@example.org' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('The mail server has refused it: smtp_550.')
    const wrong = await browser.post(form, { to: 'a@example.org, <script>alert(1)</script>' })
    expect([wrong.status, wrong.html.includes('id="to-error"')]).toEqual([400, true])
    expect(wrong.html).not.toContain('<script')
  })

  it('a realm without mails says what to set', async () => {
    const { browser } = await opened()
    const answer = await browser.post(await browser.send(`${MAIL}/test`), { to: 'bob@example.org' })
    expect([answer.status, answer.html.includes('identity.mail.from')]).toEqual([409, true])
  })

  it('a test mail is offered where the realm mails, and nothing is sent before the form is', async () => {
    const { mail_server, server, browser } = await mailing()
    const { html } = await browser.send(MAIL)
    expect([html.includes(`href="${MAIL}/test"`), html.includes('sends no mails')]).toEqual([true, false])
    expect([mail_server.mails, server.lines.filter((line) => line.includes('mail.'))]).toEqual([[], []])
  })

  it('a test mail is not offered where the realm does not, and the page says why', async () => {
    const { server, browser } = await opened()
    const { html } = await browser.send(MAIL)
    expect(html).not.toContain(`href="${MAIL}/test"`)
    expect(html).toContain('The realm sends no mails: set identity.mail.from')
    const { browser: auditor } = await server.signedIn(await server.administrator('cem', 'auditor'))
    expect((await auditor.send(MAIL)).html).not.toContain('sends no mails')
  })
})

/** A form that changes something, what is sent with it, and what it would have changed. */
const FORMS: Record<
  string,
  { path(server: Server): Promise<string>; fields(server: Server): Promise<Record<string, string>> }
> = {
  'the form of a new key': { path: async () => `${KEYS}/new`, fields: async () => ({}) },
  'the form that revokes a key': {
    path: async (server) => `${KEYS}/${await kidOf(server)}/revoke`,
    fields: async (server) => ({ confirm: await kidOf(server) }),
  },
  'the form that gives a role': {
    path: async () => `${ROLES}/new/owner`,
    fields: async () => ({ holder: 'bob' }),
  },
  'the form that takes a role': {
    path: async () => `${ROLES}/users/eva-1/owner`,
    fields: async () => ({ confirm: 'eva' }),
  },
  'the form of a test mail': {
    path: async () => `${MAIL}/test`,
    fields: async () => ({ to: 'bob@example.org' }),
  },
}

const HEADERS = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example.com' },
  { origin: 'null' },
]

describe.each(Object.entries(FORMS))('%s', (_name, { path, fields }) => {
  const state = async (server: Server) => [
    (await keysOf(server)).map(({ kid }) => kid).sort(),
    await rolesOf(server),
    server.lines.filter((line) => line.includes('mail.')),
  ]

  it('is refused from another site, without its token, and of another session', async () => {
    const { mail_server, server, browser } = await mailing()
    await server.administrator('eva')
    const [at, sent, before] = [await path(server), await fields(server), await state(server)]
    const form = await browser.send(at)
    expect(form.status).toBe(200)
    for (const headers of HEADERS) expect((await browser.post(form, sent, headers)).status).toBe(403)
    for (const csrf_token of ['', 'x'.repeat(43)])
      expect((await browser.post(form, { ...sent, csrf_token })).status).toBe(403)
    const other = await server.signedIn(await server.administrator('cem'))
    expect((await other.browser.post(form, sent)).status).toBe(403)
    const [keys, roles, mails] = await state(server)
    expect([keys, mails]).toEqual([before[0], before[2]])
    expect(roles).toHaveLength((before[1]?.length ?? 0) + 1)
    expect(mail_server.mails).toEqual([])
    expect((await browser.post(form, sent)).status).toBe(303)
  })

  it.each(['auditor', 'support', 'manager'] as const)(
    'is not there for the role %s, and refused',
    async (role) => {
      const { server, browser: owner } = await mailing()
      await server.administrator('eva')
      const [at, sent] = [await path(server), await fields(server)]
      const form = await owner.send(at)
      const { browser, page } = await server.signedIn(await server.administrator('cem', role))
      const before = await state(server)
      const token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
      expect([403, 404]).toContain((await browser.send(at)).status)
      const refused = await browser.post(form, { ...sent, csrf_token: token })
      expect([403, 404]).toContain(refused.status)
      expect(await state(server)).toEqual(before)
      const links = await linksOf(browser)
      expect(links.filter((link) => at.endsWith(link))).toEqual([])
    },
  )
})

/** The links of the lists that the administrator sees. */
async function linksOf(browser: ConsoleBrowser): Promise<string[]> {
  const pages = await Promise.all([KEYS, ROLES, MAIL].map((path) => browser.send(path)))
  return pages.flatMap(({ html }) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href))
}

it('an auditor sees keys, roles and mails; a manager sees mails alone', async () => {
  const server = await consoleServer()
  const seen = async (name: string, role: 'auditor' | 'manager') => {
    const { browser, page } = await server.signedIn(await server.administrator(name, role))
    const shown = [KEYS, ROLES, MAIL].filter((path) => page.html.includes(`href="${path}"`))
    const statuses = await Promise.all(
      [KEYS, ROLES, MAIL].map(async (path) => (await browser.send(path)).status),
    )
    return { shown, statuses }
  }
  expect(await seen('ann', 'auditor')).toEqual({ shown: [KEYS, ROLES, MAIL], statuses: [200, 200, 200] })
  const manager = await seen('mia', 'manager')
  expect(manager).toEqual({ shown: [MAIL], statuses: [404, 404, 200] })
})

it('markup that is stored stays text', async () => {
  const { server, browser } = await opened()
  const markup = `"><img src=x onerror=alert(1)><script>alert(1)</script>`
  const bob = await server.users.find('bob-1')
  if (bob === null) throw new Error('There is no bob')
  await server.users.update(
    { ...bob, username: markup, username_key: markup, updated_at: bob.updated_at + 1 },
    bob.updated_at,
  )
  await openRoleStore(server.storage).change('default', () => ({
    put: { holder: 'sub:bob-1', role: 'support', realms: [markup] },
  }))
  for (const path of [
    ROLES,
    `${ROLES}/users/bob-1/support`,
    `${ROLES}?done=${encodeURIComponent(markup)}&cursor=${encodeURIComponent(markup)}`,
    `${KEYS}/${encodeURIComponent(markup)}/revoke`,
    `${MAIL}?cursor=${encodeURIComponent(markup)}`,
  ]) {
    const { html } = await browser.send(path)
    expect([path, /<img src=x|<script/.test(html)]).toEqual([path, false])
  }
  expect((await browser.send(ROLES)).html).toContain('&quot;&gt;&lt;img')
})

it.each([
  ['GET', `${KEYS}/new/x`, 404],
  ['GET', `${KEYS}/none/revoke`, 404],
  ['GET', `${ROLES}/new/king`, 404],
  ['GET', `${ROLES}/robots/x/owner`, 404],
  ['GET', `${MAIL}/other`, 404],
])('%s %s is %i', async (method, path, status) => {
  const { browser } = await opened()
  expect((await browser.send(path, { method })).status).toBe(status)
})

it.each([KEYS, ROLES, `${ROLES}/new`, MAIL])('%s takes no form', async (path) => {
  const { browser, page } = await opened()
  const token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
  const html = `<form method="post" action="${path}"><input type="hidden" name="csrf_token" value="${token}"></form>`
  expect((await browser.post({ ...page, html })).status).toBe(405)
})
