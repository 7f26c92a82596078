/**
 * What a role may not do is not shown, and would be refused: each form that an owner finds, for each role, with records that the role may change
 * and records that it may not. The API decides; a new form is found by its link.
 */

import { createHash } from 'node:crypto'
import { ADMIN_SCOPES, openRoleStore, type Role } from '@ostiary/admin'
import { createUser, setDisabled } from '@ostiary/identity'
import { databaseRealms } from '@ostiary/realms'
import { postgresExecutor, postgresStores } from '@ostiary/storage-postgres'
import { clientRecord } from '@ostiary/test-kit/client-record'
import { UNLIMITED } from '@ostiary/test-kit/database'
import { linkRecord } from '@ostiary/test-kit/factors/link-rules'
import { factorRecord } from '@ostiary/test-kit/factors/record'
import { migratedDatabase } from '@ostiary/test-kit/migrated-database'
import { expect, it, onTestFinished, vi } from 'vitest'
import { LONG } from '../../../../vitest.shared.ts'
import { idOf } from '../remote/_records.ts'
import { inMemory, PASSWORD } from '../support.ts'
import { CONFIG, type ConsoleBrowser, consoleServer, ORIGIN } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const HOME = '/admin/realms/default'
const API = '/admin/api/v1'
const SECRET = 'a client secret of this test'
const DOCUMENT = 'https://app.example.com/client.json'
const ENTRY = `${ORIGIN}${API} admin.users:read`
const ALL = ADMIN_SCOPES.map((scope) => `${ORIGIN}${API} ${scope}`)
const NOW = Math.floor(Date.now() / 1000)
const LATER = NOW + 86_400

const GOOGLE = {
  type: 'oidc',
  issuer: 'https://accounts.google.com',
  client_id: 'x',
  client_secret_env: 'GOOGLE_CLIENT_SECRET',
  name: 'Google',
}
const SETTINGS = {
  ...CONFIG,
  oidc: {
    ...CONFIG.oidc,
    dpop: 'off',
    routes: { realms: 'path' },
    realms: { default: {}, fixed: {} },
    clients: { metadata_documents: { enabled: true } },
  },
  identity: { upstreams: { google: GOOGLE }, mail: { from: 'id@example.com' } },
  admin: { enabled: true, console: true, allow_client_secrets: true },
  users: [{ username: 'set', password: PASSWORD }],
  realms_at_run_time: true,
}
/** With a user of each role, and a program that has the same role for the API. */
const VIEWERS = [
  ['top', 'owner', '*'],
  ['near', 'owner', 'default'],
  ['max', 'manager', '*'],
  ['sam', 'support', '*'],
  ['aud', 'auditor', '*'],
] as const satisfies readonly (readonly [string, Role, string])[]

/** Whose pages are compared with the answers of the API: in the short run, those of the role with the fewest forms. */
const COMPARED = VIEWERS.filter(([name]) => (name === 'sam') !== LONG)

/** What is typed where a form needs it. */
const TYPED: Record<string, string> = {
  client_id: 'made',
  username: 'made',
  holder: 'plain',
  user: 'plain',
  to: 'ann@example.com',
  id: 'made',
}

type Server = Awaited<ReturnType<typeof consoleServer>>

async function filledServer() {
  const records = postgresExecutor(await migratedDatabase(), UNLIMITED)
  onTestFinished(() => records.close())
  await databaseRealms(records).create({ id: 'acme', settings: {} }, NOW)
  const storage = { ...inMemory(), ...postgresStores(records), records }
  const env = {
    DATABASE_URL: 'postgres://unused.example.com',
    GOOGLE_CLIENT_SECRET: 'x',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const server = await consoleServer({ config: SETTINGS, env, storage })
  const passkeys = new Map<string, Awaited<ReturnType<Server['administrator']>>>()
  for (const [name, role, realm] of VIEWERS)
    passkeys.set(name, await server.administrator(name, role, [realm]))
  await giveUsers(server)
  await giveClients(server)
  return { server, passkeys }
}

/** Each has what the forms end. */
async function giveUsers({ storage, users }: Server): Promise<void> {
  for (const name of ['plain', 'none', 'off']) await createUser(users, { username: name, sub: `${name}-1` })
  await setDisabled(users, { sub: 'off-1', disabled: true })
  const [set] = (await users.list({ limit: 200 })).filter(({ username }) => username === 'set')
  const [factors, links] = [storage.factors('default'), storage.links('default')]
  const subs = ['plain', 'off', 'top'].map((name) => `${name}-1`)
  const { sessions, consents } = storage.storage('default')
  for (const sub of [...subs, set?.sub ?? '']) {
    const version = async () => (await users.find(sub))?.credential_version ?? 0
    const app = factorRecord('app', sub)
    await factors.change({ sub, add: [app] }, { credential_version: await version(), now: NOW })
    const link = linkRecord(sub, { subject: `at-${sub}` })
    await links.add(link, { credential_version: await version(), now: NOW })
    const login = { auth_time: NOW, amr: ['pwd'], acr: '1', created_at: NOW, expires_at: LATER }
    await sessions.create({
      ...login,
      sid: idOf('s', sub),
      session_hash: idOf('hash', sub),
      sub,
      client_ids: [],
      user_agent: 'Browser',
      last_used_at: NOW,
      raised_at: null,
    })
    const approved = [{ resource: 'https://a.example.com', scopes: ['openid'] }]
    await consents.merge({ sub, client_id: 'own', approved }, NOW)
  }
}

async function giveClients({ storage }: Server): Promise<void> {
  const roles = openRoleStore(storage)
  const { clients, client_documents } = storage.storage('default')
  const secret = {
    client_secret_hash: createHash('sha256').update(SECRET).digest('base64url'),
    token_endpoint_auth_method: 'client_secret_basic' as const,
    token_endpoint_auth_methods: ['client_secret_basic' as const],
  }
  await clients.create(clientRecord({ client_id: 'own', ...secret }))
  await clients.create(clientRecord({ client_id: 'reader', optional_scopes: [ENTRY] }))
  await clients.create(clientRecord({ client_id: 'registered', origin: 'registered' }))
  const document = JSON.stringify({
    client_id: DOCUMENT,
    redirect_uris: ['https://app.example.com/callback'],
  })
  const times = { fetched_at: NOW, fresh_until: LATER, changed_at: NOW, expires_at: LATER }
  await client_documents.put({ client_id: DOCUMENT, document, etag: null, last_modified: null, ...times })
  const program = { ...secret, grant_types: ['client_credentials' as const], redirect_uris: [] }
  for (const [name, role, realm] of VIEWERS) {
    await clients.create(clientRecord({ ...program, client_id: `api-${name}`, optional_scopes: ALL }))
    await roles.change('default', () => ({ put: { holder: `client:api-${name}`, role, realms: [realm] } }))
  }
}

/** Changes of records that a role may undo, and of records that it may not: their rows have a form. */
async function changeRecords(browser: ConsoleBrowser): Promise<void> {
  const redirect_uris = 'https://client.example.com/callback'
  for (const [path, fields] of [
    ['users/plain-1', { username: 'plain', name: 'Plain' }],
    ['users/top-1', { username: 'top', name: 'Top' }],
    ['clients/own', { client_name: 'Own', redirect_uris }],
    ['clients/reader', { client_name: 'Reader', redirect_uris }],
  ] as const) {
    const changed = await browser.post(await browser.send(`${HOME}/${path}/edit`), fields)
    expect([path, changed.status]).toEqual([path, 303])
  }
}

interface Viewer {
  /** A page of the console. */
  page(path: string): ReturnType<ConsoleBrowser['send']>
  /** The same browser, for a page that was just read. */
  browser(): ConsoleBrowser
  /** What the API answers to the request of a form, tried by a program with the same role. */
  ask(request: string): Promise<string>
}

/** Pages of a sign-in: the API takes 600 requests a minute of one caller, and some of a recent sign-in alone. */
const PAGES = 60

async function viewer({ server, passkeys }: Awaited<ReturnType<typeof filledServer>>, name: string) {
  const passkey = passkeys.get(name)
  if (passkey === undefined) throw new Error(`There is no ${name}`)
  let pages = 0
  const signIn = () => server.signedIn(passkey)
  let signed_in = await signIn()
  async function page(path: string) {
    pages += 1
    if (pages % PAGES === 0) {
      server.clock.ahead += 60
      signed_in = await signIn()
    }
    return signed_in.browser.send(path)
  }
  const token = await tokenOf(server, `api-${name}`)
  const ask = (request: string) => asked(server, token, request)
  return { page, browser: () => signed_in.browser, ask } satisfies Viewer
}

async function tokenOf({ app }: Server, client_id: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    resource: `${ORIGIN}${API}`,
    scope: ADMIN_SCOPES.join(' '),
  })
  const authorization = `Basic ${Buffer.from(`${client_id}:${SECRET}`).toString('base64')}`
  const url = `${ORIGIN}/realms/default/oauth/token`
  const answer = await app.fetch(new Request(url, { method: 'POST', body, headers: { authorization } }))
  const { access_token, ...problem } = await answer.json()
  if (access_token === undefined) throw new Error(JSON.stringify(problem))
  return access_token
}

/** A simulation asks, and changes nothing. */
const ASKS = '/simulate/'

async function asked({ app, clock }: Server, token: string, request: string): Promise<string> {
  const [head = '', text] = request.split('\n\n')
  const [line = '', ...lines] = head.split('\n')
  const [method = '', path = ''] = line.split(' ')
  const url = new URL(path, ORIGIN)
  if (!url.pathname.includes(ASKS)) url.searchParams.set('dry_run', 'true')
  const headers = new Headers({ authorization: `Bearer ${token}` })
  for (const each of lines) {
    const [name = '', value = ''] = each.split(': ')
    if (!['host', 'authorization'].includes(name.toLowerCase())) headers.set(name, value)
  }
  clock.ahead += 1
  const answer = await app.fetch(new Request(url, { method, headers, ...(text && { body: text }) }))
  const { type = '' } = answer.status < 400 ? {} : await answer.json()
  return `${answer.status} ${type.split(':').at(-1)}`.trim()
}

/** What is not there for this caller, and what the configuration has. */
const REFUSED = ['403 forbidden', '404 not_found', '409 owned_by_configuration']

const decoded = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

const hasForm = (html: string): boolean => html.includes('<form method="post" class="act">')

const linksOf = (html: string): string[] =>
  [...html.matchAll(/href="(\/admin\/realms\/default\/[^"?#]+)/g)].map(([, path]) => path ?? '')

/** The first page of the area: who may read it finds it in the navigation. */
const areaOf = (path: string): string => path.split('/').slice(0, 5).join('/')

interface Seen {
  html: string
  /** What its form sends; null without a form. */
  request: string | null
}

/** All pages that links lead to, each once. */
async function crawl(by: Viewer): Promise<Map<string, Seen>> {
  const pages = new Map<string, Seen>()
  const waiting = [HOME]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue
    const page = await look(by, path)
    pages.set(path, page)
    waiting.push(...linksOf(page.html))
  }
  return pages
}

/** A page, and the request of its form, as it shows it. */
async function look(by: Viewer, path: string): Promise<Seen> {
  const page = await by.page(path)
  if (!hasForm(page.html)) return { html: page.html, request: null }
  const shown = page.html.includes('name="show_command"')
    ? await by.browser().post(page, { ...TYPED, show_command: '1' })
    : page
  const text = /<pre><code>((?:GET|PUT|PATCH|POST|DELETE) [\s\S]*?)<\/code>/.exec(shown.html)?.[1]
  if (text === undefined)
    throw new Error(
      `${path} has no command: ${shown.status} ${shown.html.slice(shown.html.indexOf('<main'), shown.html.indexOf('<main') + 900)}`,
    )
  return { html: page.html, request: decoded(text) }
}

it('a form is shown where the API takes what it sends, and nowhere else', async () => {
  const place = await filledServer()
  const top = await viewer(place, 'top')
  await changeRecords(top.browser())
  const pages = await crawl(top)
  const forms = [...pages].flatMap(([path, { request }]) =>
    request === null ? [] : [[path, request] as const],
  )
  const wrong: string[] = []
  for (const [name] of COMPARED) {
    const by = name === 'top' ? top : await viewer(place, name)
    const seen = name === 'top' ? pages : await crawl(by)
    const links = new Set([...seen].flatMap(([, { html }]) => linksOf(html)))
    for (const [path, of_top] of forms) {
      const { request } = seen.get(path) ?? (await look(by, path))
      const is_shown = request !== null
      const answer = await by.ask(request ?? of_top)
      const is_refused = REFUSED.includes(answer)
      if (is_shown && is_refused) wrong.push(`${name}: ${path} is shown: ${answer}`)
      if (links.has(path) && is_refused) wrong.push(`${name}: ${path} is linked: ${answer}`)
      // The page of a record may need another right than its form.
      if (!is_shown && !is_refused && seen.has(areaOf(path)))
        wrong.push(`${name}: ${path} is hidden: ${answer}`)
    }
  }
  expect(forms.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

it('a page without a form says why, and what to do', async () => {
  const place = await filledServer()
  const pages = new Map<string, Viewer['page']>()
  for (const name of ['top', 'near', 'max', 'sam']) pages.set(name, (await viewer(place, name)).page)
  for (const [name, path, why] of [
    ['sam', 'users/top-1', 'Only an administrator with the role owner (all realms) can change this: ask'],
    ['sam', 'users/near-1/edit', 'Only an administrator with the role owner (default) can change this: ask'],
    ['max', 'clients/reader', 'Only an administrator with the role owner (default) can change this: ask'],
    ['max', 'clients/app/edit', 'The configuration sets this: change it there'],
    ['top', 'clients/ostiary-console', 'The key is <code>admin.console</code>'],
    ['top', `clients/${encodeURIComponent(DOCUMENT)}`, 'Its document sets this: change it at its address.'],
    ['near', 'roles', 'You do not hold it yourself'],
    ['near', 'roles/users/top-1/owner', 'You do not hold it yourself'],
    ['near', 'realms', 'Only an owner of all realms makes new ones.'],
    ['top', 'users/off-1/recovery-link', 'The user is disabled: enable the user first.'],
  ] as const) {
    const { html } = (await pages.get(name)?.(`${HOME}/${path}`)) ?? { html: '' }
    expect([name, path, html]).toEqual([name, path, expect.stringContaining(why)])
    expect([name, path, html.includes('/edit"') || hasForm(html)]).toEqual([name, path, false])
  }
})
