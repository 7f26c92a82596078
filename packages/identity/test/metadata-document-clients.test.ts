/** Clients whose client_id is the URL of their metadata: the host of that URL is shown, since the name is not trusted. */

import { describe, expect, it } from 'vitest'
import { openAccount, signedIn } from './_account.js'
import { browser, openLogin, type Setup, setup } from './_setup.js'

const LOOPBACK = 'http://localhost/callback'
const HOSTED = 'https://editor.example/callback'

interface Described {
  client_id?: string
  client_name?: string
  redirect_uris?: string[]
}

const CLIENT_ID = 'https://editor.example/oauth/client.json'

interface Asking {
  s: Setup
  /** Of the authorization request. */
  client_id: string
  redirect_uri: string
}

async function described(changes: Described = {}): Promise<Asking> {
  const { client_id = CLIENT_ID, client_name = 'Editor', redirect_uris = [HOSTED] } = changes
  const registration = { allowed_redirect_schemes: ['cursor'] }
  const s = await setup({
    oidc: { clients: { registration, metadata_documents: { enabled: true } } },
    documents: [{ client_id, client_name, redirect_uris }],
  })
  return { s, client_id, redirect_uri: redirect_uris[0] ?? '' }
}

/** The sign-in, consent, sign-out and account pages. */
async function pagesOf(asking: Asking, ui_locales = 'en'): Promise<Record<string, string>> {
  const { s, client_id, redirect_uri } = asking
  const b = browser(s)
  const params = { client_id, redirect_uri, ui_locales }
  const { url, fields, html } = await openLogin(s, b, params)
  const signed = await b.post(url, { ...fields, username: 'ada', password: 'correct horse' })
  const consent = await (await b.get(signed.headers.get('location') ?? '')).text()
  const auth_token = /name="auth_token" value="([^"]*)"/.exec(consent)?.[1] ?? ''
  await b.post(`${s.base('default')}/oauth/authorize/consent`, { auth_token })
  const query = new URLSearchParams({ client_id })
  const logout = await (await b.get(`https://id.example/oauth/logout?${query}`)).text()
  const account = (await openAccount(s, b)).html
  return { 'sign in': html, consent, logout, account }
}

const NAME = '<bdi>editor.example</bdi> (“<bdi>Editor</bdi>”)'
const ORIGIN =
  '<strong>This application is described at <bdi>editor.example</bdi>.</strong> Make sure that you know it.'
const ANY_PROGRAM = 'Any program on this computer could be asking in its name.'

describe('a client whose client_id is a URL', () => {
  it('is named on every page by the host of that URL, before its own name in quotation marks', async () => {
    const pages = await pagesOf(await described())
    expect(pages['sign in']).toContain(`to continue to ${NAME}`)
    expect(pages.consent).toContain(`Allow ${NAME} to use your account?`)
    expect(pages.consent).toContain('<title>Allow editor.example (“Editor”)? ·')
    expect(pages.logout).toContain(`${NAME} asks to sign you out.`)
    expect(pages.account).toContain(`Used for ${NAME}`)
    expect(pages.account).toContain(`<h3 id="client-0">${NAME}</h3>`)
  })

  it('is named with the port of its host', async () => {
    const pages = await pagesOf(await described({ client_id: 'https://editor.example:8443/client.json' }))
    for (const [name, html] of Object.entries(pages))
      expect(html, name).toContain('<bdi>editor.example:8443</bdi> (“<bdi>Editor</bdi>”)')
    expect(pages.consent).toContain('is described at <bdi>editor.example:8443</bdi>.')
  })

  it('has a warning where the user decides, and the host that gets the answer', async () => {
    const pages = await pagesOf(await described())
    for (const name of ['sign in', 'consent']) expect(pages[name], name).toContain(ORIGIN)
    expect(pages['sign in']).toContain(
      'After you sign in or go back, you will be sent to <bdi>editor.example</bdi>.',
    )
    expect(pages.consent).toContain('After you answer, you will be sent to <bdi>editor.example</bdi>.')
    for (const html of Object.values(pages)) expect(html).not.toContain('registered itself')
  })

  it('is shown again with the warning after a wrong password', async () => {
    const { s, client_id, redirect_uri } = await described()
    const b = browser(s)
    const { url, fields } = await openLogin(s, b, { client_id, redirect_uri })
    const page = await b.post(url, { ...fields, username: 'ada', password: 'wrong' })
    expect(await page.text()).toContain(ORIGIN)
  })

  it('cannot pass for another host by its name', async () => {
    const client_name = 'claude.ai” (safe). “bank.example'
    const { consent } = await pagesOf(await described({ client_name }))
    expect(consent).toContain(
      'Allow <bdi>editor.example</bdi> (“<bdi>claude.ai&#39; (safe). &#39;bank.example</bdi>”) to use',
    )
  })

  it('is shown with the ASCII form of its host, which no other script imitates', async () => {
    const { consent } = await pagesOf(await described({ client_id: 'https://xn--clude-6qd.example/c' }))
    expect(consent).toContain('Allow <bdi>xn--clude-6qd.example</bdi> (“')
  })

  it('shows the whole of a long host: what it belongs to is at its end', async () => {
    const host = `${'claude.ai.sign-in.'.repeat(10)}evil.example`
    const { consent } = await pagesOf(await described({ client_id: `https://${host}/c` }))
    expect(consent).toContain(`Allow <bdi>${host}</bdi> (“`)
  })

  it('shows the port and not the path of its URL, which could look like a host', async () => {
    const client_id = 'https://evil.example:8443/claude.ai'
    const pages = await pagesOf(await described({ client_id }))
    expect(pages.consent).toContain('Allow <bdi>evil.example:8443</bdi> (“')
    expect(pages.consent).not.toContain('claude.ai')
  })
})

it('a client whose document is not stored any more is shown with the host of its URL', async () => {
  const { s } = await described()
  const b = await signedIn(s)
  const client_id = 'https://gone.example/claude.ai'
  const [ada] = await s.users('default').list({ limit: 1 })
  const approved = [{ resource: s.base('default'), scopes: ['openid'] }]
  await s.storage('default').consents.merge({ sub: ada?.sub ?? '', client_id, approved }, s.clock.now)
  expect((await openAccount(s, b)).html).toContain(
    `<h3 id="client-0"><bdi>gone.example</bdi> (“<bdi>${client_id}</bdi>”)</h3>`,
  )
})

describe('a client all of whose redirect URIs lead to this computer', () => {
  it.each([[[LOOPBACK]], [[LOOPBACK, 'http://127.0.0.1/callback']], [['http://[::1]:8080/cb']]])(
    '%j: the page says that any program could be asking',
    async (redirect_uris) => {
      const { consent } = await pagesOf(await described({ redirect_uris }))
      expect(consent).toContain(`<strong>${ANY_PROGRAM}</strong>`)
      expect(consent).toContain('(this computer).')
    },
  )

  it.each([
    [[HOSTED]],
    [[LOOPBACK, HOSTED]],
    [['cursor://host/callback']],
    [['http://localhost.example/cb']],
  ])('not for %j', async (redirect_uris) => {
    expect((await pagesOf(await described({ redirect_uris }))).consent).not.toContain(ANY_PROGRAM)
  })

  it.each([
    ['operator', true, false],
    ['registered', false, false],
    ['registered', true, true],
  ] as const)('a client of origin %s, with registration.reuse %j: %j', async (origin, reuse, says_so) => {
    const oidc = { clients: { registration: { reuse } } }
    const s = await setup({ oidc, client: { redirect_uris: [LOOPBACK], origin } })
    const { consent } = await pagesOf({ s, client_id: 'app', redirect_uri: LOOPBACK })
    expect(consent?.includes(ANY_PROGRAM)).toBe(says_so)
  })
})

it.each([
  [
    'de',
    '<bdi>editor.example</bdi> („<bdi>Editor</bdi>“)',
    'Diese Anwendung ist bei <bdi>editor.example</bdi> beschrieben.',
    'Jedes Programm auf diesem Computer könnte in ihrem Namen fragen.',
  ],
  [
    'fr',
    '<bdi>editor.example</bdi> («\u00a0<bdi>Editor</bdi>\u00a0»)',
    'Cette application est décrite sur <bdi>editor.example</bdi>.',
    'N’importe quel programme de cet ordinateur pourrait demander en son nom.',
  ],
])('in %s', async (language, ...texts) => {
  const { consent } = await pagesOf(await described({ redirect_uris: [LOOPBACK] }), language)
  for (const text of texts) expect(consent).toContain(text)
})
