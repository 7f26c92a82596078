/**
 * Every form: the command that it shows is run on a copy of the database, over the admin API of another server, and leaves the same records
 * there as the form does here. A form without a row fails.
 */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Factor, Ticket } from '@ostiary/identity'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LONG } from '../../../../vitest.shared.ts'
import { CONFIG, MAILS, type Place, place, SERVER, steady, UPSTREAM } from '../remote/_places.ts'
import { giveRealms, RUN_TIME } from '../remote/_realm-rows.ts'
import { giveDocuments, giveWays, idOf } from '../remote/_records.ts'
import { type Answer, type ConsoleBrowser, consoleServer } from './_console.ts'

vi.setConfig({ testTimeout: 300_000 })

const WITH_CONSOLE = { ...CONFIG, admin: { ...CONFIG.admin, console: true } }
const WITH_REALMS = { ...RUN_TIME, admin: WITH_CONSOLE.admin }
/** GitHub has no document, and the other one is not asked for its own: nothing leaves this machine. */
const GITHUB = { type: 'github', client_id: 'x', client_secret_env: 'GOOGLE_CLIENT_SECRET', name: 'GitHub' }
const WITH_UPSTREAM = {
  ...WITH_CONSOLE,
  identity: { ...WITH_CONSOLE.identity, upstreams: { ...UPSTREAM.identity.upstreams, github: GITHUB } },
}
const REALMS = '/admin/realms/default/realms'
const USERS = '/admin/realms/default/users'
const BOB = `${USERS}/bob-1`
const CLIENTS = '/admin/realms/default/clients'
const MADE = `${CLIENTS}/made`
const KEYS = '/admin/realms/default/keys'
const ROLES = '/admin/realms/default/roles'
const DOCUMENT = 'https://b.example.com/client.json'
/** Texts that a shell, a parser of options or markup could read in another way. */
const HOSTILE = `-x '$(touch pwned)' "\`id\`" \\ <b>&amp;</b> ~ # ; | Ünï =`

interface Row {
  /** Of the first of those that follow one another. */
  before?: (place: Place) => Promise<unknown>
  path: string | ((place: Place) => Promise<string>)
  fields?: Record<string, string>
  /** Typed to confirm it, here and at the question of the command. */
  confirm?: string | ((place: Place) => Promise<string>)
  typed?: string
  /** Both realms mail, by a real mail server. */
  mails?: true
  /** Realms are made at run time. */
  has_realms?: true
  /** Both realms have another provider. */
  upstreams?: true
  /** It changes nothing, and the command gives the same answer as the request. */
  simulates?: true
}

/** What the servers of a row have. */
function configOf({ has_realms, upstreams }: Row): object {
  if (has_realms) return WITH_REALMS
  return upstreams ? WITH_UPSTREAM : WITH_CONSOLE
}

const textFor = async (text: NonNullable<Row['confirm']>, one: Place) =>
  typeof text === 'string' ? text : text(one)

const givesPasswordless = ({ command }: Place) =>
  command('user create bob --sub bob-1 --no-password --claim email=bob@example.com')
const kidOf = async ({ storage }: Place) => (await storage.keys.list())[0]?.kid ?? ''

const givesClient = ({ command }: Place) =>
  command([
    ...'client create --id made --name Made --confidential --redirect-uri https://made.example.com/cb'.split(
      ' ',
    ),
    ...'--post-logout-redirect-uri https://made.example.com/bye'.split(' '),
  ])

async function givesClientAndUser(one: Place) {
  await givesClient(one)
  await givesPasswordless(one)
}

/** What the form of this client has at first. */
const AS_MADE = {
  client_name: 'Made',
  redirect_uris: 'https://made.example.com/cb',
  post_logout_redirect_uris: 'https://made.example.com/bye',
}

/** A change whose row has the same id in each database. */
async function changesClient(one: Place) {
  await givesClient(one)
  await one.command('client update made --name Changed')
  await one.executor.query(`update oidc_audit set audit_id = '0change' where type = 'client.update'`)
}

const ROWS: Record<string, Row> = {
  'user disable': { before: giveWays, path: `${BOB}/disable` },
  'user enable': { path: `${BOB}/enable` },
  'end access': { before: giveWays, path: `${BOB}/end-access` },
  'user delete': { before: giveWays, path: `${BOB}/delete`, confirm: 'bob', typed: 'bob-1' },
  'reset of limits': { path: `${BOB}/limits` },
  'recovery link': { path: `${BOB}/recovery-link` },
  'user invite': { before: givesPasswordless, path: `${BOB}/invite`, fields: { print: '1' } },
  'user factors remove': { path: `${BOB}/factors/${idOf('app')}` },
  'user links remove': { before: giveWays, path: `${BOB}/links/google`, upstreams: true },
  'session end': { before: giveWays, path: `${BOB}/sessions/${idOf('s')}` },
  'consent revoke': { path: `${BOB}/consents/fixed` },
  'client create, a web application': {
    path: `${CLIENTS}/new/web`,
    fields: {
      client_id: 'made',
      client_name: HOSTILE,
      redirect_uris: "https://made.example.com/cb\r\nhttps://made.example.com/cb?a=1&b='",
      post_logout_redirect_uris: 'https://made.example.com/',
    },
  },
  'client create, a single-page application': {
    path: `${CLIENTS}/new/spa`,
    fields: {
      client_id: 'made-spa',
      client_name: '',
      redirect_uris: 'https://made.example.com/cb',
      post_logout_redirect_uris: '',
    },
  },
  'client create, a native application': {
    path: `${CLIENTS}/new/native`,
    fields: {
      client_id: '-made',
      client_name: 'Made',
      redirect_uris: 'http://127.0.0.1/callback\ncom.example.made:/cb',
    },
  },
  'client create, a machine': {
    path: `${CLIENTS}/new/machine`,
    fields: { client_id: 'made-worker', client_name: '' },
  },
  'client update': {
    before: givesClient,
    path: `${MADE}/edit`,
    fields: {
      client_name: HOSTILE,
      redirect_uris: 'https://made.example.com/2',
      post_logout_redirect_uris: 'https://made.example.com/out',
    },
  },
  'client update that removes': {
    before: givesClient,
    path: `${MADE}/edit`,
    fields: { client_name: '', redirect_uris: 'https://made.example.com/cb', post_logout_redirect_uris: '' },
  },
  'client update, who may use it': {
    before: givesClient,
    path: `${MADE}/edit`,
    fields: { ...AS_MADE, allowed_groups: `staff\r\n${HOSTILE}`, required_acr: '2', consent_required: '' },
  },
  'client update that lets every user in': {
    path: `${MADE}/edit`,
    fields: { ...AS_MADE, allowed_groups: '', required_acr: '', consent_required: '1' },
    confirm: 'made',
  },
  'simulate authorization': {
    before: givesClientAndUser,
    path: `${MADE}/try`,
    fields: {
      user: 'bob',
      level: '2',
      redirect_uri: 'https://made.example.com/cb',
      scope: 'openid profile',
      prompt: 'consent',
      pkce: '1',
      parameters: `max_age=1\r\nstate=${HOSTILE}\r\nui_locales=a\r\nui_locales=b`,
    },
    simulates: true,
  },
  'simulate authorization of a stranger': {
    before: givesClientAndUser,
    path: `${MADE}/try`,
    fields: { user: '', redirect_uri: `https://made.example.com/${HOSTILE}`, scope: '', resource: 'urn:x' },
    simulates: true,
  },
  'simulate tokens': {
    before: givesClientAndUser,
    path: `${MADE}/try/tokens`,
    fields: { user: 'bob-1', level: '2', scope: 'openid  email', resource: '' },
    simulates: true,
  },
  'simulate tokens for a resource': {
    before: givesClientAndUser,
    path: `${MADE}/try/tokens`,
    fields: { user: 'bob', level: '2', scope: '', resource: 'urn:x' },
    simulates: true,
  },
  'simulate sign-in': {
    before: givesClientAndUser,
    path: `${MADE}/try/sign-in`,
    fields: { user: 'bob', address: '192.0.2.1' },
    simulates: true,
  },
  'simulate sign-in of a hostile name': {
    before: givesClientAndUser,
    path: `${MADE}/try/sign-in`,
    fields: { user: HOSTILE },
    simulates: true,
  },
  'client rotate-secret': { before: givesClient, path: `${MADE}/secret` },
  'client delete': { before: givesClient, path: `${MADE}/delete`, confirm: 'made', typed: 'made' },
  'audit undo': {
    before: changesClient,
    path: '/admin/realms/default/audit/0change/undo',
    confirm: 'made',
  },
  'user create': {
    path: `${USERS}/new`,
    fields: {
      username: 'eva',
      name: HOSTILE,
      email: 'eva@example.com',
      email_verified: '1',
      groups: `staff\r\n${HOSTILE}`,
    },
  },
  'user create with a name that looks like an option': {
    path: `${USERS}/new`,
    fields: { username: '--yes', name: '', email: '', groups: '' },
  },
  'user create with a password': {
    path: `${USERS}/new`,
    fields: {
      username: "o'neil $x",
      name: '',
      email: '',
      groups: '',
      password: 'an unusual passphrase of five',
    },
  },
  'user update': {
    before: giveWays,
    path: `${BOB}/edit`,
    fields: {
      username: 'robert',
      name: HOSTILE,
      email: 'bob@example.com',
      email_verified: '1',
      groups: 'a b\nc',
    },
  },
  'user update that removes': {
    before: ({ command }) =>
      command([
        'user',
        'create',
        'bob',
        '--sub=bob-1',
        '--no-password',
        '--claim=name=Bob',
        '--claim=email=b@example.com',
        '--group=x',
        '--group=y',
      ]),
    path: `${BOB}/edit`,
    fields: { username: 'bob', name: '', email: '', groups: '' },
  },
  'keys rotate': { path: `${KEYS}/new`, fields: { alg: 'RS256', publish_before: '7200' } },
  'keys rotate, as configured': { path: `${KEYS}/new`, fields: { alg: '', publish_before: '' } },
  'keys revoke': { path: async (one) => `${KEYS}/${await kidOf(one)}/revoke`, confirm: kidOf },
  'admin roles grant': {
    before: givesPasswordless,
    path: `${ROLES}/new/support`,
    fields: { holder: 'BOB', realms: '' },
  },
  'admin roles grant, other realms': {
    path: `${ROLES}/new/support`,
    fields: { holder: 'bob', realms: 'default\r\n' },
  },
  'admin roles grant, a client': {
    before: givesClient,
    path: `${ROLES}/new/auditor`,
    fields: { holder: 'made', is_client: '1', realms: '' },
  },
  'admin roles revoke': { path: `${ROLES}/users/bob-1/support`, confirm: 'bob' },
  'realm create': {
    has_realms: true,
    path: `${REALMS}/new`,
    fields: { id: 'acme', settings: '{\n  "oidc": { "tokens": { "access_token": 300 } }\n}' },
  },
  'realm create, with the settings of all realms': {
    has_realms: true,
    path: `${REALMS}/new`,
    fields: { id: 'blue', settings: ' ' },
  },
  'realm update': {
    has_realms: true,
    before: giveRealms,
    path: `${REALMS}/acme/edit`,
    fields: { settings: '{"identity":{"second_factor":"required"}}' },
  },
  'realm delete': {
    has_realms: true,
    before: giveRealms,
    path: `${REALMS}/acme/delete`,
    confirm: 'acme',
    typed: 'acme',
  },
  'client documents forget': {
    before: giveDocuments,
    path: `/admin/realms/default/registration/documents/${encodeURIComponent(DOCUMENT)}/forget`,
  },
  'upstream check': { path: '/admin/realms/default/upstreams/github/check', upstreams: true },
  'mail test': { path: '/admin/realms/default/mail/test', fields: { to: 'ann@example.org' }, mails: true },
}

/** What a form could change, without what is random or a time. */
async function recordsOf({ users, storage, factors, links, tickets, executor }: Place): Promise<unknown> {
  const listed = (await users.list({ limit: 100 })).filter(({ sub }) => sub !== 'ann-1')
  const subs = ['bob-1', ...listed.map(({ sub }) => sub)]
  const of = async (sub: string) => ({
    sessions: (await storage.sessions.list(sub)).map(({ sid }) => sid),
    grants: (await storage.grants.list(sub, Math.floor(Date.now() / 1000))).map(({ grant_id }) => grant_id),
    consents: await storage.consents.list(sub),
    links: (await links.list(sub)).map(({ upstream }) => upstream),
    factors: (await factors.list(sub)).map(({ factor_id }: Factor) => factor_id),
    tickets: await Promise.all(
      (['invite', 'recover'] as const).map(
        async (purpose) => (await tickets.findOf(sub, purpose)) as Ticket | null,
      ),
    ),
  })
  const plain = listed.map(({ password_hash, ...user }) => ({
    ...user,
    has_password: password_hash !== null,
  }))
  const clients = await storage.clients.list({ limit: 100 })
  const keys = (await storage.keys.list()).map(({ alg, created_at, signs_from }) => [
    alg,
    signs_from - created_at,
  ])
  const roles = await executor.query(
    `select holder, role, realms from oidc_roles where holder <> 'sub:ann-1' order by holder, role`,
  )
  const realms = await executor.query(
    'select realm, settings, version, disabled_at is null as is_live from oidc_realms order by 1',
  )
  const documents = await storage.client_documents.list({ limit: 100 })
  const records = [plain, await Promise.all(subs.map(of)), clients, documents, keys.sort(), roles, realms]
  const hidden = JSON.stringify(records, (name, value) => {
    if (name === 'ticket_hash') return '<random>'
    return name === 'client_secret_hash' && value !== null ? '<random>' : value
  })
  return steady(JSON.parse(hidden))
}

const unescaped = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The command lines of a page. */
const linesOf = ({ html }: Answer): string[] =>
  [...html.matchAll(/<pre><code>((?:printf|ostiary) [^<]*)<\/code><\/pre>/g)].map(([, line = '']) =>
    unescaped(line),
  )

/** Claims with a random value. */
const RANDOM_CLAIMS = ['at_hash', 'jti', 'sid']

/** An answer without what is random or a time. */
const steadyAnswer = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(steady(answer)), (_key, value) =>
    RANDOM_CLAIMS.includes(value?.name) ? { ...value, value: '<random>' } : value,
  )

/** What the admin API answers to the request of a page. */
async function answerOf({ connect }: Place, { html }: Answer): Promise<unknown> {
  const [, method = '', path = '', body = ''] =
    /<pre><code>(\w+) \/admin\/api\/v1(\S+) HTTP\/1.1\n[^<]*?\n\n([^<]*)<\/code>/.exec(html) ?? []
  const { request } = await connect(SERVER)
  const sent = { method, path, body: JSON.parse(unescaped(body)) } as Parameters<typeof request>[0]
  return (await request(sent)).body
}

/** The words that a shell makes of a line. */
async function wordsOf(line: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `ostiary() { printf '%s\\0' "$@"; }\n${line}`])
  return stdout.split('\0').slice(0, -1)
}

async function mailing() {
  const mail_server = await startSmtp()
  onTestFinished(() => mail_server.close())
  return { config: { ...WITH_CONSOLE, identity: MAILS.identity }, mail_server }
}

async function consoleOn({ url }: Place, config: object = WITH_CONSOLE, smtp_url = 'smtp://127.0.0.1:1') {
  const server = await consoleServer({
    config,
    env: { DATABASE_URL: url, GOOGLE_CLIENT_SECRET: 'x', SMTP_URL: smtp_url },
  })
  return server.signedIn(await server.administrator('ann'))
}

/**
 * Databases and servers cost more than a form: these follow one another on the same ones, and begin with the records of the first row.
 * What a row leaves is what the next one needs, or does not concern it.
 */
const TOGETHER: readonly (readonly [string, ...string[]])[] = [
  [
    'session end',
    'consent revoke',
    'reset of limits',
    'user factors remove',
    'recovery link',
    'user disable',
    'user enable',
    'user delete',
  ],
  ['user update', 'end access'],
  ['user invite', 'admin roles grant', 'admin roles grant, other realms', 'admin roles revoke'],
  [
    'client update',
    'client update that removes',
    'client update, who may use it',
    'client update that lets every user in',
    'admin roles grant, a client',
    'client rotate-secret',
    'client delete',
  ],
  [
    'client create, a web application',
    'client create, a single-page application',
    'client create, a native application',
    'client create, a machine',
    'user create',
    'user create with a name that looks like an option',
    'user create with a password',
    'keys rotate',
    'keys rotate, as configured',
  ],
  ['realm update', 'realm delete'],
  ['realm create', 'realm create, with the settings of all realms'],
  ['user links remove', 'upstream check'],
  [
    'simulate authorization',
    'simulate authorization of a stranger',
    'simulate tokens',
    'simulate tokens for a resource',
    'simulate sign-in',
    'simulate sign-in of a hostile name',
  ],
]
const ALONE = Object.keys(ROWS).filter((name) => !TOGETHER.some((names) => names.includes(name)))
const CASES = [...TOGETHER, ...ALONE.map((name) => [name] as const)].map((names) => ({
  title: names.join('; '),
  names,
}))
/** The short run has those whose texts a shell could read in another way. */
const TRIED = CASES.filter(({ names }) => names.includes('user create') !== LONG)

function rowOf(name: string): Row {
  const row = ROWS[name]
  if (row === undefined) throw new Error(`There is no row ${name}`)
  return row
}

interface Places {
  here: Place
  there: Place
  browser: ConsoleBrowser
}

/** The form and its command do the same. */
async function compare(row: Row, { here, there, browser }: Places): Promise<void> {
  const { fields = {}, typed = 'y', simulates = false } = row
  const path = await textFor(row.path, here)
  const confirm = row.confirm && (await textFor(row.confirm, here))
  const untouched = await recordsOf(here)
  const form = await browser.send(path)
  expect(form.status).toBe(200)
  const has_fields = form.html.includes('name="show_command"')
  const shown = has_fields ? await browser.post(form, { ...fields, show_command: '1' }) : form
  expect(await recordsOf(here)).toEqual(untouched)
  const lines = linesOf(shown)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line).toContain(' --server=')
    const [, command = line] = /^printf %s "\$PASSWORD" \| (.*)$/s.exec(line) ?? []
    const run = await there.command(await wordsOf(command), {
      connect: there.connect,
      stdin: fields.password ?? '',
      typed,
    })
    expect(run.failure).toBeUndefined()
    expect(run.code).toBe(0)
    if (simulates) expect(steadyAnswer(run.printed?.json)).toEqual(steadyAnswer(await answerOf(there, shown)))
  }
  const done = await browser.post(shown, { ...fields, ...(confirm && { confirm }) })
  expect([done.status < 400, done.html]).toEqual([true, expect.any(String)])
  const after = await recordsOf(here)
  expect(after).toEqual(await recordsOf(there))
  // What these change is not shown, or was not there.
  if (simulates) expect([after, done.html]).toEqual([untouched, expect.stringContaining('class="answer"')])
  else if (!/(?:limits|secret|revoke|test|check)$/.test(path)) expect(after).not.toEqual(untouched)
}

describe('the command that a form shows does what the form does', () => {
  it.each(TRIED)('$title', async ({ names }) => {
    const first = rowOf(names[0])
    const { config, mail_server } = first.mails
      ? await mailing()
      : { config: configOf(first), mail_server: null }
    const options = { config, ...(mail_server && { smtp_url: mail_server.url }) }
    const here = await place(options)
    const there = await place(options)
    for (const one of [here, there]) await first.before?.(one)
    const { browser } = await consoleOn(here, config, mail_server?.url)
    for (const name of names) {
      expect([undefined, first.before]).toContain(rowOf(name).before)
      const fault = await compare(rowOf(name), { here, there, browser }).catch((error: unknown) => error)
      if (fault !== undefined) throw new Error(name, { cause: fault })
    }
    if (mail_server !== null) expect(mail_server.mails).toHaveLength(2)
  })
})

it('each form of the console has a row', async () => {
  const here = await place({ config: WITH_UPSTREAM })
  await giveWays(here)
  await giveDocuments(here)
  await here.command('user create cem --sub cem-1 --no-password')
  await here.command('user disable --sub cem-1')
  const identity = { ...WITH_UPSTREAM.identity, ...MAILS.identity }
  const { browser, page } = await consoleOn(here, { ...WITH_UPSTREAM, identity })
  const seen = new Map<string, Answer>([[page.url.pathname, page]])
  const waiting = [page]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, href = ''] of next.html.matchAll(/href="(\/admin\/realms\/[^"?#]*)/g)) {
      if (seen.has(href)) continue
      const answer = await browser.send(href)
      seen.set(href, answer)
      waiting.push(answer)
    }
  const forms = [...seen].filter(([, { html }]) => html.includes('class="act"')).map(([path]) => path)
  const nameOf = (path: string) =>
    path
      .replace(/\/roles\/(?:users|clients)\/.*/, '/roles/*')
      .replace(/\/roles\/new\/.*/, '/roles/new/*')
      .replace(/\/(users|clients|keys|audit|documents|upstreams)\/(?!new)[^/]+/, '/$1/*')
      .replace(/\/(factors|links|sessions)\/.*/, '/$1/*')
  const paths = await Promise.all(Object.values(ROWS).map(({ path }) => textFor(path, here)))
  const known = new Set(paths.map(nameOf))
  for (const form of [
    '/keys/new',
    '/roles/new/',
    '/mail/test',
    '/upstreams/github/check',
    '/forget',
    '/factors/',
    '/links/',
    '/sessions/',
  ])
    expect(forms.some((path) => path.includes(form))).toBe(true)
  expect(forms.length).toBeGreaterThan(8)
  expect(forms.some((path) => path.endsWith('/undo'))).toBe(true)
  expect(forms.filter((path) => !known.has(nameOf(path)))).toEqual([])
})

it('each form of the page of realms has a row', async () => {
  const here = await place({ config: WITH_REALMS })
  await giveRealms(here)
  const { browser } = await consoleOn(here, WITH_REALMS)
  const seen = new Map<string, Answer>()
  const waiting = [REALMS]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    const answer = await browser.send(path)
    seen.set(path, answer)
    for (const [, href = ''] of answer.html.matchAll(/href="([^"?#]*)/g))
      if (href.startsWith(`${REALMS}/`)) waiting.push(href)
  }
  const forms = [...seen].filter(([, { html }]) => html.includes('class="act"')).map(([path]) => path)
  const nameOf = (path: string) => path.replace(/\/realms\/(?!new|default)[^/]+/, '/realms/*')
  expect([...new Set(forms.map(nameOf))].sort()).toEqual([
    `${REALMS}/*/delete`,
    `${REALMS}/*/edit`,
    `${REALMS}/new`,
  ])
  const known = Object.values(ROWS).map(({ path }) => (typeof path === 'string' ? nameOf(path) : ''))
  expect(known).toEqual(expect.arrayContaining(forms.map(nameOf)))
})

it('a text with a line break has no command line, and the request has it', async () => {
  const here = await place({ config: WITH_CONSOLE })
  await here.command('user create bob --sub bob-1 --no-password')
  const { browser } = await consoleOn(here)
  const form = await browser.send(`${BOB}/edit`)
  const shown = await browser.post(form, { username: 'bob', name: 'a\nrm -rf /', show_command: '1' })
  expect(linesOf(shown)).toEqual([])
  expect(shown.html).toContain('has a line break or a control character: use the request')
  expect(unescaped(shown.html)).toContain('"name": "a\\nrm -rf /"')
})
