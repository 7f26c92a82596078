/** The pages of other providers and of registration: what they show, what a role may not do, and hostile words of clients and providers. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inMemory } from '../support.ts'
import { CONFIG, consoleServer } from './_console.ts'

const REALM = '/admin/realms/default'
const UPSTREAMS = `${REALM}/upstreams`
const REGISTRATION = `${REALM}/registration`
const DOCUMENTS = `${REGISTRATION}/documents`
const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>`
const CORP_SECRET = 'a client secret of this test'
const URL_ID = 'https://app.example.com/client.json'

const GITHUB = { type: 'github', client_id: 'x', client_secret_env: 'CORP_SECRET', name: 'GitHub' }
const corp = (issuer: string, name = 'Corp') => ({
  type: 'oidc',
  issuer,
  client_id: 'ostiary',
  client_secret_env: 'CORP_SECRET',
  name,
})

type Options = Parameters<typeof consoleServer>[0]

async function opened(options: Options = {}) {
  const server = await consoleServer(options)
  return { server, ...(await server.signedIn(await server.administrator('ann'))) }
}

const withUpstreams = (upstreams: object) =>
  opened({
    config: { ...CONFIG, identity: { upstreams } },
    env: { CORP_SECRET },
    storage: inMemory(),
  })

/** A provider on this machine that answers so at each path. */
async function provider(answer: (address: string, path: string) => [status: number, body: string]) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    paths.push(url)
    const [status, body] = answer(address(), url)
    response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end(body)
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  return { address: address(), paths }
}

const documentOf = (issuer: string, more: object = {}) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...more,
  })

describe('other providers', () => {
  it('without one, the page says what they are for, and how to add one', async () => {
    const { browser } = await opened()
    const { status, html } = await browser.send(UPSTREAMS)
    expect(status).toBe(200)
    expect(html).toContain('There are no other providers')
    expect(html).toContain('&quot;client_secret_env&quot;: &quot;GOOGLE_CLIENT_SECRET&quot;')
  })

  it('are listed, and one has the addresses to register, its settings and its key', async () => {
    const more = { signup: true, domains: ['corp.example'], groups: { claim: 'roles', map: { a: 'staff' } } }
    const upstreams = { corp: { ...corp('https://login.corp.example'), ...more }, github: GITHUB }
    const { browser } = await withUpstreams(upstreams)
    const list = (await browser.send(UPSTREAMS)).html
    expect(list).toMatch(/<bdi>Corp<\/bdi>[\s\S]*login\.corp\.example[\s\S]*get an account[\s\S]*GitHub/)
    const one = await browser.send(`${UPSTREAMS}/corp`)
    for (const shown of [
      'value="http://localhost:4000/login/callback/corp"',
      'value="http://localhost:4000/login/upstream/corp/logout"',
      '<code>identity.upstreams.corp</code>',
      '<code>corp.example</code>',
      '<code>a → staff</code>',
    ])
      expect(one.html).toContain(shown)
    const github = (await browser.send(`${UPSTREAMS}/github`)).html
    expect(github).not.toContain('id="logout_uri"')
    for (const page of [list, one.html, github]) expect(page).not.toContain(CORP_SECRET)
  })

  it('a check of one that answers says so', async () => {
    const { address, paths } = await provider((issuer, path) => [
      200,
      path === '/keys' ? '{"keys":[{}]}' : documentOf(issuer),
    ])
    const { browser } = await withUpstreams({ corp: corp(address) })
    const form = await browser.send(`${UPSTREAMS}/corp/check`)
    expect(form.html).toContain('ostiary upstream check')
    // The form itself asks nothing.
    expect(paths).toEqual([])
    const checked = await browser.post(form)
    expect(checked.status).toBe(200)
    expect(checked.html).toContain('A sign-in can begin')
    expect(paths).toEqual(['/.well-known/openid-configuration', '/keys'])
  })

  it.each<[string, (issuer: string, path: string) => [number, string], string]>([
    ['redirects', () => [302, ''], 'bad_response'],
    ['answers with a fault', () => [500, MARKUP], 'unreachable'],
    ['answers without an end', () => [200, ' '.repeat(2_000_000)], 'unreachable'],
    ['has another issuer', () => [200, documentOf(`https://x.example/${MARKUP}`)], 'issuer_differs'],
    ['has no keys', (issuer) => [200, documentOf(issuer, { keys: [] })], 'no_keys'],
  ])('a check of one that %s says what is wrong, in words', async (_name, answer, reason) => {
    const { address, paths } = await provider(answer)
    const { browser } = await withUpstreams({ corp: corp(address) })
    const checked = await browser.post(await browser.send(`${UPSTREAMS}/corp/check`))
    expect(checked.html).toContain('A sign-in cannot begin')
    expect(checked.html).toContain(`<code>${reason}</code>`)
    expect(checked.html).not.toMatch(/<img src=x|<script/)
    expect(paths).not.toContain('/elsewhere')
  })

  it('markup in a name stays text', async () => {
    const { browser } = await withUpstreams({ corp: corp('https://login.corp.example', MARKUP) })
    for (const path of [
      UPSTREAMS,
      `${UPSTREAMS}/corp`,
      `${UPSTREAMS}/corp/check`,
      `${UPSTREAMS}?done=${MARKUP}`,
    ]) {
      const { html } = await browser.send(path)
      expect([path, /<img src=x|<script/.test(html)]).toEqual([path, false])
    }
    expect((await browser.send(UPSTREAMS)).html).toContain('&quot;&gt;&lt;img')
  })
})

const CLIENTS = { registration: { enabled: true, reuse: true }, metadata_documents: { enabled: true } }
const OPEN = { ...CONFIG, oidc: { ...CONFIG.oidc, clients: CLIENTS } }

const registered = (client_id: string, client_id_issued_at: number, more: object = {}) =>
  clientRecord({
    client_id,
    client_name: `App ${client_id}`,
    client_id_issued_at,
    origin: 'registered',
    redirect_uris: ['https://app.example.com/callback'],
    ...more,
  })

type Server = Awaited<ReturnType<typeof consoleServer>>

const storesOf = ({ storage }: Server) => storage.storage('default')

const putDocument = (server: Server, document: string) =>
  storesOf(server).client_documents.put({
    client_id: URL_ID,
    document,
    etag: null,
    last_modified: null,
    fetched_at: 1_800_000_000,
    fresh_until: 1_800_000_060,
    changed_at: 1_800_000_000,
    expires_at: 4_000_000_000,
  })

describe('registration', () => {
  it('where it is off, the page says which key turns it on', async () => {
    const { browser } = await opened()
    const html = (await browser.send(REGISTRATION)).html.replaceAll('<wbr>', '')
    expect(html).toContain('<code>oidc.clients.registration.enabled</code>')
    expect(html).toContain('Dynamic registration is off')
    expect(html).not.toContain('/oauth/register')
  })

  it('what is allowed is shown with its keys, and the clients with the newest first', async () => {
    const { server, browser } = await opened({ config: OPEN })
    for (const [id, at] of [
      ['b', 20],
      ['a', 10],
      ['c', 30],
    ] as const)
      await storesOf(server).clients.create(registered(id, at))
    await storesOf(server).clients.create(clientRecord({ client_id: 'own', client_name: 'Made here' }))
    const html = (await browser.send(REGISTRATION)).html.replaceAll('<wbr>', '')
    for (const key of [
      'registration.reuse',
      'registration.unused_lifetime',
      'metadata_documents.allowed_hosts',
    ])
      expect(html).toContain(`<code>oidc.clients.${key}</code>`)
    expect(html).toContain('<code>oidc.throttle.registrations_per_day</code>')
    expect(html).toContain('http://localhost:4000/oauth/register')
    const names = [...html.matchAll(/<bdi>(App \w|Made here)<\/bdi>/g)].map(([, name]) => name)
    expect(names).toEqual(['App c', 'App b', 'App a'])
    expect(html).toContain('registered itself')
  })

  it('a search finds names, ids and addresses, and is shown as text', async () => {
    const { server, browser } = await opened({ config: OPEN })
    await storesOf(server).clients.create(registered('a', 1))
    await storesOf(server).clients.create(registered('b', 2, { redirect_uris: ['cursor://x/cb'] }))
    const found = async (search: string) => {
      const { html } = await browser.send(`${REGISTRATION}?search=${encodeURIComponent(search)}`)
      expect(html).not.toMatch(/<img src=x|<script/)
      return [...html.matchAll(/<bdi>(App \w)[ y]*<\/bdi>/g)].map(([, name]) => name)
    }
    expect(await found('CURSOR:')).toEqual(['App b'])
    expect(await found('app a')).toEqual(['App a'])
    expect(await found(MARKUP)).toEqual([])
    // Longer than any name: the rest is not looked at.
    await storesOf(server).clients.create(registered('c', 3, { client_name: `App c ${'y'.repeat(255)}` }))
    expect(await found(`${'y'.repeat(255)}z`)).toEqual(['App c'])
    expect(await found(`${'y'.repeat(254)}z`)).toEqual([])
  })

  it('has further pages, and a cursor that is none is a fault that the page shows', async () => {
    const { server, browser } = await opened({ config: OPEN })
    for (let n = 0; n < 201; n += 1)
      await storesOf(server).clients.create(registered(`n-${String(n).padStart(3, '0')}`, n))
    const first = (await browser.send(REGISTRATION)).html
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first) ?? []
    const second = (await browser.send(next.replaceAll('&amp;', '&'))).html
    const count = (html: string) => [...html.matchAll(/<bdi>App n-\d+<\/bdi>/g)].length
    expect([count(first), count(second)]).toEqual([200, 1])
    expect((await browser.send(`${REGISTRATION}?cursor=x`)).status).toBe(400)
  })

  it('markup in names, addresses and documents stays text', async () => {
    const { server, browser } = await opened({ config: OPEN })
    await storesOf(server).clients.create(
      registered('a', 1, {
        client_name: MARKUP,
        redirect_uris: [`https://app.example.com/${MARKUP}`, MARKUP],
      }),
    )
    await putDocument(server, JSON.stringify({ client_id: URL_ID, client_name: MARKUP }))
    const one = `${DOCUMENTS}/${encodeURIComponent(URL_ID)}`
    for (const path of [
      REGISTRATION,
      DOCUMENTS,
      one,
      `${one}/forget`,
      `${DOCUMENTS}?done=${encodeURIComponent(MARKUP)}`,
    ]) {
      const { status, html } = await browser.send(path)
      expect([path, status, /<img src=x|<script/.test(html)]).toEqual([path, 200, false])
    }
    expect((await browser.send(REGISTRATION)).html).toContain('&quot;&gt;&lt;img')
    expect((await browser.send(one)).html).toContain('&lt;script&gt;')
  })
})

describe('metadata documents', () => {
  it('are listed, shown, and forgotten', async () => {
    const { server, browser } = await opened({ config: OPEN })
    expect((await browser.send(DOCUMENTS)).html).toContain('No document is in use')
    await putDocument(server, JSON.stringify({ client_id: URL_ID }))
    const one = `${DOCUMENTS}/${encodeURIComponent(URL_ID)}`
    expect((await browser.send(DOCUMENTS)).html).toContain(`href="${one}"`)
    expect((await browser.send(one)).html).toContain('These are the words of the application')
    const form = await browser.send(`${one}/forget`)
    expect(form.html).toContain('ostiary client documents forget')
    const done = await browser.post(form)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${DOCUMENTS}?done=document_forgotten`])
    expect(await storesOf(server).client_documents.find(URL_ID)).toBeNull()
    expect((await browser.send(`${DOCUMENTS}?done=document_forgotten`)).html).toContain('is forgotten')
    expect((await browser.send(one)).status).toBe(404)
  })
})

describe('who may', () => {
  const upstreams = { github: GITHUB }
  const config = { ...OPEN, identity: { upstreams } }
  const DOCUMENT = `${DOCUMENTS}/${encodeURIComponent(URL_ID)}`
  const PAGES = [UPSTREAMS, `${UPSTREAMS}/github`, REGISTRATION, DOCUMENTS, DOCUMENT]
  const FORMS = [`${UPSTREAMS}/github/check`, `${DOCUMENT}/forget`]

  it.each([
    ['auditor', [200, 200, 200, 200, 200], [403, 403]],
    ['support', [404, 404, 404, 404, 404], [404, 404]],
    ['manager', [404, 404, 200, 200, 200], [404, 200]],
    ['owner', [200, 200, 200, 200, 200], [200, 200]],
  ] as const)('%s', async (role, pages, forms) => {
    const server = await consoleServer({ config, env: { CORP_SECRET }, storage: inMemory() })
    await putDocument(server, '{}')
    const owner = await server.signedIn(await server.administrator('olga'))
    const sent = await Promise.all(FORMS.map((path) => owner.browser.send(path)))
    const { browser, page } = await server.signedIn(await server.administrator('cem', role))
    const statusOf = async (path: string) => (await browser.send(path)).status
    expect(await Promise.all(PAGES.map(statusOf))).toEqual(pages)
    expect(await Promise.all(FORMS.map(statusOf))).toEqual(forms)
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
    const posted = await Promise.all(sent.map((form) => browser.post(form, { csrf_token })))
    const done = { 200: [200, 303] } as Record<number, number[]>
    for (const [place, { status }] of posted.entries())
      expect(done[forms[place] ?? 0] ?? [forms[place]]).toContain(status)
    const is_kept = (await storesOf(server).client_documents.find(URL_ID)) !== null
    expect(is_kept).toBe(forms[1] !== 200)
    expect(page.html.includes(`href="${UPSTREAMS}"`)).toBe(pages[0] === 200)
  })

  it.each([
    `${UPSTREAMS}/none`,
    `${UPSTREAMS}/constructor/check`,
    `${UPSTREAMS}/github/other`,
    `${UPSTREAMS}/github/check/more`,
    `${REGISTRATION}/other`,
    `${DOCUMENTS}/none`,
    `${DOCUMENTS}/none/forget`,
    `${DOCUMENT}/other`,
  ])('%s is not there', async (path) => {
    const { browser } = await opened({ config, env: { CORP_SECRET }, storage: inMemory() })
    expect((await browser.send(path)).status).toBe(404)
  })

  it.each([UPSTREAMS, `${UPSTREAMS}/github`, REGISTRATION, DOCUMENTS])('%s takes no form', async (path) => {
    const { browser, page } = await opened({ config, env: { CORP_SECRET }, storage: inMemory() })
    const token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
    const html = `<form method="post" action="${path}"><input type="hidden" name="csrf_token" value="${token}"></form>`
    expect((await browser.post({ ...page, html })).status).toBe(405)
  })
})
