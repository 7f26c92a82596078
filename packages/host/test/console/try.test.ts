/** The pages that say what would happen at a client. */

import { createUser, setDisabled } from '@ostiary/identity'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it } from 'vitest'
import { type Answer, CONFIG, type ConsoleBrowser, consoleServer } from './_console.ts'

const TRY = '/admin/realms/default/clients/reports/try'
const CALLBACK = 'https://r.example.com/cb'

type Given = Partial<Parameters<typeof clientRecord>[0]>

async function place(more: Given = {}, role: 'owner' | 'auditor' | 'manager' | 'support' = 'owner') {
  const server = await consoleServer({ config: { ...CONFIG, identity: { second_factor: 'optional' } } })
  const { clients } = server.storage.storage('default')
  const redirect_uris = [CALLBACK]
  await clients.create(clientRecord({ client_id: 'reports', client_name: 'Reports', redirect_uris, ...more }))
  await createUser(server.users, {
    username: 'eva',
    sub: 'eva-1',
    groups: ['finance'],
    name: '<Eva>',
    email: 'eva@example.com',
  })
  const { browser } = await server.signedIn(await server.administrator('ann', role))
  return { server, browser }
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const wordsOf = (html: string): string =>
  plain(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

/** What the page says, above its form. */
const answerIn = ({ html }: Answer): string =>
  wordsOf(/<section class="answer"[\s\S]*?(?=<form method="post" class="act">)/.exec(html)?.[0] ?? '')

const REQUEST = { user: '', level: '1', redirect_uri: CALLBACK, scope: 'openid', pkce: '1' }

async function ask(browser: ConsoleBrowser, fields: Record<string, string>, path = TRY) {
  const form = await browser.send(path)
  expect(form.status).toBe(200)
  return browser.post(form, fields)
}

interface Asked {
  fields?: Record<string, string>
  client?: Given
  /** In the answer. */
  said: readonly string[]
}

describe('a request', () => {
  it('begins with what the client has, and answers nothing yet', async () => {
    const { browser } = await place()
    const page = await browser.send(`${TRY}?user=eva`)
    expect(page.html).toContain(`id="redirect_uri"`)
    expect(page.html).toContain(`value="${CALLBACK}"`)
    expect(page.html).toContain('value="openid profile email"')
    expect(page.html).toMatch(/id="user"[^>]*value="eva"/)
    expect(page.html).toMatch(/id="pkce"[^>]* checked/)
    expect(page.html).not.toContain('class="answer"')
  })

  it.each([
    [{ optional_scopes: ['email'], default_scopes: ['openid'] }, 'openid email'],
    [{ optional_scopes: ['profile', 'openid'], default_scopes: null }, 'openid profile'],
    [{ optional_scopes: [], default_scopes: [] }, ''],
    [{ optional_scopes: ['*'], default_scopes: [] }, 'openid profile email'],
  ])('asks for no scope that the client may not name: %o', async (scopes, shown) => {
    const { browser } = await place(scopes)
    for (const path of [TRY, `${TRY}/tokens`])
      expect((await browser.send(path)).html).toMatch(new RegExp(`id="scope"[^>]* value="${shown}"`))
  })

  it.each<[string, Asked]>([
    ['of a stranger', { said: ['The sign-in page is shown.', 'signed_out'] }],
    [
      'of a user',
      {
        fields: { user: 'eva' },
        client: { trusted: true },
        said: ['The client gets a code.', 'Scopes openid'],
      },
    ],
    ['of a user by sub', { fields: { user: 'eva-1' }, said: ['The user is asked for consent.', 'openid'] }],
    [
      'with another address',
      {
        fields: { redirect_uri: `${CALLBACK}x` },
        said: ['the user sees an error page', 'unregistered_redirect_uri', 'client.redirect_uris'],
      },
    ],
    [
      'of a user in no allowed group',
      {
        fields: { user: 'eva' },
        client: { allowed_groups: ['board'] },
        said: ['user_in_no_allowed_group', 'client.allowed_groups', '--add-group'],
      },
    ],
    [
      'that is too weak',
      {
        fields: { user: 'eva' },
        client: { required_acr: '2' },
        said: ['The sign-in page is shown.', 'acr', 'client.required_acr'],
      },
    ],
    [
      'with two steps',
      {
        fields: { user: 'eva', level: '2' },
        client: { required_acr: '2', trusted: true },
        said: ['The client gets a code.'],
      },
    ],
    [
      'without a sign-in page',
      { fields: { prompt: 'none' }, said: ['the client gets the error', 'Error login_required'] },
    ],
    ['without PKCE', { fields: { pkce: '' }, said: ['missing_code_challenge', 'client.require_pkce'] }],
    [
      'with a line that replaces a field',
      { fields: { parameters: 'response_type=token' }, said: ['unsupported_response_type'] },
    ],
    [
      'with another line',
      {
        fields: { user: 'eva', parameters: 'prompt=login' },
        client: { trusted: true },
        said: ['The sign-in page is shown.', 'prompt'],
      },
    ],
    [
      'with a parameter that is sent twice',
      {
        fields: { parameters: 'scope=openid\r\nscope=profile' },
        said: ['It is refused', 'Error invalid_request'],
      },
    ],
  ])('%s', async (_name, { fields = {}, client, said }) => {
    const { browser } = await place(client)
    const page = await ask(browser, { ...REQUEST, ...fields })
    expect(page.status).toBe(200)
    for (const words of said) expect(answerIn(page)).toContain(words)
  })

  it('is in the form as it was typed, and shows the line of the command, with the server', async () => {
    const { browser } = await place()
    const page = await ask(browser, {
      ...REQUEST,
      user: ' EVA ',
      level: '2',
      prompt: 'login',
      resource: 'urn:x',
      parameters: 'max_age=1',
    })
    expect(page.html).toMatch(/id="user"[^>]*value=" EVA "/)
    expect(page.html).toContain('<option value="2" selected>')
    expect(page.html).toContain('<option value="login" selected>')
    expect(page.html).toContain('>\nmax_age=1</textarea>')
    expect(plain(page.html)).toContain('--sub=eva-1 --level=2 --server=http://localhost:4000 reports</code>')
    expect(page.html).toContain('POST /admin/api/v1/realms/default/simulate/authorization HTTP/1.1')
    expect(page.html).toContain(`href="${TRY}/tokens?user=EVA"`)
  })

  it('leads to the field that decides, for who may change it', async () => {
    const deciding: readonly (readonly [string, Given])[] = [
      ['allowed_groups', { allowed_groups: ['board'] }],
      ['consent_required', {}],
    ]
    for (const [field, client] of deciding) {
      const { browser } = await place(client)
      const page = await ask(browser, { ...REQUEST, user: 'eva' })
      const link = `/admin/realms/default/clients/reports/edit#${field}`
      expect(page.html).toContain(`<a href="${link}"><code>client.${field}</code></a>`)
      expect((await browser.send(link)).html).toContain(`id="${field}"`)
    }
  })

  it('of a disabled user says that the session does not count', async () => {
    const { server, browser } = await place()
    await setDisabled(server.users, { sub: 'eva-1', disabled: true })
    const page = await ask(browser, { ...REQUEST, user: 'eva' })
    expect(answerIn(page)).toContain('The user is disabled: the session does not count.')
  })

  it.each<[string, Record<string, string>, string]>([
    ['a user that there is not', { user: 'nobody' }, 'user-error'],
    ['a name of another path', { user: '..' }, 'user-error'],
    ['a line that is no parameter', { parameters: '=x' }, 'parameters-error'],
    ['the client as a line', { parameters: 'client_id=other' }, 'parameters-error'],
  ])('%s stays in the form, with what is wrong next to it', async (_name, fields, error) => {
    const { browser } = await place()
    const page = await ask(browser, { ...REQUEST, ...fields })
    expect(page.status).toBeGreaterThanOrEqual(400)
    expect(page.html).toContain(`id="${error}"`)
    expect(page.html).not.toContain('class="answer"')
    for (const typed of Object.values(fields)) expect(page.html).toContain(typed)
  })

  it('of a user that there is not has no command', async () => {
    const { browser } = await place()
    const page = await ask(browser, { ...REQUEST, user: 'nobody', show_command: '1' })
    expect(page.html).toContain('id="user-error"')
    expect(page.html).not.toContain('<pre><code>')
  })
})

describe('tokens', () => {
  it('are shown claim by claim, with where each comes from and what is left out', async () => {
    const { browser } = await place()
    const page = await ask(browser, { user: 'eva', level: '1', scope: 'openid profile' }, `${TRY}/tokens`)
    const said = answerIn(page)
    for (const words of [
      'The client gets tokens.',
      'name "<Eva>" scope profile',
      'sub "eva-1" the provider',
      'email it needs the scope email',
      'UserInfo',
      'Refresh token',
    ])
      expect(said).toContain(words)
    expect(page.html).not.toContain('<Eva>')
  })

  it('without openid have no ID token', async () => {
    const { browser } = await place()
    const page = await ask(browser, { user: 'eva', level: '1', scope: 'profile' }, `${TRY}/tokens`)
    expect(answerIn(page)).toContain('There is none without the scope openid.')
  })

  it('of a user in no allowed group are none', async () => {
    const { browser } = await place({ allowed_groups: ['board'] })
    const page = await ask(browser, { user: 'eva', level: '1', scope: 'openid' }, `${TRY}/tokens`)
    expect(answerIn(page)).toContain('user_in_no_allowed_group')
    expect(page.html).not.toContain('Access token')
  })

  it('need a user', async () => {
    const { browser } = await place()
    for (const user of ['', 'nobody']) {
      const page = await ask(browser, { user, scope: 'openid' }, `${TRY}/tokens`)
      expect([page.status, page.html]).toEqual([422, expect.stringContaining('id="user-error"')])
    }
  })
})

describe('a sign-in', () => {
  it('says what is offered, what the user has, and which limits are reached', async () => {
    const { browser } = await place()
    const page = await ask(browser, { user: 'eva', address: '192.0.2.1' }, `${TRY}/sign-in`)
    for (const words of [
      'The page offers',
      'password',
      'User eva',
      'Disabled no',
      'Second factor not asked for',
    ])
      expect(answerIn(page)).toContain(words)
    expect(page.html).toContain('<a href="/admin/realms/default/users/eva-1">')
  })

  it('of a name that there is not says so', async () => {
    const { browser } = await place()
    const page = await ask(browser, { user: 'nobody' }, `${TRY}/sign-in`)
    expect(answerIn(page)).toContain('there is none of this name')
  })

  it.each<[string, Record<string, string>, string]>([
    ['a name', { user: ' ' }, 'user-error'],
    ['an address', { user: 'eva', address: '1.2.3' }, 'address-error'],
  ])('needs %s', async (_name, fields, error) => {
    const { browser } = await place()
    const page = await ask(browser, fields, `${TRY}/sign-in`)
    expect(page.status).toBeGreaterThanOrEqual(400)
    expect(page.html).toContain(`id="${error}"`)
  })
})

describe('who may', () => {
  it('an auditor, who changes nothing, simulates and gets no link to a form', async () => {
    const { browser } = await place({ allowed_groups: ['board'] }, 'auditor')
    expect((await browser.send('/admin/realms/default/clients/reports')).html).toContain(`href="${TRY}"`)
    const page = await ask(browser, { ...REQUEST, user: 'eva' })
    expect(answerIn(page)).toContain('user_in_no_allowed_group')
    expect(page.html).not.toContain('/reports/edit')
  })

  it('support, who reads no clients, has no such page', async () => {
    const { browser } = await place({}, 'support')
    for (const path of [TRY, `${TRY}/tokens`, `${TRY}/sign-in`])
      expect((await browser.send(path)).status).toBe(404)
  })

  it('nobody with a form of another session, or of another site', async () => {
    const { browser } = await place()
    const form = await browser.send(TRY)
    expect((await browser.post(form, { ...REQUEST, csrf_token: 'x' })).status).toBe(403)
    expect((await browser.post(form, REQUEST, { origin: 'https://evil.example.com' })).status).toBe(403)
  })

  it('a client without users has no link to it, and other paths no page', async () => {
    const { server, browser } = await place()
    await server.storage
      .storage('default')
      .clients.create(
        clientRecord({ client_id: 'job', grant_types: ['client_credentials'], redirect_uris: [] }),
      )
    expect((await browser.send('/admin/realms/default/clients/job')).html).not.toContain('/try')
    for (const path of [
      `${TRY}/nothing`,
      `${TRY}/constructor`,
      '/admin/realms/default/clients/none/try',
      '/admin/realms/default/clients/reports/edit/tokens',
    ])
      expect((await browser.send(path)).status).toBe(404)
  })
})

it('leaves a row of each simulation, and nothing else', async () => {
  const { server, browser } = await place()
  const before = await server.storage.storage('default').clients.list({ limit: 10 })
  await ask(browser, { ...REQUEST, user: 'eva' })
  await ask(browser, { user: 'eva', scope: 'openid' }, `${TRY}/tokens`)
  await ask(browser, { user: 'eva' }, `${TRY}/sign-in`)
  const audit = await browser.send('/admin/realms/default/audit?type=simulation')
  expect([...audit.html.matchAll(/<tr role="row"><td/g)]).toHaveLength(3)
  const { sessions, grants, consents, clients } = server.storage.storage('default')
  expect(await sessions.list('eva-1')).toEqual([])
  expect(await grants.list('eva-1', 1)).toEqual([])
  expect(await consents.list('eva-1')).toEqual([])
  expect(await clients.list({ limit: 10 })).toEqual(before)
})

it.each([
  ['de', 'Die Anmeldeseite wird angezeigt.'],
  ['fr', 'La page de connexion s’affiche.'],
])('in %s', async (language, said) => {
  const { server } = await place()
  const passkey = await server.administrator('lea')
  const { browser } = await server.signedIn(passkey, '/admin', { 'accept-language': language })
  expect(answerIn(await ask(browser, REQUEST))).toContain(said)
})
