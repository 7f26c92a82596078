/** What a server loads at its start, and what only with the first request that needs it. */

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@ostiary/test-kit/folder'
import { startSmtp } from '@ostiary/test-kit/mail/smtp'
import { type Page, person } from '@ostiary/test-kit/person'
import { freePort } from '@ostiary/test-kit/ports'
import { configFor, IN_MEMORY, PASSWORD, run, startTestServer, USERNAME } from '@ostiary/test-kit/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER } from '../../../scripts/build.mjs'
import { LONG } from '../../../vitest.shared.ts'

const PRELOAD = { NODE_OPTIONS: `--import ${new URL('loaded-modules.mjs', import.meta.url)}` }

const MAIL = { from: 'id@example.com' }
/** The program, and what verifies the hashes of other systems. */
const ALWAYS = /\/(?:apps\/node-server|packages\/password-hashes)\/dist\//
/** `@ostiary/core/common`, and the files that it has in common with the rest of core. */
const SHARED = /\/packages\/core\/dist\/(?:common\/index|chunk-\w+)\.js$/

/** Those of a server with records in memory. What sends mail, asks other providers or draws codes is not among them. */
const PACKAGES = ['@hono/node-server', 'fastest-levenshtein', 'ipaddr.js', 'jose', 'zod']

const configured = (identity: object) => (port: number) => ({
  ...configFor('http://localhost:8080/callback')(port),
  ...identity,
})

const isOf = (name: string) => (url: string) => url.includes(`/node_modules/${name}/`)
const isIn = (name: string) => (url: string) => url.includes(`/packages/${name}/dist/`)
const fileName = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** A server of the running test, and the URLs of the modules that it has loaded until now. */
async function started(identity: object, variables: Record<string, string> = {}) {
  const file = join(await temporaryFolder(), 'loaded')
  const env = { ...IN_MEMORY, ...PRELOAD, ...variables, LOADED_MODULES: file }
  const { issuer } = await startTestServer({ config: configured(identity), env })
  const loaded = async () =>
    (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith('file:'))
  return { issuer, loaded }
}

interface Loaded {
  /** After the sign-in. */
  page: Page
  /** By the start. */
  start: string[]
  /** By the start and a sign-in with a password. */
  signed_in: string[]
  /** By these and a request to the console, where there is one. */
  opened: string[]
}

/** By each configuration that was asked for: a server is started once for all tests that look at what it has loaded. */
const known = new Map<string, Promise<Loaded>>()

function loadedBy({ config, env = {}, signs_in }: Loading): Promise<Loaded> {
  const key = JSON.stringify([config, env, signs_in])
  const found = known.get(key) ?? look()
  known.set(key, found)
  return found

  async function look(): Promise<Loaded> {
    const { issuer, loaded } = await started(config, { SMTP_URL: 'smtp://127.0.0.1:1', ...env })
    const start = await loaded()
    const { page } = await signIn(issuer, signs_in)
    const signed_in = await loaded()
    await fetch(`${issuer}/admin`, { redirect: 'manual' })
    return { page, start, signed_in, opened: await loaded() }
  }
}

/** The source map of a chunk names what is in it. */
const sources = new Map<string, string[]>()
async function sourcesOf(url: string): Promise<string[]> {
  const named = sources.get(url)
  if (named !== undefined) return named
  const map = JSON.parse(await readFile(`${fileURLToPath(url)}.map`, 'utf8')) as { sources: string[] }
  sources.set(url, map.sources)
  return map.sources
}
const sourcesIn = async (urls: string[]) =>
  (await Promise.all(urls.filter((url) => url.includes('/node-server/dist/')).map(sourcesOf))).flat()
const upstreamIn = async (urls: string[]) =>
  (await sourcesIn(urls)).filter((source) => source.includes('packages/upstream/'))

/** The packages of which something is loaded, sorted. */
async function packagesIn(urls: string[]) {
  const names = (await sourcesIn(urls)).map(
    (source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1],
  )
  return [...new Set(names)].filter((name) => name !== undefined).sort()
}

/** The page, with only the form that adds an app. */
function appForm(page: Page): Page {
  const html = page.html.split(/(?=<form)/).find((part) => part.includes('name="method" value="totp"'))
  if (html === undefined) throw new Error(`No form for an app: ${page.html}`)
  return { ...page, html }
}

/** @param realm The path of a realm. */
async function signIn(issuer: string, realm = '') {
  const ann = person(issuer)
  const sign_in = await ann.open(`${issuer}${realm}/account`)
  return { ann, page: await ann.submit(sign_in, { username: USERNAME, password: PASSWORD }) }
}

/** Signs in, and opens the account page. */
async function account(issuer: string) {
  const { ann, page } = await signIn(issuer)
  expect([page.url.pathname, page.status]).toEqual(['/account', 200])
  return { ann, page }
}

/** Nothing that is optional is turned on. */
const PLAIN: Loading = { config: {} }
/** Mail is turned on, and nothing that sends some; what has a switch is turned off. */
const MAIL_ALONE: Loading = {
  config: { identity: { mail: MAIL }, audit: { enabled: false }, admin: { enabled: false } },
}

it('the list of common passwords is loaded with the first password that rules decide about', async () => {
  // The user of the configuration gets a password at the start.
  const { start } = await loadedBy(row('password-rules'))
  expect(start.filter(isIn('password-rules')).map(fileName)).toContainEqual(
    expect.stringMatching(/^common-passwords-/),
  )
})

it.each([
  ['where nothing is turned on', PLAIN],
  ['where mail is, and no mail is sent', MAIL_ALONE],
])(
  'neither the start nor a sign-in with a password loads what only factors, other providers, mails or optional packages need, %s',
  async (_, given) => {
    const { page, start, signed_in } = await loadedBy(given)
    expect([page.url.pathname, page.status]).toEqual(['/account', 200])
    for (const urls of [start, signed_in]) expect(await packagesIn(urls)).toEqual(PACKAGES)
    expect(await upstreamIn(signed_in)).toEqual([])
    const optional = Object.keys(OPTIONAL).filter((name) => signed_in.some(isIn(name)))
    expect(optional).toEqual(['password-hashes'])
    const olderHashes = signed_in.filter(isIn('password-hashes')).map(fileName)
    expect(olderHashes).toEqual(['index.js', expect.stringMatching(/^chunk-/)])
    for (const name of ['uqr', 'openid-client', 'nodemailer'])
      expect(signed_in.filter(isOf(name))).toEqual([])
  },
)

it('uqr is loaded with the first page that shows a QR code', async () => {
  const { issuer, loaded } = await started({ identity: { second_factor: 'optional' } })
  const { ann, page } = await account(issuer)
  expect(await packagesIn(await loaded())).toEqual(PACKAGES)
  expect((await loaded()).filter(isOf('uqr'))).toEqual([])
  const enrolment = await ann.submit(appForm(page))
  expect(enrolment.html).toContain('<svg')
  expect((await loaded()).filter(isOf('uqr'))).toHaveLength(1)
})

it('openid-client is loaded with the first sign-in at another provider', async () => {
  const corp = {
    type: 'oidc',
    // Nothing listens there.
    issuer: `http://127.0.0.1:${await freePort()}`,
    client_id: 'ostiary',
    client_secret_env: 'CORP_SECRET',
    name: 'Corp',
  }
  const { issuer, loaded } = await started(
    { identity: { upstreams: { corp } } },
    { CORP_SECRET: 'a secret of the client' },
  )
  const { page } = await account(issuer)
  expect(page.html).toContain('Linked accounts')
  expect(await upstreamIn(await loaded())).not.toEqual([])
  expect((await loaded()).filter(isOf('openid-client'))).toEqual([])
  const eve = person(issuer)
  const sign_in = await eve.open(`${issuer}/account`)
  const form = sign_in.html.split(/(?=<form)/).find((part) => part.includes('Sign in with Corp')) ?? ''
  const refused = await eve.submit({ ...sign_in, html: form })
  expect(refused.html).toContain('Corp cannot be reached')
  expect((await loaded()).filter(isOf('openid-client'))).not.toEqual([])
})

it('the deliveries of the audit are loaded with audit.sinks alone', async () => {
  const { signed_in } = await loadedBy(row('audit'))
  expect(signed_in.filter(isIn('audit'))).not.toEqual([])
  expect(signed_in.filter(isIn('audit-sinks'))).toEqual([])
})

it('the console is loaded with the first request to one of its pages: a start needs its client alone', async () => {
  const { signed_in, opened } = await loadedBy(row('console'))
  const ofConsole = (urls: string[]) => urls.filter((url) => /\/packages\/console[\w-]*\/dist\//.test(url))
  const before = ofConsole(signed_in)
  expect(before.map(fileName).sort()).toEqual([expect.stringMatching(/^chunk-/), 'client.js'])
  const sizes = await Promise.all(before.map(async (url) => (await stat(fileURLToPath(url))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3000)
  expect(ofConsole(opened)).toContainEqual(expect.stringContaining('/packages/console/dist/index.js'))
})

it('nodemailer is loaded with the first mail', async () => {
  const mail_server = await startSmtp()
  onTestFinished(() => mail_server.close())
  const loaded = join(await temporaryFolder(), 'loaded')
  const env = { ...IN_MEMORY, ...PRELOAD, SMTP_URL: mail_server.url, LOADED_MODULES: loaded }
  const sent = await run({
    config: configured({ identity: { mail: MAIL } })(3000),
    env,
    args: ['mail', 'test', 'ann@example.org'],
  })
  expect([sent.code, mail_server.mails]).toEqual([0, [expect.anything()]])
  expect((await readFile(loaded, 'utf8')).split('\n').filter(isOf('nodemailer'))).not.toEqual([])
})

/** Of the copy of core that the admin API has. */
const CORE = ['core', 'resource-server', '@noble/hashes', 'fastest-levenshtein', 'jose', 'zod']

interface Loading {
  config: object
  env?: Record<string, string>
  /** What it may load beside its own files. */
  more?: string[]
  /** The console has been opened; the start and a sign-in are enough when absent. */
  opens?: true
  /** The path of the realm in which a user signs in. */
  signs_in?: string
  /** A command loads it, and no server. */
  by_command?: true
}

/** What turns on each of our packages that is not in the program of a server. */
const OPTIONAL: Readonly<Record<string, Loading>> = {
  'access-rules': { config: { identity: { access: { applications: true } } } },
  'account-deletion': { config: { identity: { account_deletion: true } } },
  addresses: { config: { identity: { mail: MAIL, email_change: true } } },
  admin: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    // It checks what is sent by the schemas of core.
    more: ['console', 'admin-client', 'admin-commands', 'realm-operations', 'simulation', ...CORE],
  },
  // The client of the command line.
  'admin-client': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-commands', 'realm-operations', 'simulation', ...CORE],
  },
  // Its operations.
  'admin-commands': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-client', 'realm-operations', 'simulation', ...CORE],
  },
  audit: { config: { audit: { enabled: true } } },
  'audit-sinks': {
    config: {
      audit: { enabled: true, sinks: [{ url: 'https://siem.example.com/ostiary', format: 'set' }] },
    },
    more: ['audit'],
  },
  console: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['admin-commands', 'realm-operations', 'admin', 'admin-client', 'simulation', ...CORE],
  },
  'console-activity': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: true,
    more: [
      'console',
      'console-clients',
      'console-settings',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-clients': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: true,
    more: [
      'console',
      'console-activity',
      'console-settings',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-settings': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: true,
    more: [
      'console',
      'console-activity',
      'console-clients',
      'console-setup',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'console-setup': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    opens: true,
    more: [
      'console',
      'console-activity',
      'console-clients',
      'console-settings',
      'oauth4webapi',
      'admin-commands',
      'realm-operations',
      'admin',
      'admin-client',
      'simulation',
      ...CORE,
    ],
  },
  'email-codes': { config: { identity: { mail: MAIL, email_codes: true } } },
  'email-sign-in': { config: { identity: { sign_in_with: ['username', 'email'] } } },
  explain: { config: {}, by_command: true },
  'password-hashes': { config: {} },
  'password-rules': { config: { identity: { password: { rules: true } } } },
  'personal-data': { config: {}, by_command: true },
  'realm-operations': {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin-commands', 'admin', 'admin-client', 'simulation', ...CORE],
  },
  realms: {
    config: { oidc: { routes: { realms: 'path' }, realms: { default: {} } }, realms_at_run_time: true },
    env: { OSTIARY_STORAGE: '' },
    signs_in: '/realms/default',
    more: ['storage-pglite', '@electric-sql/pglite'],
  },
  recovery: { config: { identity: { mail: MAIL, recovery: { mail: true } } } },
  'sign-up': { config: { identity: { mail: MAIL, signup: 'open' } } },
  simulation: {
    config: { oidc: { acr: 'require' }, admin: { enabled: true } },
    more: ['console', 'admin', 'admin-client', 'admin-commands', 'realm-operations', ...CORE],
  },
  'storage-pglite': { config: {}, env: { OSTIARY_STORAGE: '' }, more: ['@electric-sql/pglite'] },
  terms: { config: { identity: { terms: { version: '1', url: '/terms' } } } },
}

function row(name: string): Loading {
  const found = OPTIONAL[name]
  if (found === undefined) throw new Error(`There is no row of ${name}`)
  return found
}

/** The short run has those of a server with nothing more, and of one with the admin API, which loads most of them. */
const isInShort = ({ config, env }: Loading): boolean =>
  'admin' in config || (Object.keys(config).length === 0 && env === undefined)
const TRIED = Object.entries(OPTIONAL).filter(([, row]) => isInShort(row) !== LONG)

/** Bytes of the functions of core that such a package shares with a server, which has a copy of them. */
const MAX_SHARED_BYTES = 8_000

describe('what a server loads with a package that it does not always load', () => {
  it('each has a row', () => {
    const names = SERVER.external.filter((name) => name.startsWith('@ostiary/'))
    expect(Object.keys(OPTIONAL).map((name) => `@ostiary/${name}`)).toEqual(names)
  })

  it.each(TRIED)('%s: its own files, and no copy of what the server has', async (name, row) => {
    const { opens = false, more = [], by_command = false } = row
    const { signed_in, opened } = await loadedBy(row)
    const urls = opens ? opened : signed_in
    const isOwn = isIn(name)
    expect(urls.some(isOwn)).toBe(!by_command)
    const isMore = (url: string) => more.some((each) => isOf(each)(url) || isIn(each)(url))
    const isKnown = (url: string) => isOwn(url) || ALWAYS.test(url) || isMore(url)
    const others = urls.filter((url) => !isKnown(url))
    expect(others.filter((url) => !SHARED.test(url))).toEqual([])
    const sizes = await Promise.all(others.map(async (url) => (await stat(fileURLToPath(url))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_SHARED_BYTES)
  })
})
